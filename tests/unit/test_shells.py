"""Bodies that are thin shells."""

import numpy as np
import pytest

import pliant as pl
from pliant.bodies.shell.jets import shell_jets
from pliant.bodies.shell.patches import ShellEdges
from pliant.energies.assembly import Assembly

MATTER = {"young": 1e7, "poisson": 0.3, "thickness": 0.02, "density": 1000.0}


def sheet(size=(1.0, 0.4), cells=(10, 4), *, jitter=0.0):
    """A rectangle in x and z."""
    flat = pl.meshes.rectangle(size, cells)
    x, y = flat.points.T
    inside = (x > 1e-9) & (x < size[0] - 1e-9) & (y > 1e-9) & (y < size[1] - 1e-9)
    step = np.array(size) / cells
    noise = np.random.default_rng(0).uniform(-1, 1, flat.points.shape)
    moved = flat.points + jitter * step * noise * inside[:, None]
    return pl.Mesh(np.insert(moved, 1, 0.0, axis=1), flat.cells)


def shell(mesh=None, **how):
    return pl.Shell(sheet() if mesh is None else mesh, **(MATTER | how))


def energy(body, x):
    return Assembly(len(body), 3, body.energies(device="cpu")).value(x)


def jets(mesh, held=()):
    mask = np.zeros(len(mesh), dtype=bool)
    mask[list(held)] = True
    triangles = np.asarray(mesh.cells["tri3"])
    stencils, operators = shell_jets(mesh.points, triangles, ShellEdges.between(mesh), mask)
    return lambda f: np.einsum("tai,ti->ta", operators, f[stencils])


@pytest.mark.parametrize("cells", [(6, 4), (3, 2), (2, 2)])
def test_second_derivatives_of_quadratic_shapes_are_exact(cells):
    """In a frame of its own in each triangle: what no frame changes is compared."""
    mesh = sheet((1.0, 0.8), cells, jitter=0.25)
    x, _, z = mesh.points.T
    _, _, xx, yy, xy = jets(mesh)(0.7 * x**2 - 0.3 * x * z + 0.2 * z**2 + x - 2 * z + 3).T
    np.testing.assert_allclose(xx + yy, 2 * 0.7 + 2 * 0.2, atol=1e-10)
    np.testing.assert_allclose(xx * yy - xy**2, 4 * 0.7 * 0.2 - 0.3**2, atol=1e-10)


def test_a_narrow_strip_keeps_flat_across_and_bends_along():
    mesh = sheet((1.0, 0.05), (20, 1))
    x, _, z = mesh.points.T
    of = jets(mesh)
    assert of(3 * x - 2 * z + 1)[:, 2:] == pytest.approx(0.0, abs=1e-9)
    _, _, xx, yy, xy = of(x**2 / 2).T
    np.testing.assert_allclose(xx + yy, 1.0, atol=1e-9)
    np.testing.assert_allclose(xx * yy - xy**2, 0.0, atol=1e-9)


def test_rolling_up_costs_the_bending_stiffness_on_any_mesh():
    """W = D/2 area / R^2, for curvature along one direction; no stretch in Green's strain."""
    D, R = 1e7 * 0.02**3 / 12 / (1 - 0.3**2), 2.0
    for jitter in (0.0, 0.2):
        mesh = sheet((1.0, 0.4), (40, 16), jitter=jitter)
        x, _, z = mesh.points.T
        rolled = np.stack([R * np.sin(x / R), R * (1 - np.cos(x / R)), z], axis=1)
        # Chords are shorter than arcs by (l/R)^2/24 = 6e-6, and bend is x h = 5e-3 on top: 2e-3.
        assert energy(shell(mesh), rolled) == pytest.approx(D / 2 * 0.4 / R**2, rel=0.01)


def test_stretching_costs_plane_stress():
    body = shell()
    x = body.mesh.points * [1.001, 1.0, 1.0]
    strain = (1.001**2 - 1) / 2
    plane = 1e7 / (1 - 0.3**2) * 0.02
    assert energy(body, x) == pytest.approx(plane / 2 * strain**2 * 0.4, rel=1e-9)


def test_a_twisted_band_of_one_side_is_a_shell_too():
    """A Moebius strip has no upper side: each triangle measures with its own normal."""
    n, w = 40, 0.3
    s, r = (a.ravel() for a in np.meshgrid(np.arange(n), np.linspace(-w, w, 4), indexing="ij"))
    a = 2 * np.pi * s / n
    points = np.stack(
        [(1 + r * np.cos(a / 2)) * np.cos(a), (1 + r * np.cos(a / 2)) * np.sin(a), r * np.sin(a / 2)],
        axis=1,
    )  # fmt: skip
    rows = np.arange(4 * n).reshape(n, 4)
    rows = np.concatenate([rows, rows[:1, ::-1]])
    a, b, c, d = (q.ravel() for q in (rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]))
    triangles = np.concatenate([np.c_[a, b, c], np.c_[a, c, d]])
    down = []
    for first in (0, 60):  # the seam, where up becomes down, lies elsewhere
        mesh = pl.Mesh(points, {"tri": np.roll(triangles, first, axis=0)})
        body = shell(mesh, young=1e9)
        assert energy(body, points) < 1e-18
        body.fix(body.row([0]))
        down.append(pl.Scene([body], gravity=(0, 0, -0.5)).equilibrium().positions[0] - points)
    assert -0.5 < down[0][:, 2].min() < -1e-3
    np.testing.assert_allclose(down[0], down[1], atol=1e-6)


def test_a_ball_under_pressure_shrinks_as_laplace_says():
    """By p R^2 (1 - nu) / (2 E h), everywhere."""
    ball = pl.meshes.sphere(1.0)
    faces = ball.boundary["tri3"]
    kept, triangles = np.unique(faces, return_inverse=True)
    points = ball.points[kept]
    points = points / np.linalg.norm(points, axis=1, keepdims=True)
    body = shell(pl.Mesh(points, {"tri": triangles.reshape(-1, 3)}))
    body.push(pressure=100.0)
    x = pl.Scene([body]).equilibrium().positions[0]
    radii = np.linalg.norm(x - x.mean(axis=0), axis=1)
    known = 100.0 * (1 - 0.3) / (2 * 1e7 * 0.02)
    assert 1 - radii.mean() == pytest.approx(known, rel=0.05)  # flat triangles: (edge/2R)^2
    assert np.ptp(radii) < 0.5 * known


def test_rows_of_triangles_along_an_edge():
    body = shell()
    x = body.mesh.points[:, 0]
    found = body.row(x < 1e-9)
    assert set(found) == set(np.flatnonzero(x < 0.1 + 1e-9))


def test_mass_and_loads():
    body = shell()
    assert body.masses.sum() == pytest.approx(0.4 * 0.02 * 1000)
    still = np.zeros(3)
    for how, total in (
        ({"traction": (0, 3.0, 0)}, 3.0 * 0.4),
        ({"volume": (0, 3.0, 0)}, 3.0 * 0.4 * 0.02),
        ({"traction": (0, 3.0, 0), "on": body.mesh.points[:, 0] < 0.5 + 1e-9}, 3.0 * 0.2),
        ({"force": (0, 3.0, 0), "on": [0, 1]}, 6.0),
    ):
        load = body.push(**how)
        assert body.loads_at(body.mesh.points, 0.0, still).sum(axis=0)[1] == pytest.approx(total)
        body.unpush(load)
    body.push(pressure=2.0)
    up = np.cross(*(np.diff(body.mesh.points[body.mesh.cells["tri3"][0]], axis=0)))[1]
    force = body.loads_at(body.mesh.points, 0.0, still).sum(axis=0)[1]
    assert force == pytest.approx(-np.sign(up) * 2.0 * 0.4)


def bent(body, scene, points, force):
    """Where it rests, and where a push would hold it."""
    load = body.push(force=force, on=points)
    pushed = scene.equilibrium().positions[0]
    body.unpush(load)
    body.reset()
    return pushed


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_a_plate_rests_on_cue(bounces):
    body = shell()
    x = body.mesh.points[:, 0]
    body.fix(body.row(x < 1e-9))
    scene = pl.Scene([body], gravity=(0, -1.0, 0))
    body.place(bent(body, scene, x > 1 - 1e-9, (0, 0.003, 0)))  # a tenth of its thickness
    body.damping = pl.Settle(0.8, bounces)
    take = scene.run(seconds=1.0, dt=1 / 60, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


@pytest.mark.parametrize(("bounces", "dt"), [(None, 1 / 10), (2, 1 / 60)])
def test_an_arch_that_is_pressed_snaps_through_and_rests(bounces, dt):
    """It is even and so is the load: what it aims at becomes unstable before it is past the middle."""
    flat = pl.meshes.rectangle((1.0, 0.2), (24, 3))
    x, z = flat.points.T
    arch = pl.Mesh(np.stack([x, 0.4 * x * (1 - x), z], axis=1), flat.cells)
    body = shell(arch, young=1e6, thickness=0.01, density=500.0)
    body.fix((x < 1e-9) | (x > 1 - 1e-9))
    body.push(volume=([0.0, 0.3, 1.0], [[0, 0, 0], [0, -200.0, 0], [0, -6000.0, 0]]))
    body.damping = pl.Settle(0.5, bounces)
    take = pl.Scene([body]).run(seconds=1.6, dt=dt, progress=False)
    assert take.positions[0][:, 1].max() > 0.09
    assert take.positions[-1][:, 1].max() < 1e-9  # all of it is below its ends
    assert take.positions[-1][:, 1].min() == pytest.approx(-0.114, abs=0.001)


@pytest.mark.parametrize(
    "stepper",
    [pl.LinearisedImplicit(), pl.BDF2(), pl.Newmark(), pl.SymplecticEuler(), pl.RungeKutta4()],
    ids=lambda s: type(s).__name__,
)
def test_steppers_move_it_alike(stepper):
    def after(stepper, dt):
        body = shell(sheet((1.0, 0.4), (4, 2)), young=1e6)
        body.fix(body.row(body.mesh.points[:, 0] < 1e-9))
        scene = pl.Scene([body], gravity=(0, -9.81, 0))
        scene.run(seconds=0.1, dt=dt, stepper=stepper, progress=False)
        return body.positions

    # It falls by up to g t^2/2 = 49 mm; steps of first order miss by g t dt/2 = 0.5 mm at 1/1000.
    found, usual = after(stepper, 1 / 1000), after(pl.Implicit(), 1 / 1000)
    assert usual[:, 1].min() < -0.02
    assert np.abs(found - usual).max() < 1e-3


def test_takes_of_shells_are_saved(tmp_path):
    body = shell()
    body.fix([0, 1])
    take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.1, progress=False)
    saved = pl.Take.read(take.save(tmp_path / "shell.npz"))
    np.testing.assert_array_equal(saved.positions, take.positions)
    assert saved.about["bodies"][0]["thickness"] == 0.02


@pytest.mark.parametrize(
    "mesh, how, words",
    [
        (None, {"thickness": 0.0}, "thickness=0.0; expected more than 0"),
        (None, {"thickness": float("nan")}, "more than 0"),
        (None, {"young": -1.0}, "young"),
        (None, {"density": 0}, "density"),
        (None, {"poisson": 0.6}, "up to 0.5"),
        (pl.meshes.rectangle(), {}, r"np\.insert"),
        (pl.meshes.box(), {}, "triangles in 3D"),
    ],
)
def test_bad_shells_are_refused(mesh, how, words):
    with pytest.raises(ValueError, match=words):
        shell(mesh, **how)


def test_three_triangles_on_an_edge_are_refused():
    points = [(0.0, 0, 0), (1.0, 0, 0), (0.0, 1, 0), (1.0, 1.0, 0), (0.5, 0.0, 1.0)]
    with pytest.raises(pl.MeshError, match="has 3 triangles"):
        shell(pl.Mesh(points, {"tri": [(0, 1, 2), (1, 0, 3), (0, 1, 4)]}))


def test_pushes_that_make_no_sense_are_refused():
    body = shell()
    with pytest.raises(ValueError, match="exactly one"):
        body.push(force=(0, 1, 0), pressure=1.0)
    with pytest.raises(ValueError, match="no boundary facet"):
        body.push(pressure=1.0, on=[0])
