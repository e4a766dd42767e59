"""All that a bake needs to know of the scene, read from Blender at once."""

from dataclasses import dataclass, replace

import numpy as np

from . import obstacles, samples, shape, surface, wishes
from .failure import Failure
from .scene_file import LOOKS, names_of
from .space import Space, require_size

#: A flat sheet of cloth is roughened by this share of its size: it could not tell which way to fold.
ROUGH = 1e-4


@dataclass(frozen=True)
class Gathered:
    """Objects that are baked together, and what is in their way."""

    shapes: list
    in_the_way: list
    space: Space
    gravity: np.ndarray  # (3,) [m/s^2]
    rate: float  # frames per second
    looks: int  # at the pose in each frame
    each: float  # [s] between the samples that are written
    frames: np.ndarray  # those of the scene that are written

    @property
    def names(self):
        """Of the bodies in the scene file."""
        return names_of(self.shapes)

    @property
    def touching(self):
        """Whether bodies touch each other and themselves."""
        return len(self.shapes) > 1 or bool(self.in_the_way)


def gather(context, objs):
    """Read objects as they are from the frame of their release on."""
    scene, release = context.scene, _release(objs)
    kinds = [shape.kind_of(obj) for obj in objs]
    faces = [shape.faces_of(obj, kind) for obj, kind in zip(objs, kinds, strict=True)]
    blocking = obstacles.objects(context, objs) if any(o.pliant.touches for o in objs) else []
    rate = scene.render.fps / scene.render.fps_base
    written = max(obj.pliant.samples for obj in objs)
    looks = written * -(-LOOKS // written)
    last = max(_last(obj) for obj in objs)
    steps = np.arange(-shape.BEFORE, (last - release) * looks + 1)
    frames = release + steps / looks
    tracks = samples.follow(context, objs, blocking, frames)
    matrices = tracks[objs[0].name].matrices[shape.BEFORE]
    unit = scene.unit_settings.scale_length
    space = Space(unit, unit * matrices[:3, 3])
    outside = [_from_release(tracks[obj.name], looks // written) for obj in blocking]
    found = Gathered(
        shapes=[],
        in_the_way=[
            obstacles.in_the_way(context, obj, track, space)
            for obj, track in zip(blocking, outside, strict=True)
        ],
        space=space,
        gravity=_gravity(scene, objs),
        rate=rate,
        looks=looks,
        each=1.0 / (rate * written),
        frames=frames[shape.BEFORE :: looks // written],
    )
    company = len(objs) > 1 or bool(blocking)
    for obj, kind, corners in zip(objs, kinds, faces, strict=True):
        made = _shape(obj, kind, corners, tracks[obj.name], frames, found, company)
        shape.require_something_to_do(obj, made, found.gravity, company)
        found.shapes.append(made)
    return found


def _shape(obj, kind, faces, track, frames, found, company):
    """One object; without pins and company it is carried by its own animation, as it was let go."""
    matrices, points = track.as_arrays()
    held = shape.pinned(obj)
    require_size(obj.name, matrices[shape.BEFORE])
    if not len(held) and not company:
        matrices = np.repeat(matrices[shape.BEFORE : shape.BEFORE + 1], len(matrices), axis=0)
    poses = found.space.to(points, matrices)
    if kind == "CLOTH" and found.gravity.any():
        poses = _roughened(poses, held)
    rest = found.space.to(shape.modelled(obj), matrices[shape.BEFORE])
    if np.linalg.det(matrices[shape.BEFORE][:3, :3]) < 0.0:
        faces = faces[:, ::-1]
    if kind == "SOLID":
        surface.require_volume(obj.name, rest, faces)
    rests, bounces = wishes.first(obj, obj.pliant.release)
    made = shape.Shape(
        obj=obj,
        kind=kind,
        rest=rest,
        poses=poses,
        frames=frames,
        faces=faces,
        pinned=held,
        matrices=matrices[np.isin(frames, found.frames)],
        rests=rests,
        bounces=bounces,
        weights=wishes.painted(obj),
        keys=wishes.keys(obj, found.frames),
        drifts=bool(len(held) or found.gravity.any() or company),
    )
    # Poses after the release only lead pins, and pull with them.
    return made if len(held) else replace(made, poses=poses[: shape.BEFORE + 1])


def _roughened(poses, held):
    """Poses of a sheet, each point off by the same little everywhere if it starts flat."""
    start = poses[shape.BEFORE]
    sizes = np.linalg.svd(start - start.mean(axis=0), compute_uv=False)
    if sizes[-1] > 1e-3 * sizes[0]:
        return poses
    off = np.random.default_rng(0).uniform(-1.0, 1.0, start.shape)
    off[held] = 0.0
    return poses + ROUGH * np.ptp(start, axis=0).max() * off


def _from_release(track, each):
    matrices, points = track.as_arrays()
    return samples.Track(list(matrices[shape.BEFORE :: each]), list(points[shape.BEFORE :: each]))


def _last(obj):
    """The last frame of its bake."""
    ends = wishes.first(obj, obj.pliant.release)[0], obj.pliant.release + 1
    return max(*ends, wishes.latest(obj)) + obj.pliant.after


def _release(objs):
    releases = {obj.pliant.release for obj in objs}
    if len(releases) > 1:
        said = ", ".join(f"{obj.name} at {obj.pliant.release}" for obj in objs)
        raise Failure(f"Objects that are baked together are released at one frame; got {said}")
    return releases.pop()


def _gravity(scene, objs):
    asked = {obj.pliant.gravity for obj in objs}
    if len(asked) > 1:
        said = ", ".join(obj.name for obj in objs if not obj.pliant.gravity)
        raise Failure(
            f"Objects that are baked together have Gravity on or off alike; {said} has not"
        )
    on = asked.pop() and scene.use_gravity
    return np.array(scene.gravity if on else (0.0, 0.0, 0.0), dtype=float)
