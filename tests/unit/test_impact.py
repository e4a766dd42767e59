"""Rods of IMPACT: interface, errors, and how they fit in scenes."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies import Energy


def rod(n=10, dim=2, **how):
    points = np.zeros((n + 1, dim))
    points[:, 0] = np.linspace(0, 1, n + 1)
    pairs = np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)
    given = {"young": 1e7, "density": 1000.0, "radius": 0.01} | how
    return pl.ImpactRods(pl.Mesh(points, {"line": pairs}), **given)


def two(angle=0.0, gap=0.002, dim=3, **how):
    """Two rods of one element, the second across the first, above it."""
    points = np.zeros((4, 3))
    points[:2, 0] = [-0.5, 0.5]
    points[2:, 0], points[2:, 1] = np.outer([-0.5, 0.5], [np.cos(angle), np.sin(angle)]).T
    points[2:, 2] = 0.02 + gap
    given = {"young": 1e7, "density": 1000.0, "radius": 0.01} | how
    return pl.ImpactRods(pl.Mesh(points, {"line": [[0, 1], [2, 3]]}), **given)


def truss(**how):
    """A braced square of the plane, held at two corners."""
    points = [[0, 0], [1, 0], [1, 1], [0, 1]]
    mesh = pl.Mesh(points, {"line": [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]]})
    given = {"young": 1e7, "density": 1000.0, "radius": 0.01, "collision": 0.0} | how
    body = pl.ImpactRods(mesh, **given)
    body.fix([0, 1])
    return body


def test_masses_and_inertia_are_halves_of_their_elements():
    body = rod(4, dim=3)
    mass = 1000.0 * np.pi * 1e-4 * 0.25
    assert body.masses == pytest.approx([mass / 2, mass, mass, mass, mass / 2])
    inertia = mass * np.diag([1e-4 / 2, 0.25**2 / 12, 0.25**2 / 12])
    np.testing.assert_allclose(body.inertia[0], inertia / 2, rtol=1e-12, atol=1e-20)
    np.testing.assert_allclose(body.inertia[1], inertia, rtol=1e-12, atol=1e-20)


def test_inertia_turns_with_the_rod():
    """The source adds the tensor of a rod along x whatever its direction."""
    straight, turned = rod(1, dim=3), rod(1, dim=3)
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))
    mesh = pl.Mesh(turned.mesh.points @ Q.T, turned.mesh.cells)
    turned = pl.ImpactRods(mesh, young=1e7, density=1000.0, radius=0.01)
    np.testing.assert_allclose(turned.inertia[0], Q @ straight.inertia[0] @ Q.T, atol=1e-12)


def test_area_and_radius_say_the_same():
    a, b = rod(radius=None, area=np.pi * 1e-4), rod(radius=0.01)
    assert a.masses == pytest.approx(b.masses)
    assert b.sound == pytest.approx(100.0)


def test_stress_is_that_of_hooke_with_its_sign():
    body = rod()
    body.place(body.mesh.points * [0.999, 1.0])
    assert body.stresses() == pytest.approx(-1e4 * np.ones(10), rel=1e-9)
    body.place(body.positions[:, ::-1])  # turned by a right angle: the source looks along x only
    assert body.stresses() == pytest.approx(-1e4 * np.ones(10), rel=1e-9)
    assert body.stresses(np.stack([body.positions] * 3)).shape == (3, 10)


@pytest.mark.parametrize("radius", [0.01, 0.05, 0.1, 0.2])
def test_a_pressed_rod_does_not_collide_with_itself(radius):
    """Elements of 0.1 m: some pairs of them are just a diameter apart."""
    body, free = rod(radius=radius), rod(radius=radius, collision=0.0)
    x = body.mesh.points * [0.9, 1.0]
    assert body.system().value(x) == pytest.approx(free.system().value(x), rel=1e-12)


def test_a_ring_of_rod_that_closes_collides_with_itself():
    angle = np.linspace(0, 1.8 * np.pi, 31)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    pairs = np.stack([np.arange(30), np.arange(1, 31)], axis=1)
    ring = pl.ImpactRods(pl.Mesh(points, {"line": pairs}), young=1e7, density=1000.0, radius=0.02)
    assert ring.system().value(points) == 0.0
    bent = np.stack([np.cos(1.106 * angle), np.sin(1.106 * angle)], axis=1)  # ends 0.03 m apart
    free = pl.ImpactRods(ring.mesh, young=1e7, density=1000.0, radius=0.02, collision=0.0)
    assert ring.system().value(bent) > free.system().value(bent) + 1.0


def test_crossing_rods_bounce_off_each_other():
    """Middle on middle in space: the contact is away from every node. Energy and momenta are kept."""
    rods = two(angle=1.1)
    rods.velocity = np.array([[0, 0, 0.5], [0, 0, 0.5], [0, 0, -0.5], [0, 0, -0.5]])
    dt = 0.02 * pl.Impact().longest_dt(rods.system())
    take = pl.Scene(rods).run(seconds=0.06, dt=dt, fps=1 / (60 * dt), stepper=pl.Impact())
    v, m = take.velocities, rods.masses[:, None]
    np.testing.assert_allclose(v[-1, :2, 2], -0.5, atol=0.01)
    np.testing.assert_allclose(v[-1, 2:, 2], 0.5, atol=0.01)
    np.testing.assert_allclose((m * v).sum(axis=1), 0.0, atol=1e-14)
    assert take.energies["total"][-1] == pytest.approx(take.energies["total"][0], rel=1e-3)
    assert np.ptp(take.energies["elastic"]) > 0.1 * take.energies["total"][0]
    rods = two(angle=1.1, collision=0.0)
    rods.velocity = np.array([[0, 0, 0.5], [0, 0, 0.5], [0, 0, -0.5], [0, 0, -0.5]])
    take = pl.Scene(rods).run(seconds=0.06, dt=1e-4, stepper=pl.Impact())
    assert take.positions[-1, 0, 2] > take.positions[-1, 2, 2]  # through each other


def test_a_tip_that_hits_a_rod_off_centre_keeps_angular_momentum():
    points = [[-0.5, 0, 0], [0.5, 0, 0], [0.2, 0.03, 0], [0.2, 0.43, 0]]
    rods = pl.ImpactRods(
        pl.Mesh(points, {"line": [[0, 1], [2, 3]]}), young=1e7, density=1000.0, radius=0.01
    )
    rods.velocity = np.array([[0, 0, 0], [0, 0, 0], [0, -1.0, 0], [0, -1.0, 0]])
    take = pl.Scene(rods).run(seconds=0.03, dt=2e-5, stepper=pl.Impact())
    L = np.einsum("p,tpd->td", rods.masses, np.cross(take.positions, take.velocities))
    assert np.abs(L - L[0]).max() < 1e-12 * np.abs(L).max()
    assert take.velocities[-1, 1, 1] < -0.3  # the near end is knocked down


@pytest.mark.parametrize("stepper", [pl.SymplecticEuler, pl.RungeKutta4, pl.Implicit, pl.Newmark])
def test_other_steppers_collide_too(stepper):
    rods = two(angle=1.1)
    rods.velocity = np.array([[0, 0, 0.5], [0, 0, 0.5], [0, 0, -0.5], [0, 0, -0.5]])
    take = pl.Scene(rods).run(seconds=0.03, dt=5e-5, fps=400, stepper=stepper())
    assert take.velocities[-1, 0, 2] < -0.3 and take.velocities[-1, 2, 2] > 0.3
    momentum = rods.masses @ take.velocities[-1]
    assert np.abs(momentum).max() < 1e-8 * rods.masses.sum()


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_a_truss_rests_on_cue(bounces):
    body = truss(damping=pl.Settle(0.8, bounces=bounces))
    body.place(body.mesh.points + 0.01 * body.mesh.points[:, 1:] * [1, 0])
    take = pl.Scene([body]).run(seconds=1.0, dt=1 / 120)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def test_a_truss_under_load_stands_as_statics_says():
    """Pulled along the diagonal 0-2 alone it would stretch by F l/EA; the frame takes its share."""
    body = truss()
    body.push(force=(10.0, 0.0), on=[2])
    x = pl.Scene([body]).equilibrium().positions[0]
    pull = body.stresses(x) * np.pi * 1e-4
    along = (x[body.rods[:, 1]] - x[body.rods[:, 0]]) * (
        pull / np.linalg.norm(x[body.rods[:, 1]] - x[body.rods[:, 0]], axis=1)
    )[:, None]
    forces = np.zeros_like(x)
    np.add.at(forces, body.rods[:, 0], along)
    np.add.at(forces, body.rods[:, 1], -along)
    np.testing.assert_allclose(forces[[2, 3]], [[-10.0, 0.0], [0.0, 0.0]], atol=1e-6)


def test_rods_beside_other_bodies():
    solid = pl.Body(pl.meshes.rectangle((1, 1), (2, 2)), pl.Corotated(young=1e4, poisson=0.3))
    body = rod()
    body.velocity = (1.0, 0.0)
    take = pl.Scene([body, solid]).run(seconds=0.01, dt=1e-4, stepper=pl.Impact())
    assert take[body].positions[-1, 0, 0] == pytest.approx(0.01)


def test_a_second_run_continues_the_turning_and_reset_ends_it():
    once, twice = rod(1, dim=3), rod(1, dim=3)
    for body, pieces in ((once, [0.2]), (twice, [0.1, 0.1])):
        body.angular_velocity = (3.0, 1.0, 0.0)
        scene = pl.Scene(body)
        for seconds in pieces:
            scene.run(seconds=seconds, dt=0.002, stepper=pl.Impact())
    np.testing.assert_allclose(once.orientation, twice.orientation, atol=1e-13)
    assert np.abs(once.orientation - np.eye(3)).max() > 0.1
    once.reset()
    assert np.array_equal(once.angular_velocity, np.zeros((2, 3)))
    np.testing.assert_allclose(once.orientation, np.eye(3)[None].repeat(2, axis=0), atol=1e-14)


def test_fixed_nodes_do_not_turn():
    body = rod(1, dim=3)
    body.twist((0.0, 0.0, 1.0), on=[0, 1])
    body.fix([0])
    pl.Scene(body).run(seconds=0.01, dt=1e-3, stepper=pl.Impact())
    assert not body.spin[0].any()
    assert body.spin[1] == pytest.approx([0.0, 0.0, 0.01])
    body.untwist()
    pl.Scene(body).run(seconds=0.01, dt=1e-3, stepper=pl.Impact())
    assert body.spin[1] == pytest.approx([0.0, 0.0, 0.01])


def test_a_failed_step_leaves_turning_where_it_was():
    body, wild = rod(1, dim=3), rod(20, dim=3)
    body.angular_velocity = (0.0, 0.0, 1.0)
    wild.place(wild.mesh.points * [1.001, 1, 1])
    scene = pl.Scene([body, wild])
    with pytest.raises(pl.SolverError, match="Impact needs a smaller dt"):
        scene.run(seconds=1.0, dt=2e-3, stepper=pl.Impact())
    angle = np.arctan2(body.orientation[0, 1, 0], body.orientation[0, 0, 0])
    assert angle == pytest.approx((scene.time + np.pi) % (2 * np.pi) - np.pi, abs=1e-9)


def test_an_interrupted_run_is_taken_up_with_its_turning(tmp_path):
    from pliant.io.checkpoint import restore, save

    body = rod(1, dim=3)
    body.angular_velocity = (3.0, 1.0, 0.0)
    scene = pl.Scene(body)
    scene.run(seconds=0.1, dt=0.002, stepper=pl.Impact())
    save(tmp_path, scene, [body.system()], 50)
    other = rod(1, dim=3)
    assert restore(tmp_path, pl.Scene(other), frames=51, device="cpu") == 50
    np.testing.assert_array_equal(other.orientation, body.orientation)
    np.testing.assert_array_equal(other.spin, body.spin)


def test_its_energies_are_energies():
    assert all(isinstance(e, Energy) for e in two().energies(device="cpu"))


@pytest.mark.parametrize(
    "how, words",
    [
        ({"young": 0.0}, r"young=0.0; expected more than 0 \[Pa\]"),
        ({"density": -1.0}, r"density=-1.0; expected more than 0 \[kg/m\^3\]"),
        ({"radius": None}, "expected one of them"),
        ({"area": 1.0}, "expected one of them"),
        ({"radius": 0.0}, r"radius=0.0; expected more than 0 \[m\]"),
        ({"radius": [0.1, 0.2]}, "shape"),
        ({"collision": -1.0}, "collision=-1.0; expected 0 or more"),
    ],
)
def test_refusals(how, words):
    with pytest.raises(ValueError, match=words):
        rod(**how)


def test_refused_meshes():
    with pytest.raises(ValueError, match="expected lines only"):
        pl.ImpactRods(pl.meshes.rectangle(), young=1.0, density=1.0, radius=0.1)
    with pytest.raises(TypeError, match="expected pl.Mesh"):
        pl.ImpactRods([[0, 0]], young=1.0, density=1.0, radius=0.1)
    with pytest.raises(ValueError, match="overlap by 0.005 m at rest"):
        two(gap=-0.005)
    with pytest.raises(ValueError, match="expected numbers of shape|got shape"):
        rod().twist((1.0, 2.0), on=[0])
    with pytest.raises(ValueError, match="take.positions"):
        rod().stresses(np.zeros((3, 2)))


def test_settle_is_refused_with_its_reason():
    body = rod(damping=pl.Settle(1.0))
    with pytest.raises(ValueError, match="Settle with Impact"):
        pl.Scene(body).run(seconds=0.1, dt=1e-4, stepper=pl.Impact())
