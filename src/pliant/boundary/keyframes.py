"""Offsets and turns of an obstacle at a few moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from pliant.declared import Declared
from pliant.errors import shown, usable
from pliant.given import floats, interpolated, rotation


class RigidMotion(NamedTuple):
    """A rigid motion x -> turn x + shift; turn (d, d), shift (d,) [m]."""

    turn: np.ndarray
    shift: np.ndarray

    def of(self, x: np.ndarray) -> np.ndarray:
        """Points (n, d), moved."""
        return np.asarray(x @ self.turn.T + self.shift)


@dataclass(frozen=True, repr=False)
class Keyframes(Declared):
    """Offsets and turns of an obstacle at a few moments; held before the first and after the last.

        door = pl.Keyframes([0, 2], turns=[(0, 0, 0), (0, 90, 0)], about=(1, 0, 0), ease="smooth")
        scene.add(pl.MeshObstacle(surface, path=door))

    times [s], increasing. offsets [m], one for each: how far it is from where it was made. turns
    [degrees], one for each: about x, then y, then z; one number in 2D. about [m]: what it turns about;
    its middle if left out. ease: "linear", or "smooth", which starts and stops softly at every key.
    """

    times: Any
    offsets: Any = None
    turns: Any = None
    about: Any = None
    ease: Literal["linear", "smooth"] = "linear"

    def __post_init__(self) -> None:
        if self.offsets is None and self.turns is None:
            raise ValueError("Keyframes: got neither offsets nor turns; expected one of them")
        if not (isinstance(self.ease, str) and self.ease in ("linear", "smooth")):
            raise ValueError(f'Keyframes: got ease={shown(self.ease)}; expected "linear", "smooth"')
        times = _numbers("times", self.times)
        if times.ndim != 1 or not len(times) or not (np.diff(times) > 0.0).all():
            raise ValueError(
                f"Keyframes: got times={shown(self.times)}; expected seconds, increasing"
            )
        for name in ("offsets", "turns"):
            if getattr(self, name) is not None:
                keys = _numbers(name, getattr(self, name))
                keys = keys[:, None] if keys.ndim == 1 else keys
                if keys.ndim != 2 or len(keys) != len(times):
                    raise ValueError(
                        f"Keyframes: got {name} of shape {keys.shape}; expected one for each of "
                        f"{len(times)} times"
                    )
                object.__setattr__(self, name, keys)
        object.__setattr__(self, "times", times)
        if self.about is not None:
            object.__setattr__(self, "about", _numbers("about", self.about))

    def __repr__(self) -> str:
        return f"<Keyframes of {len(self.times)} times, {self.times[0]:g} to {self.times[-1]:g} s>"

    def require(self, dim: int) -> None:
        """Refuse keys of another dimension."""
        about = dim if self.about is None else len(np.atleast_1d(self.about))
        offsets = dim if self.offsets is None else self.offsets.shape[1]
        turns = 3 if dim == 3 else 1
        found = turns if self.turns is None else self.turns.shape[1]
        if (about, offsets, found) != (dim, dim, turns):
            raise ValueError(
                f"Keyframes: got offsets of {offsets} numbers, turns of {found} and about of {about}; "
                f"expected {dim}, {turns} and {dim}: the obstacle is in {dim}D"
            )

    def pose(self, time: float, middle: np.ndarray) -> RigidMotion:
        """The motion at a time [s] of what has this middle (d,) [m]."""
        dim, smooth = len(middle), self.ease == "smooth"
        about, turn = middle if self.about is None else self.about, np.eye(dim)
        shift = np.zeros(dim)
        if self.offsets is not None:
            shift = interpolated(self.times, self.offsets, time, smooth=smooth)
        if self.turns is not None:
            turn = rotation(tuple(interpolated(self.times, self.turns, time, smooth=smooth)), dim)
        return RigidMotion(turn, shift + about - turn @ about)


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        found: np.ndarray = floats(given)
    except ValueError:
        found = np.full(1, np.nan)
    if not usable(found):
        raise ValueError(f"Keyframes: got {name}={shown(given)}; expected finite numbers")
    return found
