"""Curves as rods: a strand for each spline, a node for each control point and handle."""

import numpy as np

from .failure import Failure


def require(obj):
    """Refuse a curve that has no line to simulate."""
    if not obj.data.splines:
        raise Failure(f"{obj.name} has no splines; draw a curve first")
    if any(len(_of(spline)) < 2 for spline in obj.data.splines):
        raise Failure(f"{obj.name} has a spline of one point; a rod needs two or more")
    if any(s.type == "NURBS" and s.point_count_v > 1 for s in obj.data.splines):
        raise Failure(f"{obj.name} is a NURBS surface; convert it: Object > Convert > Mesh")


def points(curve):
    """All control points; of a Bezier point its left handle, itself and its right handle, (n, 3)."""
    return np.concatenate([_of(spline) for spline in curve.splines]).astype(np.float64)


def lines(obj):
    """Which points are joined, (l, 2)."""
    found, first = [], 0
    for spline in obj.data.splines:
        count = len(_of(spline))
        order = first + np.arange(count)
        following = np.roll(order, -1) if spline.use_cyclic_u else order[1:]
        found.append(np.stack([order[: len(following)], following], axis=1))
        first += count
    return np.concatenate(found)


def roots(obj):
    """The first control point of every spline that is not closed, a Bezier one with its handles."""
    found, first = [], 0
    for spline in obj.data.splines:
        count = len(_of(spline))
        if not spline.use_cyclic_u:
            found += range(first, first + (3 if spline.type == "BEZIER" else 1))
        first += count
    return np.array(found, dtype=np.int64)


def _of(spline):
    if spline.type == "BEZIER":
        corners = [(b.handle_left, b.co, b.handle_right) for b in spline.bezier_points]
        return np.array(corners, dtype=np.float32).reshape(-1, 3)
    return np.array([p.co[:3] for p in spline.points], dtype=np.float32).reshape(-1, 3)
