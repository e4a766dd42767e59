"""The folder of a bake: what pliant reads, and what it wrote."""

import functools
import os
import re
import shutil
import tempfile
import uuid
from pathlib import Path

import bpy

from . import point_cache, scene_file
from .failure import Failure
from .shape import BEFORE

#: What of a bake is kept; other files are of no use to anyone once it is done.
KEPT = (".toml", ".obj", ".vtk", ".npz", ".pc2", ".mdd", ".usdc", ".abc")


def home(obj):
    """The folder that an object's bake is kept in: beside the .blend, or temporary if that is new."""
    name = re.sub(r"[^\w.-]+", "_", obj.name_full)
    if not name.strip("."):  # of "..", the last bake would be the folder above
        name = "_" * len(name)
    blend = Path(bpy.data.filepath) if bpy.data.filepath else None
    if blend is None:
        return Path(bpy.app.tempdir or _own_folder()) / "pliant" / name
    return blend.parent / f"{blend.stem}_pliant" / name


@functools.cache
def _own_folder():
    """A temporary folder that nobody else may look into, if Blender has none."""
    return tempfile.mkdtemp(prefix="pliant-")


def write(gathered, target):
    """Write the scene that pliant runs into a new folder beside `target`, and return that folder."""
    text = scene_file.text(gathered, {})
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = target.parent / f"{target.name}.baking-{uuid.uuid4().hex[:8]}"
        folder.mkdir()
        for name, shape in zip(gathered.names, gathered.shapes, strict=True):
            _write_body(folder, name, shape)
        for i, thing in enumerate(gathered.in_the_way):
            _write_obj(folder / f"obstacle{i}.obj", thing.poses[0], thing.triangles)
            if len(thing.poses) > 1:
                point_cache.write(folder / f"obstacle{i}.pc2", thing.poses)
        (folder / "scene.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"Cannot write the bake into {target.parent}: {error.strerror}") from None
    return folder


def keep(folder, target):
    """Put a finished bake in the place of the last one, without what is of no use to anyone."""
    try:
        for file in folder.iterdir():
            if file.suffix not in KEPT or file.name.endswith("_0000.obj"):
                shutil.rmtree(file) if file.is_dir() else file.unlink()
        if target.exists():
            shutil.rmtree(target)
        os.replace(folder, target)
    except OSError as error:
        raise Failure(f"Cannot put the bake into {target}: {error.strerror}") from None


def _write_body(folder, name, shape):
    if shape.kind == "ROD":
        _write_lines(folder / f"{name}.vtk", shape.rest, shape.faces)
    else:
        _write_obj(folder / f"{name}.obj", shape.rest, shape.faces)
    if shape.follows:
        point_cache.write(folder / f"{name}.start.pc2", shape.poses[BEFORE - shape.before :])
    elif shape.kind != "ROD" and (shape.start != shape.rest).any():
        _write_obj(folder / f"{name}.start.obj", shape.start, shape.faces)


def _write_obj(path, points, corners):
    with path.open("w", encoding="ascii") as file:
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
        file.writelines(f"f {a} {b} {c}\n" for a, b, c in (corners + 1).tolist())


def _write_lines(path, points, lines):
    with path.open("w", encoding="ascii") as file:
        file.write("# vtk DataFile Version 3.0\nrod\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {len(points)} double\n")
        file.writelines(f"{x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
        file.write(f"CELLS {len(lines)} {3 * len(lines)}\n")
        file.writelines(f"2 {a} {b}\n" for a, b in lines.tolist())
        file.write(f"CELL_TYPES {len(lines)}\n" + "3\n" * len(lines))
