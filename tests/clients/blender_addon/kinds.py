"""Fifteen kinds of objects of Blender, each baked or refused; the table of docs/blender.md."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import fails, switch_on

REST = 33


def work(given):
    """Bakes each of the `kinds`; returns what it became, or what was said."""
    answer = {}
    for kind in given["kinds"]:
        switch_on(given["python"])
        bpy.context.scene.render.fps = 24
        globals()[kind]()
        obj = bpy.context.object
        bpy.ops.wm.save_as_mainfile(filepath=f"{given['folder']}/{kind}.blend")
        if not bpy.ops.pliant.bake.poll():
            answer[kind] = {"refused": _why(obj)}
            continue
        wish = obj.pliant
        wish.release, wish.rest, wish.bounces, wish.after = 1, REST, 0, 2
        said = fails(lambda: _must(bpy.ops.pliant.bake()))
        answer[kind] = {"refused": said} if said else _seen(obj, f"{given['folder']}/{kind}_pliant")
    return answer


def closed_mesh():
    bpy.ops.mesh.primitive_torus_add(major_segments=16, minor_segments=8)
    _stretch(bpy.context.object)


def open_mesh():
    bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=8)
    obj = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.bisect(plane_co=(0, 0, 0.2), plane_no=(0, 0, 1), clear_outer=True)
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.pliant.preset, obj.pliant.thickness = "RUBBER", 0.05
    _stretch(obj)


def plane():
    """Cotton that hangs from one side."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, size=1)
    obj = bpy.context.object
    obj.rotation_euler.x = math.radians(60)
    held = [v.index for v in obj.data.vertices if v.co.y > 0.49]
    obj.vertex_groups.new(name="top").add(held, 1.0, "REPLACE")
    obj.pliant.preset, obj.pliant.gravity, obj.pliant.pins = "COTTON", True, "top"


def mesh_with_holes():
    bpy.ops.mesh.primitive_monkey_add()
    bpy.context.object.pliant.fill_holes = True
    bpy.context.object.pliant.edge_length = 0.4
    _stretch(bpy.context.object)


def shape_keys():
    bpy.ops.mesh.primitive_cube_add()
    obj = bpy.context.object
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="wide")
    for point in key.data:
        point.co.x *= 1.3
    key.value = 1.0


def armature():
    """A bar that a bone holds by its middle and bends."""
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0))
    obj = bpy.context.object
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    weights = obj.vertex_groups.new(name="Bone")
    weights.add([v.index for v in obj.data.vertices if v.co.z > 0], 1.0, "REPLACE")
    rig.pose.bones[0].scale = (1.3, 1.3, 1.3)
    obj.vertex_groups.new(name="rest").add(range(8), 1.0, "REPLACE")


def lattice():
    bpy.ops.object.add(type="LATTICE")
    cage = bpy.context.object
    for point in cage.data.points:
        point.co_deform.x *= 1.5
    cage.scale = (2, 2, 2)
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.modifiers.new("Lattice", "LATTICE").object = cage


def parented():
    """A child of something scaled and turned, mirrored itself."""
    bpy.ops.object.empty_add(rotation=(0.3, 0.2, 1.0))
    holder = bpy.context.object
    holder.scale = (2, 1, 1)
    bpy.ops.mesh.primitive_cube_add()
    obj = bpy.context.object
    obj.parent, obj.scale = holder, (-0.5, 0.7, 0.5)
    _stretch(obj)


def instanced_mesh():
    """Two objects of one mesh."""
    bpy.ops.mesh.primitive_cube_add()
    first = bpy.context.object
    bpy.ops.object.duplicate_move_linked()
    _bend(first)
    bpy.context.view_layer.objects.active = first


def poly_curve():
    _curve("POLY")


def bezier_curve():
    _curve("BEZIER")


def text():
    bpy.ops.object.text_add()


def metaball():
    bpy.ops.object.metaball_add()


def hair():
    data = bpy.data.hair_curves.new("hair")
    _link(bpy.data.objects.new("hair", data))


def empty():
    bpy.ops.object.empty_add()


KINDS = [
    "closed_mesh", "open_mesh", "plane", "mesh_with_holes", "shape_keys", "armature", "lattice",
    "parented", "instanced_mesh", "poly_curve", "bezier_curve", "text", "metaball", "hair", "empty",
]  # fmt: skip


def _curve(kind):
    """A branch that its weight bends."""
    data = bpy.data.curves.new("branch", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new(kind)
    if kind == "BEZIER":
        spline.bezier_points.add(4)
        for i, point in enumerate(spline.bezier_points):
            point.handle_left_type = point.handle_right_type = "FREE"
            point.co = (0.25 * i, 0, 0.02 * i * i)
            point.handle_left = (0.25 * i - 0.08, 0, 0.02 * i * i - 0.005 * i)
            point.handle_right = (0.25 * i + 0.08, 0, 0.02 * i * i + 0.005 * i)
    else:
        spline.points.add(12)
        for i, point in enumerate(spline.points):
            point.co = (i / 12, 0, 0.2 * (i / 12) ** 2, 1)
    _link(bpy.data.objects.new("branch", data))
    wish = bpy.context.object.pliant
    wish.preset, wish.young, wish.density, wish.thickness = "OWN", 5e7, 1000.0, 0.02
    wish.gravity = True


def _link(obj):
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)


def _stretch(obj):
    modifier = obj.modifiers.new("Stretch", "SIMPLE_DEFORM")
    modifier.deform_method, modifier.factor = "STRETCH", 0.3
    modifier.deform_axis = "Z"


def _bend(obj):
    modifier = obj.modifiers.new("Taper", "SIMPLE_DEFORM")
    modifier.deform_method, modifier.factor = "TAPER", 0.5


def _why(obj):
    """What the button says when it is grey."""
    from pliant_rest.bake import BAKED_NOT

    return BAKED_NOT.get(obj.type, "")


def _must(result):
    assert result == {"FINISHED"}


def _seen(obj, folder):
    """What it became, and how far from its last shape Blender shows it: at first, and at its rest."""
    from pliant_rest import shape

    def points(frame):
        bpy.context.scene.frame_set(frame)
        mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        return np.array([v.co for v in mesh.vertices])

    x = [points(frame) for frame in (1, REST, REST + 2)]
    away = [float(np.sqrt(((y - x[-1]) ** 2).sum(axis=1).mean())) for y in x]
    take = next(Path(folder).glob("*/take.npz"))
    return {"kind": shape.kind_of(obj), "away": away, "take": str(take)}
