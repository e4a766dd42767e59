"""Pairs of points, edges, triangles and planes that may touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start, to_device

from .barrier_kernels import barrier_kernels
from .closest import EDGE_EDGE, POINT_PLANE, closest
from .surface import ContactSurface


@dataclass(frozen=True, eq=False)
class Touch:
    """Where pairs are closest, one row for each pair."""

    forces: np.ndarray  # [N], the push of the barrier along the normal
    weights: np.ndarray  # (pairs, 4), of the points of the stencil
    normals: np.ndarray  # (pairs, dim), from the second to the first
    distances: np.ndarray  # [m]; of a plane with its sign


class Pairs:
    """Arrays of a device that list pairs; planes: points (m, dim) and unit normals.

    stencils (pairs, 4): entries that are not used are -1, plane k is -2 - k; kinds (pairs,): see
    `closest`; laws (pairs, 4): thickness [m], reach [m], stiffness kappa reach A [J], and the
    threshold of the mollifier of edges [m^4].
    """

    def __init__(self, dim: int, planes: tuple[Any, Any], *, device: Any):
        start()
        self.dim, self.device, self.types = dim, device, closest(dim)
        self.planes: list[Any] = [wp.array(p, dtype=self.types.vec, device=device) for p in planes]
        self.take(*(self.empty(0, d) for d in (wp.vec4i, wp.int32, self.types.four)))

    @classmethod
    def of(
        cls,
        stencils: np.ndarray,
        kinds: np.ndarray,
        laws: np.ndarray,
        *,
        dim: int,
        planes: tuple[np.ndarray, np.ndarray] | None = None,
        device: Any = "cpu",
    ) -> Pairs:
        """The pairs of numpy arrays."""
        out = cls(dim, planes or (np.zeros((0, dim)), np.zeros((0, dim))), device=device)
        out.take(
            wp.array(stencils.astype(np.int32), dtype=wp.vec4i, device=device),
            wp.array(kinds.astype(np.int32), dtype=wp.int32, device=device),
            wp.array(laws, dtype=out.types.four, device=device),
        )
        return out

    def empty(self, count: int, dtype: Any) -> Any:
        """A new array of the device."""
        return wp.empty(count, dtype=dtype, device=self.device)

    def __len__(self) -> int:
        return len(self.stencils)

    def take(self, stencils: Any, kinds: Any, laws: Any) -> None:
        """List these pairs from now on."""
        self.stencils, self.kinds, self.laws = stencils, kinds, laws
        self.struct = self.types.Pairs()
        self.struct.stencils, self.struct.kinds, self.struct.laws = stencils, kinds, laws
        self.struct.origins, self.struct.normals = self.planes

    def join(self, found: Sequence[tuple[int, Any, Any]]) -> None:
        """List these pairs from now on: kind, stencils and laws, each."""
        total, at = sum(len(stencils) for _, stencils, _ in found), 0
        types = (wp.vec4i, wp.int32, self.types.four)
        stencils, kinds, laws = (self.empty(total, dtype) for dtype in types)
        for kind, s, w in found:
            if len(s):
                wp.copy(stencils, s, dest_offset=at, count=len(s))
                wp.copy(laws, w, dest_offset=at, count=len(s))
                kinds[at : at + len(s)].fill_(kind)
            at += len(s)
        self.take(stencils, kinds, laws)

    def aim(self, origins: np.ndarray, normals: np.ndarray) -> None:
        """Put the planes here: points (m, dim) [m] and unit normals."""
        self.planes[0].assign(origins)
        self.planes[1].assign(normals)

    def touch(self, x: Any) -> Touch:
        """Where all pairs are closest at positions x, an array of the device or of numpy."""
        x = to_device(x, self.types.vec, self.device)
        found = [
            self.empty(len(self), dtype)
            for dtype in (wp.float64, self.types.four, self.types.vec, wp.float64)
        ]
        self.launch(barrier_kernels(self.dim).force, x, self.struct, *found)
        return Touch(*(f.numpy() for f in found))

    def launch(self, kernel: Any, *inputs: Any) -> None:
        """Run a kernel over all pairs."""
        if len(self):
            wp.launch(kernel, dim=len(self), inputs=list(inputs), device=self.device)


def sides_of(
    surface: ContactSurface, stencils: np.ndarray, kinds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The body of the first side of each pair and of the second; planes come behind bodies."""
    at = np.where(kinds == EDGE_EDGE, stencils[:, 2], stencils[:, 1])
    plane = len(surface.bodies) - 2 - stencils[:, 1]
    second = np.where(kinds == POINT_PLANE, plane, surface.body[np.maximum(at, 0)])
    return surface.body[stencils[:, 0]], second
