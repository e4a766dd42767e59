"""Takes: what a run leaves, and how it is recorded, read and measured.

A `Recorder` looks at the bodies of a scene and hands frames to a store; a `Take` has the frames,
which may be read one at a time from a file; `measure` says when a body is at rest and how it bounced,
`Targets` with which shape a frame is compared, and `Changes` when the clock starts;
`progress_bar` shows how far a run or an export is.
"""

from . import measure
from .changes import Changes, acting_at, pins_at
from .frames import Frames, LazyFrames, Picked, box
from .measure import AT_REST, Measure, crossings
from .progress import Show, progress_bar
from .recorder import InMemory, Recorder, Snapshot, Store, about, asked, energies
from .take import ENERGIES, SOLVER, Take, Track

__all__ = [
    "AT_REST",
    "ENERGIES",
    "SOLVER",
    "Changes",
    "Frames",
    "InMemory",
    "LazyFrames",
    "Measure",
    "Picked",
    "Recorder",
    "Show",
    "Snapshot",
    "Store",
    "Take",
    "Track",
    "about",
    "acting_at",
    "asked",
    "box",
    "crossings",
    "energies",
    "measure",
    "pins_at",
    "progress_bar",
]
