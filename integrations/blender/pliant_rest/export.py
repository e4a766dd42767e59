"""A bake as a file of its own, written by Blender: USD or Alembic."""

import bpy

#: The kinds of output that are files, and how they end.
KINDS = {"USD": ".usdc", "ABC": ".abc"}


def write(obj, folder, frames):
    """Write one object over the frames of its bake beside its cache; the selection stays."""
    path = folder / f"{bpy.path.clean_name(obj.name)}{KINDS[obj.pliant.output]}"
    layer, scene = bpy.context.view_layer, bpy.context.scene
    selected, active = list(bpy.context.selected_objects), layer.objects.active
    first, last = scene.frame_start, scene.frame_end
    for other in selected:
        other.select_set(False)
    obj.select_set(True)
    scene.frame_start, scene.frame_end = int(frames[0]), int(frames[-1])
    try:
        if obj.pliant.output == "USD":
            bpy.ops.wm.usd_export(
                filepath=str(path), selected_objects_only=True, export_animation=True
            )
        else:
            bpy.ops.wm.alembic_export(
                filepath=str(path),
                selected=True,
                start=int(frames[0]),
                end=int(frames[-1]),
                as_background_job=False,
            )
    finally:
        scene.frame_start, scene.frame_end = first, last
        obj.select_set(False)
        for other in selected:
            other.select_set(True)
        layer.objects.active = active
    return path
