"""Meshes as a scene asks for them, with the surface that a file brings along."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .filled import kept_mesh
from .meshes import MeshTable, rotation
from .source import Here
from .telling import Tell, tell_nobody

if TYPE_CHECKING:
    from pliant.mesh import Mesh
    from pliant.mesh.surface import Surface

SURFACES = (".obj", ".stl", ".ply")


def make_mesh(
    table: MeshTable, here: Here, *, progress: bool | None = None, tell: Tell = tell_nobody
) -> tuple[Mesh, Surface | None]:
    """The mesh, and the surface it was filled from, if it was."""
    from pliant.mesh import Mesh

    if table.file is None:
        with here:
            mesh = table.generate()
    else:
        there = here / "file"
        path = there.file(table.file)
        if path.suffix.lower() in SURFACES:
            surface = read_surface(table.file, table, there)
            if not _is_flat(surface):
                with there, there.warnings():
                    length = table.edge_length
                    return kept_mesh(surface, length, progress=progress, tell=tell), surface
        with there:
            mesh = Mesh.read(path, repair=table.repair)
        if table.edge_length is not None:
            raise (here / "edge_length").error(
                f"got {table.edge_length:g}; expected it only for closed surfaces (OBJ, STL, PLY): "
                f"{path.name} has {', '.join(mesh.cells)} cells already"
            )
    if not table.stays:
        with here:
            mesh = Mesh(table.carry(mesh.points), mesh.cells, groups=mesh.groups)
    return mesh, None


def _is_flat(surface: Surface) -> bool:
    """Whether a surface is a plane body: then its triangles are the cells."""
    sides = np.ptp(surface.points, axis=0)
    return bool(sides[2] <= 1e-9 * sides.max())


def read_surface(name: str, table: MeshTable, here: Here) -> Surface:
    """A surface file, scaled, turned and moved as the mesh is."""
    from pliant.mesh.surface import Surface

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
