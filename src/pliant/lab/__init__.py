"""The laboratory: one scene, every damping that applies, side by side."""

from .case import Case
from .comparing import compare
from .finding import Comparison, Finding, Interrupted
from .report import report

__all__ = [
    "Case",
    "Comparison",
    "Finding",
    "Interrupted",
    "compare",
    "report",
]
