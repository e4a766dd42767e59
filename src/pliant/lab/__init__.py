"""The laboratory: one scene, every damping that applies, side by side."""

from .case import Case
from .comparing import compare
from .finding import Comparison, Finding, Interrupted

__all__ = ["Case", "Comparison", "Finding", "Interrupted", "compare"]
