"""Some entries of arrays of a device, in their order."""

from __future__ import annotations

from typing import Any

import warp as wp

from .search_kernels import filter_kernels


def scanned(counts: Any, places: Any) -> int:
    """Fill in where the entries of each begin; return how many there are in all."""
    if not len(counts):
        return 0
    wp.utils.array_scan(counts, places, inclusive=False)
    return int(places[-1:].numpy()[0] + counts[-1:].numpy()[0])


def gathered(kept: Any, dim: int, stencils: Any, kinds: Any, laws: Any) -> tuple[Any, Any, Any]:
    """The entries of pairs for which `kept` is 1."""
    places, arrays = wp.zeros_like(kept), (stencils, kinds, laws)
    total, on = scanned(kept, places), kept.device
    out = tuple(wp.empty(total, dtype=a.dtype, device=on) for a in arrays)
    if len(kept):
        inputs = [kept, places, *arrays, *out]
        wp.launch(filter_kernels(dim).gather, len(kept), inputs=inputs, device=on)
    return out[0], out[1], out[2]
