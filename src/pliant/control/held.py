"""Points that are held each with a weight of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.problem import Quadratic


def held_each(body: Any, weights: np.ndarray, anchor: Any) -> Quadratic:
    """The term sum_i weight_i m_i/2 |x_i - anchor_i|^2; weights [1/s^2], (n,), none below zero."""
    pattern = body.assembly.pattern
    blocks = np.zeros((len(pattern.rows), body.dim, body.dim))
    blocks[pattern.diagonal] = (weights * body.masses)[:, None, None] * np.eye(body.dim)
    return Quadratic(blocks, anchor, 1.0)
