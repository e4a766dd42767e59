"""The surface that is simulated: the object's vertices, in their order."""

import bmesh
import numpy as np

from .failure import Failure


def closed(obj):
    """Whether every edge of a mesh has a face on both sides."""
    shape = bmesh.new()
    try:
        shape.from_mesh(obj.data)
        return bool(shape.faces) and all(edge.is_manifold for edge in shape.edges)
    finally:
        shape.free()


def triangles(obj, fill_holes, *, closed):
    """Triangles between the object's vertices, (t, 3). closed: they must be, and face outward."""
    shape = bmesh.new()
    try:
        shape.from_mesh(obj.data)
        if not shape.faces:
            raise Failure(
                f"{obj.name} has no faces; give it some, or convert it: Object > Convert > Curve"
            )
        loose = sum(not v.link_faces for v in shape.verts)
        if loose:
            raise Failure(
                f"{obj.name} has vertices without a face ({loose}); remove them in edit mode with "
                "Mesh > Clean Up > Delete Loose"
            )
        if fill_holes and closed:
            # New faces only: no vertex is added, so that the order stays.
            bmesh.ops.holes_fill(shape, edges=[e for e in shape.edges if e.is_boundary], sides=0)
        if closed:
            _require_closed(obj.name, shape, fill_holes)
        else:
            _require_sheet(obj.name, shape)
        bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
        shape.verts.index_update()
        corners = [[loop.vert.index for loop in three] for three in shape.calc_loop_triangles()]
        return np.array(corners, dtype=np.int64)
    finally:
        shape.free()


def _require_closed(name, shape, filled):
    open_edges = sum(e.is_boundary for e in shape.edges)
    if open_edges:
        cure = "tick Fill holes, close it, or let Kind be a sheet"
        if filled:
            cure = "they cannot be filled: let Kind be a sheet, or give it thickness with Solidify"
        raise Failure(
            f"{name} is not closed: {open_edges} edges have a face on one side only; {cure} "
            "(edit mode: Select > All by Trait > Non Manifold shows them)"
        )
    forks = sum(not e.is_manifold for e in shape.edges)
    if forks:
        raise Failure(
            f"{name} has {forks} edges with no or more than two faces; inside and outside are not told "
            "apart there (edit mode: Select > All by Trait > Non Manifold shows them)"
        )


def _require_sheet(name, shape):
    forks = sum(len(edge.link_faces) > 2 for edge in shape.edges)
    if forks:
        raise Failure(
            f"{name} has {forks} edges with more than two faces; a sheet has one or two at each (edit "
            "mode: Select > All by Trait > Non Manifold shows them)"
        )


def require_volume(name, points, corners):
    """Refuse a surface that is closed but flat: a filled plane, or a sheet folded on itself."""
    a, b, c = (points[corners[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    size = np.linalg.norm(np.ptp(points, axis=0))
    if abs(volume) <= 1e-6 * size**3:
        raise Failure(
            f"{name} encloses no volume ({abs(volume):.2g} m³); give it thickness, for example with a "
            "Solidify modifier that you apply, or let Kind be a sheet"
        )
