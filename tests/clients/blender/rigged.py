"""Inside Blender: an arm with bones, moved and exported as a user would, and where all of it is."""

import math

import bpy
import mathutils

FRAMES = 13
#: Name, where it begins and ends along z [m], and what it hangs on.
BONES = [("root", 0.0, 1.0, None), ("upper", 1.0, 2.5, "root"), ("lower", 2.5, 4.0, "upper")]


def work(given):
    """Export to `folder`; the armature is `moved` or at the origin. Returns points and joints."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, FRAMES
    mesh, rig = _mesh(), _armature()
    mesh.select_set(True)
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    if given["moved"]:
        rig.location, rig.rotation_euler, rig.scale = (1, 2, 3), (0.2, 0.4, -0.7), (0.5, 0.5, 0.5)
    _animate(rig)
    found = {"rest": None, "frames": []}
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        found["frames"].append(_seen(mesh, rig))
    scene.frame_set(1)
    rig.data.pose_position = "REST"
    found["rest"] = _seen(mesh, rig)
    rig.data.pose_position = "POSE"
    _export(given["folder"], mesh, rig)
    return found


def _mesh():
    bpy.ops.mesh.primitive_cylinder_add(vertices=12, radius=0.3, depth=4, location=(0, 0, 2))
    mesh = bpy.context.object
    mesh.name = "arm"
    bpy.ops.object.mode_set(mode="EDIT")
    for k in range(1, 16):
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.mesh.bisect(plane_co=(0, 0, 0.25 * k), plane_no=(0, 0, 1))
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    return mesh


def _armature():
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    rig.name = "rig"
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for bone in list(bones):
        bones.remove(bone)
    for name, begin, end, parent in BONES:
        bone = bones.new(name)
        bone.head, bone.tail, bone.roll = (0, 0, begin), (0, 0, end), 0.3
        if parent:
            bone.parent, bone.use_connect = bones[parent], True
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def _animate(rig):
    root, upper, lower = (rig.pose.bones[row[0]] for row in BONES)
    upper.rotation_mode = "XYZ"
    for frame in (1, (1 + FRAMES) // 2, FRAMES):
        s = math.sin(math.pi * (frame - 1) / (FRAMES - 1))
        upper.rotation_euler = (0.9 * s, 0.0, 0.35 * s)
        lower.rotation_quaternion = mathutils.Euler((1.2 * s, 0.5 * s, 0.0)).to_quaternion()
        root.location = (0.3 * s, 0.2 * s, 0.0)
        upper.keyframe_insert("rotation_euler", frame=frame)
        lower.keyframe_insert("rotation_quaternion", frame=frame)
        root.keyframe_insert("location", frame=frame)


def _seen(mesh, rig):
    """Points and bones in the world."""
    final = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bones = [rig.pose.bones[row[0]] for row in BONES]
    place = rig.matrix_world
    return {
        "points": [list(final.matrix_world @ v.co) for v in final.to_mesh().vertices],
        "joints": [list(place @ bone.head) for bone in bones],
        "tails": [list(place @ bone.tail) for bone in bones],
    }


def _export(folder, mesh, rig):
    bpy.ops.export_scene.gltf(filepath=f"{folder}/arm.glb", export_format="GLB")
    bpy.ops.export_scene.gltf(filepath=f"{folder}/my arm.gltf", export_format="GLTF_SEPARATE")
    bpy.ops.wm.usd_export(filepath=f"{folder}/arm.usdc", export_animation=True)
    bpy.ops.wm.usd_export(
        filepath=f"{folder}/arm_y.usda",
        export_animation=True,
        convert_orientation=True,
        export_global_up_selection="Y",
        export_global_forward_selection="NEGATIVE_Z",
    )
    for one in (rig, mesh):
        bpy.ops.object.select_all(action="DESELECT")
        one.select_set(True)
        bpy.context.view_layer.objects.active = one
        if one is rig:
            bpy.ops.export_anim.bvh(
                filepath=f"{folder}/arm.bvh",
                frame_start=1,
                frame_end=FRAMES,
                root_transform_only=False,
            )
        else:
            bpy.ops.wm.obj_export(filepath=f"{folder}/arm.obj", export_selected_objects=True)
