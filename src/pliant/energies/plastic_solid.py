"""The energy of a solid that flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import on_device
from pliant.elements import Element
from pliant.materials import Material, Plastic

from .cell_kernels import cell_arrays
from .flow_kernels import anneal_kernel, flow_kernel, slopes_kernel
from .protocol import Flowed, Flowing
from .solid import SolidEnergy
from .solid_law import SolidLaw, law_constants
from .terms import packed


@dataclass(frozen=True, eq=False)
class SolidFlow(Flowed):
    """What has flowed in a solid so far, at quadrature points (cells, q), on a device.

    inverse: Fp^-1; strain: the equivalent plastic strain; across: the elastic stretch across the plane
    of a 2D body; weights: volumes [m^3], which only annealing changes.
    """

    inverse: Any
    strain: Any
    across: Any
    weights: Any

    @property
    def plastic(self) -> np.ndarray:
        """The equivalent plastic strain of each cell, the mean over its volume, (cells,)."""
        w = self.weights.numpy()
        return np.asarray((w * self.strain.numpy()).sum(axis=1) / w.sum(axis=1))

    def of_pieces(self, parents: np.ndarray, share: np.ndarray) -> SolidFlow:
        """That of pieces of cells; parents: the cell of each, share: of that cell's volume."""

        def each(array: Any, values: np.ndarray) -> Any:
            return wp.array(values, dtype=array.dtype, device=array.device)

        inverse, strain, across = (
            each(a, a.numpy()[parents]) for a in (self.inverse, self.strain, self.across)
        )
        weights = self.weights.numpy()[parents] * share[:, None]
        return SolidFlow(inverse, strain, across, each(self.weights, weights))

    @staticmethod
    def joined(flows: Sequence[SolidFlow], cells: Sequence[np.ndarray]) -> SolidFlow:
        """That of a body of parts, on the host; cells: the numbers of the cells of each."""
        made: dict[str, Any] = {}
        for name in (f.name for f in fields(SolidFlow)):
            arrays = [getattr(flow, name) for flow in flows]
            values = [array.numpy() for array in arrays]
            every = np.empty((sum(map(len, values)), *values[0].shape[1:]))
            for own, numbers in zip(values, cells, strict=True):
                every[numbers] = own
            made[name] = wp.array(every, dtype=arrays[0].dtype, device="cpu")
        return SolidFlow(**made)


class PlasticSolid(SolidEnergy, Flowing[SolidFlow]):
    """The incremental energy of a solid of a `Plastic` material.

        W(x) = sum_cells sum_q w_q w(F_q Fp_q^-1)

    w: the least energy that the material can have by flowing (`plastic_functions`). The gradients of
    its shape functions are Fp^-T grad N_a, so that all that is asked for deformation gets the elastic
    part: its own kernels, the strains of `Settle`, coarse grids. Units as of `SolidEnergy`.
    """

    def __init__(
        self,
        points: np.ndarray,
        cells: np.ndarray,
        kind: str | Element,
        material: Plastic,
        **given: Any,
    ) -> None:
        self.plastic = material
        super().__init__(points, cells, kind, material.material, **given)
        dim, _, quads, dtype = self.shape
        count, device = (len(cells), quads), self.device
        mat: Any = wp.types.matrix((dim, dim), dtype)
        self._whole = self.cells
        none = SolidFlow(
            wp.array(np.broadcast_to(np.eye(dim), (*count, dim, dim)), dtype=mat, device=device),
            wp.zeros(count, dtype=dtype, device=device),
            wp.ones(count, dtype=dtype, device=device),
            self.cells.weights,
        )
        self._largest: Any = wp.zeros(count[0], dtype=wp.float64, device=device)
        self._none = self._flow = none

    def virgin(self) -> SolidFlow:
        """Nothing has flowed."""
        return self._none

    def take_flow(self, flow: SolidFlow) -> None:
        """Deform from what has flowed so far."""
        if flow is self._flow:
            return
        if flow.inverse.device != self._none.inverse.device:
            flow = self._here(flow)
        self._flow = flow
        self.known = self._known({**self._fixed, "strain": flow.strain, "across": flow.across})
        dim, nodes, _, dtype = self.shape
        slopes: Any = wp.empty_like(self._whole.grads)
        inputs = [flow.inverse, self._whole.grads, slopes]
        self.launches(slopes_kernel(dim, nodes, dtype), flow.inverse.shape, inputs)
        known = {"nodes": self._whole.nodes, "grads": slopes, "weights": flow.weights}
        self.cells = packed(cell_arrays(dim, dtype), known)

    def after_flow(self, x: Any) -> SolidFlow:
        """What will have flowed when the body has come to x; the same object if nothing flows."""
        now, inverse = self._flow, wp.empty_like(self._flow.inverse)
        strain, across = wp.empty_like(now.strain), wp.empty_like(now.across)
        kernel = flow_kernel(self.law, *self.shape)
        out = (inverse, strain, across, self._largest)
        self.shares.launch(kernel, x, self.cells, self.known, now.inverse, *out)
        if not self._largest.numpy().any():
            return now
        return replace(now, inverse=inverse, strain=strain, across=across)

    def annealed(self, x: Any) -> SolidFlow:
        """What will have flowed if the body at x has no stress, and has forgotten its flow."""
        now = self._flow
        dim, nodes, quads, dtype = self.shape
        inverse: Any = wp.empty_like(now.inverse)
        self.shares.launch(
            anneal_kernel(dim, nodes, quads, dtype), x, self.cells, now.inverse, inverse
        )
        volumes = self._whole.weights.numpy() / np.linalg.det(inverse.numpy())
        weights: Any = wp.array(volumes, dtype=dtype, device=self.device)
        return SolidFlow(inverse, self._none.strain, self._none.across, weights)

    def unpacked_flow(self, arrays: Mapping[str, np.ndarray]) -> SolidFlow:
        """What was packed."""
        made = {}
        for name, array in arrays.items():
            like = getattr(self._none, name)
            if array.shape[: like.ndim] != like.shape:
                raise ValueError("flow of another body")
            made[name] = wp.array(array, dtype=like.dtype, device=self.device).reshape(like.shape)
        return SolidFlow(**made)

    def _law_of(self, material: Material) -> SolidLaw:
        return SolidLaw(type(material), flows=True)

    def _known(self, values: dict[str, Any]) -> Any:
        """The struct of the law, with what is known of flow."""
        dim, _, quads, dtype = self.shape
        if "yield_stress" not in values:
            count = (len(self.stencils), quads)
            struct = law_constants(self.law, dim, dtype)
            given = self.plastic.per_cell(count[0])
            self._fixed = values | on_device(struct, given, self.device)
            strain, across = (
                make(count, dtype=dtype, device=self.device) for make in (wp.zeros, wp.ones)
            )
            values = self._fixed | {"strain": strain, "across": across}
        return super()._known(values)

    def _here(self, flow: SolidFlow) -> SolidFlow:
        """On its own device."""
        return self.unpacked_flow({f.name: getattr(flow, f.name).numpy() for f in fields(flow)})
