"""How far pairs may move before they touch: additive continuous collision detection."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import to_device

from .impact_kernels import impact_kernel
from .pairs import Pairs

#: The share of its gap, or of the reach of the barrier, that every pair keeps.
KEEP = 0.1


def impact_times(
    pairs: Pairs,
    x: np.ndarray,
    dx: np.ndarray,
    *,
    keep: float = KEEP,
    planes: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.ndarray:
    """Return the share of dx, from 0 to 1, that each pair may go, (pairs,).

    planes: the ways [m] of points of the planes, and those of their normals, meanwhile.
    """
    out: Any = wp.ones(len(pairs), dtype=wp.float64, device=pairs.device)
    _find(pairs, _vectors(pairs, x), _vectors(pairs, dx), keep, planes, out)
    found: np.ndarray = out.numpy()
    return found


def free_share(
    pairs: Pairs,
    x: Any,
    dx: Any,
    *,
    keep: float = KEEP,
    planes: tuple[np.ndarray, np.ndarray] | None = None,
) -> float:
    """Return the share of dx, from 0 to 1, that all pairs may go. x, dx: arrays of the device."""
    return _find(pairs, x, dx, keep, planes, None)


def _find(pairs: Pairs, x: Any, dx: Any, keep: float, planes: Any, times: Any) -> float:
    if not len(pairs):
        return 1.0
    if planes is None:
        planes = (np.zeros((len(pairs.planes[0]), pairs.dim)),) * 2
    moves, turns = (_vectors(pairs, p) for p in planes)
    least: Any = wp.ones(1, dtype=wp.float64, device=pairs.device)
    alone = times is not None
    times = times if alone else least
    given = [x, dx, pairs.struct, moves, turns, wp.float64(keep), int(alone), times, least]
    pairs.launch(impact_kernel(pairs.dim), *given)
    return float(least.numpy()[0])


def _vectors(pairs: Pairs, a: np.ndarray) -> Any:
    return to_device(a, pairs.types.vec, pairs.device)
