"""What an object remembers of its wish; saved in the .blend."""

import bpy

#: Young's modulus [Pa] of things one knows.
STIFFNESS = {
    "JELLY": ("Jelly", "5 kPa: wobbles and sags a lot", 5e3),
    "SPONGE": ("Sponge", "50 kPa: foam, soft tissue", 5e4),
    "SILICONE": ("Soft silicone", "0.5 MPa", 5e5),
    "RUBBER": ("Rubber", "5 MPa: an eraser, a tyre", 5e6),
    "PLASTIC": ("Soft plastic", "100 MPa: a cutting board", 1e8),
}


def _choose_stiffness(settings, _context):
    if settings.preset in STIFFNESS:
        settings.young = STIFFNESS[settings.preset][2]


def _presets():
    known = [(key, name, about) for key, (name, about, _) in STIFFNESS.items()]
    return [*known, ("OWN", "Own value", "Young's modulus as given below")]


def _keep_preset(settings, _context):
    """A value typed by hand is nobody's preset."""
    names = [
        key for key, (_, _, young) in STIFFNESS.items() if abs(settings.young / young - 1) < 1e-6
    ]
    wanted = names[0] if names else "OWN"
    if settings.preset != wanted:
        settings.preset = wanted


class RestOnCue(bpy.types.PropertyGroup):
    """The wish of one object, and where its bake is."""

    release: bpy.props.IntProperty(
        name="Released",
        description="Frame at which the object is let go; until then modifiers and shape keys move it",
        default=1,
    )
    rest: bpy.props.IntProperty(
        name="At rest",
        description="Frame at which it is at rest: within 1% of its largest distance since release; "
        "with bounces, its envelope is",
        default=49,
    )
    after: bpy.props.IntProperty(
        name="Frames after",
        description="Frames baked beyond the rest, in which the last 1% fades",
        default=12,
        min=0,
        soft_max=250,
    )
    soft: bpy.props.BoolProperty(
        name="Start softly",
        description="Without bounces: pick up speed as a heavy thing does. Off: leave at full speed",
        default=True,
    )
    bounces: bpy.props.IntProperty(
        name="Bounces",
        description="Full swings back and forth until the rest",
        default=2,
        min=0,
        soft_max=12,
        max=200,
    )
    preset: bpy.props.EnumProperty(
        name="Stiffness", items=_presets(), default="SILICONE", update=_choose_stiffness
    )
    young: bpy.props.FloatProperty(
        name="Young's modulus [Pa]",
        description="How hard it is to stretch. It does not change when the object rests",
        default=5e5,
        min=1.0,
        soft_max=1e9,
        precision=0,
        update=_keep_preset,
    )
    poisson: bpy.props.FloatProperty(
        name="Poisson's ratio",
        description="How much it thins when stretched: 0 cork, 0.45 flesh and rubber",
        default=0.45,
        min=0.0,
        max=0.495,
        precision=3,
    )
    density: bpy.props.FloatProperty(
        name="Density [kg/m³]",
        description="Water has 1000. Matters with gravity only",
        default=1000.0,
        min=1e-3,
        soft_max=2e4,
        precision=0,
    )
    gravity: bpy.props.BoolProperty(
        name="Gravity",
        description="On: it sags under the scene's gravity, and falls if nothing is pinned. "
        "Off: the shape it was modelled in is the shape it rests in",
        default=False,
    )
    pins: bpy.props.StringProperty(
        name="Pin group",
        description="Vertices of this group with a weight of 0.5 or more stay where they are at release",
    )
    edge_length: bpy.props.FloatProperty(
        name="Cell size",
        description="Edge length of the simulated cells; 0: a twelfth of the object's largest side. "
        "Half of it takes about ten times as long",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        unit="LENGTH",
        precision=4,
    )
    fill_holes: bpy.props.BoolProperty(
        name="Fill holes",
        description="Close openings for the simulation; the object itself keeps them",
        default=False,
    )
    output: bpy.props.EnumProperty(
        name="Write",
        items=[
            ("CACHE", "Mesh cache", "A PC2 file that a Mesh Cache modifier plays on this object"),
            ("KEYS", "Shape keys", "A copy of the object with one shape key per frame, for export"),
        ],
        default="CACHE",
    )
    # What the last bake left behind, so that it can be replaced or removed.
    baked: bpy.props.StringProperty(options={"HIDDEN"})  # "", "CACHE" or "KEYS"
    modifier: bpy.props.StringProperty(options={"HIDDEN"})
    copy: bpy.props.PointerProperty(type=bpy.types.Object, options={"HIDDEN"})
