"""Bodies that fall on a moving Collision object, alone and together; keyed and painted wishes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
import numpy as np
from addon import fails, switch_on

REST = 37


def work(given):
    switch_on(given["python"])
    answer = {}
    bpy.ops.mesh.primitive_plane_add(size=6)
    floor = bpy.context.object
    floor.modifiers.new("Collision", "COLLISION")
    for frame, height in ((1, 0.0), (8, 0.3)):
        floor.location.z = height
        floor.keyframe_insert("location", frame=frame)
    low, high = _cube("Low", 0.9), _cube("High/1", 2.1)
    bpy.ops.wm.save_as_mainfile(filepath=f"{given['folder']}/company.blend")
    low.select_set(True)
    floor.select_set(False)
    high.pliant.release = 3
    answer["apart"] = fails(lambda: bpy.ops.pliant.bake(together=True))
    high.pliant.release = 1
    assert bpy.ops.pliant.bake(together=True) == {"FINISHED"}
    answer["lowest"] = [float(_world(low, f)[:, 2].min()) for f in (8, REST)]
    answer["between"] = [
        float(_world(high, f)[:, 2].min() - _world(low, f)[:, 2].max()) for f in range(1, REST)
    ]
    still = [np.abs(_world(o, REST) - _world(o, REST + 2)).max() for o in (low, high)]
    answer["still"] = float(max(still))
    answer["files"] = sorted(p.name for p in Path(given["folder"]).glob("*_pliant/*/*"))
    answer["scene"] = next(Path(given["folder"]).glob("*_pliant/*/scene.toml")).read_text()
    return answer


def _cube(name, height):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, height))
    obj = bpy.context.object
    obj.name = name
    wish = obj.pliant
    wish.release, wish.rest, wish.bounces, wish.after = 1, REST, 0, 2
    wish.gravity, wish.edge_length, wish.young = True, 0.5, 2e5
    return obj


def _world(obj, frame):
    bpy.context.scene.frame_set(frame)
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    matrix = np.array(obj.matrix_world)
    return np.array([v.co for v in mesh.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
