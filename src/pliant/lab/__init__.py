"""The laboratory: one scene, every damping that applies, side by side.

A `Case` is a scene and a wish; candidates are made from what dampings declare, tried, measured, and
reported as a page. Studies check their claims with it.
"""

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
