"""Bodies of cloth."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

import pliant as pl
from pliant.energies.assembly import Assembly
from tests.laws.test_spring_laws import dense, differences

CLOTH = {"stretch": 2000.0, "shear": 500.0, "bend": 1e-4, "density": 0.2}


def sheet(size=(1.0, 1.0), cells=(8, 8), axis=1):
    """A rectangle across an axis: 1 lies level in x and z, 2 stands in x and y."""
    flat = pl.meshes.rectangle(size, cells)
    return pl.Mesh(np.insert(flat.points, axis, 0.0, axis=1), flat.cells)


def cloth(mesh, **how):
    return pl.Cloth(mesh, **(CLOTH | how))


def energy(body, x):
    return Assembly(len(body), 3, body.energies(device="cpu")).value(x)


def scattered(size, count, seed):
    """Triangles between points anywhere in a rectangle."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
    inside = np.random.default_rng(seed).uniform(0.05, 0.95, (count, 2))
    flat = np.concatenate([corners, inside]) * size
    return pl.Mesh(np.insert(flat, 2, 0.0, axis=1), {"tri": Delaunay(flat).simplices})


@pytest.mark.parametrize(
    "mesh",
    [
        sheet((2.0, 1.0), (4, 4), axis=2),
        sheet((2.0, 1.0), (7, 3), axis=2),
        scattered((2.0, 1.0), 30, 0),
        scattered((2.0, 1.0), 60, 1),
    ],
)
def test_stretch_and_shear_cost_the_same_on_any_mesh(mesh):
    body, (x, y, _) = cloth(mesh), mesh.points.T
    longer = energy(body, mesh.points * [1.1, 0.95, 1.0])
    assert longer == pytest.approx(2.0 * 2000.0 / 2 * (0.1**2 + 0.05**2), rel=1e-10)
    g = 0.2  # w_u = (1, 0), w_v = (g, 1)
    sheared = energy(body, np.stack([x + g * y, y, 0 * x], axis=1))
    across = 2000.0 / 2 * (np.sqrt(1 + g * g) - 1) ** 2
    assert sheared == pytest.approx(2.0 * (500.0 / 2 * g**2 + across), rel=1e-10)


@pytest.mark.parametrize("cells", [(10, 3), (20, 6)])
def test_a_bent_sheet_costs_its_flexural_rigidity(cells):
    """Rolled to a radius R: W = 9/8 bend/2 area / R^2; edges on the rim have one side only."""
    mesh, R = sheet((1.0, 0.3), cells, axis=2), 0.5
    x, y, _ = mesh.points.T
    # On a polygon whose sides are as long as the cells, so that nothing is stretched.
    h = 1.0 / cells[0]
    r = h / (2 * np.sin(h / (2 * R)))
    rolled = np.stack([r * np.sin(x / R), y, r * (1 - np.cos(x / R))], axis=1)
    found = energy(cloth(mesh), rolled)
    inside = 0.3 * (1.0 - h)  # no hinge at the two ends
    assert found == pytest.approx(9 / 8 * 1e-4 / 2 * inside / R**2, rel=1e-6)


def test_a_strip_hangs_longer_by_its_load():
    """No Poisson's ratio: every strip across the pull stretches by F/(width stretch) alone."""
    mesh = sheet((2.0, 0.5), (8, 4), axis=2)
    body = cloth(mesh, bend=0.01)
    x, y, _ = mesh.points.T
    body.fix(x < 1e-9)
    end = np.flatnonzero(x > 2 - 1e-9)
    share = np.where(np.isin(y[end], [0.0, 0.5]), 0.5, 1.0) / 4
    for at, part in zip(end, share, strict=True):
        body.push(force=(30.0 * part, 0.0, 0.0), on=[at])
    found = pl.Scene([body]).equilibrium().positions[0]
    assert found[end, 0] == pytest.approx(2.0 * (1 + 30.0 / (0.5 * 2000.0)), rel=1e-6)


def grid(rows, along, kind):
    """A strip 0.2 m long, level, of squares cut in turns or of equilateral triangles, whose rows are
    shifted by half a cell in turns."""
    h = 0.2 / along
    if kind == "squares":
        return sheet((0.2, rows * h), (along, rows)), h
    flat = pl.meshes.rectangle((0.2, rows * h), (along, rows))
    i = np.arange(len(flat)) % (along + 1)
    j = np.arange(len(flat)) // (along + 1)
    x = np.stack([(i + 0.5 * (j % 2)) * h, 0.0 * i, j * h * np.sqrt(3) / 2], axis=1)
    a = (j * (along + 1) + i)[(i < along) & (j < rows)]
    b, c, d, odd = a + 1, a + along + 1, a + along + 2, (j[a] % 2)[:, None] == 1
    first = np.where(odd, np.stack([a, b, d], axis=1), np.stack([a, b, c], axis=1))
    second = np.where(odd, np.stack([a, d, c], axis=1), np.stack([b, d, c], axis=1))
    return pl.Mesh(x, {"tri": np.concatenate([first, second])}), h


@pytest.mark.parametrize("kind, depth", [("squares", 10 / 9), ("triangles", 1.0)])
@pytest.mark.parametrize("along, rows", [(16, 4), (32, 8)])
def test_a_clamped_strip_bends_as_a_beam(kind, depth, along, rows):
    """A strip of weight q per area, held level at one end, sinks by q L^4 / (8 bend).

    On squares by 10/9 of it: hinges across the strip relax between diagonals. Where a clamp of two
    rows ends is known to half a cell.
    """
    mesh, h = grid(rows, along, kind)
    body = cloth(mesh, bend=1e-3, density=0.02)
    x0 = mesh.points[:, 0]
    body.fix(x0 < 1.01 * h)
    x = pl.Scene([body], gravity=(0, -0.05, 0)).equilibrium().positions[0]
    sank = -np.interp(0.2, *(a[x0 > 0.17][np.argsort(x0[x0 > 0.17])] for a in (x0, x[:, 1])))
    beam = 0.05 * 0.02 * (0.2 - np.array([1.0, 0.5]) * h) ** 4 / (8 * 1e-3)
    assert depth * beam[0] * 0.98 < sank < depth * beam[1] * 1.04


def test_rest_stretch_is_where_it_rests():
    body = cloth(sheet(cells=(4, 4), axis=2), rest_stretch=(1.1, 0.9), bend=0.1)
    body.damping = pl.Settle(0.2)
    pl.Scene([body]).run(seconds=1.0, dt=1 / 60, progress=False)
    np.testing.assert_allclose(np.ptp(body.positions, axis=0), [1.1, 0.9, 0.0], atol=1e-4)
    np.testing.assert_allclose(body.stretches(), 1.0, atol=1e-4)


@pytest.mark.parametrize("rest_stretch", [(1.0, 1.0), (1.3, 0.6)])
@pytest.mark.parametrize("far", [0.05, 1.0, 5.0])
def test_derivatives_are_exact_far_from_rest(rest_stretch, far):
    """Of the whole cloth on scattered triangles, stretched and crumpled; and of its damping."""
    mesh, rng = scattered((1.0, 1.0), 8, 3), np.random.default_rng(1)
    body = cloth(mesh, stretch=100.0, shear=30.0, bend=0.5, rest_stretch=rest_stretch)
    energies = body.energies(device="cpu")
    elastic = Assembly(len(body), 3, energies)
    x = mesh.points * [1 + far, 1, 1] + far * rng.uniform(-1, 1, mesh.points.shape)
    before = elastic.array(x + 0.1 * far * rng.uniform(-1, 1, x.shape))
    twins = [energy.twin() for energy in energies]
    for twin, energy in zip(twins, energies, strict=True):
        twin.aim(energy.conditions(before))
    for assembly in (elastic, Assembly(len(body), 3, twins)):
        g, H = assembly.gradient(x), dense(assembly, x, project=False)
        # Centred differences at h = 1e-6: rounding 1e-10, truncation h^2 over the size of triangles.
        assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
        assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()


def test_mass_is_density_times_area():
    assert cloth(sheet((2.0, 0.5))).masses.sum() == pytest.approx(0.2)


def test_cloth_in_any_plane_and_by_uv_is_the_same():
    mesh = sheet(cells=(3, 3), axis=2)
    Q, _ = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))
    shape = mesh.points + 0.05 * np.random.default_rng(4).uniform(-1, 1, mesh.points.shape)
    plain = energy(cloth(mesh, shear=0.0, stretch=1.0), shape)
    turned = pl.Mesh(mesh.points @ Q.T, mesh.cells)
    by_uv = cloth(turned, shear=0.0, stretch=1.0, uv=mesh.points[:, :2])
    assert plain > 1e-5
    assert energy(by_uv, shape @ Q.T) == pytest.approx(plain, rel=1e-9)
    for axis in (0, 1, 2):  # rest costs nothing, however the sheet lies
        level = sheet(cells=(3, 3), axis=axis)
        assert energy(cloth(level), level.points) < 1e-20


@pytest.mark.parametrize("stretch", [500.0, 20000.0])
def test_a_sheet_held_at_two_corners_falls_and_hardly_stretches(stretch):
    mesh = sheet(cells=(10, 10))
    body = cloth(mesh, stretch=stretch, shear=stretch / 4, bend=1e-5)
    x, _, z = mesh.points.T
    body.fix((z < 1e-9) & ((x < 1e-9) | (x > 1 - 1e-9)))
    take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=1.0, dt=1 / 60, progress=False)
    assert take.positions[..., 1].min() < -0.6 and np.abs(take.positions).max() < 1.2
    # Half the weight, 1 N, hangs on each corner: spread over a cell of 0.1 m, 10/stretch; twice that
    # for the swing.
    assert 1.0 < body.stretches().max() < 1.0 + 40.0 / stretch
    speeds = np.linalg.norm(take.velocities, axis=2).max(axis=1)
    assert speeds.max() < 2 * np.sqrt(
        2 * 9.81 * 1.5
    )  # nothing is faster than a fall, twice for whips


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 120])
def test_a_curtain_rests_on_cue(dt, bounces):
    """Held by two rows: by one it could turn about it, and rigid motion is not damped."""
    mesh = sheet(cells=(5, 5), axis=2)
    body = cloth(mesh, damping=pl.Settle(0.8, bounces))
    below = np.maximum(0.8 - mesh.points[:, 1:2], 0.0)
    body.fix(below[:, 0] < 1e-9)
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    body.place(scene.equilibrium().positions[0] + 0.01 * below**2 * [0, 0, 1])
    take = scene.run(seconds=1.0, dt=dt, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


@pytest.mark.parametrize(
    "stepper", [pl.LinearisedImplicit(), pl.BDF2(), pl.Newmark()], ids=lambda s: type(s).__name__
)
def test_other_steppers_move_it_alike(stepper):
    def after(stepper, dt):
        body = cloth(sheet(cells=(4, 4)), bend=1e-3)
        body.fix([0, 4])
        pl.Scene([body], gravity=(0, -9.81, 0)).run(
            seconds=0.1, dt=dt, stepper=stepper, progress=False
        )
        return body.positions

    # It falls by g t^2/2 = 49 mm; steps of first order miss by g t dt/2 = 1 mm, and as much again
    # where threads pull tight.
    found, usual = after(stepper, 1 / 500), after(pl.Implicit(), 1 / 500)
    assert usual[:, 1].min() < -0.04
    assert np.abs(found - usual).max() < 2e-3


def test_takes_of_cloth_are_saved(tmp_path):
    body = cloth(sheet(cells=(4, 4)))
    body.fix([0])
    take = pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.1, progress=False)
    saved = pl.Take.read(take.save(tmp_path / "cloth.npz"))
    np.testing.assert_array_equal(saved.positions, take.positions)
    assert saved.about["bodies"][0]["bend"] == 1e-4
    assert take.save(tmp_path / "cloth.usda").stat().st_size > 5000


@pytest.mark.parametrize("turned", [False, True])
def test_both_sides_of_a_sheet_are_drawn(turned):
    from matplotlib.figure import Figure

    from pliant.io.drawing import draw_bodies, frame_picture

    flat = pl.meshes.rectangle((1, 1), (4, 4))
    points = np.column_stack([flat.points, np.zeros(len(flat))])
    mesh = pl.Mesh(points, {"tri": flat.cells["tri3"][:, ::-1] if turned else flat.cells["tri3"]})
    figure = Figure(figsize=(2, 2))
    ax = figure.add_subplot()
    draw_bodies(ax, [(mesh, mesh.points, np.zeros(len(mesh)))])
    frame_picture(ax, mesh.points)
    assert len(ax.collections[0].get_paths()) == 32
