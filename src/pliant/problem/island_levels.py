"""Coarser levels of several bodies at once, for solvers on a device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

#: Nodes of the last lattices of all bodies, above which each body gets a level of one node.
MOST_NODES = 400


def laid_out(points: np.ndarray, spans: Sequence[slice]) -> np.ndarray:
    """The points of bodies beside each other along the first axis, as far apart as each is wide.

    So no cell of a grid over all of them holds parts of two bodies.
    """
    out, at = np.empty_like(points), 0.0
    for own in spans:
        x = points[own] - points[own].min(axis=0)
        x[:, 0] += at
        out[own] = x
        at += 2.0 * float(np.ptp(x, axis=0).max())
    return out


def joined_interpolations(
    parts: Sequence[Sequence[sp.csr_matrix]], counts: Sequence[int]
) -> list[sp.csr_matrix]:
    """The interpolations of bodies of so many points as those of all; none if no body has any.

    A body that has fewer levels than others keeps its last nodes.
    """
    depth, sizes, found = max(map(len, parts)), list(counts), []
    for k in range(depth):
        each = [p[k] if k < len(p) else sp.identity(n) for p, n in zip(parts, sizes, strict=True)]
        found.append(sp.block_diag(each, format="csr"))
        sizes = [matrix.shape[1] for matrix in each]
    if found and sum(sizes) > max(MOST_NODES, 2 * len(parts)):
        found.append(sp.block_diag([np.ones((n, 1)) for n in sizes], format="csr"))
    return found
