"""Laws of the elastic energy of a solid, over element kinds and materials."""

import itertools
from functools import cache

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.elements import ELEMENTS, by_name
from pliant.energies import Energy, SolidEnergy
from pliant.kinds import MATERIALS
from pliant.materials import FibreReinforced, Linear, NeoHookean, StableNeoHookean
from tests.laws.materials import build

wp.config.quiet = True
CLASSES = list(MATERIALS.own().values())
KINDS = [name for name, element in ELEMENTS.items() if element.dim > 1]
# Every material on the linear simplices, every kind with two materials: kernels are made of the
# same pieces, and compiling all pairs takes minutes on a cold cache, so the others are slow tests.
PAIRS = [
    (k, c)
    for k, c in itertools.product(KINDS, CLASSES)
    if k in ("tri3", "tet4") or c in (NeoHookean, StableNeoHookean)
]
OTHERS = [pair for pair in itertools.product(KINDS, CLASSES) if pair not in PAIRS]
pairs = pytest.mark.parametrize("kind, cls", PAIRS, ids=lambda v: getattr(v, "__name__", v))
every_pair = pytest.mark.parametrize(
    "kind, cls",
    PAIRS + [pytest.param(*pair, marks=pytest.mark.slow) for pair in OTHERS],
    ids=lambda v: getattr(v, "__name__", v),
)


@cache
def mesh(kind):
    """A row of two cells' worth of space, slightly distorted, with curved edges; metres."""
    dim = by_name(kind).dim
    make = pl.meshes.rectangle if dim == 2 else pl.meshes.box
    made = make((2, *[1] * (dim - 1)), (2, *[1] * (dim - 1)), kind=kind)
    shift = 0.1 if by_name(kind).degree == 1 else 0.05
    X = made.points + shift * np.random.default_rng(0).uniform(-1, 1, made.points.shape)
    return X, made.cells[kind]


def made(cls, cells, dim):
    """A material; fibres have another direction in every cell."""
    if cls is not FibreReinforced:
        return build(cls, dim, young=2.5, poisson=0.35)
    direction = np.random.default_rng(9).normal(size=(cells, dim))
    return cls(young=2.5, poisson=0.35, fibre=np.linspace(3, 5, cells), direction=direction)


def solid(kind, cls, dtype=wp.float64, **options):
    X, cells = mesh(kind)
    material = made(cls, len(cells), X.shape[1])
    return X, SolidEnergy(X, cells, kind, material, dtype=dtype, **options)


def vectors(energy, x):
    dim = energy.element.dim
    return wp.array(x, dtype=wp.types.vector(length=dim, dtype=energy.dtype))


def value(energy, x):
    return energy.value(vectors(energy, x))


def gradient(energy, x):
    g = vectors(energy, np.zeros_like(x))
    energy.add_gradient(vectors(energy, x), g)
    return g.numpy().astype(float)


def hessian(energy, x, project):
    """The dense Hessian, through blocks and slots as a solver sees them."""
    n, dim = x.shape
    s = energy.stencils
    slots = wp.array(s[:, :, None] * n + s[:, None, :], dtype=wp.int32)
    mat = wp.types.matrix(shape=(dim, dim), dtype=energy.dtype)
    blocks = wp.zeros(n * n, dtype=mat)
    energy.add_hessian(vectors(energy, x), blocks, slots, project)
    H = blocks.numpy().astype(float).reshape(n, n, dim, dim)
    return H.transpose(0, 2, 1, 3).reshape(n * dim, n * dim)


def bent(X, seed=1):
    """A deformation without inverted cells: noise of a tenth of the way between points."""
    rng = np.random.default_rng(seed)
    B = np.eye(X.shape[1]) + 0.15 * rng.uniform(-1, 1, (X.shape[1],) * 2)
    apart = np.linalg.norm(X[:, None] - X, axis=2) + np.where(np.eye(len(X)), np.inf, 0.0)
    return X @ B.T + 0.1 * apart.min() * rng.uniform(-1, 1, X.shape)


def turn(X, angle=1.1):
    Q = np.eye(X.shape[1])
    Q[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return X @ Q.T + 3.0


def relative(a, b):
    assert np.abs(b).max() > 1e-3, "comparing with zero proves nothing"
    return np.abs(a - b).max() / np.abs(b).max()


@every_pair
def test_gradient_and_hessian_match_finite_differences(kind, cls):
    X, energy = solid(kind, cls)
    x, h = bent(X), 1e-5
    steps = h * np.eye(x.size).reshape(-1, *x.shape)
    slope = [(value(energy, x + s) - value(energy, x - s)) / (2 * h) for s in steps]
    assert relative(gradient(energy, x).ravel(), np.array(slope)) < 1e-7
    curve = [(gradient(energy, x + s) - gradient(energy, x - s)).ravel() / (2 * h) for s in steps]
    H = hessian(energy, x, project=False)
    assert relative(H, np.array(curve)) < 1e-7
    assert relative(H, H.T) < 1e-13


@pairs
def test_projected_hessian_is_positive_semi_definite(kind, cls):
    X, energy = solid(kind, cls)
    shapes = [bent(X), 0.6 * turn(X), bent(0.5 * X)]
    if cls.finite_when_inverted:
        rng = np.random.default_rng(3)
        shapes += [X + rng.normal(size=X.shape), X * ([-1] + [1] * (X.shape[1] - 1)), 0 * X]
    indefinite = False
    for x in shapes:
        w = np.linalg.eigvalsh(hessian(energy, x, project=True))
        assert w[0] >= -1e-9 * max(w[-1], 1e-9)  # 1e-11 is the slack of the projection
        raw = np.linalg.eigvalsh(hessian(energy, x, project=False))
        indefinite |= bool(raw[0] < -1e-3 * raw[-1])
    assert indefinite != cls.constant_hessian


@pairs
def test_projection_changes_nothing_where_all_is_well(kind, cls):
    X, energy = solid(kind, cls)
    for x in (X, 1.05 * X):
        H = hessian(energy, x, project=False)
        assert np.array_equal(hessian(energy, x, project=True), H)
        assert np.abs(H).max() > 0.1


@every_pair
def test_rest_and_rigid_motion(kind, cls):
    X, energy = solid(kind, cls)
    assert value(energy, X) < 1e-14 and np.abs(gradient(energy, X)).max() < 1e-13
    moved = turn(X)
    if cls.rotation_invariant:
        assert value(energy, moved) < 1e-13 and np.abs(gradient(energy, moved)).max() < 1e-12
        assert value(energy, turn(bent(X))) == pytest.approx(value(energy, bent(X)), rel=1e-12)
    else:
        assert value(energy, moved) > 0.1


@every_pair
def test_net_force_and_torque_vanish(kind, cls):
    X, energy = solid(kind, cls)
    x = bent(X)
    g = gradient(energy, x)
    assert np.abs(g).max() > 1e-2
    assert np.abs(g.sum(axis=0)).max() < 1e-14
    if cls.rotation_invariant:
        moment = x.T @ g
        assert np.abs(moment - moment.T).max() < 1e-13


@pairs
def test_float32_agrees_with_float64(kind, cls):
    X, double = solid(kind, cls)
    _, single = solid(kind, cls, dtype=wp.float32)
    x = bent(X).astype(np.float32).astype(float)
    # A few hundred operations of relative error 6e-8, on strains of order 0.1.
    assert value(single, x) == pytest.approx(value(double, x), rel=1e-5)
    assert relative(gradient(single, x), gradient(double, x)) < 1e-5
    for project in (False, True):
        assert relative(hessian(single, x, project), hessian(double, x, project)) < 2e-5


@pytest.mark.parametrize("kind", KINDS)
def test_uniform_stretch_has_the_energy_of_its_volume(kind):
    X, energy = solid(kind, Linear, **({"thickness": 0.5} if by_name(kind).dim == 2 else {}))
    lam, mu, dim = energy.material.lam, energy.material.mu, X.shape[1]
    e = 0.1
    density = mu * dim * e**2 + 0.5 * lam * (dim * e) ** 2
    x = vectors(energy, (1 + e) * X)
    volume = energy.cells.weights.numpy().sum()
    assert energy.value(x) == pytest.approx(density * volume, rel=1e-12)
    assert energy.strain_energies(x).sum() == pytest.approx(energy.value(x))
    assert energy.strain_energies(x).shape == (len(energy.stencils),)
    F = energy.deformation_gradients(x)
    assert F.shape == (len(energy.stencils), len(energy.element.rule.weights), dim, dim)
    assert np.allclose(F, (1 + e) * np.eye(dim))


@pytest.mark.parametrize("kind", ["tri3", "tet4"])
@pytest.mark.parametrize("dtype", [wp.float64, wp.float32])
def test_step_limit_is_where_the_first_cell_goes_flat(kind, dtype):
    X, energy = solid(kind, NeoHookean, dtype=dtype)
    cells, dim = energy.stencils, X.shape[1]
    tol = 1e-9 if dtype is wp.float64 else 1e-4
    for seed in range(12):
        dx = np.random.default_rng(seed).normal(size=X.shape) * 10.0 ** (seed % 4 - 1)
        x = bent(X, seed=seed)
        E, dE = (np.swapaxes(a[cells[:, 1:]] - a[cells[:, :1]], 1, 2) for a in (x, dx))
        roots = []
        for e, d in zip(E, dE, strict=True):
            t = np.linspace(0, 1, dim + 1)
            p = np.polyfit(t, [np.linalg.det(e + s * d) for s in t], dim)
            r = np.roots(p)
            roots += [z.real for z in r if abs(z.imag) < 1e-9 and z.real > 0]
        limit = energy.step_limit(vectors(energy, x), vectors(energy, dx))
        assert limit == pytest.approx(0.9 * min(roots), rel=tol)
        assert np.isfinite(value(energy, x + limit * dx))
        assert np.isposinf(value(energy, x + 1.001 / 0.9 * limit * dx))


@pytest.mark.parametrize("kind", ["tri3", "tet4"])
def test_step_limit_special_cases(kind):
    X, energy = solid(kind, NeoHookean)

    def limit(x, dx):
        return energy.step_limit(vectors(energy, x), vectors(energy, dx))

    assert limit(X, 0 * X) == np.inf
    assert limit(X, 0 * X + 1.0) == np.inf  # translation
    assert limit(X, X) == np.inf  # growth
    # Shrinking to a point is a root of full multiplicity, the hardest to find and to place.
    assert limit(X, -X) == pytest.approx(0.9, rel=1e-4)
    assert limit(X, -X / 4) == pytest.approx(3.6, rel=1e-4)
    collapse = np.zeros_like(X)
    collapse[:, 0] = -X[:, 0]
    assert limit(X, collapse) == pytest.approx(0.9, rel=1e-12)
    assert limit(X * ([-1] + [1] * (X.shape[1] - 1)), X) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_step_is_unlimited_where_inversion_is_allowed(kind):
    X, energy = solid(kind, StableNeoHookean)
    assert energy.step_limit(vectors(energy, X), vectors(energy, -X)) == np.inf
    if not energy.element.is_simplex:
        X, energy = solid(kind, NeoHookean)
        assert energy.step_limit(vectors(energy, X), vectors(energy, -X)) == np.inf
        assert value(energy, X * ([-1] + [1] * (X.shape[1] - 1))) == np.inf


def test_energy_protocol_and_dropped_slots():
    X, energy = solid("tet4", StableNeoHookean)
    assert isinstance(energy, Energy)
    assert energy.stencils.dtype == np.int32
    n, s = len(X), energy.stencils
    slots = s[:, :, None] * n + s[:, None, :]
    upper = wp.array(np.where(s[:, :, None] <= s[:, None, :], slots, -1), dtype=wp.int32)
    blocks = wp.zeros(n * n, dtype=wp.mat33d)
    energy.add_hessian(vectors(energy, bent(X)), blocks, upper, False)
    half = blocks.numpy().reshape(n, n, 3, 3)
    full = hessian(energy, bent(X), False).reshape(n, 3, n, 3).transpose(0, 2, 1, 3)
    i, j = np.triu_indices(n)
    assert np.allclose(half[i, j], full[i, j]) and not half[j, i][i != j].any()


def test_constants_may_differ_between_cells():
    X, cells = mesh("tet4")
    young = np.linspace(1, 3, len(cells))
    mixed = SolidEnergy(X, cells, "tet", Linear(young=young, poisson=0.3))
    even = SolidEnergy(X, cells, "tet", Linear(young=1.0, poisson=0.3))
    x = vectors(mixed, bent(X))
    assert np.allclose(mixed.strain_energies(x), young * even.strain_energies(x))
    with pytest.raises(ValueError, match=f"{len(cells)} cells"):
        SolidEnergy(X, cells, "tet", Linear(young=[1.0, 2.0], poisson=0.3))


def test_bad_precision_is_refused():
    X, cells = mesh("tet4")
    with pytest.raises(ValueError, match=r"dtype=wp\.float64"):
        SolidEnergy(X, cells, "tet", Linear(young=1.0, poisson=0.3), dtype=float)
