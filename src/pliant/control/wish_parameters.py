"""What `Settle` takes, declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from pliant.declared import Described, Flag, Numbers, Quantity
from pliant.given import MOST_BOUNCES, MOST_STEPS

RestInSeconds = Annotated[
    float | Sequence[float] | np.ndarray,
    Quantity(
        "seconds from release to rest",
        "s",
        above=0.0,
        says="seconds > 0, e.g. rest_in=1",
        example=0.4,
    ),
]
BounceCount = Annotated[
    int | None,
    Quantity(
        "full oscillations on the way; 0 none, left out: none and a quick start",
        at_least=0,
        whole=True,
        says="None, 0, 1, 2, ...",
        most=MOST_BOUNCES,
        why=f"a bounce takes 4 steps or more, and a run has at most {MOST_STEPS:.0e}",
    ),
]
WithinShare = Annotated[
    float,
    Quantity(
        "at rest is this share of the largest distance",
        "-",
        above=0.0,
        below=1.0,
        says="a share between 0 and 1, e.g. within=0.01",
    ),
]
BeatSeconds = Annotated[
    Sequence[float] | None,
    Numbers(
        "when each bounce ends, or each hop; instead of bounces",
        "s",
        each=Quantity(above=0.0),
        increasing=True,
        like="[0.4, 0.7, 0.9]",
    ),
]
LawName = Annotated[
    Literal["every-shape", "first-mode"],
    Described("whether the promise is for every start or the slowest mode"),
]
Swings = Annotated[
    bool,
    Flag("whether what hangs by a point or a line swings on; false: it rests too"),
]
Slides = Annotated[
    bool,
    Flag("whether what slides on something goes on as friction lets it; false: it rests too"),
]
