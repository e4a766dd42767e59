"""Higher derivatives along chains of lines, by interpolation over the length at rest."""

from __future__ import annotations

from math import factorial

import numpy as np

from pliant.mesh import Mesh, MeshError

from .cells import CellTerms


def bends(mesh: Mesh) -> CellTerms:
    """x' and x'' at every point between two lines, each of which stands for half of both.

    The half line at an open end is left out: no moment bends it.
    """
    before, after = _both_sides(mesh)
    middle = np.flatnonzero((before >= 0) & (after >= 0))
    if not len(middle):
        raise ValueError(
            f"FormCurve: got {mesh!r}, with no point between two lines; expected at least three points "
            "in a row, or curvature=0.0"
        )
    stencils = np.stack([before[middle], middle, after[middle]], axis=1)
    steps = np.linalg.norm(np.diff(mesh.points[stencils], axis=1), axis=2)
    place = np.stack([-steps[:, 0], np.zeros(len(middle)), steps[:, 1]], axis=1)
    return CellTerms(stencils, _derivatives(place, 2), steps.mean(axis=1))


def turns(mesh: Mesh) -> CellTerms:
    """x', x'' and x''' in the middle of every line that has neighbours on both sides."""
    before, after = _both_sides(mesh)
    if mesh.dim == 2:
        raise ValueError(
            "FormCurve: got torsion in 2D, where curves have none; expected torsion=0.0"
        )
    lines = np.asarray(mesh.cells["line2"])
    forward = after[lines[:, 0]] == lines[:, 1]
    start, end = np.where(forward, lines.T, lines.T[::-1])
    whole = (before[start] >= 0) & (after[end] >= 0) & (before[start] != after[end])
    start, end = start[whole], end[whole]
    if not len(start):
        raise ValueError(
            f"FormCurve: got torsion for {mesh!r}; expected at least four points in a row, or "
            "torsion=0.0"
        )
    stencils = np.stack([before[start], start, end, after[end]], axis=1)
    steps = np.linalg.norm(np.diff(mesh.points[stencils], axis=1), axis=2)
    half = steps[:, 1] / 2
    place = np.stack([-half - steps[:, 0], -half, half, half + steps[:, 2]], axis=1)
    operators = _derivatives(place, 3)
    X = mesh.points[stencils]
    d = np.einsum("tai,tid->tad", operators, X)
    bend = np.linalg.norm(np.cross(d[:, 0], d[:, 1]), axis=1) * steps[:, 1]
    if (bend < 1e-6).any():
        bad = stencils[int(np.argmin(bend)), 1:3].tolist()
        raise ValueError(
            f"FormCurve: got torsion for a curve that is straight between points {bad}, where it has "
            "none; expected a curve that is bent everywhere, or torsion=0.0"
        )
    return CellTerms(stencils, operators, steps[:, 1])


def _derivatives(place: np.ndarray, highest: int) -> np.ndarray:
    """d^a/da^a at 0, a = 1 .. highest, of the polynomial through values at `place` (terms, k)."""
    scale = np.abs(place).max(axis=1)[:, None]
    powers = (place / scale)[:, :, None] ** np.arange(place.shape[1])
    inverse = np.linalg.inv(powers)
    orders = np.arange(1, highest + 1)
    factors = np.array([factorial(a) for a in orders]) / scale**orders
    return np.asarray(inverse[:, 1 : highest + 1] * factors[:, :, None])


def _both_sides(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """The points before and after each point of chains, -1 beyond their ends."""
    lines = np.asarray(mesh.cells["line2"])
    ends = np.concatenate([lines, lines[:, ::-1]])
    order = np.argsort(ends[:, 0], kind="stable")
    count = np.bincount(ends[:, 0], minlength=len(mesh))
    if (count > 2).any():
        bad = int(np.argmax(count))
        raise MeshError(
            f"FormCurve: {count[bad]} lines meet at point {bad}; expected curves that do not branch",
            {"points": np.flatnonzero(count > 2)},
        )
    first = np.cumsum(count) - count
    others = ends[order, 1]
    sides = np.full((len(mesh), 2), -1)
    for which in (0, 1):
        has = count > which
        sides[has, which] = others[first[has] + which]
    return _walk(sides)


def _walk(sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two neighbours of each point, put into the order in which chains run through them."""
    before, after = np.full(len(sides), -1), np.full(len(sides), -1)
    seen = np.zeros(len(sides), dtype=bool)
    starts = [*np.flatnonzero(sides[:, 1] < 0), *range(len(sides))]  # open chains from their ends
    for start in starts:
        here, last = int(start), -1
        while here >= 0 and not seen[here]:
            seen[here] = True
            a, b = sides[here]
            before[here], after[here] = (last, b) if a == last else (b, a)
            here, last = int(after[here]), here
    return before, after
