"""Points, cells and groups as given by a user, turned into arrays or refused."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from pliant.errors import LARGEST, described, shown
from pliant.given import floats

from .arrays import Floats, Indices
from .errors import MeshError, name_cells, name_some
from .kinds import KINDS, canonical

CellIndices = dict[str, Indices]


def accept(
    points: ArrayLike, cells: Mapping[str, ArrayLike], groups: Mapping[str, ArrayLike] | None
) -> tuple[Floats, CellIndices, CellIndices]:
    """Turn what a user gave into (points, cells, groups) of arrays that are ours alone."""
    x = accept_points(points)
    return x, accept_cells(cells, *x.shape), accept_groups(groups, len(x))


def accept_points(points: ArrayLike) -> Floats:
    """Copy points [m] to float64, shape (n, 2) or (n, 3); refuse what is not finite."""
    try:
        x = floats(points)
    except ValueError:
        raise MeshError(
            f"points are not numbers: {described(points)}; expected shape (n, 2) or (n, 3) in metres"
        ) from None
    if x.ndim != 2 or x.shape[1] not in (2, 3):
        raise MeshError(
            f"points have shape {x.shape}; expected (n, 2) or (n, 3) in metres"
            + (", as in pl.Mesh(points.T, cells)" if x.ndim == 2 and x.shape[0] in (2, 3) else "")
        )
    bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
    if len(bad):
        raise MeshError(
            f"{len(bad)} of {len(x)} points are not finite: points {name_some(bad)}; expected "
            "finite coordinates in metres (which repair cannot invent)",
            {"points": bad},
        )
    bad = np.flatnonzero((np.abs(x) > LARGEST).any(axis=1))
    if len(bad):
        raise MeshError(
            f"{len(bad)} of {len(x)} points are farther than {LARGEST:g} m from the origin: points "
            f"{name_some(bad)}; expected coordinates in metres",
            {"points": bad},
        )
    return x


def accept_cells(cells: Mapping[str, ArrayLike], count: int, dim: int) -> CellIndices:
    """Copy cells to int64 under canonical kinds; refuse wrong shapes and indices out of range."""
    if not isinstance(cells, Mapping):
        raise MeshError(
            f"cells are a {type(cells).__name__}; expected a dict from kind to indices, "
            'as in pl.Mesh(points, {"tet": array})'
        )
    accepted: dict[str, Indices] = {}
    for given, array in cells.items():
        try:
            kind = canonical(given)
        except ValueError as error:
            raise MeshError(str(error)) from None
        if kind in accepted:
            raise MeshError(
                f"{kind} cells are given twice, also as {shown(given)}; join them first"
            )
        accepted[kind] = _indices(kind, array, dim)
    accepted = {kind: nodes for kind, nodes in accepted.items() if len(nodes)}
    if not accepted:
        raise MeshError(
            "the mesh has no cells; expected at least one, "
            'as in pl.Mesh(points, {"tri": [[0, 1, 2]]})'
        )
    bad = {
        kind: np.flatnonzero(((nodes < 0) | (nodes >= count)).any(axis=1))
        for kind, nodes in accepted.items()
    }
    bad = {kind: found for kind, found in bad.items() if len(found)}
    if bad:
        low = min(int(nodes.min()) for nodes in accepted.values())
        high = max(int(nodes.max()) for nodes in accepted.values())
        hint = "; counted from 1? pass array - 1" if low == 1 and high == count else ""
        raise MeshError(
            f"{name_cells(bad)} name points out of range: indices run from {low} to {high}, "
            f"expected 0 to {count - 1}{hint} (repair cannot guess the right point)",
            bad,
        )
    return accepted


def _indices(kind: str, array: ArrayLike, dim: int) -> Indices:
    expected = KINDS[kind].nodes
    try:
        nodes = np.array(array)
    except (ValueError, OverflowError):
        raise MeshError(
            f"{kind} cells are {described(array)}; expected {expected} point indices in each"
        ) from None
    if nodes.size == 0:
        return np.empty((0, expected), dtype=np.int64)
    if nodes.ndim != 2 or nodes.shape[1] != expected:
        raise MeshError(
            f"{kind} cells have shape {nodes.shape}; expected (cells, {expected}), "
            "one row of point indices per cell"
        )
    if not np.issubdtype(nodes.dtype, np.integer):
        raise MeshError(
            f"{kind} cells are {nodes.dtype}; expected integers, as in array.astype(int)"
        )
    if KINDS[kind].dim > dim:
        raise MeshError(f"{kind} cells need points of shape (n, 3); these have shape (n, {dim})")
    return nodes.astype(np.int64)


def accept_groups(groups: Mapping[str, ArrayLike] | None, count: int) -> dict[str, Indices]:
    """Turn each named group, a mask or indices of points, into sorted indices."""
    if groups is not None and not isinstance(groups, Mapping):
        raise MeshError(
            f"groups are a {type(groups).__name__}; expected a dict from name to points, as in "
            'pl.Mesh(points, cells, groups={"foot": [0, 1, 2]})'
        )
    accepted = {}
    for name, members in (groups or {}).items():
        try:
            array = np.asarray(members)
        except (ValueError, OverflowError):
            raise MeshError(
                f"group {shown(name)} has {described(members)}; expected point indices"
            ) from None
        if array.dtype == bool and array.shape == (count,):
            array = np.flatnonzero(array)
        elif array.size == 0:
            array = np.empty(0, dtype=np.int64)
        elif array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
            raise MeshError(
                f"group {shown(name)} has {array.dtype} of shape {array.shape}; expected point indices "
                f"of shape (m,) or a mask of shape ({count},)"
            )
        bad = np.unique(array[(array < 0) | (array >= count)])
        if len(bad):
            raise MeshError(
                f"group {shown(name)} names points out of range: {name_some(bad)}; "
                f"expected 0 to {count - 1}",
                {"points": bad},
            )
        accepted[name if isinstance(name, str) else shown(name)] = np.unique(array).astype(np.int64)
    return accepted
