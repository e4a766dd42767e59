"""What the panel says of an object before it is baked, in Blender's words."""

from . import result

#: Frames that a bounce needs to be seen, at least.
SEEN = 4


def of(context, obj):
    """Sentences for the panel, the most urgent first."""
    wish, found = obj.pliant, []
    if result.edited(obj):
        found.append("Edited since the bake, which is not played: bake again")
    frames = wish.rest - wish.release
    if frames <= 0:
        found.append("At rest before it is released: choose a later frame")
    elif wish.bounces * SEEN > frames * wish.samples:
        most = frames * wish.samples // SEEN
        found.append(
            f"{wish.bounces} bounces in {frames} frame{'s' * (frames > 1)} are hard to see: "
            f"{most} at most"
        )
    if wish.gravity and not wish.pins and obj.type == "MESH" and not _lands(context, obj):
        found.append("Nothing is pinned: it will fall")
    if wish.gravity and not context.scene.use_gravity:
        found.append("Gravity is off in the scene")
    if any(abs(s - 1.0) > 1e-6 for s in obj.matrix_world.to_scale()):
        found.append("Scaled: sizes are those that the scene shows, nothing to apply")
    if wish.told:
        found.append(wish.told)
    return found


def _lands(context, obj):
    if not obj.pliant.touches:
        return False
    others = (o for o in context.scene.objects if o != obj and o.type == "MESH")
    return any(m.type == "COLLISION" for o in others for m in o.modifiers)
