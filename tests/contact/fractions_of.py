"""Geometry in rational numbers, pair by pair: what collision detection is compared with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def exact(x: np.ndarray) -> list[list[Fraction]]:
    """Coordinates without rounding."""
    return [[Fraction(float(c)) for c in row] for row in x]


def solved(columns: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The solution of a square system by elimination; None if there is not just one."""
    n = len(right)
    rows = [[columns[j][i] for j in range(n)] + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = next((r for r in range(i, n) if rows[r][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i and rows[r][i] != 0:
                f = rows[r][i] / rows[i][i]
                rows[r] = [a - f * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def minus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    return [u - v for u, v in zip(a, b, strict=True)]


def in_simplex(p: list[Fraction], corners: list[list[Fraction]]) -> bool:
    """Whether p is in a closed simplex that has a volume."""
    b = solved([minus(c, corners[0]) for c in corners[1:]], minus(p, corners[0]))
    return b is not None and min(b) >= 0 and sum(b) <= 1


def first_meeting(
    p: list[Fraction], q: list[Fraction], facet: list[list[Fraction]]
) -> Fraction | None:
    """The least share of the way from p to q at which it is on a closed facet with an area."""
    edges = [minus(c, facet[0]) for c in facet[1:]]
    way = solved([minus(p, q), *edges], minus(p, facet[0]))
    if way is not None:
        t, *b = way
        return t if 0 <= t <= 1 and min(b) >= 0 and sum(b) <= 1 else None
    # Parallel: weights along two independent axes of the plane, if p and q are in it.
    for axes in ([0], [1]) if len(p) == 2 else ([0, 1], [1, 2], [2, 0]):
        flat = [[e[a] for a in axes] for e in edges]
        ends = [solved(flat, [minus(y, facet[0])[a] for a in axes]) for y in (p, q)]
        if ends[0] is None or ends[1] is None:
            continue
        for y, b in zip((p, q), ends, strict=True):
            at = [
                c + sum(w * e[i] for w, e in zip(b, edges, strict=True))
                for i, c in enumerate(facet[0])
            ]
            if at != y:
                return None
        # Each weight changes linearly on the way: it is positive from or to some share.
        low, high = Fraction(0), Fraction(1)
        for u, v in zip((*ends[0], 1 - sum(ends[0])), (*ends[1], 1 - sum(ends[1])), strict=True):
            if u < 0 and v < 0:
                return None
            if u < 0:
                low = max(low, u / (u - v))
            elif v < 0:
                high = min(high, u / (u - v))
        return low if low <= high else None
    return None
