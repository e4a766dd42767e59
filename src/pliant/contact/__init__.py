"""Detection and response: what touches what, and what pushes it away."""

from .hashing import overlapping
from .neighbours import Neighbours
from .penalty import PairPenalty

__all__ = ["Neighbours", "PairPenalty", "overlapping"]
