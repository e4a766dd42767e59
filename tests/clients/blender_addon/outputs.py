"""A painted and a keyed wish, and every kind of output: MDD, USD, Alembic."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import shown, switch_on, torus


def work(given):
    switch_on(given["python"])
    obj, folder = torus(), Path(given["folder"])
    wish = obj.pliant
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "torus.blend"))
    home, answer = folder / "torus_pliant" / "Torus", {}
    for output in ("MDD", "USD", "ABC"):
        wish.output = output
        assert bpy.ops.pliant.bake() == {"FINISHED"}
        answer[output] = shown(obj, 12)[::40].tolist()
        answer[f"{output} files"] = sorted(p.suffix for p in home.iterdir())
        answer[f"{output} selected"] = [o.name for o in bpy.context.selected_objects]
        if output != "MDD":
            answer[f"{output} back"] = _imported(home, output)
            bpy.context.view_layer.objects.active = obj
            obj.select_set(True)

    wish.output = "CACHE"
    group = obj.vertex_groups.new(name="late")
    for vertex in obj.data.vertices:
        group.add([vertex.index], 1.0 if vertex.co.x > 0 else 0.3, "REPLACE")
    wish.rest_group, wish.bounces = "late", 0
    assert bpy.ops.pliant.bake() == {"FINISHED"}
    answer["painted"] = (home / "scene.toml").read_text()
    # Keyed: until frame 15 it is to rest late, from then on at frame 29.
    wish.rest_group = ""
    for frame, rest in ((5, 90), (15, 29)):
        wish.rest = rest
        obj.keyframe_insert("pliant.rest", frame=frame)
    from pliant_rest.wishes import curves_of

    for curve in curves_of(obj.animation_data):
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"
    wish.after = 0
    assert bpy.ops.pliant.bake() == {"FINISHED"}
    answer["keyed"] = (home / "scene.toml").read_text()
    last = shown(obj, 90)
    away = [float(np.linalg.norm(shown(obj, f) - last, axis=1).mean()) for f in (5, 15, 29)]
    answer["away"] = away
    return answer


def _imported(home, output):
    """What the file that Blender wrote shows at frame 12 when it is opened, and take it off again."""
    known = set(bpy.data.objects)
    file = str(next(home.glob("*.usdc" if output == "USD" else "*.abc")))
    if output == "USD":
        bpy.ops.wm.usd_import(filepath=file)
    else:
        bpy.ops.wm.alembic_import(filepath=file, as_background_job=False)
    new = [o for o in bpy.data.objects if o not in known]
    mesh = next(o for o in new if o.type == "MESH")
    bpy.context.scene.frame_set(12)
    found = len(mesh.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices)
    for o in new:
        bpy.data.objects.remove(o)
    return found
