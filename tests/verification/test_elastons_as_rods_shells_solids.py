"""Elastons against theories of rods and plates, and against finite elements, by one code path."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import pliant as pl
from pliant.energies.assembly import Assembly

YOUNG, POISSON = 1e6, 0.3
SHEAR = YOUNG / (2 * (1 + POISSON))


def elastons(mesh, **how):
    return pl.Elastons(mesh, **({"young": YOUNG, "poisson": POISSON, "density": 1000.0} | how))


def curve(points):
    return pl.Mesh(points, {"line": [(i, i + 1) for i in range(len(points) - 1)]})


def straight(cells):
    return curve(np.linspace(0.0, 1.0, cells + 1)[:, None] * [1.0, 0.0, 0.0])


def sheet(size, cells):
    flat = pl.meshes.rectangle(size, cells)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def rests(body, gravity=(0.0, 0.0, 0.0)):
    """Where the points are in equilibrium, and the nodes."""
    x = pl.Scene([body], gravity=gravity).equilibrium().positions[0]
    return x, x.reshape(-1, 4, 3).mean(axis=1)


def orders(errors):
    """The order between each resolution and the next, twice as fine."""
    errors = np.abs(errors)
    return np.log2(errors[:-1] / errors[1:])


@pytest.mark.parametrize("h", [(0.05, 0.1), (0.005, 0.01)], ids=["thick", "thin"])
@pytest.mark.parametrize("axis", [1, 2])
def test_a_rod_bends_as_a_beam(h, axis):
    """Timoshenko's cantilever with all of its section in shear: F L^3 / (3 E I) + F L / (G A)."""
    area, across = h[0] * h[1], h[axis - 1]
    inertia = area * across**2 / 12
    force = 1e-4 * 3 * YOUNG * inertia  # 0.1 mm: nothing but its linear answer
    exact = force / (3 * YOUNG * inertia) + force / (SHEAR * area)
    found = []
    for cells in (4, 8, 16):
        rod = elastons(straight(cells), thickness=h, up=(0, 0, 1))
        rod.fix(rod.points_of([0]))
        rod.push(force=0.25 * force * np.eye(3)[axis], on=rod.points_of([cells]))
        found.append(rests(rod)[1][-1, axis] / exact - 1.0)
    # Slopes are the means of parabolas: the error of each is a quarter of the one before.
    assert np.all(orders(np.array(found)) > 1.8) and abs(found[-1]) < 2e-3


@pytest.mark.parametrize(
    "h", [(0.05, 0.05), (0.05, 0.02), (0.1, 0.005)], ids=["square", "oblong", "strip"]
)
def test_a_rod_twists_as_an_ellipse_of_its_moments(h):
    """T L / (G J), J = A h2^2 h3^2 / (3 (h2^2 + h3^2)): b h^3 / 3 for a strip, 1.19 J of a square."""
    J = h[0] * h[1] * h[0] ** 2 * h[1] ** 2 / (3 * (h[0] ** 2 + h[1] ** 2))
    rod = elastons(straight(8), thickness=h, up=(0, 0, 1))
    rod.fix(rod.points_of([0]))
    tip = rod.points_of([8])
    r = rod.mesh.points[tip] - [1.0, 0.0, 0.0]
    polar = (r[:, 1:] ** 2).sum()
    torque = 1e-3 * SHEAR * J
    for point, (_, y, z) in zip(tip, r, strict=True):
        rod.push(force=np.array([0.0, -z, y]) * torque / polar, on=[point])
    u = rests(rod)[0][tip] - rod.mesh.points[tip]
    angle = (r[:, 1] * u[:, 2] - r[:, 2] * u[:, 1]).sum() / polar
    # A held section cannot warp, which shows within its own width: of the strip 0.1 of the length.
    assert angle == pytest.approx(1e-3, rel=1e-2 if h[1] < 0.01 else 3e-3)
    strip, square = 0.1 * 0.005**3 / 3, 0.1406 * 0.05**4
    exact = {0.005: strip, 0.05: square}.get(h[1])  # Saint-Venant's
    if exact is not None:
        assert 1.0 - 5e-3 < J / exact < 1.19


@pytest.mark.parametrize("poisson", [0.0, 0.3])
def test_a_rod_stretches(poisson):
    """By F L / (E A); where the section is held it stays as wide, which costs a part of a cell."""
    rod = elastons(straight(8), thickness=(0.02, 0.03), poisson=poisson)
    rod.fix(rod.points_of([0]))
    strain = 1e-5
    rod.push(force=(0.25 * strain * YOUNG * 0.02 * 0.03, 0, 0), on=rod.points_of([8]))
    found = (rests(rod)[1][-1, 0] - 1.0) / strain
    assert found == pytest.approx(1.0, abs=1e-4 if poisson == 0.0 else 0.3 / 8)


def test_a_curved_rod_bends_as_winkler_says():
    """A quarter of a circle, held at its foot, F down on its tip: it sinks by pi F R^3 / (4 E I)."""
    found, h = [], 0.02
    force = 1e-4 * YOUNG * h**4 / 12
    for cells in (6, 12, 24):
        angle = np.linspace(0.0, np.pi / 2, cells + 1)
        arc = np.stack([1 - np.cos(angle), np.sin(angle), 0 * angle], axis=1)
        rod = elastons(curve(arc), thickness=h)
        rod.fix(rod.points_of([0]))
        rod.push(force=(0.0, -0.25 * force, 0.0), on=rod.points_of([cells]))
        found.append((rests(rod)[1][-1, 1] - 1.0) / (-1e-4 * np.pi / 4) - 1.0)
    assert np.all(orders(np.array(found)) > 1.5) and abs(found[-1]) < 0.01


def elastica(load):
    """Tip of a strand of length 1 that is held level under its weight, load = q L^3 / (E I)."""

    def slope(s, y):
        return [y[1], -load * (1 - s) * np.cos(y[0]), np.cos(y[0]), -np.sin(y[0])]

    def end(bent):
        return solve_ivp(slope, (0, 1), [0, bent, 0, 0], rtol=1e-9, atol=1e-11).y[:, -1]

    return end(brentq(lambda bent: end(bent)[1], 0.01, load))[2:]


def test_a_heavy_strand_hangs_as_the_elastica():
    """By two thirds of its length: large turns, and no locking of what is 1/100 thin."""
    h, load, missed = 0.01, 8.0, []
    exact = elastica(load)
    weight = load * YOUNG * h**4 / 12
    for cells in (10, 20, 40):
        rod = elastons(straight(cells), thickness=h, up=(0, 0, 1))
        rod.fix(rod.points_of([0]))
        tip = rests(rod, gravity=(0.0, 0.0, -weight / (1000.0 * h * h)))[1][-1, [0, 2]]
        missed.append(np.linalg.norm(tip - exact))
    assert exact[1] < -0.6 and np.all(orders(np.array(missed)) > 2.0) and missed[-1] < 2e-3


def sinks(cells, h=0.02):
    """Depth of a square plate held all around under q, over 0.00126532 q a^4 / D [timoshenko1959]."""
    mesh = sheet((1.0, 1.0), (cells, cells))
    plate, plane = elastons(mesh, thickness=h), mesh.points[:, :2]
    plate.fix(plate.points_of(((plane < 1e-9) | (plane > 1 - 1e-9)).any(axis=1)))
    D, depth = YOUNG * h**3 / (12 * (1 - POISSON**2)), 1e-3 * h
    load = depth * D / 0.00126532
    return rests(plate, (0, 0, -load / (1000.0 * h)))[1][:, 2].min() / -depth


def test_a_shell_bends_as_a_plate():
    """Coarse ones are too stiff, as h < cell^2 / length; it goes away with the second order and more."""
    errors = np.array([sinks(cells) - 1.0 for cells in (6, 12)])
    assert orders(errors)[0] > 2.0 and abs(errors[-1]) < 0.06


@pytest.mark.slow
def test_a_fine_shell_is_a_plate():
    """Shear, which the theory of thin plates leaves out, adds 0.5 % at h = a / 50."""
    assert sinks(24) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("R", [1.0, 2.0])
@pytest.mark.parametrize("cells", [(8, 4), (16, 8)])
def test_a_rolled_shell_costs_its_flexural_rigidity(cells, R):
    """W = D/2 area / R^2, D = E h^3 / (12 (1 - nu^2)): its fibres may become shorter."""
    h = 0.02
    mesh = sheet((1.0, 0.5), cells)
    shell = elastons(mesh, thickness=h)
    at = np.repeat(mesh.points, 4, axis=0)
    angle = at[:, 0] / R
    middle = np.stack([R * np.sin(angle), at[:, 1], R - R * np.cos(angle)], axis=1)
    own = shell.mesh.points - at
    c, s = np.cos(angle), np.sin(angle)
    turned = np.stack(
        [c * own[:, 0] - s * own[:, 2], own[:, 1], s * own[:, 0] + c * own[:, 2]], axis=1
    )
    found = Assembly(len(shell), 3, shell.energies(device="cpu")).value(middle + turned)
    exact = YOUNG * h**3 / (12 * (1 - POISSON**2)) / 2 * 0.5 / R**2
    # Between nodes the arc is a parabola: it stretches by about (cell / R)^2, where bending does by
    # h / R, so it costs the square of the ratio more: 12 % for 8 cells and R = 1, 0.2 % for 16 and 2.
    more = (1.0 / cells[0] ** 2 / (h * R)) ** 2
    assert 0.17 < (found / exact - 1.0) / more < 0.2


SIZE, LENGTH = (1.0, 0.3, 0.3), 1.0


def pulled(X):
    return X * [1.05, 1.0, 1.0]


def twisted(X):
    angle, (y, z) = 0.4 * X[:, 0], X[:, 1:].T - 0.15
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([X[:, 0], 0.15 + c * y - s * z, 0.15 + s * y + c * z], axis=1)


def bent(X):
    angle, r = 0.4 * X[:, 0], 2.5 - (X[:, 2] - 0.15)
    return np.stack([r * np.sin(angle), X[:, 1], 2.5 - r * np.cos(angle)], axis=1)


def stored(body, of, mesh, shape):
    """Energy of a block whose ends are held where a map has them."""
    body.place(shape(body.mesh.points))
    for end in (0.0, LENGTH):
        body.fix(of(np.abs(mesh.points[:, 0] - end) < 1e-9))
    x = pl.Scene([body]).equilibrium().positions[0]
    return Assembly(len(body), 3, body.energies(device="cpu")).value(x)


@pytest.mark.parametrize("shape", [pulled, twisted, bent])
def test_a_solid_costs_what_finite_elements_say(shape):
    """Quadratic hexahedra, more of them; the material is the same, Saint Venant and Kirchhoff's."""
    mesh = pl.meshes.box(SIZE, (9, 3, 3), kind="hex20")
    matter = pl.StVenantKirchhoff(young=YOUNG, poisson=POISSON)
    reference = stored(pl.Body(mesh, matter, density=1000.0), lambda mask: mask, mesh, shape)
    errors = []
    for n in (1, 2):
        mesh = pl.meshes.box(SIZE, (3 * n, n, n), kind="hex")
        body = elastons(mesh)
        errors.append(stored(body, body.points_of, mesh, shape) / reference - 1.0)
    # Corners of held ends are singular: the reference itself is a percent too stiff there.
    assert abs(errors[1]) < 0.06 and abs(errors[1]) < abs(errors[0])


def test_one_strip_as_a_rod_a_shell_and_a_solid():
    """L = 1, 0.2 wide, 0.1 high, level under its weight: quadratic elements, and all three."""
    size, g = (1.0, 0.2, 0.1), 1e-4
    meshes = {
        "rod": (straight(8), {"thickness": size[1:], "up": (0, 0, 1)}),
        "shell": (sheet(size[:2], (8, 2)), {"thickness": size[2]}),
        "hex solid": (pl.meshes.box(size, (8, 2, 1), kind="hex"), {}),
        "tet solid": (pl.meshes.box(size, (8, 2, 1), kind="tet"), {}),
    }
    fine = pl.meshes.box(size, (12, 3, 2), kind="hex20")
    matter = pl.StVenantKirchhoff(young=YOUNG, poisson=POISSON)
    reference = pl.Body(fine, matter, density=1000.0)
    reference.fix(fine.points[:, 0] < 1e-9)
    x = pl.Scene([reference], gravity=(0, 0, -g)).equilibrium().positions[0]
    sank = (x - fine.points)[fine.points[:, 0] > 1 - 1e-9, 2].mean()
    found = {}
    for name, (mesh, how) in meshes.items():
        body = elastons(mesh, **how)
        body.fix(body.points_of(mesh.points[:, 0] < 1e-9))
        nodes = rests(body, gravity=(0, 0, -g))[1]
        found[name] = (nodes - mesh.points)[mesh.points[:, 0] > 1 - 1e-9, 2].mean() / sank
    # Eight cells: 2 % by the order found above; a wide strip is a little stiffer than a rod knows.
    assert found == pytest.approx(dict.fromkeys(meshes, 1.0), abs=0.04)


@pytest.mark.parametrize("cells", [8, 16])
def test_a_rod_sounds_its_note(cells):
    """The lowest of a cantilever: 1.8751^2 sqrt(E I / (rho A L^4)), either way, then 4.6941^2."""
    from scipy.linalg import eigh

    h = 0.02
    rod = elastons(straight(cells), thickness=h)
    rod.fix(rod.points_of([0]))
    system = rod.system()
    K = system.stiffness(rod.mesh.points).toarray()
    M = np.diag(np.repeat(rod.masses[~rod.pinned], 3))
    w = np.sqrt(eigh(K, M, eigvals_only=True, subset_by_index=[0, 3]))
    exact = 1.8751**2 * np.sqrt(YOUNG * h**2 / 12 / 1000.0)
    # Lumped masses and cells of the second order; rotary inertia and shear take 1e-3.
    assert w[:2] == pytest.approx(exact, rel=0.6 / cells**2 * 4)
    assert w[2:4] == pytest.approx(exact * (4.6941 / 1.8751) ** 2, rel=0.1)


def test_a_ring_sounds_its_notes():
    """Two waves around it: out of its plane, then in it [love1927], with the rod's own J."""
    n, h = 24, 0.05
    angle = np.arange(n) * 2 * np.pi / n
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    ring = elastons(pl.Mesh(circle, {"line": [(i, (i + 1) % n) for i in range(n)]}), thickness=h)
    assembly = Assembly(len(ring), 3, ring.energies(device="cpu"))
    K = assembly.pattern.matrix(assembly.blocks(ring.mesh.points, project=False)).toarray()
    root = np.repeat(ring.masses, 3) ** -0.5
    w = np.sqrt(np.maximum(np.linalg.eigvalsh(K * root[:, None] * root), 0.0))
    stiff = YOUNG * h**2 / 12 / 1000.0  # E I / (rho A)
    twist = (h**2 / 12) / (h**2 / 6) * YOUNG / SHEAR  # E I / (G J)
    out, within = np.sqrt(stiff * 36 / (4 + twist)), np.sqrt(stiff * 36 / 5)
    # 24 chords for a circle: each turns by 15 degrees, whose square is 7 %, a quarter of it in length.
    assert w[:6].max() < 1e-4 and w[6:8] == pytest.approx(out, rel=0.02)
    assert w[8:10] == pytest.approx(within, rel=0.02)
