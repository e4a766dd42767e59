"""Reduced bodies: few coordinates q that stand for many points, x = X + U q, carried rigidly.

`ReducedSystem` finds the columns U of a body, its modes and its static answers, and `ReducedStep` moves
q. A `ReducedShape` or `ReducedVelocity` is what a state has for positions or velocities: numpy takes it
for an array, which is expanded then. What has none of this is the full body's.
"""

from .basis import Basis as Basis
from .control import ReducedControl as ReducedControl
from .frame import BodyFrame as BodyFrame
from .laws import drag_of as drag_of, oscillators as oscillators, suits as suits
from .line_basis import LineBasis as LineBasis
from .lines import Lines as Lines
from .liquid import Answer as Answer, Liquid as Liquid
from .long_elements import LongElementsSystem as LongElementsSystem
from .modes import RestStiffness as RestStiffness
from .projected import WIDTH as WIDTH, WeighedCells as WeighedCells
from .rows import (
    OF_FRAME as OF_FRAME,
    ReducedRows as ReducedRows,
    from_row as from_row,
    row_of as row_of,
)
from .shape import (
    Expanded as Expanded,
    ReducedShape as ReducedShape,
    ReducedVelocity as ReducedVelocity,
)
from .stepping import (
    ReducedStep as ReducedStep,
    arrived as arrived,
    carried as carried,
    load_on as load_on,
)
from .subspace import SubspaceControl as SubspaceControl, SubspaceSystem as SubspaceSystem
from .surface import SurfaceSystem as SurfaceSystem
from .system import LARGE as LARGE, ReducedSystem as ReducedSystem
