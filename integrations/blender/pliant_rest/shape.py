"""What of an object is simulated: its shape at rest, where its pose is over time, its pins."""

from dataclasses import dataclass

import numpy as np

from . import curves, samples, stack, surface
from .failure import Failure

#: Poses before the release, from which its velocity is told.
BEFORE = 2


@dataclass(frozen=True)
class Shape:
    """An object in the coordinates of the simulation; frames are those of the scene."""

    obj: object
    kind: str  # "SOLID", "CLOTH", "SHELL" or "ROD"
    rest: np.ndarray  # (n, 3) [m]: as it was modelled, without modifiers
    poses: np.ndarray  # (k, n, 3) [m]: as it is animated; BEFORE of them before the release
    frames: np.ndarray  # of the poses
    faces: np.ndarray  # (t, 3): triangles, or (l, 2) lines of a rod
    pinned: np.ndarray  # (p,): vertices, or control points
    matrices: np.ndarray  # (f, 4, 4): of the frames that are written
    rests: int  # the frame at which it is to rest, as the wish is at the release
    bounces: int
    weights: np.ndarray | None  # (n,): the painted share of the time to rest
    keys: list  # (frame, rest, bounces) of wishes that change on the way
    drifts: bool  # whether it keeps the momentum of its pose

    @property
    def start(self):
        """The pose at the release, (n, 3) [m]."""
        return self.poses[BEFORE]

    @property
    def stops(self):
        """The last frame at which its pose moves, or that of its release."""
        release = self.obj.pliant.release
        late = self.frames[: len(self.poses)][samples.moving(self.poses)]
        return max(late[late > release], default=release)

    @property
    def before(self):
        """How many poses before the release count, since it was moving then."""
        moved = samples.moving(self.poses)[1 : BEFORE + 1].any()
        return BEFORE if moved and self.obj.pliant.follow_through else 0

    @property
    def follows(self):
        """Whether its pose throws it or goes on."""
        return self.before > 0 or self.stops > self.obj.pliant.release


def kind_of(obj):
    """What an object is simulated as; a Failure in words if it cannot be."""
    if obj.type == "CURVE":
        curves.require(obj)
        return "ROD"
    asked = obj.pliant.kind
    if asked != "AUTO":
        return asked
    if obj.pliant.fill_holes or surface.closed(obj):
        return "SOLID"
    return "CLOTH" if obj.pliant.preset in ("SILK", "COTTON") else "SHELL"


def faces_of(obj, kind):
    """Triangles between the vertices of an object, or lines between the control points of a curve."""
    if kind == "ROD":
        return curves.lines(obj)
    return surface.triangles(obj, obj.pliant.fill_holes, closed=kind == "SOLID")


def modelled(obj):
    """The points of an object as it was modelled, in its own coordinates, (n, 3)."""
    if obj.type == "CURVE":
        return curves.points(obj.data)
    keys = obj.data.shape_keys
    return samples.coordinates(keys.reference_key.data if keys else obj.data.vertices)


def require_something_to_do(obj, shape, gravity, touches):
    """Refuse a bake of what would only stand still."""
    moved = np.abs(shape.start - shape.rest).max() > 1e-6 * np.ptp(shape.rest, axis=0).max()
    if moved or gravity.any() or shape.before or touches or shape.stops > obj.pliant.release:
        return
    late = stack.overlooked(obj)
    if late:
        raise Failure(
            f"{', '.join(late)} of {obj.name} cannot be simulated after a modifier that adds "
            "vertices; move it before that one"
        )
    raise Failure(
        f"{obj.name} has nothing to do: at frame {obj.pliant.release} it stands in its modelled shape, "
        "and does not move. Deform it there with a shape key or a modifier, animate what its pins hang "
        "on, or switch Gravity on and pin it"
    )


def pinned(obj):
    """The vertices of the pin group, or the roots of a curve, (p,)."""
    wish = obj.pliant
    if obj.type == "CURVE":
        return curves.roots(obj) if wish.hold_roots else np.empty(0, dtype=np.int64)
    if not wish.pins:
        return np.empty(0, dtype=np.int64)
    weights = group_weights(obj, wish.pins, "to pin")
    held = np.flatnonzero(weights >= 0.5)
    if not len(held):
        raise Failure(
            f"No vertex has a weight of 0.5 or more in {wish.pins!r}; paint it, or empty Pin group"
        )
    if len(held) == len(weights):
        raise Failure(f"All vertices are pinned by {wish.pins!r}; nothing can move")
    return held


def group_weights(obj, name, purpose):
    """The weights of all vertices in a vertex group, (n,); 0 outside of it."""
    group = obj.vertex_groups.get(name)
    if group is None:
        known = ", ".join(g.name for g in obj.vertex_groups) or "none"
        raise Failure(f"{obj.name} has no vertex group {name!r} {purpose}; it has: {known}")
    weights = np.zeros(len(obj.data.vertices))
    for vertex in obj.data.vertices:
        for g in vertex.groups:
            if g.group == group.index:
                weights[vertex.index] = g.weight
    return weights
