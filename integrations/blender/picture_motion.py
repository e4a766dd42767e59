"""Makes the second picture of docs/blender.md, as `picture.py` makes the first.

A head with two ears nods to the side; the ears lag behind, swing on, and are still at frame 41.
"""

import sys

import bpy
from picture import compose, enable, stage

FRAMES = {1: "1: released", 5: "5", 9: "9: head stops", 14: "14", 41: "41: still"}


def main(python, out):
    """Bake it, render some frames."""
    enable(python)
    obj = head()
    for frame, turn in ((1, -0.6), (9, 0.6)):
        obj.rotation_euler.y = turn
        obj.keyframe_insert("rotation_euler", frame=frame)
    assert bpy.ops.pliant.bake() == {"FINISHED"}
    compose(stage(), FRAMES, out)


def head():
    """A ball with two long ears; what is below the ears is pinned."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=16, radius=0.6)
    obj = bpy.context.object
    for side in (-0.25, 0.25):
        bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=12, radius=1.0)
        ear = bpy.context.object
        ear.scale, ear.location = (0.16, 0.1, 0.65), (side, 0, 0.95)
        ear.rotation_euler.y = 0.6 * side
    bpy.ops.object.select_all(action="SELECT")
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.join()
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    remesh = obj.modifiers.new("Remesh", "REMESH")
    remesh.mode, remesh.voxel_size = "VOXEL", 0.05
    bpy.ops.object.modifier_apply(modifier=remesh.name)
    obj.data.polygons.foreach_set("use_smooth", [True] * len(obj.data.polygons))
    obj.location.z, obj.scale = -0.7, (1.1, 1.1, 1.1)
    held = [v.index for v in obj.data.vertices if v.co.z < 0.45]
    obj.vertex_groups.new(name="head").add(held, 1.0, "REPLACE")
    material = bpy.data.materials.new("felt")
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"].inputs
    surface["Base Color"].default_value = (0.35, 0.2, 0.5, 1)
    obj.data.materials.append(material)
    wish = obj.pliant
    wish.release, wish.rest, wish.bounces, wish.pins = 1, 41, 2, "head"
    wish.edge_length, wish.pull = 0.12, 2.0
    bpy.context.scene.render.fps = 24
    return obj


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
