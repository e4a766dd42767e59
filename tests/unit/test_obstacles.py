"""Fixed obstacles: distances, the energy that pushes, what is put outside, and friction."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from pliant.energies.obstacle import OMEGA, ObstacleEnergy
from pliant.step.xpbd_obstacles import pushed, put_outside
from tests.laws.test_spring_laws import dense, differences
from tests.unit.test_cloth import cloth, sheet

KINDS = [
    pl.Sphere((0.1, 0.2, -0.1), 0.5, margin=0.1, friction=0.4),
    pl.HalfSpace((0.0, 0.1, 0.0), (1.0, 2.0, 0.5), margin=0.2, friction=0.4),
    pl.Capsule((-0.3, 0.0, 0.0), (0.4, 0.1, 0.2), 0.3, margin=0.1, friction=0.4),
    pl.Sphere((0.1, 0.2), 0.5, margin=0.1, friction=0.4),
    pl.HalfSpace((0.0, 0.1), (1.0, 2.0), margin=0.2, friction=0.4),
]
each = pytest.mark.parametrize("obstacle", KINDS, ids=repr)


def around(obstacle, seed=0):
    return np.random.default_rng(seed).uniform(-0.6, 0.6, (40, obstacle.dim))


@each
def test_distances_are_those_to_the_surface(obstacle):
    x = around(obstacle)
    d, n = obstacle.nearest(x)
    assert (d < 0.0).any() and (d > 0.0).any()
    np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0)
    on, _ = obstacle.nearest(x - d[:, None] * n)
    np.testing.assert_allclose(on, 0.0, atol=1e-14)
    slope = differences(lambda y: obstacle.nearest(y.reshape(x.shape))[0].sum(), x)
    np.testing.assert_allclose(slope.reshape(x.shape), n, atol=1e-8)


@each
def test_the_energy_of_obstacles_obeys_the_laws(obstacle):
    x = around(obstacle)
    energy = ObstacleEnergy(x, np.full(len(x), 2.0), [obstacle])
    assembly = Assembly(len(x), obstacle.dim, [energy])
    assert isinstance(energy, Energy)
    gap = np.minimum(obstacle.nearest(x)[0] - obstacle.margin, 0.0)
    assert assembly.value(x) == pytest.approx(OMEGA**2 * (gap**2).sum())
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Differences at h = 1e-6 of numbers of 1e5: rounding 1e-16/h, and h times the third derivative.
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-6 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-5 * np.abs(H).max()
    projected = dense(assembly, x, project=True)
    assert np.linalg.eigvalsh(projected).min() >= -1e-9 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())
    far = x + 10.0 * obstacle.nearest(x)[1]
    assert assembly.value(far) == 0.0 and not assembly.gradient(far).any()


@each
def test_position_based_friction_is_coulombs(obstacle):
    """Points under a load m g towards the obstacle, in balance with its push, in a step dt."""
    x, dt = around(obstacle), 1e-3
    d, n = obstacle.nearest(x)
    x = x - (d - obstacle.margin + 1e-9)[:, None] * n  # on the edge of the margin
    d, n = obstacle.nearest(x)
    turned = np.random.default_rng(1).standard_normal(x.shape)
    along = turned - np.einsum("nd,nd->n", turned, n)[:, None] * n
    along /= np.linalg.norm(along, axis=1)[:, None]
    for speed in (1e-3, 1.0):
        way = dt * speed * along - 9.81 * dt**2 * n
        way = pushed([obstacle], 1.0, x, x + way, dt) - x
        normal, slid = np.einsum("nd,nd->n", way, n), np.einsum("nd,nd->n", way, along)
        push = normal + 9.81 * dt**2
        assert (push > 0.0).all() and (push <= 9.81 * dt**2 + 1e-8).all()
        lost = dt * speed - slid
        # Round obstacles bend away by the square of the way.
        np.testing.assert_allclose(
            lost, np.minimum(0.4 * push, dt * speed), atol=1e-11 + 3.0 * (dt * speed) ** 2
        )


@each
def test_points_inside_are_put_on_the_surface_and_kinetic_energy_falls(obstacle):
    dim = obstacle.dim
    flat = pl.meshes.rectangle((1, 1), (6, 6))
    mesh = flat if dim == 2 else pl.meshes.box((1, 1, 1), (3, 3, 3))
    mesh = pl.Mesh(mesh.points - 0.5, mesh.cells)
    body = pl.Body(mesh, pl.Linear(young=1e5, poisson=0.3))
    body.fix([0])
    body.velocity = np.random.default_rng(0).uniform(-1, 1, mesh.points.shape)
    system, before = body.system(), body.velocity
    inside = obstacle.nearest(mesh.points)[0] < 0.0
    x, v = put_outside(system, [obstacle], body.positions, before)
    d, n = obstacle.nearest(x)
    assert inside.sum() > 3 and d[1:].min() > -1e-14
    np.testing.assert_array_equal(x[~inside], mesh.points[~inside])
    np.testing.assert_array_equal(x[0], mesh.points[0])  # a pin stays where it is put
    speed = [np.linalg.norm(each, axis=1) for each in (before, v)]
    assert (speed[1] <= speed[0] + 1e-15).all() and (speed[1] < speed[0]).any()
    assert (v * n)[inside].sum(axis=1)[1:].min() > -1e-14


def on_floor(**how):
    floor = pl.HalfSpace((0, 0, 0), (0, 1, 0), **({"margin": 0.002} | how))
    body = cloth(sheet(cells=(3, 3)), bend=1e-2)
    body.place(body.positions + [0, 0.002, 0])
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(floor)
    return body, scene


@pytest.mark.parametrize("stepper, dt", [(None, 1 / 60), (pl.SymplecticEuler(), 1e-3)])
def test_a_sheet_rests_within_the_gap_where_the_barrier_carries_it(stepper, dt):
    body, scene = on_floor()
    if stepper is not None:  # what backward Euler takes away drag does
        body.damping = pl.Rayleigh(mass=30.0)
    take = scene.run(seconds=0.5, dt=dt, stepper=stepper, progress=False)
    assert take.positions[-1, :, 1].min() > 0.0 and take.positions[-1, :, 1].max() < 0.002
    forces = take.contacts[-1].between("cloth", "half_space").forces.sum(axis=0)
    # The force left on all points after a step of the default tolerance.
    np.testing.assert_allclose(forces, [0, 9.81 * body.masses.sum(), 0], atol=1e-3)
    assert np.abs(take.velocities[-1]).max() < (1e-6 if stepper is None else 1e-4)


@pytest.mark.parametrize(
    "stepper, dt",
    [
        (pl.Implicit(), 1 / 60),
        (pl.LinearisedImplicit(), 1 / 200),
        (pl.BDF2(), 1 / 200),
        (pl.Newmark(), 1 / 200),
        (pl.SymplecticEuler(), 1 / 1000),
        (pl.RungeKutta4(), 1 / 1000),
        (pl.XPBD(), 1 / 60),
    ],
    ids=lambda v: type(v).__name__,
)
def test_no_stepper_leaves_a_point_inside(stepper, dt):
    ball = pl.Sphere((0.5, -0.25, 0.5), 0.2)
    body = cloth(sheet(cells=(6, 6)), bend=1e-3)
    body.velocity = (0, -3.0, 0)
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(ball)
    take = scene.run(seconds=0.25, dt=dt, stepper=stepper, progress=False)
    gaps = np.array([ball.nearest(x)[0] for x in take.positions])
    assert gaps.min() > -1e-12 and gaps.min() < 0.006  # it has come to the ball
    assert take.positions[-1, :, 1].min() < -0.1  # and around it goes on
    assert np.linalg.norm(take.velocities, axis=2).max() < 20.0


def test_quasi_static_motion_and_equilibria_know_obstacles():
    body, scene = on_floor()
    body.place(body.positions - [0, 1e-5, 0])  # in touch, or pins alone would let it swing
    body.fix([0, 3])
    still = scene.equilibrium().positions[0]
    assert still[:, 1].min() > 0.0 and still[~body.pinned, 1].max() < 0.002
    scene.run(seconds=0.1, stepper=pl.QuasiStatic(), progress=False)
    np.testing.assert_allclose(body.positions, still, atol=1e-6)


@pytest.mark.parametrize("bounces", [None, 0])
def test_a_held_body_rests_on_cue_on_an_obstacle(bounces):
    """Its rest shape lies on the ball; the promise is for what stays in touch."""
    mesh = sheet(cells=(8, 8))
    body = cloth(mesh, bend=1e-3)
    edge = (mesh.points[:, [0, 2]] < 0.01).any(axis=1) | (mesh.points[:, [0, 2]] > 0.99).any(axis=1)
    body.fix(edge)
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(pl.Sphere((0.5, -0.205, 0.5), 0.2))
    still = scene.equilibrium()
    rest, ball = still.positions[0], scene.obstacles[0]
    assert ball.nearest(rest)[0].min() > 0.0 and len(still.contacts[0]) > 0
    body.place(rest + 1e-3 * (~edge)[:, None] * np.abs(mesh.points - 0.5)[:, :1] * [0, 1, 0])
    body.damping = pl.Settle(0.5, bounces)
    take = scene.run(seconds=0.7, dt=1 / 60, progress=False)
    assert take.rest_time() == pytest.approx(0.5, rel=0.03)


def test_settle_lets_fall_what_may_land():
    body, scene = on_floor()
    body.place(body.positions + [0, 0.1, 0])
    body.damping = pl.Settle(0.5)
    take = scene.run(seconds=0.9, progress=False)
    assert take[body].since == pytest.approx(np.sqrt(0.2 / 9.81), abs=0.002)  # the fall to the gap
    assert take.rest_time() == pytest.approx(0.5, abs=1 / 60)


def test_settle_is_as_before_without_obstacles():
    body, _ = on_floor()
    body.damping = pl.Settle(0.5)
    pl.Scene([body], gravity=(0, -9.81, 0)).run(
        seconds=0.1, progress=False
    )  # another scene: no floor
    assert body.obstacles == () and body.positions[:, 1].max() < -0.01


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("stepper, dt", [(None, 1 / 60), (pl.SymplecticEuler(), 1 / 1000)])
def test_friction_slows_what_slides_by_mu_g(friction, stepper, dt):
    body, scene = on_floor(friction=friction)
    body.place(body.positions - [0, 1e-5, 0])
    body.place(scene.equilibrium().positions[0])  # where the push is its weight
    body.velocity = (1.0, 0.0, 0.0)
    take = scene.run(seconds=0.2, dt=dt, stepper=stepper, progress=False)
    speed = take.velocities[:, :, 0].mean(axis=1)
    expected = 1.0 - friction * 9.81 * take.times
    np.testing.assert_allclose(speed, expected, atol=2e-3)


@pytest.mark.parametrize("degrees, slides", [(10.0, False), (30.0, True)])
def test_friction_holds_below_its_angle(degrees, slides):
    """mu = 0.3 holds below 16.7 degrees."""
    turn = np.radians(degrees)
    _, scene = on_floor(friction=0.3)
    scene.gravity = 9.81 * np.array([np.sin(turn), -np.cos(turn), 0.0])
    take = scene.run(seconds=1.0, dt=1 / 60, progress=False)
    speed = take.velocities[-1, :, 0].mean()
    if slides:
        expected = 9.81 * (np.sin(turn) - 0.3 * np.cos(turn))
        assert speed == pytest.approx(expected, rel=0.03)  # the first steps fall into the margin
    else:
        assert abs(speed) < 2e-3


def test_solids_and_plane_bodies_land_too():
    mesh = pl.meshes.rectangle((0.4, 0.4), (4, 4))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.4), density=1000.0)
    body.damping = pl.Rayleigh(stiffness=0.01)
    body.place(mesh.points + [0, 0.1])
    scene = pl.Scene([body], gravity=(0, -9.81))
    scene.add(pl.HalfSpace((0, 0), (0, 1)))
    take = scene.run(seconds=1.5, dt=1 / 60, progress=False)
    assert take.positions[..., 1].min() > 0.0 and np.abs(take.velocities[-1]).max() < 0.02
    assert 0.3 < np.ptp(take.positions[-1, :, 1]) < 0.4  # it sags under its weight


def test_a_start_inside_is_refused():
    body = cloth(sheet())
    scene = pl.Scene([body])
    scene.add(pl.Sphere((0.5, 0.0, 0.5), 0.2))
    with pytest.raises(ValueError, match=r"points are inside Sphere.*body\.place"):
        scene.run(seconds=0.1, progress=False)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.Sphere((0, 0, 0), 0.0), "radius=0.0; expected more than 0"),
        (lambda: pl.Sphere((0, 0), np.inf), "radius"),
        (lambda: pl.Sphere("here", 1.0), "centre='here'; expected 2 or 3 finite"),
        (lambda: pl.Sphere((0, 0, 0), 1.0, margin=-1), "margin=-1; expected 0 or more"),
        (lambda: pl.HalfSpace((0, 0, 0), (0, 0, 0)), "not all zero"),
        (lambda: pl.HalfSpace((0, 0, 0), (0, 1)), "expected 3 numbers"),
        (lambda: pl.Capsule((0, 0, 0), (0, 1), 0.1), "as many numbers"),
        (lambda: pl.HalfSpace((0, 0, 0), (0, 1, 0), friction=np.nan), "friction"),
    ],
)
def test_bad_obstacles_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_scenes_refuse_what_is_no_obstacle():
    scene = pl.Scene([cloth(sheet())])
    with pytest.raises(TypeError, match="expected e.g. pl.Sphere"):
        scene.add((0, 0, 0))
    with pytest.raises(ValueError, match="2D; the bodies are in 3D"):
        scene.add(pl.Sphere((0, 0), 1.0))
    assert scene.obstacles == ()
