"""Detection and response: what touches what, and what pushes it away."""

from .between_parts import PenaltyContact
from .hashing import overlapping
from .inside import points_in_cells
from .neighbours import Neighbours
from .obstacles import Contact, PenaltyPlane, PenaltySphere
from .penalty import PairPenalty
from .refusal import refuse_contact

__all__ = [
    "Contact",
    "Neighbours",
    "PairPenalty",
    "PenaltyContact",
    "PenaltyPlane",
    "PenaltySphere",
    "overlapping",
    "points_in_cells",
    "refuse_contact",
]
