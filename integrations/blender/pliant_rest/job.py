"""The folder of a bake: what pliant reads, and what it wrote."""

import functools
import json
import math
import os
import re
import shutil
import tempfile
import uuid
from pathlib import Path

import bpy

from .failure import Failure
from .shape import cell_size

#: Steps in one bounce: pliant promises its period from twelve on.
STEPS_PER_BOUNCE = 16
LONGEST_STEP = 1.0 / 48.0  # [s]
#: Steps from release to rest, at least: fewer would show as corners in the motion.
STEPS_TO_REST = 24
KEPT = {"scene.toml", "rest.obj", "start.obj", "take.npz", "cache.pc2"}


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


def write(obj, scene, shape):
    """Write the scene that pliant runs into a new folder beside `home`, and return that folder."""
    text, target = scene_text(obj, scene, shape), home(obj)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = target.parent / f"{target.name}.baking-{uuid.uuid4().hex[:8]}"
        folder.mkdir()
        _write_obj(folder / "rest.obj", shape.rest, shape.triangles)
        _write_obj(folder / "start.obj", shape.start, shape.triangles)
        (folder / "scene.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"Cannot write the bake into {target.parent}: {error.strerror}") from None
    return folder


def keep(folder, target):
    """Put a finished bake in the place of the last one, without what is of no use to anyone."""
    try:
        for file in folder.iterdir():
            if file.name not in KEPT:
                file.unlink()
        if target.exists():
            shutil.rmtree(target)
        os.replace(folder, target)
    except OSError as error:
        raise Failure(f"Cannot put the bake into {target}: {error.strerror}") from None


def scene_text(obj, scene, shape):
    """The scene file: lengths in metres, the object's own axes."""
    wish, rate = obj.pliant, scene.render.fps / scene.render.fps_base
    if wish.rest <= wish.release:
        raise Failure(
            f"At rest at frame {wish.rest} but released at {wish.release}; it must rest later"
        )
    rest_in = (wish.rest - wish.release) / rate
    bounces = wish.bounces if wish.bounces or wish.soft else None
    longest = min(LONGEST_STEP, rest_in / max(STEPS_TO_REST, STEPS_PER_BOUNCE * wish.bounces))
    steps = math.ceil(1.0 / (rate * longest) - 1e-9)  # per frame
    settle = {"rest_in": rest_in} | ({} if bounces is None else {"bounces": bounces})
    if len(shape.pinned) and shape.gravity.any():
        settle["swing"] = False  # pinned at a point or a line it would swing on past its frame
    material = {"model": "StableNeoHookean", "young": wish.young, "poisson": wish.poisson}
    lines = [
        "# Written by the Blender add-on; pliant run scene.toml does it again.",
        "[run]",
        f"seconds = {_number((wish.rest - wish.release + wish.after) / rate)}",
        f"dt = {_number(1.0 / (rate * steps))}",
        f"fps = {_number(rate)}",
        f"gravity = {_table(shape.gravity.tolist())}",
        "",
        f"[body.{json.dumps(obj.name)}]",
        f"mesh = {_table({'file': 'rest.obj', 'edge_length': cell_size(obj, scene, shape)})}",
        f"material = {_table(material)}",
        f"density = {_number(wish.density)}",
        f"settle = {_table(settle)}",
    ]
    if (shape.start != shape.rest).any():
        lines.append('start = { surface = "start.obj" }')
    if len(shape.pinned):
        lines.append(f"fix = {_table({'surface': shape.pinned.tolist()})}")
    return "\n".join(lines) + "\n"


def _table(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_table(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_table, value)) + "]"
    return json.dumps(value) if isinstance(value, (str, int)) else _number(value)


def _number(value):
    return repr(float(value))


def _write_obj(path, points, corners):
    with path.open("w", encoding="ascii") as file:
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
        file.writelines(f"f {a} {b} {c}\n" for a, b, c in (corners + 1).tolist())
