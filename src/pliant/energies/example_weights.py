"""The weights of the blend of examples that is nearest to a shape."""

from __future__ import annotations

import numpy as np

from pliant.errors import SolverError

#: What rounding leaves of a slope or of the way to a bound, as a share of their scale.
WEIGHT_ROUNDING = 1e-12


class NearestBlend:
    """The minimum of  w.G.w/2 - b.w  over weights that, with that of the rest pose, have the sum 1.

        w_0 = 1 - sum_i w_i,    lo <= w_0, w_1, ... <= hi  if there are bounds

    gram: G, (m, m), symmetric. Weights of examples below `least` (m,), which do not touch a region, stay
    zero; so do, without bounds, directions in which G is zero, where examples say the same. bounds:
    lo <= 0 and hi >= 1, so that the rest pose is allowed.
    Source of the search: the primal active-set method, [nocedal1999] ch. 16.
    """

    def __init__(self, gram: np.ndarray, bounds: tuple[float, float] | None, *, least: np.ndarray):
        m = len(gram)
        seen = np.flatnonzero(np.diagonal(gram) > least)
        part, units = np.ix_(seen, seen), 1.0 / np.sqrt(np.diagonal(gram)[seen])
        values, turn = np.linalg.eigh(units[:, None] * gram[part] * units)
        kept = values > 1e-9
        if bounds is not None and not kept.all():
            # What changes no strain may make room between bounds: there it costs next to nothing.
            kept, gram = np.full(len(seen), True), gram.copy()
            gram[part] = (turn * np.maximum(values, 1e-9)) @ turn.T / units / units[:, None]
        self._gram, self._count = gram, m
        self._basis = np.zeros((m, int(kept.sum())))  # where weights matter
        self._basis[seen] = units[:, None] * turn[:, kept]
        # Each row a of `_rows` and entry r of `_ends` is a bound a.w >= r.
        eye, one = np.eye(m), np.ones((1, m))
        lo, hi = bounds or (-np.inf, np.inf)
        self._rows = np.concatenate([eye, -eye, -one, one])
        self._ends = np.concatenate([np.full(m, lo), np.full(m, -hi), [lo - 1.0, 1.0 - hi]])

    def find(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The weights (m,), and directions V (m, r) in which they are free, with V^T G V = I."""
        w, active = np.zeros(self._count), list[int]()
        scale = np.abs(b).max(initial=0.0) + 1e-300
        for _ in range(50 * (self._count + 1)):
            free = self._free(active)
            step = free @ (free.T @ (b - self._gram @ w))
            reach, stop = self._blocked(w, step, active)
            w = w + reach * step
            if stop is not None:
                active.append(stop)
                continue
            if not active:
                return w, free
            slope, held = self._basis.T @ (self._gram @ w - b), self._rows[active] @ self._basis
            pulls = np.linalg.lstsq(held.T, slope, rcond=None)[0]
            if pulls.min() >= -WEIGHT_ROUNDING * scale:
                return w, free
            active.pop(int(np.argmin(pulls)))
        raise SolverError(
            f"no weights of {self._count} examples were found within their bounds; leave the bounds out"
        )

    def _free(self, active: list[int]) -> np.ndarray:
        """A basis, orthonormal by G, of the weights that the active bounds leave."""
        space = self._basis
        if active:
            held = self._rows[active] @ space
            _, sizes, turn = np.linalg.svd(held, full_matrices=True)
            space = space @ turn[int((sizes > 1e-12).sum()) :].T
        if not space.shape[1]:
            return space
        values, turn = np.linalg.eigh(space.T @ self._gram @ space)
        return np.asarray(space @ (turn / np.sqrt(values)))

    def _blocked(
        self, w: np.ndarray, step: np.ndarray, active: list[int]
    ) -> tuple[float, int | None]:
        """The share of the step that the bounds allow, and the first bound that is reached."""
        slopes = self._rows @ step
        room = np.maximum(self._rows @ w - self._ends, 0.0)
        towards = slopes < -WEIGHT_ROUNDING * (1.0 + np.abs(step).max(initial=0.0))
        towards[active] = False
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(towards, room / -slopes, np.inf)
        first = int(np.argmin(shares))
        return (float(shares[first]), first) if shares[first] < 1.0 else (1.0, None)
