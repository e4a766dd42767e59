"""What an object remembers of its wish; saved in the .blend."""

import bpy

from . import matter

KINDS = [
    ("AUTO", "By its shape", "Closed: a solid. Open: cloth if it is silk or cotton, else a shell"),
    ("SOLID", "Solid", "Filled with cells"),
    ("CLOTH", "Cloth", "A woven sheet: stretches little, folds easily, remembers no bend"),
    ("SHELL", "Shell", "A sheet with a thickness, which keeps the form it was modelled in"),
]


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
        "with bounces, its envelope is. Key it, with Bounces, to change the wish on the way",
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
    follow_through: bpy.props.BoolProperty(
        name="Follow through",
        description="Let it go as fast as its pose was. Off: it starts from standing",
        default=True,
    )
    pull: bpy.props.FloatProperty(
        name="Motion pulls",
        description="How far what is free lags behind its pins where these speed up: 1 as its own "
        "weight would in that time, 0 not at all",
        default=1.0,
        min=0.0,
        soft_max=3.0,
    )
    touches: bpy.props.BoolProperty(
        name="Collides",
        description="Objects of the scene that have Collision are in its way, moving ones too",
        default=True,
    )
    kind: bpy.props.EnumProperty(name="Kind", items=KINDS, default="AUTO")
    preset: bpy.props.EnumProperty(
        name="Made of", items=matter.items(), default="SILICONE", update=matter.choose
    )
    young: bpy.props.FloatProperty(
        name="Young's modulus [Pa]",
        description="How hard it is to stretch. It does not change when the object rests",
        default=5e5,
        min=1.0,
        soft_max=1e9,
        precision=0,
        update=matter.keep,
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
    thickness: bpy.props.FloatProperty(
        name="Thickness",
        description="Of a shell or a curve. A solid has its own, and cloth its stiffness against bends",
        default=0.002,
        min=0.0,
        soft_max=1.0,
        unit="LENGTH",
        precision=4,
    )
    stretch: bpy.props.FloatProperty(
        name="Stretch [N/m]",
        description="How hard cloth is to stretch along its threads",
        default=3000.0,
        min=1e-3,
        soft_max=1e5,
        precision=0,
        update=matter.keep,
    )
    shear: bpy.props.FloatProperty(
        name="Shear [N/m]",
        description="How hard the angle between its threads is to change",
        default=300.0,
        min=0.0,
        soft_max=1e5,
        precision=0,
        update=matter.keep,
    )
    bend: bpy.props.FloatProperty(
        name="Bend [N m]",
        description="How hard cloth is to bend: silk 5e-6, cotton 5e-5, felt 1e-3",
        default=5e-5,
        min=0.0,
        soft_max=1.0,
        precision=6,
        update=matter.keep,
    )
    weight: bpy.props.FloatProperty(
        name="Weight [kg/m²]",
        description="Of cloth: silk 0.1, denim 0.4",
        default=0.2,
        min=1e-4,
        soft_max=10.0,
        precision=3,
        update=matter.keep,
    )
    gravity: bpy.props.BoolProperty(
        name="Gravity",
        description="On: it sags under the scene's gravity, and falls if nothing is pinned. "
        "Off: the shape it was modelled in is the shape it rests in",
        default=False,
    )
    pins: bpy.props.StringProperty(
        name="Pin group",
        description="Vertices of this group with a weight of 0.5 or more go on as armature, parents, "
        "shape keys and keyframes move them; the rest of the object follows",
    )
    hold_roots: bpy.props.BoolProperty(
        name="Hold the roots",
        description="The first point of every open spline goes on as parents and keyframes move it",
        default=True,
    )
    rest_group: bpy.props.StringProperty(
        name="Rest group",
        description="Painted times: what has a weight of 1 rests at the frame above, less weight rests "
        "sooner, in that share of the time (a tenth at least)",
    )
    edge_length: bpy.props.FloatProperty(
        name="Cell size",
        description="Edge length of the simulated cells; 0: a twelfth of the object's largest side. "
        "Half of it takes about ten times as long. Sheets and curves keep their own cells",
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
    samples: bpy.props.IntProperty(
        name="Samples per frame",
        description="How often the bake is written in each frame: more for fast turns and motion blur",
        default=1,
        min=1,
        max=16,
    )
    output: bpy.props.EnumProperty(
        name="Write",
        items=[
            ("CACHE", "Mesh cache", "A PC2 file that a Mesh Cache modifier plays on this object"),
            ("MDD", "Mesh cache, MDD", "The same as an MDD file, which other programs read, too"),
            ("KEYS", "Shape keys", "A copy of the object with one shape key per frame, for export"),
            ("USD", "USD file", "The mesh cache, and a .usdc of the moving object beside it"),
            ("ABC", "Alembic file", "The mesh cache, and an .abc of the moving object beside it"),
        ],
        default="CACHE",
    )
    # What the last bake left behind, so that it can be replaced or removed.
    baked: bpy.props.StringProperty(options={"HIDDEN"})  # "", "CACHE" or "KEYS"
    modifier: bpy.props.StringProperty(options={"HIDDEN"})
    copy: bpy.props.PointerProperty(type=bpy.types.Object, options={"HIDDEN"})
    count: bpy.props.IntProperty(options={"HIDDEN"})  # of vertices, when it was baked
    told: bpy.props.StringProperty(options={"HIDDEN"})  # what the last bake met
