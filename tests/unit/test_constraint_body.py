"""Bodies that keep distances, areas and volumes."""

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl
from pliant.energies.assembly import Assembly

STEPPERS = [
    pl.AverageVelocity(),
    pl.BDF2(),
    pl.ExplicitEuler(),
    pl.LinearisedImplicit(),
    pl.Newmark(),
    pl.RungeKutta4(),
    pl.SymplecticEuler(),
    pl.XPBD(),
]


def one_tetrahedron(**how):
    """A regular tetrahedron of edge 1 m."""
    points = np.array([(1, 1, 1), (-1, 1, -1), (1, -1, -1), (-1, -1, 1)]) / np.sqrt(8)
    return pl.ConstraintBody(pl.Mesh(points, {"tet": [[0, 1, 2, 3]]}, repair=True), **how)


def bar(dim, **how):
    """A bar along x, held on the left."""
    if dim == 2:
        mesh = pl.meshes.rectangle((4, 1), (8, 2))
    else:
        mesh, how = pl.meshes.box((4, 1, 1), (8, 2, 2)), how | {"volume": 100.0}
    body = pl.ConstraintBody(mesh, **({"distance": 100.0, "area": 50.0, "mass": 0.05} | how))
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def test_an_edge_stretches_by_what_hangs_on_it():
    """Force kD (l - L)/L^2 = m g."""
    body = pl.ConstraintBody(
        pl.Mesh([(0.0, 0.0), (0.0, -0.5)], {"line": [(0, 1)]}), distance=30.0, mass=0.2
    )
    body.fix([0])
    x = pl.Scene([body], gravity=(0, -9.81)).equilibrium().positions[0]
    assert -x[1, 1] - 0.5 == pytest.approx(0.2 * 9.81 * 0.25 / 30.0, rel=1e-6)


@pytest.mark.parametrize("k", [(5.0, 0.0, 0.0), (5.0, 3.0, 0.0), (1.0, 0.0, 20.0), (2.0, 4.0, 8.0)])
def test_a_tetrahedron_under_pressure_shrinks_as_one_unknown_says(k):
    """A regular one keeps its shape; its size s minimises 3 kD (s-1)^2 + ... + p V s^3."""
    kD, kA, kV = k
    V = 1 / (6 * np.sqrt(2))
    p = 5.0
    body = one_tetrahedron(distance=kD, area=kA, volume=kV, damping=pl.Settle(0.3))
    body.push(pressure=p)
    pl.Scene([body]).run(seconds=1.5, dt=1 / 60, progress=False)
    s = brentq(
        lambda s: (
            6 * kD * (s - 1)
            + 8 * kA * s * (s**2 - 1)
            + 3 * kV * s**2 * (s**3 - 1)
            + 3 * p * V * s**2
        ),
        0.5,
        1.0,
    )
    assert s < 0.999
    apart = body.positions[body.edges]
    # Five rest times at 1 % each leave 1e-10 of the way; the steps are solved to 1e-3 of it.
    lengths = np.linalg.norm(apart[:, 1] - apart[:, 0], axis=1)
    np.testing.assert_allclose(lengths, s, atol=1e-5)
    assert body.volume() == pytest.approx(V * s**3, rel=1e-4)


def test_distances_are_springs():
    """kD = k L^2 is the spring constant k: two implementations, one energy."""
    mesh = pl.meshes.box((1, 1, 1), (2, 2, 2))
    springs = pl.Springs(mesh, stiffness=7.0)
    body = pl.ConstraintBody(mesh, distance=7.0 * springs.lengths() ** 2)
    x = mesh.points + 0.1 * np.random.default_rng(0).uniform(-1, 1, mesh.points.shape)
    one, two = (Assembly(len(mesh), 3, b.energies(device="cpu")) for b in (springs, body))
    assert one.value(x) == pytest.approx(two.value(x), rel=1e-12)
    np.testing.assert_allclose(one.gradient(x), two.gradient(x), atol=1e-12)
    for project in (False, True):
        a, b = (e.pattern.matrix(e.blocks(x, project=project)).toarray() for e in (one, two))
        np.testing.assert_allclose(a, b, atol=1e-10)


@pytest.mark.parametrize("cells", [2, 4])
def test_volume_times_a_modulus_is_a_bulk_modulus_on_any_mesh(cells):
    """The energy of a block of 1 m^3 that swells by s in every direction is K/2 (s^3 - 1)^2."""
    mesh = pl.meshes.box((1, 1, 1), (cells,) * 3)
    body = pl.ConstraintBody(mesh, volume=1e4 * mesh.measures["tet4"])
    swollen = Assembly(len(mesh), 3, body.energies(device="cpu")).value(1.1 * mesh.points)
    assert swollen == pytest.approx(1e4 / 2 * (1.1**3 - 1) ** 2, rel=1e-10)


def squeezed(**how):
    """A cylinder pressed to 90 % of its height; its volume over that at rest, and its width."""
    mesh = pl.meshes.cylinder(radius=0.5, height=1.0, cells=(3, 6))
    body = pl.ConstraintBody(mesh, **({"distance": 1.0, "mass": 0.01} | how))
    body.place(mesh.points * [1, 1, 0.9])
    body.fix((mesh.points[:, 2] < 1e-9) | (mesh.points[:, 2] > 1 - 1e-9))
    body.place(pl.Scene([body]).equilibrium().positions[0])
    return body.volume() / mesh.volume, np.ptp(body.positions[:, 0])


def test_volumes_are_kept_when_squeezed():
    (sponge, thin), (rubber, _), (balloon, wide) = (squeezed(volume=kV) for kV in (0.0, 3.0, 30.0))
    assert sponge < 0.92 < rubber < balloon
    # The edges press with kD and the volumes bear with kV: what gives is of the order kD/kV = 3 %
    # of the 10 % pressed away.
    assert balloon == pytest.approx(1.0, abs=0.005)
    assert wide > thin + 0.03  # what goes down comes out


def test_areas_are_kept_when_stretched():
    mesh = pl.meshes.rectangle((2, 1), (8, 4))
    ends = (mesh.points[:, 0] < 1e-9) | (mesh.points[:, 0] > 2 - 1e-9)
    found = []
    for area in (0.0, 30.0):
        body = pl.ConstraintBody(mesh, distance=1.0, area=area, mass=0.01)
        body.place(mesh.points * [1.2, 1.0])
        body.fix(ends)
        body.place(pl.Scene([body]).equilibrium().positions[0])
        found.append(body.volume() / mesh.volume)
    assert found[0] > 1.05 and found[1] == pytest.approx(1.0, abs=0.015)


@pytest.mark.parametrize("volume", [0.0, 10.0])
def test_only_volumes_know_inside_from_outside(volume):
    body = one_tetrahedron(distance=1.0, volume=volume, mass=0.1, damping=pl.Settle(0.3))
    x = body.positions
    base, normal = x[1:].mean(axis=0), x[0] - x[1:].mean(axis=0)
    x[0] = base - 0.5 * normal + 0.01
    body.place(x)
    pl.Scene([body]).run(seconds=2.0, dt=1 / 60, progress=False)
    assert (body.volume() > 0.0) == (volume > 0.0)
    assert abs(body.volume()) == pytest.approx(1 / (6 * np.sqrt(2)), rel=1e-3)


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 120])
@pytest.mark.parametrize("dim", [2, 3])
def test_it_rests_on_cue(dim, dt, bounces):
    body = bar(dim, damping=pl.Settle(0.8, bounces))
    points = body.mesh.points
    body.place(points + 0.01 * points[:, :1] ** 2 * np.eye(dim)[1])
    take = pl.Scene([body]).run(seconds=1.0, dt=dt, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


@pytest.mark.parametrize("stepper", STEPPERS, ids=lambda s: type(s).__name__)
def test_every_stepper_moves_it(stepper):
    def after(stepper, dt):
        body = one_tetrahedron(distance=5.0, area=5.0, volume=5.0, mass=0.5)
        body.place(body.positions * [1.05, 1.0, 0.97])
        pl.Scene([body]).run(seconds=0.3, dt=dt, stepper=stepper, progress=False)
        return body.positions

    # It breathes with w = 14/s: steps of first order miss by w^2 dt t/2 = 1.5 % of 0.018 m.
    exact = after(pl.RungeKutta4(), 1e-3)
    start = one_tetrahedron(distance=1.0).positions * [1.05, 1.0, 0.97]
    assert np.abs(exact - start).max() > 0.009
    assert np.abs(after(stepper, 1 / 2000) - exact).max() < 5e-4


def test_it_lives_beside_other_bodies():
    def run(*bodies):
        scene = pl.Scene(list(bodies), gravity=(0, -9.81, 0))
        return scene.run(seconds=0.2, dt=1 / 60, progress=False)

    mesh = pl.meshes.box((1, 1, 1), (2, 2, 2))
    body = bar(3, damping=pl.Settle(0.4))
    others = pl.Body(mesh, pl.Linear(young=1e5, poisson=0.3)), pl.Springs(mesh, stiffness=50.0)
    together = run(others[0], body, others[1])
    np.testing.assert_array_equal(
        together[body].positions, run(bar(3, damping=pl.Settle(0.4))).positions
    )


def test_takes_of_it_are_saved_and_drawn(tmp_path):
    take = pl.Scene([bar(3)], gravity=(0, -1, 0)).run(seconds=0.1, progress=False)
    saved = pl.Take.read(take.save(tmp_path / "bar.npz"))
    np.testing.assert_array_equal(saved.positions, take.positions)
    assert saved.about["bodies"][0]["volume"] == {"terms": 192, "stiffness": [100.0, 100.0]}
    assert take.save(tmp_path / "bar.png").stat().st_size > 5000


TRIANGLE = pl.Mesh([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], {"tri": [(0, 1, 2)]})
LINE = pl.Mesh([(0.0, 0.0), (1.0, 0.0)], {"line": [(0, 1)]})
BOX = pl.meshes.box((1, 1, 1), (2, 2, 2))


@pytest.mark.parametrize(
    "mesh, how, words",
    [
        (BOX, {}, "all 0"),
        (BOX, {"distance": -1.0}, "0 or more"),
        (BOX, {"distance": 1.0, "area": float("nan")}, "finite"),
        (BOX, {"distance": [1.0, 2.0]}, "shape"),
        (BOX, {"distance": 1.0, "mass": 0.0}, "more than 0"),
        (BOX, {"area": 1.0}, r"nothing holds points \[13\]"),
        (LINE, {"distance": 1.0, "area": 1.0}, "no triangles"),
        (TRIANGLE, {"distance": 1.0, "volume": 1.0}, "no tetrahedra"),
        (pl.meshes.box(kind="hex"), {"distance": 1.0}, "hex8"),
        (pl.meshes.rectangle(kind="tri6"), {"distance": 1.0}, "tri6"),
    ],
)
def test_what_makes_no_sense_is_refused(mesh, how, words):
    with pytest.raises(ValueError, match=words):
        pl.ConstraintBody(mesh, **how)


def test_flat_cells_are_refused():
    points = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)]
    with pytest.raises(ValueError, match=r"flat|degenerate"):
        pl.ConstraintBody(pl.Mesh(points, {"tet": [(0, 1, 2, 3)]}), distance=1.0, volume=1.0)


def test_a_floppy_wish_is_refused_by_settle():
    """Volumes alone let every cell shear: no restoring force, nothing to bring to rest."""
    body = bar(3, distance=0.0, area=0.0, damping=pl.Settle(0.5))
    body.place(body.positions * [1.01, 1.0, 1.0])
    with pytest.raises(pl.SolverError):
        pl.Scene([body]).run(seconds=0.1, progress=False)
