"""The energy of a shape off the manifold of example poses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np
import warp as wp

from .example_kernels import blend_kernel, products_kernel, sum_products
from .example_weights import NearestBlend
from .protocol import Coupling, Strained
from .shifted import ShiftedStrain
from .solid import SolidEnergy
from .strain_measures import biot


class ExampleEnergy(Coupling, Strained):
    """The energy of the difference to the nearest blend of examples, in strain.

        W(x) = min_w  sum_q w_q k/2 |D|^2,    D = s(F_q) - base_q - sum_i w_i s_i

    s: a strain, blind to rotation; s_i: that of example i. The strain of the rest pose is 0 and its
    weight 1 - sum_i w_i; base is 0 too, unless `aim` sets another. k [Pa]: Young's modulus of the
    solid times `strength` [1]. Not its Hooke's law: a stiff bulk would see of every example only how
    it changes volume, which hardly any pose is free of. The minimum over w is that of a quadratic
    function, found exactly, so the gradient is that at fixed w, and the Hessian that at fixed w less
    U U^T, U = k ds/dx : sum_i V_i s_i, with V the free directions of w, orthonormal by the Gram
    matrix of the examples: `low_rank` gives U.

    poses [m], shape (m, n, d). region: a number per cell from 0 on; every region has weights of its
    own. bounds: of all weights, or None. Source: [martin2011]; the blend of strains need not be the
    strain of any shape, as in [schumacher2012].
    """

    limits_steps = False

    def __init__(
        self,
        solid: SolidEnergy,
        poses: np.ndarray,
        *,
        strength: float,
        region: np.ndarray | None = None,
        bounds: tuple[float, float] | None = None,
        measure: Callable[..., Any] = biot,
    ):
        self._solid, self._measure, self._factor = solid, measure, 1.0
        self.stencils = solid.stencils
        self._dim, _, quads, self._dtype = solid.shape
        cells, device = len(solid.stencils), solid.device
        vec = wp.types.vector(length=self._dim, dtype=self._dtype)
        self._mat = wp.types.matrix((self._dim, self._dim), self._dtype)
        lam, mu = (np.asarray(a.numpy(), dtype=float) for a in solid.moduli)
        young = mu * (3.0 * lam + 2.0 * mu) / (lam + mu)
        self._moduli = [np.zeros_like(lam), 0.5 * strength * young]  # Hooke's law with nu = 0
        self._constants: list[Any] = [
            wp.array(a, dtype=self._dtype, device=device) for a in self._moduli
        ]
        self._shifted = self._at_rest()
        labels = np.zeros(cells, dtype=int) if region is None else region
        self._shape = (int(labels.max()) + 1, len(poses))
        self._region: Any = wp.array(labels, dtype=wp.int32, device=device)
        self._products: Any = wp.zeros((cells, len(poses)), dtype=wp.float64, device=device)
        self._sums: Any = wp.zeros(self._shape, dtype=wp.float64, device=device)
        self._none: Any = wp.zeros((cells, quads), dtype=self._mat, device=device)
        self._base, self._target = self._none, wp.zeros_like(self._none)
        strains: list[Any] = [
            self.strains(wp.array(pose, dtype=vec, device=device)) for pose in poses
        ]
        shown = np.stack([s.numpy() for s in strains])
        self._examples: Any = wp.array(shown, dtype=self._mat, device=device)
        grams = np.stack([self._overlaps(s) for s in strains], axis=2)  # (regions, m, m)
        grams = 0.5 * (grams + np.swapaxes(grams, 1, 2))
        # A share of 1e-12 of an example's energy is a strain of 1e-6 of its own: of no region's concern.
        least = 1e-12 * np.diagonal(grams.sum(axis=0))
        self._grams, self._least = grams, least
        self._blends = [NearestBlend(gram, bounds, least=least) for gram in grams]

    def strain_inertia(self) -> ExampleEnergy:
        """Another, without bounds, that can be aimed and weighed: inertia in strain (`Settle`)."""
        twin = copy(self)
        twin._shifted, twin._target = self._at_rest(), wp.zeros_like(self._none)
        twin._blends = [NearestBlend(gram, None, least=self._least) for gram in self._grams]
        return twin

    def aim(self, base: Any) -> None:
        """Set the strain from which the blends are counted, (cells, q) matrices of the device."""
        self._base = base

    def weigh(self, factor: float) -> None:
        """Multiply the energy by a factor."""
        self._factor = factor
        self._shifted.weigh(factor)

    def strains(self, x: Any) -> Any:
        """The strain of every quadrature point, as a new array of the device."""
        return self._shifted.strains(x)

    def weights(self, x: Any) -> np.ndarray:
        """The weights of the nearest blend, the rest pose's first, shape (regions, m + 1)."""
        w = self._nearest(self.strains(x))[0]
        return np.concatenate([1.0 - w.sum(axis=1, keepdims=True), w], axis=1)

    def towards(self, weights: Any) -> ShiftedStrain:
        """The energy of the distance to one blend, of weights (m,) or (regions, m)."""
        energy, out = self._at_rest(), wp.zeros_like(self._none)
        self._blend(np.broadcast_to(weights, self._shape), self._none, out)
        energy.aim(out)
        return energy

    def value(self, x: Any) -> float:
        """The energy [J]."""
        self._follow(x)
        return self._shifted.value(x)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._follow(x)
        self._shifted.add_gradient(x, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add the Hessian at fixed weights [N/m]; `project` takes the Gauss-Newton one."""
        self._follow(x)
        self._shifted.add_hessian(x, blocks, slots, project)

    def low_rank(self, x: Any) -> np.ndarray:
        """U, shape (n d, r): the Hessian is what `add_hessian` gives less U U^T."""
        now, columns = self.strains(x), []
        for r, free in enumerate(self._nearest(now)[1]):
            for direction in free.T:
                only = np.zeros(self._shape)
                only[r] = -direction
                # The force of a shape that misses its target by a strain t is k ds/dx : t.
                self._blend(only, now, self._target)
                self._shifted.aim(self._target)
                g = wp.zeros_like(x)
                self._shifted.add_gradient(x, g)
                columns.append(g.numpy().astype(float).ravel() / np.sqrt(self._factor))
        return np.stack(columns, axis=1) if columns else np.zeros((x.size * self._dim, 0))

    def step_limit(self, x: Any, dx: Any) -> float:
        """No limit."""
        return float("inf")

    def _at_rest(self) -> ShiftedStrain:
        lam, mu = self._moduli
        return ShiftedStrain(self._solid, self._measure, lam=lam, mu=mu)

    def _nearest(self, now: Any) -> tuple[np.ndarray, Sequence[np.ndarray]]:
        """Weights (regions, m), and the free directions of each region."""
        found = [n.find(b) for n, b in zip(self._blends, self._overlaps(now), strict=True)]
        return np.stack([w for w, _ in found]), [free for _, free in found]

    def _follow(self, x: Any) -> None:
        """Take the blend that is nearest to x."""
        self._blend(self._nearest(self.strains(x))[0], self._base, self._target)
        self._shifted.aim(self._target)

    def _overlaps(self, now: Any) -> np.ndarray:
        """k (s - base) : s_i over each region, (regions, m); only these leave the device."""
        kernel, weights = products_kernel(self._dim, self._dtype), self._solid.cells.weights
        given = (now, self._base, weights, *self._constants, self._examples, self._products)
        self._solid.shares.launch(kernel, *given)
        self._sums.zero_()
        # Launched as one: on the CPU Warp's sums are safe within a launch only.
        inputs: list[Any] = [self._region, self._products, self._sums]
        wp.launch(sum_products, len(self.stencils), inputs, device=self._solid.device)
        return np.asarray(self._sums.numpy().copy())

    def _blend(self, weights: np.ndarray, base: Any, out: Any) -> None:
        device = self._solid.device
        w: Any = wp.array(np.ascontiguousarray(weights), dtype=wp.float64, device=device)
        inputs = [self._region, w, self._examples, base, out]
        wp.launch(blend_kernel(self._mat), out.shape, inputs, device=device)
