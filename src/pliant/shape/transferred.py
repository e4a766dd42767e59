"""The motion of a take, or of a rig in a file, for another mesh."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pliant.errors import shown
from pliant.given import path_of
from pliant.mesh import Mesh, Surface
from pliant.take import Take, Track

from .rig import SUFFIXES, read_rig
from .takes import as_take
from .transfer import Transfer
from .triangles import Array


def transfer(
    take: Take | str | Path,
    target: Surface | Mesh,
    markers: Sequence[tuple[int, int]] = (),
    *,
    body: str | None = None,
    animation: str | None = None,
) -> Take:
    """The motion of a body of a take for another mesh: see `Transfer`.

    take: such, or its file, or that of a rig with a skin and a motion. target: at rest in the same pose
    as the body's mesh. markers: pairs of points, of the surface that the body shows and of the target.
    body: its name, if there are several; animation: its name, if a rig has several.
    Frames are computed when they are asked for.

        take = pl.shape.transfer("horse.zarr", pl.Surface.read("camel.obj"), [(12, 40), (7, 93)])
    """
    if not isinstance(take, Take):
        file = path_of("transfer", take)
        rigged = file.suffix.lower() in SUFFIXES
        take = read_rig(file, animation=animation).take() if rigged else Take.read(file)
    track = _track(take, body)
    if track.several:
        raise ValueError(
            f"transfer: {track.name!r} is cut in the take, and no other mesh parts where it does; "
            "expected a body that stays whole"
        )
    x = track.mesh.points
    source = Surface(track.skin.positions(x), track.skin.surface.sizes, track.skin.surface.corners)
    give = Transfer(source, target, markers)
    frames = track.position_frames

    def frame(k: int) -> Array:
        return give(track.skin.positions(frames[k]))

    about = {k: v for k, v in take.about.items() if k == "gravity"}
    about["transferred"] = track.name
    return as_take(give.surface, take.times, frame, name=track.name, about=about)


def _track(take: Take, body: str | None) -> Track:
    names = [track.name for track in take.tracks]
    if body is None and len(names) == 1:
        return take.tracks[0]
    if body is None:
        raise ValueError(f"transfer: the take has {', '.join(names)}; expected one of them as body")
    if body not in names:
        raise ValueError(f"transfer: got body={shown(body)}; expected one of {', '.join(names)}")
    return take[body]
