"""Mesh files of every format that meshio knows, to and from points, cells and groups."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from pliant.errors import shown
from pliant.resources import require_file

from .arrays import Floats, Indices
from .confined import Arrays, read_confined
from .errors import MeshError
from .groups import as_point_data
from .kinds import KINDS


def read_arrays(path: Path, *, dim: int | None = None) -> Arrays:
    """Read points [m], cells of the highest dimension and named groups of points from a file."""
    require_file(path, "mesh file")
    if not (dim is None or (isinstance(dim, int) and dim in (2, 3))):
        raise MeshError(f"dim is {shown(dim)}; expected 2, 3, or None to drop a z that is constant")
    return read_confined(path, dim)


def write_arrays(
    path: Path, points: Floats, cells: Mapping[str, Indices], groups: Mapping[str, Indices]
) -> None:
    """Write a mesh by the suffix of its path; plane meshes get z = 0, which most formats need."""
    import meshio

    check_suffix(path)
    space = np.zeros((len(points), 3))
    space[:, : points.shape[1]] = points
    index = np.int32 if path.suffix.lower() == ".ply" else np.int64  # PLY has no longer ones
    blocks = [(KINDS[kind].meshio, np.array(nodes, dtype=index)) for kind, nodes in cells.items()]
    # Left to itself meshio writes .msh for ANSYS, which holds neither groups nor quadratic cells.
    form = "gmsh" if path.suffix.lower() == ".msh" else None
    with quiet() as said:
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
        warnings.warn(f"{path.name}: {one_line(said)}", stacklevel=3)


@contextlib.contextmanager
def quiet() -> Iterator[io.StringIO]:
    """Catch what meshio prints: a library that is called by another should not talk."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        yield said


def one_line(said: io.StringIO) -> str:
    """The message of an error on one line."""
    return " ".join(said.getvalue().split())


def check_suffix(path: Path) -> None:
    """Refuse a name that no format has."""
    import meshio

    # The extension of "mesh.vol.gz" is its last two suffixes.
    tails = {"".join(path.suffixes[-n:]).lower() for n in (1, 2)}
    if not tails & set(meshio.extension_to_filetypes):
        known = " ".join(sorted(meshio.extension_to_filetypes))
        raise MeshError(f"unknown mesh format {path.suffix!r} of {str(path)!r}; known are {known}")
