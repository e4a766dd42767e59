"""Curves, surfaces and solids by fundamental forms, against what is known exactly."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies.assembly import Assembly
from tests.laws.test_spring_laws import dense


def chain(points, closed=False):
    start = np.arange(len(points) if closed else len(points) - 1)
    return pl.Mesh(points, {"line": np.stack([start, (start + 1) % len(points)], axis=1)})


def straight(n, dim=2, length=1.0):
    points = np.zeros((n + 1, dim))
    points[:, 0] = np.linspace(0, length, n + 1)
    return points


def sheet(size, cells, kind="quad"):
    flat = pl.meshes.rectangle(size, cells, kind=kind)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def values(body, x):
    """The energy of each kind of its terms [J]."""
    return [Assembly(len(body), body.dim, [e]).value(x) for e in body.energies(device="cpu")]


def order(errors, factor=2.0):
    return np.log(np.abs(errors[-2] / errors[-1])) / np.log(factor)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_curve_that_is_rolled_up_or_out_costs_curvature_alone(dim):
    """W = curvature/2 k^2 over the length of the bends, all but half a line at each end."""
    R, errors = 0.5, []
    for n in (20, 40):
        h = 2 * R * np.sin(1.0 / n)  # sides of the polygon
        turn = np.linspace(0, 2.0, n + 1)
        arc = np.zeros((n + 1, dim))
        arc[:, :2] = R * np.stack([np.sin(turn), 1 - np.cos(turn)], axis=1)
        line = h * n * straight(n, dim)
        for rest, bent in ((arc, line), (line, arc)):
            curve = pl.FormCurve(chain(rest), metric=1000.0, curvature=0.1, density=1.0)
            length, bend = values(curve, bent)
            assert length < 1e-20
        errors.append(bend / (0.05 * (n - 1) * h / R**2) - 1)
    assert abs(errors[-1]) < 0.002 and order(errors) == pytest.approx(2, abs=0.1)


def test_a_helix_costs_what_its_curvature_and_torsion_change():
    """k = r/(r^2 + c^2), t = c/(r^2 + c^2), stretch by the length of a turn."""

    def helix(c, n):
        t = np.linspace(0, 4, n + 1)
        return np.stack([np.cos(t), np.sin(t), c * t], axis=1)

    found = []
    for n in (40, 80):
        how = {"metric": 1.0, "curvature": 1.0, "torsion": 1.0, "density": 1.0}
        curve = pl.FormCurve(chain(helix(0.5, n)), **how)
        found.append(values(curve, helix(0.7, n)) / np.array([n, n - 1, n - 2]) * n)
    length, a, b = 4 * np.sqrt(1.25), 1 / 1.25, 1 / 1.49
    strain = (1.49 / 1.25 - 1) / 2
    exact = length / 2 * np.array([strain**2, (b - a) ** 2, (0.7 * b - 0.5 * a) ** 2])
    errors = np.array(found) / exact - 1
    assert np.abs(errors[-1]).max() < 0.003
    for one in errors.T:
        assert order(one) == pytest.approx(2, abs=0.1)


def test_a_taut_string_sags_to_a_parabola_and_rings_as_one():
    """T = metric e s at a stretch s, e = (s^2 - 1)/2; depth q L^2/(8 T); f_k = k/(2 L) sqrt(T/m)."""
    s, errors = 1.1, []
    tension = 100.0 * (s**2 - 1) / 2 * s
    for n in (10, 20):
        string = pl.FormCurve(chain(straight(n)), metric=100.0, density=0.01)
        string.fix([0, n])
        taut = s * string.mesh.points
        string.place(taut)
        x = pl.Scene([string], gravity=(0, -0.01)).equilibrium().positions[0]
        # Weights at points sag to a polygon on the parabola.
        depth = 0.01 * 0.01 / s * s**2 / (8 * tension)
        assert x[n // 2, 1] == pytest.approx(-depth, rel=1e-6)
        k = np.arange(1, 4)
        exact = k * np.pi / s * np.sqrt(tension * s / 0.01)
        errors.append(np.sqrt(string.system().modes(taut, 3)[0]) / exact - 1)
    assert abs(errors[-1][0]) < 0.0015
    np.testing.assert_allclose([order(e) for e in np.transpose(errors)], 2, atol=0.1)


def test_a_chain_hangs_in_a_catenary():
    """y = a cosh(x/a) between two points half its length apart; hardly any stretch."""
    from scipy.optimize import brentq

    a = brentq(lambda a: a * np.sinh(0.25 / a) - 0.5, 0.05, 1.0)  # 1 m over a gap of 0.5 m
    depth, errors = a * (np.cosh(0.25 / a) - 1), []
    for n in (20, 40):
        line = chain(straight(n, 3))
        rope = pl.FormCurve(line, metric=1e4, curvature=1e-7, density=0.1)
        s = np.linspace(-1, 1, n + 1)
        rope.place(np.stack([0.25 * s, 0.4 * (s**2 - 1), 0 * s], axis=1))
        rope.fix([0, n])
        x = pl.Scene([rope], gravity=(0, -9.81, 0)).equilibrium().positions[0]
        errors.append(-x[n // 2, 1] / depth - 1)
    assert abs(errors[-1]) < 1e-3 and order(errors) == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_clamped_wire_bends_and_rings_as_a_beam(dim):
    """Depth q L^4/(8 EI) and the first two frequencies; L from the middle of the clamped line."""
    errors = []
    for n in (10, 20):
        wire = pl.FormCurve(chain(straight(n, dim)), metric=1e4, curvature=1.0, density=1e-3)
        wire.fix([0, 1])
        x = pl.Scene([wire], gravity=(0, -1.0, 0)[:dim]).equilibrium().positions[0]
        L = 1 - 0.5 / n
        sag = -x[-1, 1] / (1e-3 * L**4 / 8)
        count = 2 if dim == 2 else 4  # in space each rings in two planes
        tones = np.sqrt(wire.system().modes(wire.mesh.points, count)[0][:: count // 2])
        exact = np.array([3.516015, 22.034492]) * np.sqrt(1.0 / 1e-3) / L**2
        errors.append(np.array([sag, *(tones / exact)]) - 1)
    assert np.abs(errors[-1]).max() < 0.006
    np.testing.assert_allclose([order(e) for e in np.transpose(errors)], 2, atol=0.15)


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
