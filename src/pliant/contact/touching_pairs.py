"""Pairs that touch to rounding, and how to part them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .barrier import BarrierContact
from .closest import POINT_EDGE, POINT_PLANE, POINT_TRIANGLE
from .pairs import sides_of
from .piercing import facet_normals


def touching_pairs(
    contact: BarrierContact, x: Any, near: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pairs within the gap, if any touch: are apart by no more than `near` [m], or deeper by no more.

    Returns the bodies of both sides, planes behind bodies; the directions (pairs, dim) in which the
    first must go; and how far [m], for the gap to be open: 0 if they do not touch, and only must not
    come nearer. Edges that lie on each other are left out: points near them say the same.
    """
    surface, y = contact.surface, contact.placed(x)
    pairs = contact.near(x)[1]
    touch, stencils, kinds = pairs.touch(y), pairs.stencils.numpy(), pairs.kinds.numpy()
    laws, places = pairs.laws.numpy(), y.numpy()
    left = touch.distances - laws[:, 0]
    normals, flat = touch.normals.copy(), touch.distances <= 10.0 * near
    face = kinds == (POINT_TRIANGLE if surface.dim == 3 else POINT_EDGE)
    centres = [places[surface.body == k].mean(axis=0) for k in range(len(surface.bodies))]
    for k in np.flatnonzero(flat & face):
        corners = places[stencils[k, 1:]] if surface.dim == 3 else places[stencils[k, 1:3]]
        normals[k] = facet_normals(corners[None])[0]
        side = (centres[surface.body[stencils[k, 0]]] - corners[0]) @ normals[k]
        normals[k] *= 1.0 if side >= 0.0 else -1.0
        left[k] = (places[stencils[k, 0]] - corners[0]) @ normals[k]
    first, second = sides_of(surface, stencils, kinds)
    known = ~flat | face | (kinds == POINT_PLANE)
    touching = known & (np.abs(left) <= near)
    chosen = known & (left >= -near) & touching.any()
    needed = np.where(touching, laws[:, 1] - left, 0.0)
    return first[chosen], second[chosen], normals[chosen], needed[chosen]
