"""Conjugate gradients with a preconditioner that is kept over many systems.

Controlled damping makes the step a hundred times stiffer than an ordinary one, so Jacobi
preconditioning would need hundreds of iterations. Successive systems differ little, and mostly by
the rotation of each neighbourhood: one factor (or one multigrid hierarchy), applied in turned
coordinates, serves many of them and is renewed when the iterations rise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .aim import Lesson
from .block_factor import BlockFactor
from .constraint import Complement
from .dissection import Ordered
from .low_rank import LowRankUpdate, updated
from .newton import LinearReport

Apply = Callable[[np.ndarray], np.ndarray]

#: Above this many unknowns a factor costs more than a multigrid hierarchy (measured, 2 cores).
FACTOR_LIMIT = 90_000
#: Iterations that a fresh factor needs.
FRESH = 3
#: Longer steps [m] overflow soon, and mean nothing.
LONGEST_STEP = 1e150


def patience(unknowns: int) -> int:
    """How many iterations beyond those of a fresh preconditioner pay for renewing it.

    A factorisation costs as much as 30 solves at 4k unknowns and 70 at 27k (measured, 2 cores).
    """
    return int(max(15.0, 30.0 * (unknowns / 4e3) ** 0.45))


def dot(a: np.ndarray, b: np.ndarray) -> float:
    """a . b on one thread: at these lengths BLAS threads cost more than they bring."""
    return float(np.einsum("i,i->", a, b))


@dataclass(frozen=True, eq=False)
class MatrixSource:
    """The matrix that a preconditioner was made from, in block CSR, with the products of columns.

    loose: whether rigid motions are left to the projection, along which it may be singular.
    """

    data: np.ndarray  # (blocks, d, d)
    indices: np.ndarray
    indptr: np.ndarray
    columns: np.ndarray | None
    loose: bool
    added: np.ndarray | None = None

    @classmethod
    def of(cls, matrix: Any, *, loose: bool) -> MatrixSource:
        """The arrays of a matrix, which must not be changed afterwards."""
        columns = added = None
        if isinstance(matrix, LowRankUpdate):
            matrix, columns, added = matrix.sparse, matrix.columns, matrix.added
        return cls(matrix.data, matrix.indices, matrix.indptr, columns, loose, added)

    def matrix(self, unknowns: int) -> Any:
        """The matrix again; refuses what is none of so many unknowns."""
        sparse = sp.bsr_matrix((self.data, self.indices, self.indptr), shape=(unknowns, unknowns))
        sparse.check_format(full_check=True)
        for columns in (self.columns, self.added):
            if columns is not None and columns.shape[0] != unknowns:
                raise ValueError(f"columns of {columns.shape[0]} unknowns; expected {unknowns}")
        return updated(sparse, self.columns, self.added)


@dataclass(frozen=True, eq=False)
class FactoredMatrix:
    """The last matrix, with the frames of its points, for a search that begins with it."""

    source: MatrixSource
    frames: np.ndarray | None
    lesson: Lesson


@dataclass(frozen=True, eq=False)
class FactorMemory:
    """What a kept preconditioner is made from, in which frames, and how many iterations it has cost.

    scale: about how many times the stiffness of the body the last matrix was.
    """

    source: MatrixSource | None = None
    made_at: np.ndarray | None = None
    turn: np.ndarray | None = None
    debt: int = 0
    scale: float = 1.0
    last: FactoredMatrix | None = None


class KeptPreconditioner:
    """Solves SPD systems of one pattern by CG, keeping the preconditioner while it serves."""

    def __init__(self, positions: np.ndarray, near_null: Callable[[], np.ndarray]):
        self._ordered = Ordered(positions)  # of the free points
        self._shape = positions.shape
        self._near_null = near_null  # gives the rigid motions of the free points, for multigrid
        #: The matrix and about its inverse, replaced together: an interrupt may come any time.
        self._kept: tuple[MatrixSource, Apply] | None = None
        self._fresh = False
        self._debt = 0
        self._frames: np.ndarray | None = None  # of the present system
        self._made_at: np.ndarray | None = None  # of the system that the factor was made from
        self._turn: np.ndarray | None = None
        self.renewals = 0

    @property
    def unknowns(self) -> int:
        """How many unknowns its systems have."""
        return int(np.prod(self._shape))

    @property
    def ready(self) -> bool:
        """Whether there is a preconditioner."""
        return self._kept is not None

    def forget(self) -> None:
        """Drop the preconditioner: the next system is known to be unlike the last ones."""
        self._kept = None

    def memory(self, scale: float, last: FactoredMatrix | None) -> FactorMemory:
        """What the next solve depends on besides its system; scale, last: of the last matrix."""
        source = None if self._kept is None else self._kept[0]
        return FactorMemory(source, self._made_at, self._turn, self._debt, scale, last)

    def remember(self, memory: FactorMemory) -> None:
        """Solve the next system as after `memory`, to the last bit."""
        points, d = self._shape
        for frames in (memory.made_at, memory.turn):
            if frames is not None and frames.shape != (points, d, d):
                raise ValueError(f"frames of shape {frames.shape}; expected {(points, d, d)}")
        source = memory.source
        if source is None:
            self.forget()
        elif self._kept is None or self._kept[0] is not source:
            self._kept = (source, self._inverse(source))
        self._made_at, self._turn, self._debt = memory.made_at, memory.turn, memory.debt
        self._fresh = False

    def solve(
        self,
        matrix: sp.bsr_matrix,
        rhs: np.ndarray,
        *,
        rtol: float,
        complement: Complement,
        frames: np.ndarray | None = None,
        definite: Callable[[], sp.bsr_matrix] | None = None,
    ) -> tuple[np.ndarray, LinearReport]:
        """Solve matrix @ x = rhs on the complement of the rigid motions.

        definite: gives a positive definite neighbour of a matrix that may not be; the preconditioner
        is made from it. The factor of an indefinite matrix would be its exact inverse and hide
        every negative eigenvalue from conjugate gradients.

        frames, (points, d, d): the rotation of each point's neighbourhood. A factor made at frames
        Q_0 is applied at frames Q as  Q Q_0^T A_0^-1 Q_0 Q^T  (stiffness warping).
        """
        self._frames = frames
        if self._kept is None:
            self._renew(definite() if definite else matrix, complement)
        self._turn = None
        if frames is not None and self._made_at is not None and not self._fresh:
            self._turn = frames @ np.swapaxes(self._made_at, 1, 2)
        x, report = self._conjugate_gradients(matrix, rhs, rtol, complement)
        self._debt += max(0, report.iterations - FRESH)
        if self._debt > patience(len(rhs)) and not report.indefinite and not self._fresh:
            self._renew(definite() if definite else matrix, complement)
            if not report.converged:
                x, report = self._conjugate_gradients(matrix, rhs, rtol, complement)
        self._fresh = False
        return x, report

    def precondition(self, r: np.ndarray) -> np.ndarray:
        """The kept preconditioner, applied to r in the frames of the last system."""
        assert self._kept is not None
        apply = self._kept[1]
        if self._turn is None:
            return apply(r)
        d = self._turn.shape[1]
        back = np.einsum("pji,pj->pi", self._turn, r.reshape(-1, d)).ravel()
        return np.asarray(np.einsum("pij,pj->pi", self._turn, apply(back).reshape(-1, d)).ravel())

    def _renew(self, matrix: Any, complement: Complement) -> None:
        self.renewals += 1
        self._fresh, self._debt = True, 0
        self._made_at, self._turn = self._frames, None
        source = MatrixSource.of(matrix, loose=complement.rank > 0)
        self._kept = (source, self._inverse(source))

    def _inverse(self, source: MatrixSource) -> Apply:
        """About the inverse of a matrix. The same matrix gives the same result, to the last bit."""
        points, d = self._shape
        whole = source.matrix(points * d)
        matrix = whole.sparse if isinstance(whole, LowRankUpdate) else whole
        if source.loose:
            # Without pins the matrix may be singular along the rigid motions, which the projection
            # removes anyway: a small multiple of the diagonal makes it factorisable.
            matrix = matrix + sp.diags(1e-6 * matrix.diagonal()).tobsr(matrix.blocksize)
        if matrix.shape[0] <= FACTOR_LIMIT:
            try:
                apply = _factor(matrix, self._ordered)
            except RuntimeError:  # exactly singular, as slack springs are across
                tiny = 1e-8 * np.abs(matrix.diagonal()).max()
                shift = sp.identity(matrix.shape[0]).tobsr(matrix.blocksize)
                apply = _factor(matrix + max(tiny, 1e-100) * shift, self._ordered)
        else:
            apply = _multigrid(matrix, self._near_null())
        return whole.inverse(apply) if isinstance(whole, LowRankUpdate) else apply

    def _conjugate_gradients(
        self, matrix: sp.bsr_matrix, rhs: np.ndarray, rtol: float, complement: Complement
    ) -> tuple[np.ndarray, LinearReport]:
        """Projected preconditioned CG; stops at once on negative curvature."""
        r = complement.project_force(rhs).copy()  # it may be rhs itself
        target = rtol**2 * dot(r, r)
        x = np.zeros_like(r)
        p = np.zeros_like(r)
        rz_old = 1.0
        limit = 400 if self._fresh else 2 * patience(len(rhs))
        for k in range(limit + 1):
            if dot(r, r) <= target:
                return x, LinearReport(k, True, False, self._fresh)
            z = complement.project(self.precondition(r))
            rz = dot(r, z)
            if not rz > 0.0:  # the preconditioner itself is indefinite: of no use to anyone
                self.forget()
                return x, LinearReport(k, False, True, self._fresh)
            p = z + (rz / rz_old if k else 0.0) * p
            ap = complement.project_force(matrix @ p)
            curvature = dot(p, ap)
            if not curvature > 0.0:
                return x, LinearReport(k, False, True, self._fresh)
            length = rz / curvature
            if not length < LONGEST_STEP / max(float(np.abs(p).max()), 1.0):
                # Nothing but rounding holds the body in this direction, as nets that shear freely.
                return x, LinearReport(k, False, True, self._fresh)
            x += length * p
            r -= length * ap
            rz_old = rz
        return x, LinearReport(limit, False, False, self._fresh)


def _factor(matrix: sp.bsr_matrix, ordered: Ordered) -> Apply:
    """A sparse factorisation ordered by nested dissection (SuperLU: four times slower)."""
    return BlockFactor(matrix, ordered.order(matrix)).solve


def _multigrid(matrix: sp.bsr_matrix, near_null: np.ndarray) -> Apply:
    """Smoothed aggregation that knows the rigid motions."""
    import pyamg

    smoother = ("block_gauss_seidel", {"sweep": "symmetric"})
    hierarchy = pyamg.smoothed_aggregation_solver(
        matrix, B=near_null, max_coarse=500, presmoother=smoother, postsmoother=smoother
    )
    out: Apply = hierarchy.aspreconditioner().matvec
    return out
