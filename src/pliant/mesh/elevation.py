"""Linear meshes made quadratic: a node in the middle of every edge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.errors import shown
from pliant.given import asked, floats

from . import topology
from .arrays import Floats
from .errors import MeshError
from .kinds import KINDS, canonical
from .mesh import Mesh

QUADRATIC = {"tri3": "tri6", "quad4": "quad9", "tet4": "tet10", "hex8": "hex20"}
LINEAR = {high: low for low, high in QUADRATIC.items()}

#: A function of the middles (m, d) of edges and their ends (m, 2, d) that returns better middles.
Middles = Callable[[Floats, Floats], Floats]


def quadratic(mesh: Mesh, *, middles: Middles | None = None) -> Mesh:
    """The same mesh with quadratic cells: tri6, quad9, tet10 or hex20 in place of the linear ones.

    Points keep their numbers; the middles of edges follow, each once, then the centres of quads. A
    middle is in a group if both ends are. `middles(straight, ends)` may put them on a curve [m].
    Lines stay as they are.
    """
    if not isinstance(mesh, Mesh):
        raise TypeError(f"quadratic: got {type(mesh).__name__}; expected a mesh of linear cells")
    if middles is not None and not callable(middles):
        raise TypeError(
            f"quadratic: got middles={shown(middles)}; expected a function of (middles, ends), or None"
        )
    given = [kind for kind in mesh.cells if kind in LINEAR]
    if given:
        raise MeshError(f"got {given[0]} cells, which are quadratic already; expected linear ones")
    if not set(mesh.cells) & set(QUADRATIC):
        return mesh
    edges = topology.edges({k: c for k, c in mesh.cells.items() if k in QUADRATIC})
    count = len(mesh)
    key = edges[:, 0] * count + edges[:, 1]
    ends = mesh.points[edges]
    middle = ends.mean(axis=1)
    parts = [mesh.points, middle if middles is None else _moved(middles, middle, ends)]
    owners = [edges]  # the points each new one is the middle of
    cells, top = {}, count + len(edges)
    for kind, nodes in mesh.cells.items():
        if kind not in QUADRATIC:
            cells[kind] = nodes
            continue
        pairs = np.sort(nodes[:, np.array(KINDS[kind].edges)], axis=2)
        columns = [nodes, count + np.searchsorted(key, pairs[..., 0] * count + pairs[..., 1])]
        if kind == "quad4":
            columns.append(top + np.arange(len(nodes))[:, None])
            # From the middles of its sides too: the centre of a quad with curved sides.
            sides = np.concatenate(parts)[columns[1]].mean(axis=1)
            parts.append(2.0 * sides - mesh.points[nodes].mean(axis=1))
            owners.append(nodes)
            top += len(nodes)
        cells[QUADRATIC[kind]] = np.concatenate(columns, axis=1)
    groups = {}
    for name, members in mesh.groups.items():
        inside = np.zeros(count, dtype=bool)
        inside[members] = True
        groups[name] = np.concatenate([inside, *(inside[o].all(axis=1) for o in owners)])
    return Mesh(np.concatenate(parts), cells, groups=groups)


def _moved(middles: Middles, middle: Floats, ends: Floats) -> Floats:
    refusal = f"quadratic: got middles={shown(middles)}; expected a function of (middles, ends)"
    moved = floats(asked(middles, middle, ends, refusal=refusal))
    if moved.shape != middle.shape:
        raise ValueError(
            f"quadratic: middles returned shape {moved.shape}; expected {middle.shape}, one per edge"
        )
    return moved


def of_kind(linear: Mesh, kind: str, *, middles: Middles | None = None) -> Mesh:
    """The mesh itself, or made quadratic if `kind` is the name of quadratic cells."""
    return quadratic(linear, middles=middles) if canonical(kind) in LINEAR else linear


def linear_shape(kind: str) -> str:
    """What the corners of a kind form: "tri" for tri, tri3 and tri6."""
    return KINDS[canonical(kind)].shape


def about_axis(axes: int) -> Middles:
    """Middles at the mean distance of their ends from the origin, measured in the first axes."""

    def rounded(middle: Floats, ends: Floats) -> Floats:
        asked = np.linalg.norm(ends[..., :axes], axis=2).mean(axis=1)
        found = np.linalg.norm(middle[:, :axes], axis=1)
        out: Floats = middle.copy()
        # An edge through the origin has no direction to be moved along.
        out[:, :axes] *= np.where(found > 0, asked / np.where(found > 0, found, 1.0), 1.0)[:, None]
        return out

    return rounded
