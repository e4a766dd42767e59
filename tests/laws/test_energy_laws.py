"""Laws of strain-space energies and of the objective that a step minimises."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energies import Energy, SolidEnergy
from pliant.energies.assembly import Assembly
from pliant.energies.shifted import ShiftedStrain
from pliant.energies.strain_measures import biot, cauchy, green
from pliant.problem.inertia import Inertia, Quadratic

MEASURES = {"green": green, "cauchy": cauchy, "biot": biot}
MESHES = {
    "tri": lambda: pl.meshes.rectangle((2, 1), (2, 1)),
    "quad": lambda: pl.meshes.rectangle((2, 1), (2, 1), kind="quad"),
    "tet": lambda: pl.meshes.box((1, 1, 1), (1, 1, 1)),
    "hex": lambda: pl.meshes.box((1, 1, 1), (1, 1, 1), kind="hex"),
}
# Every measure on the simplices, the rotation-aware one (which Settle uses) on all kinds.
CASES = [(k, m) for k in ("tri", "tet") for m in MEASURES] + [("quad", "biot"), ("hex", "biot")]
cases = pytest.mark.parametrize("kind, measure", CASES)


def shifted(kind, measure, *, met=False, seed=0):
    """The energy, a bent and turned shape, and the Assembly helper that evaluates it."""
    mesh, rng = MESHES[kind](), np.random.default_rng(seed)
    ((name, cells),) = mesh.cells.items()
    solid = SolidEnergy(mesh.points, cells, name, pl.Corotated(young=3.0, poisson=0.3))
    energy = ShiftedStrain(solid, MEASURES[measure], lam=1.3, mu=0.7)
    d = mesh.dim
    Q = np.eye(d)
    Q[:2, :2] = [[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]]
    x = (mesh.points * (1.0 + 0.2 * np.arange(d))) @ Q.T + 0.06 * rng.uniform(
        -1, 1, mesh.points.shape
    )
    assembly = Assembly(len(mesh), d, [energy])
    strain = energy.strain(assembly.array(x))
    target = strain if met else strain + 0.2 * _symmetric(rng, strain.shape)
    energy.aim(target)
    return energy, assembly, x


def _symmetric(rng, shape):
    s = rng.uniform(-1, 1, shape)
    return 0.5 * (s + np.swapaxes(s, -1, -2))


def dense(assembly, x, project):
    return assembly.pattern.matrix(assembly.blocks(x, project=project)).toarray()


def differences(function, x, h=1e-5):
    """Centred differences of a function of positions, one column per unknown.

    h balances truncation h^2 = 1e-10 against rounding 1e-16/h = 1e-11: 1e-6 has room.
    """
    columns = []
    for i in np.ndindex(x.shape):
        dx = np.zeros_like(x)
        dx[i] = h
        columns.append((np.ravel(function(x + dx)) - np.ravel(function(x - dx))) / (2 * h))
    return np.stack(columns, axis=-1)


def relative(a, b):
    assert np.abs(b).max() > 1e-3, "comparing with zero proves nothing"
    return np.abs(a - b).max() / np.abs(b).max()


@cases
def test_gradient_and_hessian_match_finite_differences(kind, measure):
    energy, assembly, x = shifted(kind, measure)
    assert isinstance(energy, Energy)
    g = assembly.gradient(x)
    assert relative(g.ravel(), differences(assembly.value, x)[0]) <= 1e-6
    H = dense(assembly, x, project=False)
    assert relative(H, differences(assembly.gradient, x)) <= 1e-6
    assert np.abs(H - H.T).max() <= 1e-12 * np.abs(H).max()


@cases
def test_projected_hessian_is_never_negative_and_exact_where_the_target_is_met(kind, measure):
    for seed in range(3):
        _, assembly, x = shifted(kind, measure, seed=seed)
        H = dense(assembly, x, project=True)
        assert np.linalg.eigvalsh(H)[0] >= -1e-12 * np.abs(H).max()
    _, assembly, x = shifted(kind, measure, met=True)
    H = dense(assembly, x, project=True)
    assert relative(H, dense(assembly, x, project=False)) <= 1e-12
    assert relative(H, differences(assembly.gradient, x)) <= 1e-6
    assert assembly.value(x) == pytest.approx(0.0, abs=1e-28)
    assert np.abs(assembly.gradient(x)).max() <= 1e-13  # no force where the strain is as aimed


@pytest.mark.parametrize("kind", ["tri", "tet"])
def test_fibres_in_strain_space_match_finite_differences(kind):
    """The same energy with lam given as (lam, fibre, direction); fibres are in all of it."""
    mesh, rng = MESHES[kind](), np.random.default_rng(5)
    ((name, cells),) = mesh.cells.items()
    d = mesh.dim
    direction = rng.normal(size=(len(cells), d))
    material = pl.FibreReinforced(young=3.0, poisson=0.3, fibre=5.0, direction=direction)
    solid = SolidEnergy(mesh.points, cells, name, material)
    first, mu = material.constants(len(cells), d)
    energy = ShiftedStrain(solid, biot, lam=first, mu=mu)
    plain = ShiftedStrain(solid, biot, lam=first[:, 0], mu=mu)
    x = mesh.points * (1.0 + 0.2 * np.arange(d)) + 0.06 * rng.uniform(-1, 1, mesh.points.shape)
    assembly = Assembly(len(mesh), d, [energy])
    strain = energy.strain(assembly.array(x))
    target = strain + 0.2 * _symmetric(rng, strain.shape)
    energy.aim(target)
    plain.aim(target)
    assert relative(assembly.gradient(x).ravel(), differences(assembly.value, x)[0]) <= 1e-6
    H = dense(assembly, x, project=False)
    assert relative(H, differences(assembly.gradient, x)) <= 1e-6
    assert np.linalg.eigvalsh(dense(assembly, x, project=True))[0] >= -1e-12 * np.abs(H).max()
    whole = assembly.value(x)
    assert whole > 1.1 * Assembly(len(mesh), d, [plain]).value(x)
    energy.weigh(2.5)  # the moduli, not the directions
    assert assembly.value(x) == pytest.approx(2.5 * whole, rel=1e-12)
    energy.weigh(np.full(len(cells), 0.5))
    assert assembly.value(x) == pytest.approx(0.5 * whole, rel=1e-12)
    # At rest it is the material's own Hessian: what makes its bounces keep time.
    energy.weigh(1.0)
    energy.aim(np.zeros_like(strain))
    own = Assembly(len(mesh), d, [solid])
    assert relative(dense(assembly, mesh.points, False), dense(own, mesh.points, False)) <= 1e-12


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("measure", ["green", "biot"])
def test_rigid_motion_costs_nothing_and_feels_nothing(kind, measure):
    if (kind, measure) not in CASES:
        pytest.skip("one kernel per measure and kind: see CASES")
    _, assembly, x = shifted(kind, measure)
    d = x.shape[1]
    Q = np.eye(d)
    Q[:2, :2] = [[np.cos(2.1), -np.sin(2.1)], [np.sin(2.1), np.cos(2.1)]]
    moved = x @ Q.T + 3.0
    assert assembly.value(moved) == pytest.approx(assembly.value(x), rel=1e-11)
    assert relative(assembly.gradient(moved), assembly.gradient(x) @ Q.T) <= 1e-10
    g = assembly.gradient(x)
    # No net force and no net torque about the current positions: momentum is kept.
    assert np.abs(g.sum(axis=0)).max() <= 1e-12 * np.abs(g).max()
    lift = np.pad(x, ((0, 0), (0, 3 - d))), np.pad(g, ((0, 0), (0, 3 - d)))
    assert np.abs(np.cross(*lift).sum(axis=0)).max() <= 1e-11 * np.abs(g).max()


def test_moduli_scale_the_energy_per_cell():
    energy, assembly, x = shifted("tri", "biot")
    whole = assembly.value(x)
    energy.weigh(2.5)
    assert assembly.value(x) == pytest.approx(2.5 * whole, rel=1e-12)
    parts = []
    for c in range(len(energy.stencils)):
        energy.weigh(np.eye(len(energy.stencils))[c])
        parts.append(assembly.value(x))
    assert sum(parts) == pytest.approx(whole, rel=1e-12) and min(parts) > 0


def test_strains_are_what_their_names_say():
    mesh = pl.meshes.rectangle((1, 1), (1, 1))
    solid = SolidEnergy(mesh.points, mesh.cells["tri3"], "tri3", pl.Linear(young=1.0, poisson=0.3))
    F = np.array([[1.3, 0.4], [-0.2, 0.8]])
    x = wp.array(mesh.points @ F.T, dtype=wp.types.vector(length=2, dtype=wp.float64))
    C = F.T @ F
    values, vectors = np.linalg.eigh(C)
    U = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    expected = {
        "green": (C - np.eye(2)) / 2,
        "cauchy": (F + F.T) / 2 - np.eye(2),
        "biot": U - np.eye(2),
    }
    for name, measure in MEASURES.items():
        strain = ShiftedStrain(solid, measure, lam=1.0, mu=1.0).strain(x)
        assert np.abs(strain - expected[name]).max() <= 1e-13


# --- the objective of a step ----------------------------------------------------------------


@pytest.mark.parametrize("dim", [2, 3])
def test_step_objective_matches_finite_differences(dim):
    """Inertia, energy, load, a strain-space energy and a quadratic, with pins and without."""
    mesh = MESHES["tri" if dim == 2 else "tet"]()
    body = pl.Body(mesh, pl.StableNeoHookean(young=30.0, poisson=0.3), density=3.0)
    body.fix([0])
    system, rng = body.system(), np.random.default_rng(4)
    bent = mesh.points + 0.1 * rng.uniform(-1, 1, mesh.points.shape)
    ghost = ShiftedStrain(system.solids[0], biot, lam=2.0, mu=3.0)
    ghost.aim(ghost.strain(system.assembly.array(bent)))
    blocks = system.assembly.blocks(mesh.points, project=True)
    inertia = Inertia(7.0, bent, [ghost], [Quadratic(blocks, mesh.points, 0.4)])
    load = rng.uniform(-1, 1, mesh.points.shape)
    objective = system.objective(inertia, load, system.unrestricted)
    x = mesh.points + 0.1 * rng.uniform(-1, 1, mesh.points.shape)
    assert relative(objective.gradient(x).ravel(), differences(objective.value, x)[0]) <= 1e-6
    free = np.repeat(objective.free, dim)
    H = objective.matrix(x, project=False).toarray()
    assert relative(H, differences(objective.gradient, x)[free][:, free]) <= 1e-6
    assert np.linalg.eigvalsh(objective.matrix(x, project=True).toarray())[0] > 0
    # Each part is really in it: taking one out changes the gradient.
    for less in (
        Inertia(0.0, bent, [ghost], inertia.quadratics),
        Inertia(7.0, bent, [], inertia.quadratics),
        Inertia(7.0, bent, [ghost]),
    ):
        other = system.objective(less, load, system.unrestricted).gradient(x)
        assert np.abs(other - objective.gradient(x)).max() > 1e-3


def test_objective_far_from_the_origin_is_as_exact():
    """Values are measured from the anchor: a body a kilometre away keeps its digits."""
    body = pl.Body(MESHES["tri"](), pl.StableNeoHookean(young=1e4, poisson=0.3))
    system = body.system()
    drops = []
    for away in (0.0, 1000.0):
        X = body.mesh.points + away
        objective = system.objective(Inertia(1e4, X), np.full_like(X, -5.0), system.unrestricted)
        drops.append(objective.value(X + 1e-6) - objective.value(X))
    # 1000 m has 1e-13 m of rounding, a millionth of the 1e-6 m moved... times 1e4: still 1e-6.
    assert drops[1] == pytest.approx(drops[0], rel=1e-5)
