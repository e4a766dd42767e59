"""Types of arrays: coordinates and other numbers, numbers of points or cells, truth values."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
