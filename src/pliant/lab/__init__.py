"""The laboratory: one scene, every damping that applies, side by side.

A `Case` is a scene and a wish; candidates are made from what dampings declare, tried, measured, and
reported as a page. Studies check their claims with it.
"""

from .case import Case as Case
from .comparing import compare as compare
from .finding import Comparison as Comparison, Finding as Finding, Interrupted as Interrupted
from .report import report as report
