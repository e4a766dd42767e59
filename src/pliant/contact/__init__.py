"""Detection and response: what touches what, and what pushes it away."""

from .base import PairSource
from .between_parts import PenaltyContact
from .hashing import overlapping
from .inside import points_in_cells
from .neighbours import Neighbours
from .penalty import PairPenalty
from .refusal import refuse_contact

__all__ = [
    "Neighbours",
    "PairPenalty",
    "PairSource",
    "PenaltyContact",
    "overlapping",
    "points_in_cells",
    "refuse_contact",
]
