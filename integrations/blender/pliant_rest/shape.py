"""What of an object is simulated: its shape at rest, its shape at release, its pins."""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from . import stack, surface
from .failure import Failure
from .metres import Metres


@dataclass(frozen=True)
class Shape:
    """An object in metres, in its own axes."""

    rest: np.ndarray  # (n, 3) [m]: the mesh as it was modelled, without modifiers
    start: np.ndarray  # (n, 3) [m]: as modifiers and shape keys have it at the release
    triangles: np.ndarray  # (t, 3)
    pinned: np.ndarray  # (k,): vertices
    gravity: np.ndarray  # (3,) [m/s^2]
    metres: Metres


def gather(context, obj):
    """Read the object as it is at the frame of its release."""
    wish, scene = obj.pliant, context.scene
    corners = surface.triangles(obj, wish.fill_holes)
    with at_frame(scene, wish.release):
        start = _posed(context, obj)
        metres = Metres.of(obj.matrix_world, scene.unit_settings.scale_length)
    rest = metres.to(_modelled(obj))
    surface.require_volume(obj.name, rest, corners)
    pull = scene.gravity if wish.gravity and scene.use_gravity else (0.0, 0.0, 0.0)
    gravity = metres.direction(pull)
    shape = Shape(rest, metres.to(start), corners, _pinned(obj), gravity, metres)
    moved = np.abs(shape.start - shape.rest).max()
    if moved <= 1e-6 * np.ptp(rest, axis=0).max() and not gravity.any():
        late = stack.overlooked(obj)
        if late:
            raise Failure(
                f"{', '.join(late)} of {obj.name} cannot be simulated after a modifier that adds "
                "vertices; move it before that one"
            )
        raise Failure(
            f"{obj.name} has nothing to do: at frame {wish.release} it stands in its modelled shape. "
            "Deform it there with a shape key or a modifier, or switch Gravity on and pin it"
        )
    return shape


def cell_size(obj, scene, shape):
    """The asked edge length of the cells [m], or a twelfth of the largest side."""
    asked = obj.pliant.edge_length * scene.unit_settings.scale_length
    return float(asked if asked > 0.0 else np.ptp(shape.rest, axis=0).max() / 12.0)


def coordinates(points):
    """Of a collection of vertices or shape key points, (n, 3)."""
    flat = np.empty(3 * len(points), dtype=np.float32)
    points.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


@contextmanager
def at_frame(scene, frame):
    """Look at another frame, and come back."""
    now, part = scene.frame_current, scene.frame_subframe
    scene.frame_set(frame)
    try:
        yield
    finally:
        scene.frame_set(now, subframe=part)


@contextmanager
def _shown(obj):
    """Blender does not pose what is hidden, as the original is after a bake into shape keys."""
    hidden = obj.hide_get()
    obj.hide_set(False)
    try:
        yield
    finally:
        obj.hide_set(hidden)


def _modelled(obj):
    keys = obj.data.shape_keys
    return coordinates(keys.reference_key.data if keys else obj.data.vertices)


def _posed(context, obj):
    with _shown(obj), stack.OnlyPosing(obj):
        evaluated = obj.evaluated_get(context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        points = coordinates(mesh.vertices)
        evaluated.to_mesh_clear()
    if len(points) != len(obj.data.vertices):
        raise Failure(
            f"{obj.name} has {len(obj.data.vertices)} vertices and {len(points)} when posed; a modifier "
            "that changes their number stands among those that pose it: move it down"
        )
    return points


def _pinned(obj):
    name = obj.pliant.pins
    if not name:
        return np.empty(0, dtype=np.int64)
    group = obj.vertex_groups.get(name)
    if group is None:
        known = ", ".join(g.name for g in obj.vertex_groups) or "none"
        raise Failure(f"{obj.name} has no vertex group {name!r} to pin; it has: {known}")
    held = [
        v.index
        for v in obj.data.vertices
        if any(g.group == group.index and g.weight >= 0.5 for g in v.groups)
    ]
    if not held:
        raise Failure(
            f"No vertex has a weight of 0.5 or more in {name!r}; paint it, or empty Pin group"
        )
    if len(held) == len(obj.data.vertices):
        raise Failure(f"All vertices are pinned by {name!r}; nothing can move")
    return np.array(held, dtype=np.int64)
