"""What every file of moving surfaces needs: a frame rate, names that differ, numbers that are some."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.take import Take, Track

Floats = NDArray[np.float32]
LONGEST_NAME = 100  # bytes of a body's name in the name of a file; file systems take 255 in all
_FILM = 24.0  # frames per second where a take has no time step either


def frame_rate(take: Take) -> float:
    """Frames per second; whole where it is within rounding of a whole number."""
    if len(take) > 1:
        rate = (len(take) - 1) / float(take.times[-1] - take.times[0])
    else:
        rate = 1.0 / take.dt if take.dt > 0.0 else _FILM
    # dt = 1/60 adds up to 59.9999999; clients that store whole rates would cut it to 59.
    return float(round(rate)) if abs(rate - round(rate)) < 1e-6 * rate else rate


def seconds(take: Take) -> NDArray[np.float64]:
    """When each frame is shown, counted from the first [s], (frames,)."""
    return np.asarray(take.times - take.times[0])


def points_at(track: Track, frame: int) -> Floats:
    """The points of the body's surface in one frame [m], (m, 3)."""
    return track.skin.positions(track.position_frames[frame]).astype(np.float32)


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, with _2, _3 ... where one came before, also if only upper and lower case differ."""
    given: set[str] = set()
    answer = []
    for name in names:
        count, unique = 1, name
        while unique.lower() in given:
            count += 1
            unique = f"{name}_{count}"
        given.add(unique.lower())
        answer.append(unique)
    return answer


def body_paths(take: Take, path: Path) -> list[Path]:
    """The file of each body where a file holds one: the path itself, NAME-BODY.suffix of several.

    What a file system may refuse in a name becomes "_", and long names are cut.
    """
    if len(take.tracks) == 1:
        return [path]
    plain = [re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", t.name).strip(" .") for t in take.tracks]
    names = unique_names(
        [name.encode()[:LONGEST_NAME].decode(errors="ignore") or "body" for name in plain]
    )
    return [path.with_name(f"{path.stem}-{name}{path.suffix}") for name in names]


def frame_path(take: Take, path: Path, frame: int) -> Path:
    """The file of a frame where a file holds one: NAME_0000.suffix; the path itself of one frame."""
    digits = max(4, len(str(len(take) - 1)))
    number = f"_{frame:0{digits}}" if len(take) > 1 else ""
    return path.with_name(path.stem + number + path.suffix)


def refuse_wild(take: Take) -> None:
    """Refuse numbers that a file of 32-bit floats cannot hold."""
    largest = np.finfo(np.float32).max
    for track in take.tracks:
        both = {"positions": track.position_frames, "velocities": track.velocity_frames}
        for what, frames in both.items():
            for frame, values in enumerate(frames):
                if not np.abs(values).max(initial=0.0) <= largest:  # so that NaN fails
                    raise ValueError(
                        f"save: the {what} of {track.name!r} in frame {frame} "
                        f"({track.times[frame]:g} s) are not all finite 32-bit numbers; expected a "
                        "take that stayed stable: run it again with a smaller dt, or keep what "
                        'there is with take.save("take.npz")'
                    )
