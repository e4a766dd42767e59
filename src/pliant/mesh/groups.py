"""Named groups of points, as files carry them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats, Indices

# Few formats hold named sets of points, nearly all hold numbers per point: a group travels as
# point data of this prefix, 1 for its members.
GROUP = "group:"


def as_point_data(groups: Mapping[str, Indices], count: int) -> dict[str, Floats]:
    """Write each group as one number per point, 1 for members and 0 for the others."""
    data = {}
    for name, members in groups.items():
        member = np.zeros(count)
        member[members] = 1.0
        data[GROUP + name.replace(" ", "_")] = member  # VTK allows no spaces in names
    return data


def named_points(file: Any) -> dict[str, Indices]:
    """Collect the groups of a meshio mesh by name, as sorted point indices.

    They come from point sets, cell sets, gmsh physical names and our own point data.
    """
    found: dict[str, list[Indices]] = {}

    def add(name: str, members: ArrayLike) -> None:
        found.setdefault(name, []).append(np.asarray(members, dtype=np.int64).ravel())

    for name, members in file.point_sets.items():
        add(name, members)
    for name, values in file.point_data.items():
        if name.startswith(GROUP):
            add(name.removeprefix(GROUP), np.flatnonzero(np.asarray(values).ravel() > 0.5))
    for name, sets in file.cell_sets.items():
        if name.startswith("gmsh:"):  # meshio's own bookkeeping, not a name the user gave
            continue
        for block, members in zip(file.cells, sets, strict=True):
            if members is not None and len(members):
                add(name, block.data[np.asarray(members, dtype=np.int64)])
    # gmsh 2.2 gives a name as (tag, dimension) and each cell its tag; other formats have no tags.
    physical = file.cell_data.get("gmsh:physical", [])
    names = file.field_data.items() if physical else ()
    for name, (tag, dim) in names:
        for block, tags in zip(file.cells, physical, strict=True):
            if block.dim == dim:
                add(name, block.data[np.asarray(tags) == tag])
    return {name: np.unique(np.concatenate(parts)) for name, parts in found.items()}
