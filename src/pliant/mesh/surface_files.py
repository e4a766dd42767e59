"""Surface files: which reader a suffix has."""

from __future__ import annotations

from pathlib import Path

from pliant.resources import require_file

from .errors import MeshError
from .obj import read_obj, write_obj
from .ply import read_ply
from .stl import read_stl
from .surface import Surface

READERS = {".obj": read_obj, ".stl": read_stl, ".ply": read_ply}


def read_surface(path: Path) -> Surface:
    """Read a surface file by its suffix."""
    require_file(path, "surface file")
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise MeshError(
            f"unknown surface format {path.suffix!r} of {str(path)!r}; known are "
            f"{' '.join(READERS)}; files with solid cells are read by pl.Mesh.read"
        )
    try:
        return reader(path)
    except MeshError as error:  # of the surface, which knows no file
        if str(path) in str(error):
            raise
        raise MeshError(f"{path}: {error}", error.indices) from None


def write_surface(surface: Surface, path: Path) -> None:
    """Write a surface file by its suffix."""
    if path.suffix.lower() != ".obj":
        raise MeshError(
            f"cannot write a surface as {path.suffix!r}; expected .obj, as in "
            f"surface.write({str(path.with_suffix('.obj'))!r})"
        )
    write_obj(surface, path)
