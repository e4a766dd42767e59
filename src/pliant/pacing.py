"""How many steps a run has, and which of them are frames."""

from __future__ import annotations

import math

from pliant.errors import is_finite


def steps_and_frames(seconds: float, dt: float, fps: float | None) -> tuple[int, int]:
    """The number of steps of a run, and every how many of them is a frame."""
    for name, value in (("seconds", seconds), ("dt", dt)):
        if not (is_finite(value) and value > 0.0):
            raise ValueError(f"run: got {name}={value!r}; expected {name} > 0 in seconds")
    steps = max(1, math.ceil(seconds / dt - 1e-6))
    if fps is None:
        return steps, 1
    if not (is_finite(fps) and fps > 0.0):
        raise ValueError(f"run: got fps={fps!r}; expected frames per second > 0, or None")
    every = 1.0 / (fps * dt)
    if every < 1.0 - 1e-6 or abs(every - round(every)) > 1e-6 * every:
        raise ValueError(
            f"run: got fps={fps} with dt={dt:g}; expected frames that fall on steps, e.g. "
            f"dt={1.0 / (fps * max(1, round(every))):.6g}"
        )
    return steps, round(every)
