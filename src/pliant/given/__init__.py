"""What users give, checked and in the form that the code works with.

Values become arrays, paths of files and flags (`values`); a value that may change with time becomes
a function of time (`paths`); a mask, an index or a function becomes the numbers of points
(`selection`); lengths of steps and frames become whole numbers of steps (`pacing`). What does not
fit is refused with what was given, what was expected, and an example.
"""

from .pacing import (
    MOST_BOUNCES,
    MOST_STEPS,
    check_dt,
    steps_and_frames,
    steps_per_frame,
    whole_steps,
)
from .paths import gravity_of, interpolated, one_each, over_time, steady
from .selection import select
from .values import array_of, asked, dimensions, flag, floats, path_of, unit_vectors

__all__ = [
    "MOST_BOUNCES",
    "MOST_STEPS",
    "array_of",
    "asked",
    "check_dt",
    "dimensions",
    "flag",
    "floats",
    "gravity_of",
    "interpolated",
    "one_each",
    "over_time",
    "path_of",
    "select",
    "steady",
    "steps_and_frames",
    "steps_per_frame",
    "unit_vectors",
    "whole_steps",
]
