"""The laboratory: one scene, every damping that applies, side by side."""

from .case import Case
from .compare import Comparison, Finding, compare

__all__ = ["Case", "Comparison", "Finding", "compare"]
