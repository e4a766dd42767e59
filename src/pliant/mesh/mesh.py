"""The mesh: where the points of a body are and which cells join them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.given import flag, path_of

from . import topology
from .arguments import accept
from .arrays import Floats, Indices
from .files import read_arrays, write_arrays
from .kinds import KINDS
from .measures import measure
from .quality import MeshQuality, quality_of
from .repair import Sound, make_sound

Arrays = Mapping[str, Indices]


class Mesh:
    """Points [m], shape (n, 2) or (n, 3), and the cells between them; it never changes.

    `cells` maps a kind (line2 tri3 tri6 quad4 quad9 tet4 tet10 hex8 hex20; line, tri, quad, tet
    and hex mean the linear ones) to point indices in VTK order, `groups` a name to points (indices
    or a mask). An unfit mesh is refused with a `MeshError`; with `repair=True` duplicate points
    are merged, degenerate and repeated cells and unused points dropped and inverted cells
    reordered, `repairs` says what was done and `kept` gives the index each point had.
    """

    points: Floats
    cells: Arrays
    groups: Arrays
    kept: Indices
    repairs: tuple[str, ...]

    def __init__(
        self,
        points: ArrayLike,
        cells: Mapping[str, ArrayLike],
        *,
        groups: Mapping[str, ArrayLike] | None = None,
        repair: bool = False,
    ):
        given = accept(points, cells, groups)
        call = "pl.Mesh(points, cells, repair=True)"
        self._hold(make_sound(*given, repair=flag("Mesh", "repair", repair), call=call))

    @classmethod
    def read(cls, path: str | Path, *, dim: int | None = None, repair: bool = False) -> Mesh:
        """Read the cells of highest dimension from any file meshio reads.

        A flat surface with constant z becomes 2D unless `dim=3`. Points of no such cell are
        dropped, `kept` has their numbers in the file. Point sets, cell sets and gmsh physical
        names become `groups` of points. meshio runs in a process of its own, with limits of time and
        memory that grow with the file; files that the file names must lie beside it.
        """
        path = path_of("Mesh.read", path)
        given = accept(*read_arrays(path, dim=dim))
        call = f"pl.Mesh.read({str(path)!r}, repair=True)"
        mesh = cls.__new__(cls)
        repair = flag("Mesh.read", "repair", repair)
        field = "repair = true beside file in mesh"
        mesh._hold(
            make_sound(*given, repair=repair, call=call, field=field, drop_unreferenced=True)
        )
        return mesh

    @classmethod
    def of_sides(
        cls,
        points: ArrayLike,
        cells: Mapping[str, ArrayLike],
        groups: Mapping[str, ArrayLike] | None = None,
    ) -> Mesh:
        """A mesh, checked as others are, whose points may lie on each other: the sides of a tear."""
        mesh = cls.__new__(cls)
        given = accept(points, cells, groups)
        mesh._hold(
            make_sound(
                *given, repair=False, call="pl.Mesh(points, cells, repair=True)", touching=True
            )
        )
        return mesh

    def write(self, path: str | Path) -> None:
        """Write points, cells and groups in the format of the suffix: .vtu .msh .vtk .xdmf ..."""
        write_arrays(path_of("Mesh.write", path), self.points, self.cells, self.groups)

    @property
    def dim(self) -> int:
        """Dimension of the space the points are in, 2 or 3."""
        return int(self.points.shape[1])

    @property
    def size(self) -> float:
        """The diagonal of the box around its points [m]."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    @cached_property
    def cell_dim(self) -> int:
        """Dimension of the highest cells: 1 rods, 2 plane bodies and cloth, 3 solids."""
        return topology.highest_dim(self.cells)

    @cached_property
    def boundary(self) -> Arrays:
        """Facets that only one cell has, by facet kind, oriented outward."""
        return _frozen_map(topology.boundary(self.cells))

    @cached_property
    def boundary_points(self) -> Indices:
        """Sorted indices of the points on the boundary; empty for a closed surface."""
        facets = [nodes.ravel() for nodes in self.boundary.values()]
        return _frozen(np.unique(np.concatenate([np.empty(0, dtype=np.int64), *facets])))

    @cached_property
    def edges(self) -> Indices:
        """Each edge between cell corners once, shape (m, 2), lower point first."""
        return _frozen(topology.edges(self.cells))

    @cached_property
    def measures(self) -> Mapping[str, Floats]:
        """Length [m], area [m^2] or volume [m^3] of each cell by kind, from its corners."""
        return _frozen_map({k: measure(self.points, k, nodes) for k, nodes in self.cells.items()})

    @cached_property
    def volume(self) -> float:
        """Sum of the measures of the highest cells: [m^3], or [m^2] for plane meshes and cloth."""
        return float(
            sum(m.sum() for k, m in self.measures.items() if KINDS[k].dim == self.cell_dim)
        )

    @cached_property
    def components(self) -> Indices:
        """Label of the connected part each point is in; cells that share a point connect."""
        return _frozen(topology.components(self.cells, len(self)))

    def with_parts(self, points: Floats, cells: Arrays, groups: Arrays) -> Mesh:
        """A mesh that this one was cut into. It is not checked: parts may touch at rest."""
        mesh = Mesh.__new__(Mesh)
        mesh._hold(Sound(points, dict(cells), dict(groups), np.arange(len(points)), ()))
        return mesh

    def quality(self) -> MeshQuality:
        """Counts, edge lengths and cell shapes; print it."""
        return quality_of(self)

    def _hold(self, sound: Sound) -> None:
        self.__dict__.update(
            points=_frozen(sound.points),
            cells=_frozen_map(sound.cells),
            groups=_frozen_map(sound.groups),
            kept=_frozen(sound.kept),
            repairs=sound.repairs,
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"a mesh never changes, so {name!r} cannot be set; build another, as in "
            "pl.Mesh(points, mesh.cells), or move a body with body.place(points)"
        )

    def __getstate__(self) -> Sound:
        return Sound(self.points, dict(self.cells), dict(self.groups), self.kept, self.repairs)

    def __setstate__(self, state: Sound) -> None:
        self._hold(state)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in self.cells.items())
        return f"<Mesh of {len(self)} points in {self.dim}D, {kinds}>"

    def _repr_html_(self) -> str:
        """The mesh to turn and look at, for notebooks."""
        from pliant import io

        return io.inline_mesh(self)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _frozen_map(arrays: Mapping[str, NDArray[Any]]) -> Mapping[str, NDArray[Any]]:
    return MappingProxyType({name: _frozen(array) for name, array in arrays.items()})
