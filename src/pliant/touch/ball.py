"""A ball that is pushed into a surface."""

from __future__ import annotations

import numpy as np

from pliant.compliance import Compliance

Array = np.ndarray
#: The ball is the tip of a finger, a cone that is so steep: it begins where the ball is as steep.
STEEP = 6.0
#: Nodes whose normal is within 60 degrees of the side that the ball is on are reached wholly, those
#: beyond 90 degrees are not: the cosine at which that begins to fade.
WHOLE = 0.5
#: How much farther off a node is of which nothing is on that side, over radius and height.
BEYOND = 4.0


def depths_of(of: Compliance, nodes: Array, centre: Array, radius: float) -> tuple[Array, Array]:
    """How deep a ball is over nodes [m], (k,), and how that changes with its centre, (k, 3).

        depth = T(|s|) - h,     centre - node = s + h N,     s.N = 0
        T(a) = sqrt(radius^2 - a^2),     and its tangent of slope -STEEP beyond that slope

    N: the outward normal of a node. Along it the far side of the ball is so far below the node; above it
    if negative. Nodes on other sides of the body are as far from it as if they were some radii away.

    Depths are continuous functions of the centre, of all nodes. So the least energy with which nodes get
    out of the way is one, too, and no closed path of the ball gains work.
    """
    away, normals = centre - of.nodes[nodes], of.normals[nodes]
    h = np.einsum("ki,ki->k", away, normals)
    s = away - h[:, None] * normals
    a = np.linalg.norm(s, axis=1)
    join = radius * STEEP / np.sqrt(1.0 + STEEP**2)
    below = np.sqrt(radius**2 - np.minimum(a, join) ** 2)
    cone = a > join
    tip = below - np.where(cone, STEEP * (a - join), 0.0)
    falls = np.where(cone, STEEP / np.maximum(a, join), 1.0 / below)
    hidden, turns = _hidden(away, normals, radius)
    farther = BEYOND * (radius + np.abs(h))
    slope = -falls[:, None] * s - normals
    slope -= farther[:, None] * turns + (BEYOND * hidden * np.sign(h))[:, None] * normals
    return tip - h - hidden * farther, slope


def _hidden(away: Array, normals: Array, radius: float) -> tuple[Array, Array]:
    """How far nodes are on other sides than a ball, 0 to 1, (k,), and how that changes with it, (k, 3).

    Its side is the mean of normals around it, weighed by a Gaussian of its radius.
    """
    square = np.einsum("ki,ki->k", away, away)
    weight = np.exp(-0.5 * (square - square.min()) / radius**2)
    side = weight @ normals
    length = float(np.linalg.norm(side))
    if length == 0.0:
        return np.ones(len(away)), np.zeros_like(away)
    side = side / length
    change = -(normals.T @ (weight[:, None] * away)) / (radius**2 * length)
    cosine = normals @ side
    turns = (normals - cosine[:, None] * side) @ change
    t = np.clip(cosine / WHOLE, 0.0, 1.0)
    faces = t**2 * (3.0 - 2.0 * t)
    return 1.0 - faces, -(6.0 * t * (1.0 - t) / WHOLE)[:, None] * turns
