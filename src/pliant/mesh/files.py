"""Mesh files of every format that meshio knows, to and from points, cells and groups."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.disk import require_file

from .errors import MeshError
from .groups import as_point_data, named_points
from .kinds import CELL_KINDS, FROM_MESHIO, KINDS
from .topology import referenced


def read_arrays(path: str | Path, *, dim: int | None = None):
    """Read points [m], cells of the highest dimension and named groups of points from a file."""
    import meshio

    path = Path(path)
    require_file(path, "mesh file")
    _check_suffix(path)
    with _quiet() as said:
        try:
            file = meshio.read(path)
        except (Exception, SystemExit) as error:  # meshio exits when it cannot read
            reason = _one_line(said) or f"{type(error).__name__}: {error}"
            raise MeshError(
                f"cannot read {str(path)!r} as a {path.suffix} mesh: {reason}"
            ) from error
    cells = _highest_cells(file.cells, path)
    points = np.asarray(file.points, dtype=np.float64)
    return _in_space(points, cells, dim), cells, named_points(file)


def write_arrays(
    path: str | Path,
    points: NDArray[np.float64],
    cells: Mapping[str, NDArray[np.int64]],
    groups: Mapping[str, NDArray[np.int64]],
) -> None:
    """Write a mesh by the suffix of its path; plane meshes get z = 0, which most formats need."""
    import meshio

    path = Path(path)
    _check_suffix(path)
    space = np.zeros((len(points), 3))
    space[:, : points.shape[1]] = points
    blocks = [(KINDS[kind].meshio, np.array(nodes)) for kind, nodes in cells.items()]
    # Left to itself meshio writes .msh for ANSYS, which holds neither groups nor quadratic cells.
    form = "gmsh" if path.suffix.lower() == ".msh" else None
    with _quiet() as said:
        try:
            meshio.write(
                path,
                meshio.Mesh(space, blocks, point_data=as_point_data(groups, len(points))),
                file_format=form,
            )
        except (meshio.WriteError, ImportError, KeyError) as error:
            raise MeshError(
                f"cannot write {', '.join(cells)} cells to {str(path)!r}: "
                f"{type(error).__name__}: {error}; .vtu and .msh hold every kind, "
                'as in mesh.write("mesh.vtu")'
            ) from error
    if said.getvalue():  # such as cells a format cannot hold and leaves out
        warnings.warn(f"{path.name}: {_one_line(said)}", stacklevel=3)


@contextlib.contextmanager
def _quiet():
    """Catch what meshio prints: a library that is called by another should not talk."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        yield said


def _one_line(said: io.StringIO) -> str:
    return " ".join(said.getvalue().split())


def _check_suffix(path: Path) -> None:
    import meshio

    # The extension of "mesh.vol.gz" is its last two suffixes.
    tails = {"".join(path.suffixes[-n:]).lower() for n in (1, 2)}
    if not tails & set(meshio.extension_to_filetypes):
        known = " ".join(sorted(meshio.extension_to_filetypes))
        raise MeshError(f"unknown mesh format {path.suffix!r} of {str(path)!r}; known are {known}")


def _highest_cells(blocks, path: Path) -> dict[str, NDArray[np.int64]]:
    blocks = [block for block in blocks if len(block) and block.dim > 0]
    if not blocks:
        raise MeshError(
            f"{str(path)!r} has no solid cells, only points; expected some of "
            f"{', '.join(CELL_KINDS)}"
        )
    top = max(block.dim for block in blocks)
    cells: dict[str, list[NDArray[np.int64]]] = {}
    for block in blocks:
        if block.dim < top:
            continue
        if block.type not in FROM_MESHIO:
            raise MeshError(
                f"{str(path)!r} has {len(block)} cells of type {block.type!r}; expected "
                f"{', '.join(FROM_MESHIO)}: split or convert the others in the mesher"
            )
        cells.setdefault(FROM_MESHIO[block.type], []).append(np.asarray(block.data, dtype=np.int64))
    return {kind: np.concatenate(parts) for kind, parts in cells.items()}


def _in_space(points, cells, dim: int | None) -> NDArray[np.float64]:
    """Drop a constant z unless told to stay in space."""
    if dim not in (None, 2, 3):
        raise MeshError(f"dim is {dim}; expected 2, 3, or None to drop a z that is constant")
    if points.shape[1] == 2:
        return np.column_stack([points, np.zeros(len(points))]) if dim == 3 else points
    solid = max(KINDS[kind].dim for kind in cells) == 3
    if dim == 2 and solid:
        raise MeshError(f"dim=2 asked, but the file has solid cells: {', '.join(cells)}; use dim=3")
    stray = any(nodes.min() < 0 or nodes.max() >= len(points) for nodes in cells.values())
    if dim == 3 or solid or stray:  # indices out of range are refused later, with their cells
        return points
    used = points[referenced(cells, len(points))]
    thickness = float(np.ptp(used[:, 2]))
    constant = thickness <= 1e-12 * np.ptp(used, axis=0).max()
    if dim == 2 and not constant:
        raise MeshError(f"dim=2 asked, but z varies by {thickness:.3g} m; use dim=3")
    return points[:, :2] if constant else points
