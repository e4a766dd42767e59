"""How long a step is, how many steps a run has, and which of them are frames."""

from __future__ import annotations

import math
from typing import Any

from pliant.errors import check_size, is_finite, shown

#: The most steps of a run: these take months, even for one triangle.
MOST_STEPS = 1e9
#: The most bounces: each takes at least four steps.
MOST_BOUNCES = int(MOST_STEPS) // 4


def check_dt(who: str, dt: Any, what: str = "dt") -> float:
    """A time step [s] as a float. Refuses what is no positive number."""
    if not (is_finite(dt) and dt > 0.0):
        raise ValueError(f"{who}: got {what}={shown(dt)}; expected {what} > 0 in seconds")
    check_size(who, what, dt, "s")
    return float(dt)


def is_due(at: float, time: float) -> bool:
    """Whether what was to happen at a time [s] has to by now; times of steps are sums."""
    return at <= time + 1e-9 * max(1.0, abs(time))


def steps_and_frames(seconds: float, dt: float, fps: float | None) -> tuple[int, int]:
    """The number of steps of a run, and every how many of them is a frame."""
    seconds, dt = check_dt("run", seconds, "seconds"), check_dt("run", dt)
    if seconds / dt > MOST_STEPS:
        raise ValueError(
            f"run: got seconds={seconds:g} with dt={dt:g}, which are {seconds / dt:.1e} steps; "
            f"expected at most {MOST_STEPS:.0e}"
        )
    steps = max(1, math.ceil(seconds / dt - 1e-6))
    if fps is None:
        return steps, 1
    if not (is_finite(fps) and fps > 0.0):
        raise ValueError(f"run: got fps={shown(fps)}; expected frames per second > 0, or None")
    fps = float(fps)
    every = steps_per_frame(fps, dt)
    if every is None:
        raise ValueError(
            f"run: got fps={fps:g} with dt={dt:g}; expected frames that fall on steps, e.g. "
            f"dt={1.0 / (fps * max(1, round(_ratio(fps, dt)))):.6g}"
        )
    return steps, every


def steps_per_frame(fps: float, dt: float) -> int | None:
    """How many steps a frame has; None if frames do not fall on steps."""
    ratio = _ratio(fps, dt)
    fits = ratio >= 1.0 - 1e-6 and abs(ratio - round(ratio)) <= 1e-6 * ratio
    return round(ratio) if fits else None


def whole_steps(fps: float, dt: float) -> int:
    """The smallest number of steps per frame with steps no longer than dt [s], up to rounding."""
    return max(1, math.ceil(_ratio(fps, dt) - 1e-6))


def _ratio(fps: float, dt: float) -> float:
    """Steps per frame, up to `MOST_STEPS`."""
    return 1.0 / max(fps * dt, 1.0 / MOST_STEPS)
