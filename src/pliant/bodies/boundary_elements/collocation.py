"""The equations of boundary elements: H u = G p, by collocation with Kelvin's solution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import warp as wp

from pliant.backend import computing, start, to_device, to_host

from .elements import SurfaceElements
from .kelvin_kernels import kelvin_kernel
from .self_terms import self_terms

Array = np.ndarray
#: Bytes of integrals that are held at once.
HELD = 2**26


@dataclass(frozen=True, eq=False)
class Collocation:
    """c u + int P u dA = int U p dA, asked for at every node of a surface.

        U = ((3 - 4 nu) 1 + g g^T)/(16 pi mu (1 - nu) r),     r g = y - x
        P = -(g.n ((1 - 2 nu) 1 + 3 g g^T) + (1 - 2 nu) (n g^T - g n^T))/(8 pi (1 - nu) r^2)

    H, (3 N, 3 N), takes displacements of nodes [m]; those that are the same everywhere give zero, which
    is how c and the singular integrals of P are known. Of tractions [Pa], `faces`, (3 N, 3 t), takes one
    for each triangle; `free` and `held`, (3 N, 3 N), take one for each node, on its triangles that are
    free or held. Source: [james1999], [brebbia1984] 5.
    """

    H: Array
    faces: Array
    free: Array
    held: Array


@computing
def collocate(
    elements: SurfaceElements, held: Array, *, shear: float, poisson: float, device: str
) -> Collocation:
    """The equations of a surface some of whose triangles are held, a mask (t,)."""
    start()
    nodes, t = elements.nodes, len(elements.triangles)
    n = len(nodes)
    kernel = kelvin_kernel()
    given = [
        to_device(a, d, device)
        for a, d in (
            (elements.corners, wp.vec3d),
            (elements.normals, wp.vec3d),
            (elements.areas, wp.float64),
        )
    ]
    own = elements.own()
    own_terms = self_terms(
        nodes[own.node],
        elements.corners[own.triangle],
        elements.normals[own.triangle],
        own.shares,
        shear=shear,
        poisson=poisson,
    )
    spread = elements.spread
    takers = [spread[:, :], elements.by_face, _only(spread, ~held), _only(spread, held)]
    out = [np.empty((3 * n, 3 * taker.shape[1])) for taker in takers]
    rows = max(1, HELD // (t * 3 * 9 * 8 * 2))
    for first in range(0, n, rows):
        last = min(first + rows, n)
        U, P = (wp.empty((last - first, t, 3), dtype=wp.mat33d, device=device) for _ in range(2))
        points = to_device(nodes[first:last], wp.vec3d, device)
        wp.launch(
            kernel,
            (last - first, t),
            inputs=[points, *given, shear, poisson, U, P],
            device=device,
        )
        here = (own.node >= first) & (own.node < last)
        blocks = []
        for array, term in zip((U, P), own_terms, strict=True):
            block = to_host(array)
            block[own.node[here] - first, own.triangle[here]] = term[here]
            blocks.append(block.transpose(0, 3, 1, 2, 4))  # point, i, triangle, corner, j
        for target, taker, block in zip(out, takers, [blocks[1], *[blocks[0]] * 3], strict=True):
            flat = np.moveaxis(block, -1, 2).reshape(-1, 3 * t)
            sums = np.asarray(flat @ taker).reshape(last - first, 3, 3, -1)
            target[3 * first : 3 * last] = np.moveaxis(sums, 2, 3).reshape(3 * (last - first), -1)
    _close(out[0])
    return Collocation(*out)


def _only(spread: sp.csr_matrix, triangles: Array) -> sp.csr_matrix:
    """The rows that belong to corners of some triangles."""
    return sp.diags(np.repeat(triangles.astype(float), 3)) @ spread


def _close(H: Array) -> None:
    """Set the diagonal blocks so that translations give zero."""
    n = len(H) // 3
    blocks = H.reshape(n, 3, n, 3)
    each = np.arange(n)
    blocks[each, :, each, :] = 0.0
    blocks[each, :, each, :] = -blocks.sum(axis=2)
