"""What users give, checked and in the form that the code works with.

Values become arrays, paths of files and flags (`values`); a value that may change with time becomes
a function of time (`paths`); a mask, an index or a function becomes the numbers of points
(`selection`); lengths of steps and frames become whole numbers of steps (`pacing`). What does not
fit is refused with what was given, what was expected, and an example.
"""

from .pacing import (
    MOST_BOUNCES as MOST_BOUNCES,
    MOST_STEPS as MOST_STEPS,
    check_dt as check_dt,
    is_due as is_due,
    steps_and_frames as steps_and_frames,
    steps_per_frame as steps_per_frame,
    whole_steps as whole_steps,
)
from .paths import (
    gravity_of as gravity_of,
    interpolated as interpolated,
    one_each as one_each,
    over_time as over_time,
    steady as steady,
)
from .selection import select as select
from .turning import rotation as rotation
from .values import (
    array_of as array_of,
    asked as asked,
    dimensions as dimensions,
    flag as flag,
    floats as floats,
    floats_or_nan as floats_or_nan,
    is_listed as is_listed,
    path_of as path_of,
    unit_vectors as unit_vectors,
)
