"""What of objects is where over time: world matrices and posed points, as Blender evaluates them."""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import numpy as np

from . import curves, stack
from .failure import Failure

#: What moves by less than this share of the size between two samples stands still.
STILL = 1e-6


@dataclass
class Track:
    """One object over time."""

    matrices: list = field(default_factory=list)  # (4, 4) each
    points: list = field(default_factory=list)  # (n, 3) each, in the object's own coordinates

    def as_arrays(self):
        """Matrices (k, 4, 4) and points (k, n, 3)."""
        return np.array(self.matrices), np.array(self.points)


def follow(context, posed, shown, frames):
    """Tracks of objects at frames, which may lie between whole ones: {object name: Track}.

    posed: objects that are baked, as their modifiers pose them. shown: others, with all modifiers.
    """
    scene, tracks = context.scene, {obj.name: Track() for obj in (*posed, *shown)}
    now = scene.frame_current, scene.frame_subframe
    with ExitStack() as inside:
        for obj in posed:
            inside.enter_context(_unhidden(obj))
            inside.enter_context(stack.OnlyPosing(obj))
        try:
            for frame in frames:
                whole = int(np.floor(frame))
                scene.frame_set(whole, subframe=frame - whole)
                graph = context.evaluated_depsgraph_get()
                for obj in (*posed, *shown):
                    _look(obj, obj.evaluated_get(graph), tracks[obj.name])
        finally:
            scene.frame_set(now[0], subframe=now[1])
    for obj in (*posed, *shown):
        _require_same(obj, tracks[obj.name], posed=obj in posed)
    return tracks


def moving(points):
    """Whether points (k, n, 3) are elsewhere than a sample before, (k,); the first are not."""
    least = STILL * max(np.ptp(points[0], axis=0).max(), 1e-30)
    steps = np.abs(np.diff(points, axis=0)).max(axis=(1, 2)) > least
    return np.concatenate([[False], steps])


def coordinates(points, name="co"):
    """Of a collection of vertices, shape key points or control points, (n, 3)."""
    flat = np.empty(3 * len(points), dtype=np.float32)
    points.foreach_get(name, flat)
    return flat.reshape(-1, 3).astype(np.float64)


def count(obj):
    """How many vertices an object has, or control points and handles."""
    return len(curves.points(obj.data)) if obj.type == "CURVE" else len(obj.data.vertices)


def _look(obj, evaluated, track):
    track.matrices.append(np.array(evaluated.matrix_world))
    if obj.type == "CURVE":  # what its modifiers do is not told by Blender
        track.points.append(curves.points(obj.data))
        return
    mesh = evaluated.to_mesh()
    track.points.append(coordinates(mesh.vertices))
    evaluated.to_mesh_clear()


def _require_same(obj, track, *, posed):
    counts = {len(points) for points in track.points}
    own = count(obj)
    if posed and counts != {own}:
        odd = next(c for c in counts if c != own)
        raise Failure(
            f"{obj.name} has {own} vertices and {odd} when posed; a modifier that changes their "
            "number stands among those that pose it: move it down"
        )
    if len(counts) > 1:
        raise Failure(
            f"{obj.name} has {min(counts)} to {max(counts)} vertices over time, and is in the way of "
            "the bake; apply the modifier that changes their number, or take its Collision off"
        )


@contextmanager
def _unhidden(obj):
    """Blender does not pose what is hidden, as the original is after a bake into shape keys."""
    hidden = obj.hide_get()
    obj.hide_set(False)
    try:
        yield
    finally:
        obj.hide_set(hidden)
