"""A cache up to a frame and a take from there on, as one take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pliant import __version__
from pliant.shape import as_take
from pliant.take import Take

if TYPE_CHECKING:
    from .cache import Cache


def continued(cache: Cache, take: Take, last: int, body: Any) -> Take:
    """The frames of a cache before number `last`, then those of a take."""
    if not isinstance(take, Take):
        raise TypeError(
            f"continued: got {type(take).__name__}; expected what scene.run(...) returned"
        )
    track = take[body] if body is not None else take.tracks[0]
    skin, surface = track.skin, cache.faces(cache.frames[last])
    count, points = len(take), len(surface.points)
    if len(skin.surface.points) == points:
        after = [skin.positions(track.positions[k]) for k in range(count)]
    elif track.positions.shape[1] == points:
        after = [np.asarray(track.positions[k]) for k in range(count)]
    else:
        raise ValueError(
            f"continued: got a body that shows {len(skin.surface.points)} points, and a cache of "
            f"{points}; expected a take of what cache.start(...) placed"
        )
    missing = cache.positions[last] - after[0]
    times = np.asarray(take.times) - take.times[0]
    over = min(track.asked.get("rest_in") or times[-1], times[-1]) if count > 1 else 1.0
    left = np.clip(1.0 - times / over, 0.0, 1.0)
    fading = left * left * (3.0 - 2.0 * left)
    shapes = [x + share * missing for x, share in zip(after, fading, strict=True)]
    every = [*cache.positions[:last], *shapes]
    at = np.concatenate([cache.times[:last], cache.times[last] + times])
    about: dict[str, Any] = {"pliant": __version__, "cache": cache.name, "from": int(last)}
    return as_take(surface, at, every, name=cache.name, about=about)
