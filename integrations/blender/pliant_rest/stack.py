"""Where in an object's modifiers the bake belongs: after what poses it, before what adds vertices."""

#: Modifiers that keep vertices and their order. Geometry nodes may or may not: not in here.
KEEPS_VERTICES = {
    "ARMATURE", "CAST", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM", "LATTICE", "MESH_DEFORM",
    "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "CORRECTIVE_SMOOTH", "LAPLACIANSMOOTH", "SURFACE_DEFORM",
    "WARP", "WAVE", "CLOTH", "SOFT_BODY", "COLLISION", "SURFACE", "MESH_CACHE", "MESH_SEQUENCE_CACHE",
    "DATA_TRANSFER", "NORMAL_EDIT", "WEIGHTED_NORMAL", "UV_PROJECT", "UV_WARP", "VERTEX_WEIGHT_EDIT",
    "VERTEX_WEIGHT_MIX", "VERTEX_WEIGHT_PROXIMITY", "DYNAMIC_PAINT", "PARTICLE_SYSTEM",
}  # fmt: skip


def own(obj):
    """The modifier of the last bake, or None."""
    found = obj.modifiers.get(obj.pliant.modifier) if obj.pliant.modifier else None
    return found if found is not None and found.type == "MESH_CACHE" else None


def posing(obj):
    """The modifiers that pose the object: the first ones, as long as they keep its vertices."""
    mine, found = own(obj), []
    for modifier in obj.modifiers:
        if modifier == mine:
            continue
        # One that is switched off does nothing, whatever it would do.
        if modifier.type not in KEEPS_VERTICES and (modifier.show_viewport or modifier.show_render):
            break
        found.append(modifier)
    return found


def overlooked(obj):
    """Names of modifiers that would pose the object but stand too late to be simulated."""
    seen = {*(m.name for m in posing(obj)), obj.pliant.modifier}
    return [
        m.name
        for m in obj.modifiers
        if m.name not in seen and m.type in KEEPS_VERTICES and m.show_viewport
    ]


class OnlyPosing:
    """Within this, modifiers other than those that pose the object are switched off."""

    def __init__(self, obj):
        kept = posing(obj)
        self._off = [m for m in obj.modifiers if m.show_viewport and m not in kept]

    def __enter__(self):
        for modifier in self._off:
            modifier.show_viewport = False

    def __exit__(self, *_):
        for modifier in self._off:
            modifier.show_viewport = True
