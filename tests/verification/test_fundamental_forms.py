"""Surfaces and solids by fundamental forms, against what is known exactly."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies.assembly import Assembly
from tests.laws.test_spring_laws import dense
from tests.verification.form_shapes import chain, order, straight, values


def sheet(size, cells, kind="quad"):
    flat = pl.meshes.rectangle(size, cells, kind=kind)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def rolled(mesh, R, angle):
    """A sheet rolled to a cylinder whose axis is at an angle to its sides: an isometry."""
    x, y, _ = mesh.points.T
    c, s = np.cos(angle), np.sin(angle)
    u, v = c * x + s * y, c * y - s * x
    return np.stack([R * np.sin(u / R), v, R * (1 - np.cos(u / R))], axis=1)


@pytest.mark.parametrize("kind", ["quad", "tri"])
def test_a_sheet_rolled_to_a_cylinder_costs_curvature_alone(kind):
    """W = curvature/2 area / R^2, half a cell short at the two ends."""
    R = 0.5
    for n in (8, 16):
        mesh, h = sheet((1, 0.5), (n, n // 2), kind), 1 / n
        body = pl.FormSurface(mesh, metric=1000.0, curvature=0.1, density=1.0)
        flat_sides = rolled(mesh, R, 0.0)
        flat_sides[:, [0, 2]] *= h / (2 * R * np.sin(h / (2 * R)))  # sides as long as cells
        length, bend = values(body, flat_sides)
        assert length < 1e-20
        # Derivatives over a neighbourhood of h see a circle to (h/R)^2 / 12.
        assert bend == pytest.approx(0.05 * 0.5 * (1 - h) / R**2, rel=0.15 * (h / R) ** 2)


def test_a_sheet_rolled_askew_costs_ever_less_metric():
    """Cells are flat, so their strain is of order h^2, and its energy of order h^4."""
    found = []
    for n in (8, 16, 32):
        mesh = sheet((1, 0.5), (n, n // 2))
        body = pl.FormSurface(mesh, metric=1000.0, curvature=0.1, density=1.0)
        found.append(values(body, rolled(mesh, 0.5, 0.5)))
    metric, bend = np.transpose(found)
    assert order(metric) == pytest.approx(4, abs=0.1)
    assert order(bend - 0.05 * 0.5 / 0.5**2) == pytest.approx(1, abs=0.1)  # the ends, half a cell


def test_a_sheet_pressed_to_a_bowl_costs_metric_too():
    """No sphere is flat: the strain does not vanish with the cells."""
    found = []
    for n in (8, 16):
        mesh = sheet((1, 1), (n, n))
        body = pl.FormSurface(mesh, metric=1000.0, curvature=0.1, density=1.0)
        x, y, _ = (mesh.points - [0.5, 0.5, 0]).T
        r = np.hypot(x, y)
        away = np.where(r > 0, np.sin(r) / np.maximum(r, 1e-9), 1.0)  # meridians keep their length
        found.append(values(body, np.stack([x * away, y * away, 1 - np.cos(r)], axis=1))[0])
    assert found[1] > 0.01 and found[1] == pytest.approx(found[0], rel=0.1)


@pytest.mark.parametrize("kind, allowed", [("quad", 0.01), ("tri", 0.05)])
def test_a_clamped_plate_sinks_as_it_should(kind, allowed):
    """0.0012653 q a^4/D in the middle of a clamped square [timoshenko1959], whatever poisson is.

    The points of the triangles have 4 and 8 neighbours by turns: without balance their error stays
    at 15 % however fine the mesh.
    """
    errors = []
    for n in (8, 16):
        mesh, h = sheet((1, 1), (n, n), kind), 1 / n
        body = pl.FormSurface(mesh, metric=1e4, curvature=1.0, density=1e-3)
        near = np.minimum(mesh.points, 1 - mesh.points)[:, :2].min(axis=1)
        body.fix(near < h + 1e-9)
        x = pl.Scene([body], gravity=(0, 0, -1.0)).equilibrium().positions[0]
        errors.append(x[:, 2].min() / (-0.00126532e-3 * (1 - h) ** 4) - 1)
    assert abs(errors[-1]) < allowed and order(errors) == pytest.approx(2, abs=0.5)


def test_a_clamped_disk_of_triangles_sinks_as_it_should():
    """q a^4/(64 D) in the middle, on rings of triangles of many shapes."""
    errors = []
    for rings in (6, 12):
        flat, h = pl.meshes.disk(1.0, rings), 1 / rings
        mesh = pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)
        body = pl.FormSurface(mesh, metric=1e4, curvature=1.0, density=1e-3)
        body.fix(np.hypot(*flat.points.T) > 1 - h - 1e-9)
        x = pl.Scene([body], gravity=(0, 0, -1.0)).equilibrium().positions[0]
        errors.append(x[:, 2].min() / (-1e-3 * (1 - h / 2) ** 4 / 64) - 1)
    assert abs(errors[-1]) < 0.006 and order(errors) == pytest.approx(2, abs=0.4)


def test_a_sphere_has_the_curvature_of_a_sphere():
    ball = pl.meshes.sphere(2.0, 5)
    used, corners = np.unique(ball.boundary["tri3"], return_inverse=True)
    mesh = pl.Mesh(ball.points[used], {"tri": corners.reshape(-1, 3)})
    body = pl.FormSurface(mesh, metric=1e3, curvature=1.0, density=1.0)
    B = body.energies(device="cpu")[1].rest[:, 3:]
    # Quadratics through neighbours 0.2 R off know the curvature to 0.2^2/2.
    np.testing.assert_allclose(np.abs(B), np.tile([0.5, 0.5, 0.0], (len(B), 1)), atol=0.01)


def test_which_way_round_cells_are_named_does_not_matter():
    """On half a ball, whose rim is named both ways round, too."""
    ball = pl.meshes.sphere(2.0, 4)
    faces = ball.boundary["tri3"]
    faces = faces[ball.points[faces][:, :, 2].mean(axis=1) > 0]
    used, corners = np.unique(faces, return_inverse=True)
    triangles = corners.reshape(-1, 3)
    some = np.random.default_rng(0).random((len(triangles), 1)) < 0.5
    found = []
    for named in (triangles, np.where(some, triangles[:, ::-1], triangles)):
        mesh = pl.Mesh(ball.points[used], {"tri": named})
        body = pl.FormSurface(mesh, metric=1e3, curvature=1.0, density=1.0)
        B = body.energies(device="cpu")[1].rest[:, 3:]
        cost = values(body, mesh.points * [1.1, 0.9, 1.05])
        found.append([*np.abs(B[:, 0] + B[:, 1]), *cost])  # the same from either side
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)


def test_a_clamped_strip_sinks_as_a_beam():
    """q L^4/(8 curvature) with free sides, which count by their bend along themselves."""
    errors = []
    for n in (16, 32):
        mesh = sheet((1, 0.25), (n, n // 4))
        body = pl.FormSurface(mesh, metric=1e5, curvature=1.0, density=1e-3)
        body.fix(mesh.points[:, 0] < 1 / n + 1e-9)
        x = pl.Scene([body], gravity=(0, 0, -1.0)).equilibrium().positions[0]
        end = x[mesh.points[:, 0] > 1 - 1e-9, 2].mean()
        errors.append(end / (-1e-3 * (1 - 0.5 / n) ** 4 / 8) - 1)
    assert abs(errors[-1]) < 0.004 and order(errors) > 1.5


def hooke(young, poisson):
    """The stiffness of (E11, E22, E33, 2 E23, 2 E13, 2 E12)."""
    lame, shear = young * poisson / (1 + poisson) / (1 - 2 * poisson), young / 2 / (1 + poisson)
    D = np.diag([2 * shear] * 3 + [shear] * 3)
    D[:3, :3] += lame
    return D


@pytest.mark.parametrize("kind", ["tet", "hex"])
@pytest.mark.parametrize("poisson", [0.0, 0.3])
def test_a_solid_with_hookes_weights_is_st_venant_kirchhoffs(kind, poisson):
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2), kind=kind)
    metric = hooke(1e5, poisson) if poisson else 1e5  # one number is poisson = 0
    solid = pl.FormSolid(mesh, metric=metric, density=1e3)
    body = pl.Body(mesh, pl.StVenantKirchhoff(young=1e5, poisson=poisson), density=1e3)
    np.testing.assert_allclose(solid.masses, body.masses, rtol=1e-12)
    x = mesh.points + 0.1 * np.random.default_rng(0).standard_normal(mesh.points.shape)
    a, b = (Assembly(len(mesh), 3, one.energies(device="cpu")) for one in (solid, body))
    assert a.value(x) == pytest.approx(b.value(x), rel=1e-12)
    for mine, theirs in (
        (a.gradient(x), b.gradient(x)),
        (dense(a, x, project=False), dense(b, x, project=False)),
    ):
        np.testing.assert_allclose(mine, theirs, atol=1e-12 * np.abs(theirs).max())
    shapes = []
    for one in (solid, body):
        one.fix(mesh.points[:, 0] < 1e-9)
        shapes.append(pl.Scene([one], gravity=(0, -1.0, 0)).equilibrium().positions[0])
    assert np.abs(shapes[0] - mesh.points).max() > 0.05
    np.testing.assert_allclose(*shapes, atol=1e-7)  # 1e-9 of the size, twice, with room


def bent(body, by):
    body.place(body.mesh.points + by)
    return body


def case(name):
    if name == "solid":
        mesh = pl.meshes.box((2, 1, 1), (4, 2, 2), kind="hex")
        body = pl.FormSolid(mesh, metric=1e4, density=1e3)
        body.fix(mesh.points[:, 0] < 1e-9)
        return bent(body, 0.01 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    if name == "surface":
        mesh = sheet((1, 1), (8, 8))
        body = pl.FormSurface(mesh, metric=1e3, curvature=0.1, density=0.2)
        body.fix(mesh.points[:, 0] < 0.13)
        return bent(body, 0.01 * mesh.points[:, :1] ** 2 * [0, 0, 1])
    if name == "helix":
        t = np.linspace(0, 4, 30)
        mesh = chain(np.stack([np.cos(t), np.sin(t), 0.3 * t], axis=1))
        how = {"metric": 1e3, "curvature": 1.0, "torsion": 1.0}
        body = pl.FormCurve(mesh, density=0.1, **how)
        body.fix([0, 1, 2])
        return bent(body, 2e-5 * t[:, None] ** 2 * [0, 0, 1])
    dim = 3 if "space" in name else 2
    body = pl.FormCurve(chain(straight(20, dim)), metric=1e3, curvature=1.0, density=0.1)
    if "free" not in name:
        body.fix([0, 1])
    return bent(body, 0.01 * body.mesh.points[:, :1] ** 2 * np.eye(dim)[1])


NAMES = ("solid", "surface", "helix", "plane wire", "space wire", "free wire", "free space wire")


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("name", NAMES)
def test_they_rest_on_cue(name, bounces):
    body = case(name)
    body.damping = pl.Settle(0.5, bounces)
    take = pl.Scene([body]).run(seconds=0.7, dt=1 / 60, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.5, rel=0.03)
