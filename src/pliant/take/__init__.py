"""Takes: what a run leaves, and how it is recorded, read and measured.

A `Recorder` looks at the bodies of a scene and hands frames to a store; a `Take` has the frames,
which may be read one at a time from a file; `measure` has amplitudes, crossings and times of rest;
`progress_bar` shows how far a run or an export is.
"""

from . import measure
from .frames import Frames, LazyFrames, Picked, box
from .measure import crossings
from .progress import Show, progress_bar
from .recorder import InMemory, Recorder, Snapshot, Store, about, asked, energies
from .take import ENERGIES, SOLVER, Take, Track

__all__ = [
    "ENERGIES",
    "SOLVER",
    "Frames",
    "InMemory",
    "LazyFrames",
    "Picked",
    "Recorder",
    "Show",
    "Snapshot",
    "Store",
    "Take",
    "Track",
    "about",
    "asked",
    "box",
    "crossings",
    "energies",
    "measure",
    "progress_bar",
]
