# mypy: ignore-errors
# Values are types here, as Warp reads the signatures of kernels.
"""Types of arrays in the signatures of kernels; a figure is the number of indices."""

import warp as wp

Ints, Ints2, Ints3 = (wp.array(dtype=wp.int32, ndim=k) for k in (1, 2, 3))
Doubles, Doubles2 = (wp.array(dtype=wp.float64, ndim=k) for k in (1, 2))
