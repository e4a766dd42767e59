"""Point caches: one file of positions per body, and the OBJ that they move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pliant.take import Take, progress_bar

from .atomic import atomic_write
from .obj import write_skin
from .surfaces import body_paths, points_at, refuse_wild

Head = Callable[["Take", int], bytes]  # of a take and a number of points


def save_caches(take: Take, path: Path, head: Head, number: str) -> list[Path]:
    """Write the head and then every frame's points, as numbers of the NumPy type `number`.

    One body: NAME.pc2 and NAME_0000.obj; several: NAME-BODY.pc2 and NAME-BODY_0000.obj of each.
    NAME.obj is left alone: it may be what the body was made from. Of a body that was cut or has torn it
    is NAME_sewn.obj, since NAME_0000.obj has other points where frames are written as OBJ, too.
    """
    refuse_wild(take)
    written = []
    with progress_bar(len(take) * len(take.tracks), path.name) as advance:
        for track, target in zip(take.tracks, body_paths(take, path), strict=True):
            first = "sewn" if track.several else "0000"
            written += [target, target.with_name(f"{target.stem}_{first}.obj")]
            write_skin(track.skin, track.mesh, track.position_frames[0], written[-1])
            with atomic_write(target) as part, part.open("wb") as file:
                file.write(head(take, len(track.skin.surface.points)))
                for frame in range(len(take)):
                    file.write(points_at(track, frame).astype(number).tobytes())
                    advance()
    return written
