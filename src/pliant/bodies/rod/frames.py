"""Frames that follow the strands of a rod without twisting."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from pliant.errors import described
from pliant.given import floats_or_nan, unit_vectors
from pliant.mesh import MeshError

from .strands import Strand


def frames(points: np.ndarray, strands: list[Strand], up: Any) -> list[np.ndarray]:
    """Unit d_2 and d_3 at the nodes of each strand, (nodes of it, 2, 3).

    They turn with the curve and not about it: a closed one spreads evenly what is missing.
    `up`: what d_3 points to where a strand begins, or at every node, (n, 3).
    """
    wanted = None if up is None else _directions(up, len(points))
    out = []
    for nodes, closed in strands:
        t = _tangents(points[nodes], closed)
        if wanted is not None and wanted.ndim == 2:
            d3 = np.array([_across(a, b) for a, b in zip(t, wanted[nodes], strict=True)])
        else:
            d3 = _carried(t, _across(t[0], wanted))
            if closed:
                d3 = _closed(d3, t, points[nodes])
        out.append(np.stack([np.cross(d3, t), d3], axis=1))
    return out


def _directions(up: Any, count: int) -> np.ndarray:
    wanted = floats_or_nan(up)
    if wanted.shape not in ((3,), (count, 3)) or not np.isfinite(wanted).all():
        raise ValueError(
            f"Rod: got up={described(up)}; expected 3 finite numbers, as in up=(0, 1, 0), or one "
            f"row per node, ({count}, 3)"
        )
    return unit_vectors(wanted)


def _tangents(x: np.ndarray, closed: bool) -> np.ndarray:
    """Unit tangents at the nodes: the means of the lines that meet there."""
    step = np.roll(x, -1, axis=0) - x if closed else np.diff(x, axis=0)
    length = np.linalg.norm(step, axis=1)
    if (length <= 1e-12 * length.max(initial=0.0)).any() or not length.any():
        at = int(np.argmin(length))
        raise MeshError(
            f"Rod: points {at} and {(at + 1) % len(x)} of a strand are in one place; expected points "
            "apart from each other",
            {"points": np.array([at, (at + 1) % len(x)])},
        )
    e = step / length[:, None]
    t: np.ndarray = (
        e + np.roll(e, 1, axis=0) if closed else np.concatenate([e[:1], e[:-1] + e[1:], e[-1:]])
    )
    size = np.linalg.norm(t, axis=1)
    if (size < 1e-6).any():
        raise MeshError(
            f"Rod: the curve turns back on itself at point {np.argmin(size)} of a strand; expected "
            "bends of less than half a turn between lines"
        )
    t /= size[:, None]
    if not closed and len(x) > 2:  # as curved at the ends as beside them
        t[0] = 2 * (t[1] @ e[0]) * e[0] - t[1]
        t[-1] = 2 * (t[-2] @ e[-1]) * e[-1] - t[-2]
    return t


def _across(t: np.ndarray, up: np.ndarray | None) -> np.ndarray:
    """The unit vector nearest `up` that is across t; by default nearest the axis most across it.

    If several axes are equally far across, y is taken before z, and z before x.
    """
    if up is None:
        up = np.eye(3)[np.lexsort(([2, 0, 1], np.round(np.abs(t), 6)))[0]]
    d = up - (up @ t) * t
    if np.linalg.norm(d) <= 1e-6 * np.linalg.norm(up):
        raise ValueError(f"Rod: got up={up.tolist()} along the rod; expected a direction across it")
    return np.asarray(d / np.linalg.norm(d))


def _carried(t: np.ndarray, d: np.ndarray) -> np.ndarray:
    """d carried along tangents by the smallest rotations."""
    out = [d]
    for a, b in pairwise(t):
        d = out[-1]
        out.append(d - (d @ b) / (1.0 + a @ b) * (a + b))
    return np.array(out)


def _closed(d: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
    """d turned about the tangents, evenly over the length, so that it ends as it began."""
    home = _carried(t[[-1, 0]], d[-1])[1]
    missing = np.arctan2(home @ np.cross(d[0], t[0]), home @ d[0])
    way = np.cumsum(np.linalg.norm(np.roll(x, -1, axis=0) - x, axis=1))
    angle = -missing * np.concatenate([[0.0], way[:-1]])[:, None] / way[-1]
    return np.asarray(np.cos(angle) * d + np.sin(angle) * np.cross(d, t))
