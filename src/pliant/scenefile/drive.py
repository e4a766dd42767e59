"""`drive = [{ where = ..., keyframes = ... }]`: points that are led along a path."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from pliant.boundary import Keyframes, usd_matrices, usd_path
from pliant.given import interpolated, rotation

from .fields import Numbers, Quantity, Table, Vector, Vectors, refuse
from .meshes import of_dim
from .selections import Selection
from .source import Here

Times = Annotated[
    tuple[float, ...],
    Numbers(each=Quantity(unit="s"), counts=(), like="[0, 0.5, 1]", increasing=True),
]
TURNS = Numbers("", "degrees", counts=(1, 3), like="[[0, 0, 0], [90, 0, 0]]", lone=True, rows=True)
Path = Callable[[float], np.ndarray]


class KeyframesTable(Table):
    """Offsets and turns at a few moments; held before the first and after the last."""

    times: Times = Field(description="moments of the keys [s], increasing")
    offsets: Vectors | None = Field(None, description="shift from the start at each key [m]")
    turns: Annotated[tuple[tuple[float, ...], ...], TURNS] | None = Field(
        None, description="turn at each key [degrees]: about x, then y, then z; one number in 2D"
    )
    about: Vector | None = Field(
        None, description="what the turns are about [m]; the middle of the points if left out"
    )
    ease: Literal["linear", "smooth"] = Field(
        "linear", description="how to go from key to key; smooth starts and stops softly"
    )

    @model_validator(mode="after")
    def _as_many(self) -> KeyframesTable:
        if self.offsets is None and self.turns is None:
            refuse("offsets or turns, one for each time", got="has neither offsets nor turns")
        for name in ("offsets", "turns"):
            keys = getattr(self, name)
            if keys is not None and len(keys) != len(self.times):
                refuse(f"{len(self.times)}, one for each time", field=name, got=f"has {len(keys)}")
        return self

    def path(self, start: np.ndarray, here: Here) -> Path:
        """Returns a function of time [s] with the positions of points that start there, (k, d)."""
        dim = start.shape[1]
        with here / "offsets":
            offsets = np.array([of_dim(v, dim, "offset") for v in self.offsets or ()])
        with here / "turns":
            for turn in self.turns or ():
                rotation(turn, dim)
        with here / "about":
            middle = 0.5 * (start.min(axis=0) + start.max(axis=0))
            about = middle if self.about is None else of_dim(self.about, dim, "about")
        turns = np.array(self.turns or ())
        between = partial(interpolated, np.array(self.times), smooth=self.ease == "smooth")

        def at(time: float) -> np.ndarray:
            x = start
            if len(turns):
                x = about + (x - about) @ rotation(tuple(between(turns, time)), dim).T
            return x + between(offsets, time) if len(offsets) else x

        return at

    def motion(self, dim: int, here: Here) -> Keyframes:
        """The same for an obstacle."""
        with here / "offsets":
            offsets = [of_dim(v, dim, "offset") for v in self.offsets or ()]
        with here / "about":
            about = None if self.about is None else of_dim(self.about, dim, "about")
        with here:
            turns = None if self.turns is None else np.array(self.turns)
            made = Keyframes(self.times, offsets or None, turns, about, self.ease)
            made.require(dim)
            return made


class Moving(Table):
    """A path of keyframes, or a USD animation."""

    keyframes: KeyframesTable | None = Field(
        None, description="offsets and turns over time [m, degrees]"
    )
    usd: str | None = Field(
        None, description="USD file with an animation, relative to the scene file"
    )
    prim: str | None = Field(
        None,
        description="path of the prim in the USD file: its animated points, else its transform, "
        "lead the points; of an obstacle its transform",
    )

    @model_validator(mode="after")
    def _one_path(self) -> Moving:
        if (self.keyframes is None) == (self.usd is None):
            got = "has both keyframes and usd" if self.usd else "has no path"
            refuse("keyframes = { times, offsets } or usd = FILE with prim = PATH", got=got)
        if (self.usd is None) != (self.prim is None):
            missing = "prim" if self.prim is None else "usd"
            refuse('usd = "anim.usda" together with prim = "/World/Hand"', field=missing,
                   got="is missing")  # fmt: skip
        return self

    def motion(self, dim: int, here: Here) -> Any:
        """The path of an obstacle."""
        if self.keyframes is not None:
            return self.keyframes.motion(dim, here / "keyframes")
        assert self.usd is not None and self.prim is not None
        file = (here / "usd").file(self.usd)
        with here / "prim":
            return usd_matrices(file, self.prim, dim)


class Drive(Moving):
    """Points that follow keyframes or a USD animation."""

    where: Selection = Field(
        description='which points, in the rest shape [m]: "x > 3.99", { box = ... }, { group = ... }'
    )

    def path(self, start: np.ndarray, here: Here) -> Path:
        """Returns a function of time [s] with the positions of points that start there, (k, d)."""
        if self.keyframes is not None:
            return self.keyframes.path(start, here / "keyframes")

        assert self.usd is not None and self.prim is not None
        file = (here / "usd").file(self.usd)
        with here / "prim":
            return usd_path(file, self.prim, start)
