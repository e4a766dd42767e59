"""What stands in the way: objects of the scene that have Collision."""

from dataclasses import dataclass

import numpy as np

from . import samples
from .failure import Failure


@dataclass(frozen=True)
class InTheWay:
    """A surface that bodies cannot enter, in the coordinates of the simulation."""

    name: str
    poses: np.ndarray  # (k, n, 3) [m] from the release on; one if it stands still
    triangles: np.ndarray  # (t, 3)


def objects(context, baked):
    """The visible meshes with an active Collision that are not baked themselves."""
    return [
        obj
        for obj in context.scene.objects
        if obj.type == "MESH"
        and obj not in baked
        and not obj.hide_get()
        and any(m.type == "COLLISION" and m.show_viewport for m in obj.modifiers)
    ]


def in_the_way(context, obj, track, space):
    """One of them, from where it was in each sample since the release."""
    matrices, points = track.as_arrays()
    poses = space.to(points, matrices)
    triangles = _triangles(context, obj)
    if not len(triangles):
        raise Failure(f"{obj.name} has Collision but no faces; take its Collision off")
    still = not samples.moving(poses).any()
    return InTheWay(obj.name, poses[:1] if still else poses, triangles)


def _triangles(context, obj):
    evaluated = obj.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    evaluated.to_mesh_clear()
    return corners.reshape(-1, 3).astype(np.int64)
