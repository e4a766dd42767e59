"""Meshes as a scene asks for them, with the surface that a file brings along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.given import rotation
from pliant.mesh import Mesh, Skin, Surface

from .filled import kept_mesh
from .meshes import MeshTable
from .sheets import as_sheet, lifted
from .source import Here
from .status import Status, silent

SURFACES = (".obj", ".stl", ".ply")


def make_mesh(
    table: MeshTable,
    here: Here,
    *,
    sheet: bool = False,
    progress: bool | None = None,
    tell: Status = silent,
) -> tuple[Mesh, Surface | Skin | None]:
    """The mesh, and the surface it was made from, if it was; of a sheet faces are cells."""
    if table.file is None:
        with here:
            mesh = table.generate()
    else:
        there = here / "file"
        path = there.file(table.file)
        if path.suffix.lower() in SURFACES:
            surface = read_surface(table.file, table, there)
            if sheet or not table.fill:
                _refuse_filling(table, path.name, here)
                with there:
                    return as_sheet(surface)
            if not _is_flat(surface):
                with there, there.warnings():
                    length = table.edge_length
                    return kept_mesh(surface, length, progress=progress, tell=tell), surface
        with there:
            mesh = Mesh.read(path, dim=3 if sheet else None, repair=table.repair)
        if table.plane is not None:
            with here / "plane":
                mesh = lifted(mesh, table.plane)
        if table.edge_length is not None:
            raise (here / "edge_length").error(
                f"got {table.edge_length:g}; expected it only for closed surfaces (OBJ, STL, PLY): "
                f"{path.name} has {', '.join(mesh.cells)} cells already"
            )
    if not table.stays:
        with here:
            mesh = Mesh(table.carry(mesh.points), mesh.cells, groups=mesh.groups)
    return mesh, None


def _refuse_filling(table: MeshTable, name: str, here: Here) -> None:
    """Refuse `edge_length` and `plane` for a surface file that is used as a sheet."""
    if table.edge_length is not None:
        raise (here / "edge_length").error(
            f"got {table.edge_length:g}; expected it where a surface is filled: the faces of {name} "
            "are the cells here"
        )
    if table.plane is not None:
        raise (here / "plane").error(
            f"got {table.plane!r}; expected turn = [...] instead: {name} is in space already"
        )


def _is_flat(surface: Surface) -> bool:
    """Whether a surface is a plane body: then its triangles are the cells."""
    sides = np.ptp(surface.points, axis=0)
    return bool(sides[2] <= 1e-9 * sides.max())


def read_surface(name: str, table: MeshTable, here: Here) -> Surface:
    """A surface file, scaled, turned and moved as the mesh is."""
    path = here.file(name)
    with here:
        return carried(Surface.read(path), table)


def carried(surface: Surface, table: MeshTable) -> Surface:
    """A surface moved with its mesh; its normals turn along."""
    if table.stays:
        return surface
    normals = surface.normals
    if normals is not None and table.turn is not None and len(table.turn) == 3:
        normals = normals @ rotation(table.turn, 3).T
    return replace(surface, points=table.carry(surface.points), normals=normals)
