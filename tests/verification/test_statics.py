"""Static answers that are known: patch tests, orders of convergence, beams, rings and columns."""

import numpy as np
import pytest

import pliant as pl
from pliant.elements import by_name, shape_gradients
from pliant.kinds import MATERIALS

ISOTROPIC = [c for c in MATERIALS.own().values() if c.isotropic]


def grid(kind, n, *, size=1.0, jitter=0.0, seed=0):
    """A square or cube of n^d cells, interior points shifted by up to `jitter` of a cell."""
    if kind in ("tri", "quad"):
        mesh = pl.meshes.rectangle((size, size), (n, n), kind=kind)
    else:
        mesh = pl.meshes.box((size,) * 3, (n, n, n), kind=kind)
    if not jitter:
        return mesh
    x = mesh.points.copy()
    inside = np.setdiff1d(np.arange(len(x)), mesh.boundary_points)
    shift = np.random.default_rng(seed).uniform(-1, 1, (len(inside), mesh.dim))
    x[inside] += jitter * size / n * shift
    return pl.Mesh(x, mesh.cells)


def driven_by_its_boundary(mesh, material, boundary_values):
    """The equilibrium with every boundary point held where it is told to be."""
    body = pl.Body(mesh, material)
    body.fix(mesh.boundary_points)
    # The interior starts near the answer, but visibly off it: some materials have no inverted cells.
    off = 0.02 * np.random.default_rng(7).uniform(-1, 1, mesh.points.shape)
    off[mesh.boundary_points] = 0.0
    body.place(boundary_values + off / len(mesh) ** (1 / mesh.dim))
    return pl.Scene(body).equilibrium().positions[0]


def order(sizes, errors):
    """The fitted exponent of errors over mesh sizes."""
    return np.polyfit(np.log(sizes), np.log(errors), 1)[0]


# --- patch tests ----------------------------------------------------------------------------

PATCHES = [(k, c) for k in ("tri", "tet") for c in ISOTROPIC]
PATCHES += [(k, c) for k in ("quad", "hex") for c in (pl.Linear, pl.StableNeoHookean)]


@pytest.mark.parametrize("kind, cls", PATCHES, ids=lambda v: getattr(v, "__name__", v))
@pytest.mark.parametrize("young, poisson", [(1e3, 0.0), (1e6, 0.3), (1e9, 0.48)])
def test_affine_boundary_gives_the_affine_field(kind, cls, young, poisson):
    """On an irregular mesh, for a grid of constants and a large, sheared and turned deformation."""
    mesh = grid(kind, 3, jitter=0.25)
    d = mesh.dim
    A = np.eye(d) + 0.15 * np.random.default_rng(1).uniform(-1, 1, (d, d))
    exact = mesh.points @ A.T + 0.3
    found = driven_by_its_boundary(mesh, cls(young=young, poisson=poisson), exact)
    inside = np.setdiff1d(np.arange(len(mesh)), mesh.boundary_points)
    assert len(inside) >= 4
    assert np.abs(found - mesh.points)[inside].max() > 0.2
    assert np.linalg.norm(A.T @ A - np.eye(d)) > 0.1
    # Newton stops at moves of 1e-9 of the size; quadratic convergence leaves less.
    assert np.abs(found - exact).max() <= 2e-9


# --- convergence ----------------------------------------------------------------------------


def harmonic(X):
    """u = grad phi with phi harmonic: no divergence, no Laplacian, so no body force is needed."""
    if X.shape[1] == 2:
        e = np.exp(X[:, 0])
        return 0.1 * np.stack([e * np.cos(X[:, 1]), -e * np.sin(X[:, 1])], axis=1)
    a, b = 0.6, 0.8  # a^2 + b^2 = 1
    x, y, z = X.T
    e = np.exp(x)
    return 0.1 * np.stack(
        [
            e * np.cos(a * y) * np.cos(b * z),
            -a * e * np.sin(a * y) * np.cos(b * z),
            -b * e * np.cos(a * y) * np.sin(b * z),
        ],
        axis=1,
    )


def l2_error(mesh, u, exact):
    """The L2 norm over the cells of the interpolated u minus a function of position."""
    total = 0.0
    for name, cells in mesh.cells.items():
        element = by_name(name)
        rule = element.mass_rule
        _, weights = shape_gradients(mesh.points, cells, element, rule=rule)
        N = element.shape(rule.points)
        where = np.einsum("qa,cad->cqd", N, mesh.points[cells])
        value = np.einsum("qa,cad->cqd", N, u[cells])
        miss = value - exact(where.reshape(-1, mesh.dim)).reshape(value.shape)
        total += (weights * (miss**2).sum(axis=2)).sum()
    return np.sqrt(total)


@pytest.mark.parametrize(
    "kind, cells",
    [("tri", (4, 8, 16, 32)), ("quad", (4, 8, 16, 32)), ("tet", (3, 6, 12)), ("hex", (3, 6, 12))],
)
def test_manufactured_solution_converges_with_second_order(kind, cells):
    """Linear elements: O(h^2) in L2, on irregular meshes (the same relative shifts at each size)."""
    errors = []
    for n in cells:
        mesh = grid(kind, n, jitter=0.15)
        u = harmonic(mesh.points)
        x = driven_by_its_boundary(mesh, pl.Linear(young=1e5, poisson=0.3), mesh.points + u)
        errors.append(l2_error(mesh, x - mesh.points, harmonic))
    assert errors[0] > 1e-4  # it is not exact already
    assert 1.8 <= order(1.0 / np.array(cells), errors) <= 2.2


# --- bars and columns -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["quad", "hex"])
def test_column_hangs_under_its_own_weight_as_calculated(kind):
    """u(y) = rho g / E (L y - y^2/2), exact at the points for linear elements and nu = 0."""
    young, density, g, length = 1e6, 1200.0, 9.81, 2.0
    if kind == "quad":
        mesh = pl.meshes.rectangle((0.5, length), (2, 8), kind="quad")
    else:
        mesh = pl.meshes.box((0.5, length, 0.5), (1, 6, 1), kind="hex")
    body = pl.Body(mesh, pl.Linear(young=young, poisson=0.0), density=density)
    y = mesh.points[:, 1]
    body.fix(y < 1e-9)
    x = pl.Scene(body, gravity=(0, g, 0)).equilibrium().positions[0]  # pulled away from the pins
    u = density * g / young * (length * y - y**2 / 2)
    assert u.max() == pytest.approx(density * g * length**2 / (2 * young))
    # 1e-9 of the size is the solver's tolerance.
    assert np.abs(x[:, 1] - y - u).max() <= 1e-8
    assert np.abs(np.delete(x - mesh.points, 1, axis=1)).max() <= 1e-8


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("how", ["traction", "force", "volume"])
def test_bar_stretches_by_stress_over_young(how, dim):
    young, pull, length = 1e6, 2e3, 2.0
    mesh = (
        pl.meshes.rectangle((length, 0.5), (8, 2), kind="quad")
        if dim == 2
        else pl.meshes.box((length, 0.5, 0.5), (4, 1, 1), kind="hex")
    )
    thickness = 0.7 if dim == 2 else 1.0
    body = pl.Body(mesh, pl.Linear(young=young, poisson=0.0), thickness=thickness)
    x0, x1 = mesh.points[:, 0] < 1e-9, mesh.points[:, 0] > length - 1e-9
    body.fix(x0)
    along = np.eye(dim)[0]
    if how == "traction":
        body.push(traction=pull * along, on=x1)
        expected = pull / young * mesh.points[:, 0]
    elif how == "force":  # the same resultant, shared as a linear edge or face shares it
        area = 0.5 * (0.7 if dim == 2 else 0.5)
        ends = np.flatnonzero(x1)
        share = np.full(len(ends), 1.0 / len(ends))
        if dim == 2:
            share = np.where(np.isin(mesh.points[ends, 1], (0.0, 0.5)), 0.25, 0.5)
        for i, s in zip(ends, share, strict=True):
            body.push(force=s * pull * area * along, on=[i])
        expected = pull / young * mesh.points[:, 0]
    else:
        body.push(volume=pull / length * along)
        X = mesh.points[:, 0]
        expected = pull / length / young * (length * X - X**2 / 2)
    x = pl.Scene(body).equilibrium().positions[0]
    assert expected.max() > 1e-3
    assert np.abs(x[:, 0] - mesh.points[:, 0] - expected).max() <= 1e-8


# --- beams ----------------------------------------------------------------------------------


def tip_deflection(mesh, length, height, width, young, load, **options):
    body = pl.Body(mesh, pl.Linear(young=young, poisson=0.0), **options)
    body.fix(mesh.points[:, 0] < 1e-9)
    end = mesh.points[:, 0] > length - 1e-9
    down = np.zeros(mesh.dim)
    down[1] = -load / (height * width)
    body.push(traction=down, on=end)
    x = pl.Scene(body).equilibrium().positions[0]
    return -(x[end, 1] - mesh.points[end, 1]).mean()


def timoshenko(length, height, width, young, load):
    """P L^3 / (3 E I) + P L / (5/6 G A), nu = 0."""
    inertia, area, shear = width * height**3 / 12, width * height, young / 2
    return load * length**3 / (3 * young * inertia) + load * length / (5 / 6 * shear * area)


@pytest.mark.parametrize("kind", ["tri", "quad"])
def test_plane_cantilever_converges_to_timoshenko(kind):
    length, height, young, load = 6.0, 1.0, 1e6, 10.0
    exact = timoshenko(length, height, 1.0, young, load)
    assert exact < 0.01 * length  # small deflection
    across = (2, 4, 8)
    errors = []
    for n in across:
        mesh = pl.meshes.rectangle((length, height), (6 * n, n), kind=kind)
        tip = tip_deflection(mesh, length, height, 1.0, young, load)
        errors.append(exact / tip - 1.0)
    # Linear elements lock in bending by an amount that falls with h^2. The clamp itself and the
    # parabola of shear differ from beam theory by 0.1 %, so the last error is not only the mesh's.
    assert all(e > 0 for e in errors[:2]) and errors[1] < 0.35 * errors[0]
    assert abs(errors[-1]) <= (0.02 if kind == "quad" else 0.06)  # triangles lock three times more
    assert 1.7 <= order(1.0 / np.array(across), np.abs(errors)) <= 2.2


def test_solid_cantilever_approaches_timoshenko():
    length, side, young, load = 6.0, 1.0, 1e6, 10.0
    exact = timoshenko(length, side, side, young, load)
    errors = []
    for n in (1, 2, 4):
        mesh = pl.meshes.box((length, side, side), (6 * n, n, n), kind="hex")
        errors.append(exact / tip_deflection(mesh, length, side, side, young, load) - 1.0)
    assert errors[2] < 0.3 * errors[1] < 0.3 * errors[0] and abs(errors[2]) <= 0.1


@pytest.mark.parametrize("cls", ISOTROPIC)
def test_every_material_bends_alike_under_a_small_load(cls):
    mesh = pl.meshes.rectangle((4, 1), (16, 4), kind="tri")
    tips = []
    for material in (cls(young=1e6, poisson=0.3), pl.Linear(young=1e6, poisson=0.3)):
        body = pl.Body(mesh, material)
        body.fix(mesh.points[:, 0] < 1e-9)
        body.push(force=(0, -0.01), on=mesh.points[:, 0] > 4 - 1e-9)
        tips.append(pl.Scene(body).equilibrium().positions[0][-1, 1] - 1.0)
    assert abs(tips[1]) > 1e-7
    # Strains of 1e-7 make the materials differ by 1e-6; 1e-9 of the size is 4e-3 of the tip's move.
    assert tips[0] == pytest.approx(tips[1], rel=5e-3)


# --- the ring -------------------------------------------------------------------------------


def test_ring_under_inner_pressure_is_lames():
    """u_r = (1 + nu)/E p a^2/(b^2 - a^2) ((1 - 2 nu) r + b^2/r), plane strain, unsupported."""
    young, poisson, p, a, b = 1e6, 0.3, 100.0, 1.0, 2.0
    errors, around = [], (24, 48, 96)
    for n in around:
        mesh = pl.meshes.annulus(a, b, (n, n // 6))
        body = pl.Body(mesh, pl.StVenantKirchhoff(young=young, poisson=poisson))
        r = np.linalg.norm(mesh.points, axis=1)
        body.push(pressure=p, on=r < a + 1e-9)
        x = pl.Scene(body).equilibrium().positions[0]
        u = ((x - mesh.points) * mesh.points).sum(axis=1) / r
        exact = (
            (1 + poisson) / young * p * a**2 / (b**2 - a**2) * ((1 - 2 * poisson) * r + b**2 / r)
        )
        errors.append(np.abs(u - exact).max() / exact.max())
        # Free to turn and to move, and it does neither.
        assert np.abs(x.mean(axis=0) - mesh.points.mean(axis=0)).max() <= 1e-9
    # Strains of 1e-4 are linear to 1e-4.
    assert errors[-1] <= 5e-3
    assert 1.8 <= order(1.0 / np.array(around), errors) <= 2.2
