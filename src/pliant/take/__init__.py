"""Takes: what a run leaves, and how it is recorded, read and measured.

A `Recorder` looks at the bodies of a scene and hands frames to a store; a `Take` has the frames,
which may be read one at a time from a file; `measure` says when a body is at rest and how it bounced,
`Targets` with which shape a frame is compared, and `Changes` when the clock starts;
`progress_bar` shows how far a run or an export is.
"""

from . import measure as measure
from .changes import Changes as Changes, acting_at as acting_at, pins_at as pins_at
from .frames import (
    CoordinateFrames as CoordinateFrames,
    Frames as Frames,
    LazyFrames as LazyFrames,
    Picked as Picked,
    box as box,
)
from .in_memory import InMemory as InMemory
from .measure import AT_REST as AT_REST, Measure as Measure, crossings as crossings
from .places import Place as Place
from .progress import Show as Show, progress_bar as progress_bar
from .recorder import (
    SAME_MOMENT as SAME_MOMENT,
    Recorder as Recorder,
    SceneFrame as SceneFrame,
    Snapshot as Snapshot,
    Store as Store,
    about as about,
    energies as energies,
    motions_at as motions_at,
)
from .take import Take as Take
from .topology import (
    Topology as Topology,
    as_one as as_one,
    at_frame as at_frame,
    flowing_cells as flowing_cells,
    in_order as in_order,
    sewn_frames as sewn_frames,
    sewn_rests as sewn_rests,
    track_fields as track_fields,
)
from .track import ENERGIES as ENERGIES, SOLVER as SOLVER, Track as Track
from .wishes import OUTCOMES as OUTCOMES, asked as asked, wish_outcome as wish_outcome
