"""What a bake leaves in the scene: put there, and taken away."""

from . import job, play_cache, play_keys, point_cache
from .failure import Failure


def place(obj, folder, metres):
    """Put the finished bake of a folder on the object, in the place of the last one."""
    positions = metres.back(point_cache.read(folder / "cache.pc2"))
    if positions.shape[1] != len(obj.data.vertices):
        raise Failure(
            f"{obj.name} has {len(obj.data.vertices)} vertices and the bake {positions.shape[1]}; "
            "it was edited meanwhile: bake again"
        )
    point_cache.write(folder / "cache.pc2", positions)
    target = job.home(obj)
    job.keep(folder, target)  # first, because it can fail
    remove(obj, kind="KEYS" if obj.pliant.output == "CACHE" else None)
    if obj.pliant.output == "CACHE":
        play_cache.put_on(obj, target / "cache.pc2")
    else:
        play_keys.put_beside(obj, positions)


def remove(obj, kind=None):
    """Take away what the last bake left in the scene; its files stay. kind: only if it is that."""
    wish = obj.pliant
    if kind not in (None, wish.baked):
        return
    if wish.baked == "CACHE":
        play_cache.take_off(obj)
    elif wish.baked == "KEYS":
        play_keys.take_away(obj)
    wish.baked = ""
