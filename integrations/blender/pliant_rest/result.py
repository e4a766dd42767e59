"""What a bake leaves in the scene: put there, and taken away."""

import numpy as np

from . import export, job, play_cache, play_keys, point_cache, samples
from .failure import Failure


def place(objs, gathered, folder, target):
    """Put the finished bake of a folder on objects, in the place of the last one."""
    moved = {}
    several = len(gathered.shapes) > 1
    for i, (obj, name, shape) in enumerate(zip(objs, gathered.names, gathered.shapes, strict=True)):
        written = f"cache-{name}.pc2" if several else "cache.pc2"
        found = _nodes(folder, i) if shape.kind == "ROD" else point_cache.read(folder / written)
        positions = gathered.space.back(found, shape.matrices[: len(found)])
        _require_same(obj, positions)
        suffix = ".mdd" if obj.pliant.output == "MDD" else ".pc2"
        file = (folder / written).with_suffix(suffix)
        point_cache.write(file, positions, gathered.each)
        moved[obj.name] = file.name, positions
    job.keep(folder, target)  # first, because it can fail
    for obj in objs:
        name, positions = moved[obj.name]
        keys = obj.pliant.output == "KEYS"
        remove(obj, kind=None if keys else "KEYS")
        if keys:
            play_keys.put_beside(obj, positions, gathered.frames)
        else:
            play_cache.put_on(obj, target / name, gathered)
        obj.pliant.count = positions.shape[1]
    for obj in objs:
        if obj.pliant.output in export.KINDS:
            export.write(obj, target, gathered.frames)


def remove(obj, kind=None):
    """Take away what the last bake left in the scene; its files stay. kind: only if it is that."""
    wish = obj.pliant
    if kind not in (None, wish.baked):
        return
    if wish.baked == "CACHE":
        play_cache.take_off(obj)
    elif wish.baked == "KEYS":
        play_keys.take_away(obj)
    wish.baked, wish.told, wish.count = "", "", 0


def edited(obj):
    """Whether the object has other vertices than its bake: Blender would not play it."""
    return obj.pliant.baked == "CACHE" and obj.pliant.count not in (0, samples.count(obj))


def _nodes(folder, i):
    """The centreline of a rod: three points around each node, whose mean it is, (frames, n, 3)."""
    with np.load(folder / "take.npz") as take:
        x = take[f"body{i}/positions"]
    return x.reshape(len(x), -1, 3, 3).mean(axis=2)


def _require_same(obj, positions):
    if positions.shape[1] != samples.count(obj):
        raise Failure(
            f"{obj.name} has {samples.count(obj)} vertices and the bake {positions.shape[1]}; "
            "it was edited meanwhile: bake again"
        )
