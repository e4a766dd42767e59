"""The kinds of cell a mesh may hold, as one table.

Nodes are numbered as in VTK: corners first, then one node per edge in the order of `edges`, then
(quad9) the centre. Facets are listed so that their normal points out of a positive cell: for an
edge (a, b) of a plane cell the normal is (dy, -dx), for a face it follows the right hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pliant.errors import shown


@dataclass(frozen=True)
class Kind:
    """One kind of cell; all node numbers are local to the cell."""

    name: str
    shape: str  # vertex, line, tri, quad, tet or hex: what the corners form
    dim: int  # topological dimension
    corners: int
    nodes: int
    edges: tuple[tuple[int, int], ...]  # between corners
    facet: str  # kind of the facets, "" for a vertex
    facets: tuple[tuple[int, ...], ...]
    mirror: tuple[int, ...]  # the same cell with the opposite orientation
    meshio: str
    aliases: tuple[str, ...] = ()
    facet_only: bool = False  # met on a boundary, not accepted as a cell of a mesh


_RING3 = ((0, 1), (1, 2), (2, 0))
_RING4 = ((0, 1), (1, 2), (2, 3), (3, 0))
_TET_EDGES = (*_RING3, (0, 3), (1, 3), (2, 3))
_HEX_EDGES = (*_RING4, (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_TET_FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
_HEX_FACES = ((0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7))
_HEX_MIRROR = (0, 3, 2, 1, 4, 7, 6, 5)


def _quadratic(linear: Kind, name: str, nodes: int, facet: str, meshio: str) -> Kind:
    """Put a node on every edge of a linear kind, and carry facets and mirror along."""
    middle = {frozenset(e): linear.corners + i for i, e in enumerate(linear.edges)}

    def with_middles(facet: tuple[int, ...]) -> tuple[int, ...]:
        pairs = zip(facet, (*facet[1:], facet[0]), strict=True)
        # An edge, taken as a ring, passes its one middle twice; dict.fromkeys keeps it once.
        return facet + tuple(dict.fromkeys(middle[frozenset(p)] for p in pairs))

    mirror = linear.mirror
    middles = tuple(middle[frozenset((mirror[a], mirror[b]))] for a, b in linear.edges)
    return replace(
        linear,
        name=name,
        nodes=nodes,
        facet=facet,
        facets=tuple(with_middles(f) if len(f) > 1 else f for f in linear.facets),
        mirror=mirror + middles + tuple(range(linear.corners + len(middles), nodes)),
        meshio=meshio,
        aliases=(),
    )


_vertex = Kind("vertex", "vertex", 0, 1, 1, (), "", (), (0,), "vertex", (), True)
_line2 = Kind(
    "line2", "line", 1, 2, 2, ((0, 1),), "vertex", ((0,), (1,)), (1, 0), "line", ("line",)
)
_tri3 = Kind("tri3", "tri", 2, 3, 3, _RING3, "line2", _RING3, (0, 2, 1), "triangle", ("tri",))
_quad4 = Kind("quad4", "quad", 2, 4, 4, _RING4, "line2", _RING4, (0, 3, 2, 1), "quad", ("quad",))
_tet4 = Kind(
    "tet4", "tet", 3, 4, 4, _TET_EDGES, "tri3", _TET_FACES, (0, 2, 1, 3), "tetra", ("tet",)
)
_hex8 = Kind(
    "hex8", "hex", 3, 8, 8, _HEX_EDGES, "quad4", _HEX_FACES, _HEX_MIRROR, "hexahedron", ("hex",)
)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _vertex,
        _line2,
        replace(_quadratic(_line2, "line3", 3, "vertex", "line3"), facet_only=True),
        _tri3,
        _quadratic(_tri3, "tri6", 6, "line3", "triangle6"),
        _quad4,
        replace(_quadratic(_quad4, "quad8", 8, "line3", "quad8"), facet_only=True),
        _quadratic(_quad4, "quad9", 9, "line3", "quad9"),
        _tet4,
        _quadratic(_tet4, "tet10", 10, "tri6", "tetra10"),
        _hex8,
        _quadratic(_hex8, "hex20", 20, "quad8", "hexahedron20"),
    )
}

CELL_KINDS = tuple(name for name, kind in KINDS.items() if not kind.facet_only)
ALIASES = {alias: name for name, kind in KINDS.items() for alias in kind.aliases}
FROM_MESHIO = {KINDS[name].meshio: name for name in CELL_KINDS}


def canonical(name: str) -> str:
    """Return the canonical kind for a name or alias: "tet" -> "tet4"."""
    known = ALIASES.get(name, name)
    if known not in CELL_KINDS:
        aliases = ", ".join(f"{alias} = {kind}" for alias, kind in ALIASES.items())
        raise ValueError(
            f"unknown kind of cell {shown(name)}; expected one of {', '.join(CELL_KINDS)} ({aliases}), "
            'as in pl.Mesh(points, {"tet": array})'
        )
    return known
