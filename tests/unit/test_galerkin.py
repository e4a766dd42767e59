"""Hierarchies for bodies that are not solids: interpolation, coarse matrices, and what CG sees."""

import numpy as np
import pytest
import scipy.sparse as sp
import warp as wp

import pliant as pl
from pliant.problem.system import System
from pliant.solvers import BlockPattern, Coarsened, Factored, Galerkin, interpolations
from pliant.solvers.conjugate import ConjugateGradients


def grid(n, turn=None):
    turn = np.eye(3) if turn is None else turn
    flat = pl.meshes.rectangle((1, 1), (n, n))
    return np.insert(flat.points, 1, 0.0, axis=1) @ turn.T, np.asarray(flat.cells["tri3"])


def oblique():
    return np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]


@pytest.mark.parametrize("turn", [np.eye(3), oblique()], ids=["level", "oblique"])
def test_linear_functions_are_carried_exactly(turn):
    points, triangles = grid(17, turn)
    free = np.ones(len(points), dtype=bool)
    free[:3] = False
    ways = interpolations(points, [triangles], free)
    assert len(ways) >= 2 and ways[-1].shape[1] <= 40
    # Weights sum to one, and the nodes of a level lie where their weights say they do: fitting
    # them to the points' places leaves nothing. Pinned points move with nobody.
    assert ways[0].sum(axis=1)[:3] == pytest.approx(0.0)
    assert ways[0].sum(axis=1)[3:] == pytest.approx(1.0)
    down = sp.identity(len(points), format="csr")
    for P in ways:
        down = down @ P
        places, *_ = np.linalg.lstsq(down.toarray(), np.where(free[:, None], points, 0.0))
        assert (down @ places)[free] == pytest.approx(points[free], abs=1e-9)


def test_a_regular_sheet_has_few_weights_and_a_quarter_of_the_points():
    points, triangles = grid(32)
    P = interpolations(points, [triangles], np.ones(len(points), dtype=bool))[0]
    assert P.shape[1] == 17 * 17
    assert P.nnz <= 2.3 * len(points)


def test_lines_have_lattices_of_one_dimension():
    points = np.linspace(0, 1, 101)[:, None] * np.array([[1.0, 2.0, -1.0]])
    pairs = np.stack([np.arange(100), np.arange(1, 101)], axis=1)
    P = interpolations(points, [pairs], np.ones(101, dtype=bool))[0]
    assert P.shape[1] == 51 and np.diff(P.indptr).max() == 2


def laplacian(points, triangles, dim, shift):
    """Edges as springs in all directions, on a foundation."""
    pattern = BlockPattern(len(points), [triangles])
    blocks = np.zeros((len(pattern), dim, dim))
    rng = np.random.default_rng(0)
    for t, slots in zip(triangles, pattern.slots(triangles), strict=True):
        for a in range(3):
            for b in range(a):
                A = rng.standard_normal((dim, dim))
                A = A @ A.T
                blocks[slots[a, a]] += A
                blocks[slots[b, b]] += A
                blocks[slots[a, b]] -= A
                blocks[slots[b, a]] -= A
        assert len(t) == 3
    blocks[pattern.diagonal] += shift * np.eye(dim)
    return pattern, blocks


def hierarchy(dim=3, shift=0.1, coarsest=10):
    points, triangles = grid(12)
    pattern, blocks = laplacian(points, triangles, dim, shift)
    ways = interpolations(points, [triangles], np.ones(len(points), dtype=bool), coarsest=coarsest)
    made = Galerkin(ways, pattern, dim)
    device = wp.array(blocks, dtype=wp.types.matrix((dim, dim), wp.float64))
    made.load(device)
    return made, ways, pattern.matrix(blocks), device


@pytest.mark.parametrize("dim", [2, 3])
def test_coarse_matrices_are_galerkin_products(dim):
    made, ways, A, _ = hierarchy(dim)
    for level, P in zip(made.levels, ways, strict=True):
        P = sp.kron(P, sp.identity(dim))
        A = P.T @ A @ P
        found = level.pattern.matrix(level.A.numpy()).toarray()
        assert found == pytest.approx(A.toarray(), abs=1e-10 * np.abs(found).max())


def cycle(made):
    n = made.fine.count * made.dim
    columns = []
    for unit in np.eye(n):
        r, z = (wp.array(v.reshape(-1, made.dim), dtype=made.vec) for v in (unit, unit))
        made.apply(r, z)
        columns.append(z.numpy().ravel())
    return np.array(columns)


@pytest.mark.parametrize("shift", [0.1, -3.0], ids=["definite", "indefinite"])
def test_the_cycle_is_symmetric_and_positive_whatever_the_matrix_is(shift):
    made, _, A, _ = hierarchy(shift=shift)
    assert (np.linalg.eigvalsh(A.toarray())[0] > 0) == (shift > 0)
    B = cycle(made)
    assert pytest.approx(B.T, abs=1e-10 * np.abs(B).max()) == B
    assert np.linalg.eigvalsh(B)[0] > 0.0


def test_conjugate_gradients_are_quick_and_see_negative_curvature():
    for shift, good in ((0.1, True), (-0.1, False)):
        made, _, A, blocks = hierarchy(shift=shift)
        b = np.random.default_rng(0).standard_normal((made.fine.count, 3))
        out = wp.zeros(made.fine.count, dtype=wp.vec3d)
        report = ConjugateGradients(made).solve(
            blocks, wp.array(b, dtype=wp.vec3d), out, rtol=1e-8, weight=0.0
        )
        assert (report.converged, report.indefinite) == (good, not good)
        if good:
            assert report.iterations <= 30  # block Jacobi needs 80
            assert A @ out.numpy().ravel() == pytest.approx(b.ravel(), abs=1e-6)


def sheet(n=20):
    points, triangles = grid(n)
    cloth = pl.Cloth(
        pl.Mesh(points, cells={"tri": triangles}), stretch=2000, shear=500, bend=1e-4, density=0.2
    )
    x, _, z = points.T
    cloth.fix((z < 1e-9) & ((x < 1e-9) | (x > 1 - 1e-9)))
    noise = np.random.default_rng(0).uniform(-1e-4, 1e-4, points.shape)
    cloth.place(points + noise * ~cloth.pinned[:, None])
    return cloth


@pytest.mark.parametrize("stepper", [pl.LinearisedImplicit(), pl.Implicit()], ids=["one", "all"])
def test_sheets_move_as_with_a_factor(stepper, monkeypatch):
    takes = []
    for kind in (Coarsened, Factored):
        cloth = sheet()
        if kind is Factored:
            monkeypatch.setattr(
                System, "_chosen", lambda s, **_: Factored(s.kept_factor(s.undeformed))
            )
        assert isinstance(cloth.system().linear, kind)
        scene = pl.Scene(cloth, gravity=(0, -9.81, 0))
        takes.append(scene.run(seconds=0.1, dt=1 / 60, stepper=stepper, progress=False))
    moved = np.abs(takes[0].positions[-1] - takes[0].positions[0]).max()
    # Each step to 1e-3 of its motion or better.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 2e-3 * moved


def test_what_the_hierarchy_cannot_solve_is_left_to_the_factor(monkeypatch):
    monkeypatch.setattr("pliant.solvers.coarsened.MOST_ITERATIONS_COARSENED", 1)
    cloth = sheet()
    take = pl.Scene(cloth, gravity=(0, -9.81, 0)).run(seconds=0.1, dt=1 / 60, progress=False)
    assert cloth.system().linear.gave_up
    assert set(take.solver["reason"]) == {"converged"}


def test_few_points_and_curves_have_a_factor():
    line = np.linspace(0, 1, 400)[:, None] * np.array([[1.0, 0.0, 0.0]])
    pairs = np.stack([np.arange(399), np.arange(1, 400)], axis=1)
    chain = pl.Springs(pl.Mesh(line, cells={"line": pairs}), stiffness=100.0, mass=0.01)
    assert isinstance(chain.system().linear, Factored)
    assert isinstance(sheet(4).system().linear, Factored)
    far = 0.1 * np.arange(1000.0)[:, None] * (1.0, 0.0, 0.0)
    rod = pl.Rod(far, radius=0.02, young=1e5, poisson=0.3, density=200.0)
    assert isinstance(rod.system().linear, Factored)  # however long


def test_springs_along_the_axes_have_lattices_of_twice_their_length():
    mesh = pl.meshes.box((1, 1, 1), (8, 8, 8))
    springs = pl.Springs(mesh, stiffness=1000.0)
    pairs = [e.stencils for e in springs.energies(device="cpu")]
    ways = interpolations(mesh.points, pairs, np.ones(len(mesh), dtype=bool))
    assert [P.shape[1] for P in ways] == [5**3, 3**3, 2**3]
