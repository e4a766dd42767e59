# mypy: ignore-errors
"""How far the neighbourhood of each point has turned."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import warp as wp

from pliant.backend import Ints, Launches
from pliant.materials import nearest_rotation

from .cell_kernels import cell_arrays, deformation_gradient
from .solid import SolidEnergy
from .term_kernels import TERM_OPTIONS


def turned_points(solids: Sequence[SolidEnergy], x: Any, points: int) -> wp.array:
    """Return, per point, the rotation nearest to the mean deformation gradient around it.

    Points that no cell of `solids` touches get the identity.
    """
    dim, _, _, dtype = solids[0].shape
    mat = wp.types.matrix((dim, dim), dtype)
    device = solids[0].device
    total = wp.zeros(points, dtype=mat, device=device)
    for solid in solids:
        _, nodes, _, _ = solid.shape
        kernel = _gather_kernel(dim, nodes, dtype)
        solid.shares.launch(kernel, x, solid.cells, total)
    out = wp.empty(points, dtype=mat, device=device)
    if solids[0] not in _launches:
        _launches[solids[0]] = Launches(device)
    _launches[solids[0]](_rotation_kernel(dim, dtype), points, [total, out])
    return out


#: Recorded launches of the first solid of a body.
_launches: WeakKeyDictionary[SolidEnergy, Launches] = WeakKeyDictionary()


@cache
def _gather_kernel(dim: int, nodes: int, dtype: Any) -> Any:
    vec = wp.types.vector(length=dim, dtype=dtype)
    mat = wp.types.matrix((dim, dim), dtype)
    deformation, Cells = deformation_gradient(dim, nodes, dtype), cell_arrays(dim, dtype)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def gather(order: Ints, x: wp.array(dtype=vec), cells: Cells, total: wp.array(dtype=mat)):
        c = order[wp.tid()]
        for q in range(cells.weights.shape[1]):
            F = cells.weights[c, q] * deformation(x, cells, c, q)
            for a in range(nodes):
                wp.atomic_add(total, cells.nodes[c, a], F)

    return gather


@cache
def _rotation_kernel(dim: int, dtype: Any) -> Any:
    mat = wp.types.matrix((dim, dim), dtype)
    rotation = nearest_rotation(dim, dtype)
    Mats = wp.array(dtype=mat)

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def turn(total: Mats, out: Mats):
        i = wp.tid()
        out[i] = rotation(total[i])

    return turn
