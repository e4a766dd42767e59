"""Inverse statics of solids: the rest shape that is in balance in a given shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp
from scipy.sparse.linalg import splu

from pliant.energies import SolidEnergy
from pliant.errors import Advice, SolverError
from pliant.problem import Part

Array = np.ndarray
#: Makes the energy of cells of a kind that share no points, from their corners at rest (t k, d) [m].
Made = Callable[[str, Array], SolidEnergy]

#: Newton's steps for one load, and the shortest share of one; steps, as shares of the size, that are
#: none, and that may be rounding.
STEPS, SHORTEST, BALANCED, ROUNDING = 30, 1e-3, 1e-12, 1e-9
#: How far a corner moves to differentiate forces, as a share of the size of its cell.
PROBED = 1e-7
#: Parts of the load, each from the answer of the last, that are tried before it is refused.
FINEST = 1.0 / 64.0


class InverseStatics:
    """Finds X with dW/dx(x; X) = f at the free points of a solid: at rest, its cells are those of X.

        Newton:  X <- X - (d2W/dx dX)^-1 (dW/dx - f)

    cells: by kind; made: their energy; parts: with the rigid motions that pins leave, which change no
    force and are not searched. Derivatives are those of cells, by differences, so that any material and
    element will do. Points that are held stay. Source: [govindjee1996].
    """

    def __init__(
        self,
        x: Array,
        cells: Mapping[str, Array],
        made: Made,
        *,
        free: Array,
        parts: Sequence[Part],
    ):
        self.x, self._parts = x, [part for part in parts if part.rank]
        self._cells = {kind: np.asarray(c) for kind, c in cells.items()}
        self._known: dict[str, tuple[SolidEnergy, Any]] = {}
        for kind, own in self._cells.items():
            corners = x[own].reshape(-1, x.shape[1])
            vec: Any = wp.types.vector(length=x.shape[1], dtype=wp.float64)
            self._known[kind] = made(kind, corners), wp.array(corners, dtype=vec)
        self._unknown = np.flatnonzero(np.repeat(free, x.shape[1]))

    def solve(self, load: Array) -> Array:
        """X [m], (n, d), for a load [N], (n, d). It is raised in parts where that is needed."""
        X, done, part = self.x.copy(), 0.0, 1.0
        while done < 1.0:
            part = min(part, 1.0 - done)
            found = self._balanced(X, (done + part) * load)
            if found is None:
                part *= 0.5
                if part < FINEST:
                    raise SolverError(_too_soft())
            else:
                X, done = found, done + part
        return np.asarray(X)

    def _balanced(self, X: Array, load: Array) -> Array | None:
        """Newton's search from X; None if it does not lead to balance.

        A step is accepted if the next one, by the same matrix, is shorter. Forces are no measure: those
        of a beam that has turned as it should, and is a hair too long, are large. Source:
        [deuflhard2011].
        """
        force = self._forces(X)
        for _ in range(STEPS):
            if force is None:
                return None
            solve, size = self._solver(X), float(np.ptp(X, axis=0).max())
            if solve is None:
                return None
            step = solve(force - load)
            if step is None:
                return None
            long = float(np.abs(step).max(initial=0.0))
            if long <= BALANCED * size:
                return X
            share = 1.0
            while True:
                tried = X.copy()
                tried.ravel()[self._unknown] -= share * step
                force = self._forces(tried)
                next_step = None if force is None else solve(force - load)
                if next_step is not None and (
                    np.linalg.norm(next_step) <= (1.0 - 0.5 * share) * np.linalg.norm(step)
                    or long <= ROUNDING * size
                ):
                    break
                share *= 0.5
                if share < SHORTEST:
                    return None
            X = tried
        return None

    def _forces(self, X: Array) -> Array | None:
        """dW/dx [N], (n, d); None where a cell would be inside out."""
        total = np.zeros_like(X)
        for kind, cells in self._cells.items():
            own = self._of_cells(kind, X[cells])
            if own is None or not np.isfinite(own).all():
                return None
            np.add.at(total, cells, own)
        return total

    def _of_cells(self, kind: str, corners: Array) -> Array | None:
        """The forces on the corners of each cell [N], (t, k, d), which are there at rest."""
        energy, x = self._known[kind]
        try:
            here = energy.over(corners.reshape(-1, corners.shape[2]))
        except ValueError:  # a cell is inside out
            return None
        forces = wp.zeros_like(x)
        here.add_gradient(x, forces)
        return np.asarray(forces.numpy().reshape(corners.shape))

    def _solver(self, X: Array) -> Callable[[Array], Array | None] | None:
        """What gives Newton's step for forces (n, d), without rigid motions; None if singular."""
        n, d = X.shape
        matrix = sp.csr_matrix((n * d, n * d))
        for kind, cells in self._cells.items():
            blocks = self._derivatives(kind, X[cells])
            if blocks is None:
                return None
            of = (d * cells[:, :, None] + np.arange(d)).reshape(len(cells), -1)
            rows, columns = np.broadcast_arrays(of[:, :, None], of[:, None, :])
            entries = (blocks.ravel(), (rows.ravel(), columns.ravel()))
            matrix = matrix + sp.csr_matrix(entries, shape=(n * d, n * d))
        square = matrix[self._unknown][:, self._unknown]
        left, right = self._rigid(self.x), self._rigid(X)
        if left is not None and right is not None:
            scale = float(np.abs(square.diagonal()).mean())
            square = sp.bmat([[square, scale * left], [scale * right.T, None]])
        try:
            factor = splu(square.tocsc(), permc_spec="MMD_AT_PLUS_A")
        except RuntimeError:
            return None

        def solve(force: Array) -> Array | None:
            r = np.zeros(square.shape[0])
            r[: len(self._unknown)] = force.ravel()[self._unknown]
            step = factor.solve(r)[: len(self._unknown)]
            return step if np.isfinite(step).all() else None

        return solve

    def _derivatives(self, kind: str, corners: Array) -> Array | None:
        """d force / d corner at rest of each cell [N/m], (t, k d, k d)."""
        t, k, d = corners.shape
        h = PROBED * np.ptp(corners, axis=1).max(axis=1)
        base = self._of_cells(kind, corners)
        if base is None:
            return None
        out = np.empty((t, k * d, k * d))
        for a in range(k):
            for i in range(d):
                moved = corners.copy()
                moved[:, a, i] += h
                forces = self._of_cells(kind, moved)
                if forces is None:
                    return None
                out[:, :, d * a + i] = (forces - base).reshape(t, -1) / h[:, None]
        return out

    def _rigid(self, x: Array) -> Array | None:
        """The rigid motions at x that pins leave, of the unknowns, (u, r); None if there are none."""
        if not self._parts:
            return None
        motions = [part.motions(x)[self._unknown] for part in self._parts]
        return np.asarray(np.linalg.qr(np.concatenate(motions, axis=1))[0])


def _too_soft() -> Advice:
    return Advice(
        "no rest shape was found: under these loads it is too soft to hang like this. ",
        "Make it stiffer, hold more of it with body.fix(...), or draw it as it sags",
        "Make it stiffer, hold more of it with fix = ..., or draw it as it sags",
    )
