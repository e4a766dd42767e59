"""The table of largest steps, measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .dampings import KINDS, Kind
from .runs import fallen, simulate, sunk
from .search import MOST, Largest, best, case_of, largest, reference

SCENES = ("sneaker", "membrane", "bridge")


@dataclass(frozen=True)
class Found:
    """Of a damping in a scene.

    matched: with the visible damping of all; best: with the best of all strengths tried, and what is
    left then of the fall of the sneaker, of the depth to which membrane or bridge sink, of 1.
    """

    matched: Largest
    best: Largest
    left: float


Table = dict[tuple[str, str], Found]  # by scene and damping


def measure(scenes: Sequence[str] = SCENES, kinds: Sequence[str] = tuple(KINDS)) -> Table:
    """All of it: some minutes."""
    return {(scene, name): found(KINDS[name], scene) for scene in scenes for name in kinds}


def found(kind: Kind, scene: str) -> Found:
    """One damping in one scene."""
    matched = largest(kind, scene, None)
    top = best(kind, scene, matched)
    return Found(matched, top, left(kind, scene, top))


def left(kind: Kind, scene: str, top: Largest) -> float:
    """Of the response, with nine tenths of the largest step."""
    if not top.ratio:
        return np.nan
    case, dt = case_of(scene), 0.9 * top.ratio * case_of(scene).limit
    run = simulate(case, kind.of_strength(case, top.strength, dt), dt)
    return fallen(case, run) if scene == "sneaker" else sunk(run, reference(scene))


def over(ratio: float) -> str:
    """A step over the undamped limit."""
    return "none" if not ratio else f"≥ {MOST:.0f}" if ratio >= MOST else f"{ratio:.2f}"
