"""The energy of ties between points of two bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start

from .terms import TermEnergy
from .tie_kernels import tie_kernels


class TieEnergy(TermEnergy):
    """Points that stay together.

        W = sum_t k_t/2 |sum_i w_ti x_i|^2,      sum_i w_ti = 0

    k [N/m], (ties,); weights w, (ties, points of a tie). The weights of a tie sum to zero, so W does
    not change when all points move as one rigid body: linear and angular momentum are kept. The
    Hessian is constant and positive semi-definite. Satisfies `Energy`.
    """

    def __init__(
        self,
        points: np.ndarray,
        stencils: np.ndarray,
        weights: np.ndarray,
        *,
        stiffness: np.ndarray,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        self.weights, self.stiffness = weights, stiffness
        constants = {"k": stiffness, "weights": weights}
        kernels = tie_kernels(points.shape[1], dtype)
        super().__init__(points, stencils, kernels, constants, device=device)
