"""Penalties on contacts that overlap."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import compilation, on_device, start
from pliant.energies import Coupling, Searching, packed, summed

from .penalty_kernels import penalty_kernels


@dataclass(frozen=True, eq=False)
class Searched:
    """Positions [m] at which pairs, and cells around points, were searched; None: not yet."""

    pairs: np.ndarray | None = None
    insides: np.ndarray | None = None


class Penalty(Coupling, Searching):
    """Contacts push with a spring of stiffness k [N/m] where the gap g is below the thickness h [m].

        W = sum_c k_c/2 min(0, g_c - h_c)^2,       g_c = offset_c + n_c . sum_i w_i x_i

    Weights w of a contact sum to zero, so momentum is kept to rounding. The Hessian is
    k w w^T x n n^T, projected or not. Contacts come and go and the pattern of a body's matrix does not,
    so it is written as blocks on the diagonal, k sum_j |w_j| |w_i| n n^T, and `low_rank`.
    """

    always_couples = False
    limits_steps = False

    def __init__(self, points: np.ndarray, *, device: Any = "cpu"):
        start()
        self._stencils = np.arange(len(points), dtype=np.int32)[:, None]
        self._device, self._dim = device, points.shape[1]
        self._run = penalty_kernels(self._dim)
        compilation.expect()

    @abstractmethod
    def contacts(self, x: Any) -> Any:
        """The contacts at positions x, as the struct of `penalty_kernels`; None: there are none."""

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        at = self.contacts(x)
        if at is None:
            return 0.0
        return summed(self._energies(x, at))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._launch(self._run.gradient, x, self.contacts(x), g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add k sum_j |w_j| |w_i| n n^T [N/m] to the blocks of the diagonal."""
        self._launch(self._run.diagonal, x, self.contacts(x), slots, blocks)

    def couples(self, x: Any) -> bool:
        """Whether anything touches at x."""
        return self.value(x) > 0.0

    def low_rank(self, x: Any) -> np.ndarray:
        """U, if the Hessian is its blocks less U U^T: for each contact one less than it has points."""
        n, dim, at = len(self._stencils), self._dim, self.contacts(x)
        if at is None:
            return np.zeros((n * dim, 0))
        touch = np.flatnonzero(self._energies(x, at).numpy())
        stencils, w, k = (a.numpy()[touch] for a in (at.stencils, at.weights, at.k))
        sizes, points = np.abs(w), stencils.shape[1]
        values, turns = np.linalg.eigh(
            sizes.sum(axis=1)[:, None, None] * sizes[:, :, None] * np.eye(points)
            - w[:, :, None] * w[:, None, :]
        )
        # The first value is zero: what moves all points of a pair alike, up to signs, costs nothing.
        roots = np.sqrt(k[:, None] * np.maximum(values[:, 1:], 0.0))
        normals = at.normals.numpy()[touch]
        parts = (turns[:, :, 1:] * roots[:, None])[:, :, None] * normals[:, None, :, None]
        out = np.zeros((n, len(touch), dim, points - 1))
        for a in range(points):  # a stencil may name a point twice
            out[stencils[:, a], np.arange(len(touch))] += parts[:, a]
        return np.swapaxes(out, 1, 2).reshape(n * dim, -1)

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def _made(
        self, stencils: Any, weights: Any, normals: Any, offsets: Any, thickness: Any, k: Any
    ) -> Any:
        """The struct of contacts, of arrays of numpy or of the device."""
        arrays = {
            "stencils": stencils,
            "weights": weights,
            "normals": normals,
            "offsets": offsets,
            "thickness": thickness,
            "k": k,
        }
        return packed(self._run.Contacts, on_device(self._run.Contacts, arrays, self._device))

    def _energies(self, x: Any, at: Any) -> Any:
        """The energy of each contact at x [J]."""
        out: Any = wp.empty(len(at.k), dtype=wp.float64, device=self._device)
        self._launch(self._run.value, x, at, out)
        return out

    def _launch(self, kernel: Any, x: Any, at: Any, *inputs: Any) -> None:
        if at is not None:
            wp.launch(kernel, dim=len(at.k), inputs=[x, at, *inputs], device=self._device)
