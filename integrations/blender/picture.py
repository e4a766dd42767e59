"""Makes the picture of docs/blender.md, in Blender's Python: `python picture.py PYTHON blender.png`.

PYTHON is one that has pliant.
"""

import math
import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
#: Frame and what is written below it.
FRAMES = {5: "5: released", 10: "10", 14: "14", 23: "23", 41: "41: at rest"}


def main(python, out):
    """Twist a monkey, bake it, render some frames."""
    enable(python)
    monkey()
    assert bpy.ops.pliant.bake() == {"FINISHED"}
    compose(stage(), FRAMES, out)


def enable(python):
    """A new file with the add-on switched on."""
    import addon_utils  # Blender's, so there only after bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("pliant_rest", default_set=True)
    bpy.context.preferences.addons["pliant_rest"].preferences.python = python


def compose(label, frames, out):
    """Render frames side by side, each with its text."""
    scene, pictures = bpy.context.scene, []
    for frame, text in frames.items():
        label.body = text
        scene.frame_set(frame)
        scene.render.filepath = str(Path(bpy.app.tempdir) / f"{frame}.png")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pictures.append(np.array(image.pixels).reshape(image.size[1], image.size[0], 4))
    row = np.concatenate(pictures, axis=1)
    image = bpy.data.images.new("row", row.shape[1], row.shape[0])
    image.pixels = row.ravel()
    image.filepath_raw, image.file_format = out, "PNG"
    image.save()


def monkey():
    """Suzanne, twisted and drawn out by modifiers until she is released at frame 5."""
    bpy.ops.mesh.primitive_monkey_add(rotation=(math.radians(-12), 0, math.radians(12)))
    obj = bpy.context.object
    twist = obj.modifiers.new("Twist", "SIMPLE_DEFORM")
    twist.deform_method, twist.deform_axis, twist.angle = "TWIST", "Z", math.radians(80)
    draw = obj.modifiers.new("Draw out", "SIMPLE_DEFORM")
    draw.deform_method, draw.deform_axis, draw.factor = "STRETCH", "Z", 0.5
    obj.modifiers.new("Subdivision", "SUBSURF").render_levels = 2
    obj.data.polygons.foreach_set("use_smooth", [True] * len(obj.data.polygons))
    material = bpy.data.materials.new("jelly")
    surface = material.node_tree.nodes["Principled BSDF"].inputs
    surface["Base Color"].default_value = (0.8, 0.16, 0.03, 1)
    surface["Roughness"].default_value = 0.35
    obj.data.materials.append(material)
    wish = obj.pliant
    wish.release, wish.rest, wish.bounces, wish.fill_holes = 5, 41, 2, True


def stage():
    """A camera, a light, a grey world, and a line of text, which is returned."""
    scene = bpy.context.scene
    bpy.ops.object.camera_add(location=(0, -5.6, 0.05), rotation=(math.radians(87), 0, 0))
    scene.camera = bpy.context.object
    bpy.ops.object.light_add(type="AREA", location=(3, -4, 5), rotation=(0.7, 0.4, 0))
    bpy.context.object.data.energy, bpy.context.object.data.size = 260, 2
    scene.world = bpy.data.worlds.new("world")
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.32, 0.36, 0.42, 1)
    scene.view_settings.view_transform = "Standard"
    scene.render.engine, scene.cycles.samples = "CYCLES", 48
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 280, 300
    bpy.ops.object.text_add(location=(0, 0, -1.75), rotation=(math.radians(90), 0, 0))
    label = bpy.context.object.data
    label.align_x, label.size = "CENTER", 0.26
    ink = bpy.data.materials.new("ink")
    ink.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0, 0, 0, 1)
    label.materials.append(ink)
    return label


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
