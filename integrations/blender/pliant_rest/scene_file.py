"""The scene file of a bake: `pliant run scene.toml` does it again without Blender."""

import json
import math
import re

import numpy as np

from . import matter
from .failure import Failure

#: Steps in one bounce: pliant promises its period from twelve on.
STEPS_PER_BOUNCE = 16
LONGEST_STEP = 1.0 / 48.0  # [s]
#: Steps from release to rest, at least: fewer would show as corners in the motion.
STEPS_TO_REST = 24
#: The share of a bounce, or of the time to rest, over which a sudden stop pulls.
PULLS = 1.0 / 8.0
#: Looks at the pose in each frame, at least: what is seen less often has corners.
LOOKS = 2
#: The least share of the time to rest that a painted weight can ask for.
LEAST_SHARE = 0.1


def names_of(shapes):
    """The names of bodies in the file: those of objects as file names can be, no two alike."""
    found = []
    for shape in shapes:
        plain = re.sub(r"[^\w.-]+", "_", shape.obj.name)[:60].strip(".") or "body"
        name, count = plain, 1
        while name.lower() in (other.lower() for other in found):
            count += 1
            name = f"{plain}_{count}"
        found.append(name)
    return found


def text(gathered, shortened):
    """The text of a scene file; lengths in metres, axes of the world.

    shortened: seconds by body that its time to rest is less, since it touches something only then.
    """
    lines = [
        "# Written by the Blender add-on; pliant run scene.toml does it again.",
        "[run]",
        f"seconds = {number((len(gathered.frames) - 1) * gathered.each)}",
        f"dt = {number(gathered.each / _steps(gathered, shortened))}",
        f"fps = {number(1.0 / gathered.each)}",
        f"gravity = {table(gathered.gravity.tolist())}",
    ]
    for name, shape in zip(gathered.names, gathered.shapes, strict=True):
        lines += ["", *_body(gathered, name, shape, shortened.get(name, 0.0))]
    for i, thing in enumerate(gathered.in_the_way):
        mesh = {"file": f"obstacle{i}.obj"}
        if len(thing.poses) > 1:
            mesh |= {"cache": f"obstacle{i}.pc2", "fps": 1.0 / gathered.each}
        lines += ["", "[[obstacle]]", f"name = {json.dumps(thing.name)}", f"mesh = {table(mesh)}"]
    if not gathered.touching:
        lines += ["", "[contact]", "bodies = false"]
    return "\n".join(lines) + "\n"


def seconds_to_rest(shape, rate):
    """The wish: from when its pose moves for the last time before its rest, or else from its release."""
    wish = shape.obj.pliant
    if shape.rests <= wish.release:
        raise Failure(
            f"At rest at frame {shape.rests} but released at {wish.release}; it must rest later"
        )
    if not wish.release < shape.stops < shape.rests:
        return (shape.rests - wish.release) / rate
    # What stops pulls for one sample more, and for an eighth of a bounce (pl.shape.PoseMotion).
    left = (shape.rests - shape.stops) / rate
    return max(0.5 * left, (left - 1.0 / (rate * LOOKS)) / (1.0 + PULLS / max(shape.bounces, 1)))


def _body(gathered, name, shape, shortened):
    wish, rate = shape.obj.pliant, gathered.rate
    mesh = {"file": f"{name}.vtk" if shape.kind == "ROD" else f"{name}.obj"}
    if shape.kind == "SOLID":
        mesh["edge_length"] = cell_size(shape, gathered.space.unit)
    lines = [f"[body.{json.dumps(name)}]", f"mesh = {table(mesh)}"]
    made = matter.lines(wish, shape.kind, gathered.space.unit)
    lines += [f"{field} = {table(value)}" for field, value in made.items()]
    lines.append(f"settle = {table(_settle(gathered, shape, shortened))}")
    keys = [_key(wish, rate, *key) for key in shape.keys]
    if keys:
        lines.append(f"then = {table(keys)}")
    held = {"points" if shape.kind == "ROD" else "surface": shape.pinned.tolist()}
    if shape.follows:
        follow = {"cache": f"{name}.start.pc2", "fps": rate * gathered.looks}
        follow |= {"first": -shape.before / (rate * gathered.looks)} if shape.before else {}
        follow |= {"where": held} if len(shape.pinned) else {}
        follow |= {"pull": float(wish.pull), "drift": shape.drifts}
        return [*lines, f"follow = {table(follow)}"]
    if (shape.start != shape.rest).any():
        lines.append(f'start = {{ surface = "{name}.start.obj" }}')
    if len(shape.pinned):
        lines.append(f"fix = {table(held)}")
    return lines


def _settle(gathered, shape, shortened):
    wish = shape.obj.pliant
    seconds = seconds_to_rest(shape, gathered.rate) - shortened
    rest_in = seconds
    if shape.weights is not None:
        rest_in = (seconds * np.maximum(shape.weights, LEAST_SHARE)).round(6).tolist()
    settle = {"rest_in": rest_in} | _bounces(shape.bounces, wish.soft)
    if len(shape.pinned) and gathered.gravity.any() and shape.kind != "ROD":
        settle["swing"] = False  # pinned at a point or a line it would swing on past its frame
    return settle


def _bounces(bounces, soft):
    return {"bounces": bounces} if bounces or soft else {}


def _key(wish, rate, frame, rest, bounces):
    settle = {"rest_in": (rest - frame) / rate} | _bounces(bounces, wish.soft)
    return {"at": (frame - wish.release) / rate, "settle": settle}


def _steps(gathered, shortened):
    """Steps in each sample that is written."""
    longest = LONGEST_STEP
    for name, shape in zip(gathered.names, gathered.shapes, strict=True):
        seconds = seconds_to_rest(shape, gathered.rate) - shortened.get(name, 0.0)
        asked = [(seconds, shape.bounces)]
        asked += [((rest - frame) / gathered.rate, n) for frame, rest, n in shape.keys]
        least = 1.0 if shape.weights is None else max(shape.weights.min(), LEAST_SHARE)
        for seconds, bounces in asked:
            most = max(STEPS_TO_REST, STEPS_PER_BOUNCE * bounces)
            longest = min(longest, least * seconds / most)
    return math.ceil(gathered.each / longest - 1e-9)


def cell_size(shape, unit):
    """The asked edge length of the cells [m], or a twelfth of the largest side."""
    asked = shape.obj.pliant.edge_length * unit
    return float(asked if asked > 0.0 else np.ptp(shape.rest, axis=0).max() / 12.0)


def table(value):
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {table(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(table, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (str, int)) else number(value)


def number(value):
    """A number as TOML."""
    return repr(float(value))
