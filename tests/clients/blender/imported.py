"""Inside Blender: opens a file as a user would and tells what every frame of it shows."""

from pathlib import Path

import bpy
import numpy as np

CACHES = {".pc2": "PC2", ".mdd": "MDD"}


def work(given):
    """Import `path` into an empty scene of `fps`; `surfaces` are the meshes of point caches."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = given["fps"]
    for path, surface in zip(given["paths"], given["surfaces"] or given["paths"], strict=True):
        _open(Path(path), surface)
    found = {o.name: _shape(o) for o in bpy.data.objects if o.type == "MESH"}
    for frame in range(given["frames"]):
        scene.frame_set(frame)
        for name in found:
            for what, values in _evaluated(bpy.data.objects[name]).items():
                found[name][what].append(values.tolist())
            found[name]["faces"].append(_faces(bpy.data.objects[name]))
    return {
        "fps": scene.render.fps / scene.render.fps_base,
        "range": [scene.frame_start, scene.frame_end],
        "objects": found,
    }


def _open(path, surface):
    suffix = path.suffix.lower()
    if suffix in (".usdc", ".usda", ".usd"):
        bpy.ops.wm.usd_import(filepath=str(path))
    elif suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path))
    else:
        bpy.ops.wm.obj_import(filepath=str(surface))
        if suffix in CACHES:
            modifier = bpy.context.object.modifiers.new("cache", "MESH_CACHE")
            modifier.cache_format = CACHES[suffix]
            modifier.filepath = str(path)


def _shape(thing):
    """What does not move: faces, uv, shape keys and custom properties."""
    mesh = thing.data
    uv = mesh.uv_layers.active
    keys = mesh.shape_keys
    return {
        "sizes": _all(mesh.polygons, "loop_total", 1).astype(int).tolist(),
        "corners": _all(mesh.loops, "vertex_index", 1).astype(int).tolist(),
        "uv": None if uv is None else _all(uv.uv, "vector", 2).tolist(),
        "keys": [] if keys is None else [key.name for key in keys.key_blocks],
        "rest_in": thing.get("rest_in", mesh.get("rest_in")),
        "points": [],
        "velocities": [],
        "normals": [],
        "faces": [],
    }


def _faces(thing):
    """The points of every face, which change where a body is cut."""
    mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    return [list(face.vertices) for face in mesh.polygons]


def _evaluated(thing):
    """Points, velocities and normals of corners in the world, after modifiers and shape keys."""
    final = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = final.to_mesh()
    matrix = np.array(final.matrix_world)
    turn = matrix[:3, :3].T
    found = {"points": _all(mesh.vertices, "co", 3) @ turn + matrix[:3, 3]}
    if mesh.has_custom_normals:
        found["normals"] = _all(mesh.corner_normals, "vector", 3) @ turn
    if "velocity" in mesh.attributes:
        found["velocities"] = _all(mesh.attributes["velocity"].data, "vector", 3) @ turn
    return found


def _all(items, name, width):
    values = np.zeros(len(items) * width)
    items.foreach_get(name, values)
    return values.reshape(-1, width) if width > 1 else values
