"""The modes of a body, and what its static answers have beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from pliant.errors import UnstableError
from pliant.resources import require_memory
from pliant.solvers import Ordered

Array = np.ndarray

#: A free body is held so softly while its modes are looked for: this share of the stiffest mode's
#: eigenvalue. What it shifts is taken off again.
SOFT = 1e-7
#: The eigenvalues of rigid motions are below this share of the first mode's.
RIGID = 1e-4
#: An eigenvalue below this share of the largest is zero but for rounding.
NOTHING = 1e-13
#: A static answer adds a column if the modes leave more than this share of it.
LEFT = 1e-9


@dataclass(frozen=True, eq=False)
class RestStiffness:
    """K over the free unknowns [N/m], with its factor; masses [kg], (n d,), and rigid motions.

    rigid: M-orthonormal columns (n d, k) of a body that no pin holds.
    """

    matrix: sp.bsr_matrix
    masses: Array
    positions: Array
    rigid: Array

    @property
    def stiffest(self) -> float:
        """About the largest eigenvalue [1/s^2]."""
        return float((self.matrix.diagonal() / self.masses).max())

    def shift(self) -> float:
        """What is added to K/M of a free body so that it has a factor [1/s^2]."""
        if not self.rigid.shape[1]:
            return 0.0
        return SOFT * self.stiffest

    def solver(self) -> Inverse:
        """The factor of K + shift M."""
        return Inverse(self)


class Inverse:
    """Solves K u = f by a sparse factor; of a free body for loads that balance."""

    def __init__(self, of: RestStiffness):
        self.of, self.shift = of, of.shift()
        blocks = of.matrix + self.shift * sp.diags(of.masses)
        blocks = blocks.tobsr(of.matrix.blocksize)
        blocks.sort_indices()
        ordered, self._unknowns = Ordered(of.positions)(blocks)
        options = {"SymmetricMode": True}
        try:
            self._factor = sla.splu(
                ordered, permc_spec="NATURAL", diag_pivot_thresh=0.0, options=options
            )
        except RuntimeError:
            raise _loose() from None

    def shifted(self, f: Array) -> Array:
        """(K + shift M)^-1 f."""
        u = np.empty_like(f)
        u[self._unknowns] = self._factor.solve(f[self._unknowns])
        return u

    def __call__(self, f: Array) -> Array:
        """K^-1 f, (n d,); for a free body of what of f does not move it rigidly."""
        f = self._balanced(f)
        u = self.shifted(f)
        if self.shift:
            for _ in range(60):
                more = self.shifted(f + self.shift * self.of.masses * u)
                done = np.abs(more - u).max() <= 1e-14 * np.abs(more).max()
                u = more
                if done:
                    break
            u = u - self.of.rigid @ (self.of.rigid.T @ (self.of.masses * u))
        return u

    def _balanced(self, f: Array) -> Array:
        rigid = self.of.rigid
        return f - self.of.masses * (rigid @ (rigid.T @ f)) if rigid.shape[1] else f


def find_modes(of: RestStiffness, count: int, inverse: Inverse) -> tuple[Array, Array]:
    """The lowest eigenvalues [1/s^2] and M-orthonormal modes (n d, count) of K phi = lambda M phi.

    Rigid motions of a free body are left out: there are as many as `of.rigid` has columns. Lanczos with
    the inverse of a factor; of few unknowns all eigenvalues at once.
    """
    rank, root = of.rigid.shape[1], np.sqrt(of.masses)
    n = len(root)
    every = 2 * (count + rank) >= n
    width = 3 * n if every else 3 * count  # a matrix and all its vectors, or those of Lanczos
    what, fewer = f"finding {count} modes of {n} unknowns", f"modes={max(1, count // 10)}"
    require_memory(what, 8.0 * n * width, fewer)
    if every:
        scaled = of.matrix.toarray() / root[:, None] / root[None, :]
        values, vectors = la.eigh(scaled, subset_by_index=(0, count + rank - 1))
    else:
        operator = sla.LinearOperator(
            (n, n), matvec=lambda b: root * inverse.shifted(root * b), dtype=float
        )
        start = root * np.random.default_rng(0).standard_normal(n)
        found, vectors = sla.eigsh(operator, k=count + rank, which="LA", v0=start, tol=1e-13)
        values = 1.0 / found - inverse.shift
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
    modes = vectors[:, rank:] / root[:, None]
    low = np.abs(values[:rank]).max(initial=0.0)
    if values[rank] <= NOTHING * of.stiffest or low > RIGID * values[rank]:
        raise _loose()
    if rank:
        modes = modes - of.rigid @ (of.rigid.T @ (of.masses[:, None] * modes))
    return _polished(of, modes)


def _polished(of: RestStiffness, modes: Array) -> tuple[Array, Array]:
    """The same span with eigenvalues of its own, exactly M-orthonormal, each with one sign."""
    values, modes = ritz(modes, of.matrix @ modes, of.masses)
    largest = np.abs(modes).argmax(axis=0)
    return values, modes * np.sign(modes[largest, np.arange(modes.shape[1])])


def ritz(columns: Array, forces: Array, masses: Array) -> tuple[Array, Array]:
    """Eigenvalues and modes within the span of columns; forces: K times them."""
    K, M = columns.T @ forces, columns.T @ (masses[:, None] * columns)
    values, turn = la.eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    return values, columns @ turn


def residual_columns(
    of: RestStiffness, values: Array, modes: Array, loads: Sequence[Array], inverse: Inverse
) -> tuple[Array, Array]:
    """What static answers to loads (n d,) have beyond the modes: eigenvalues, and columns (n d, k).

    Each column is M- and K-orthogonal to the modes and to the others. With them the rest shape under
    these loads is that of the full body, however few modes there are.
    """
    columns = np.zeros((len(of.masses), 0))
    for load in loads:
        whole = inverse(load)
        size = _norm(of, whole)
        if size == 0.0:
            continue
        rest = whole / size
        for _ in range(2):  # once more, for rounding
            rest = rest - modes @ (modes.T @ (of.masses * rest))
            rest = rest - columns @ (columns.T @ (of.masses * rest))
        left = _norm(of, rest)
        if left > LEFT:
            columns = np.column_stack([columns, rest / left])
    if not columns.shape[1]:
        return np.zeros(0), columns
    return ritz(columns, of.matrix @ columns, of.masses)


def _norm(of: RestStiffness, u: Array) -> float:
    return float(np.sqrt(of.masses @ u**2))


def _loose() -> UnstableError:
    return UnstableError(
        "its stiffness at rest is not positive: parts of it move without resistance, or it would "
        "buckle; expected a body that is at rest without loads and resists every deformation. Use the "
        "full body"
    )
