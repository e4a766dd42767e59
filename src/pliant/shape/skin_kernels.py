# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of skins: one pass over the points."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints

OPTIONS = {"enable_backward": False, "max_unroll": 2}
Affine = wp.types.matrix((3, 4), wp.float64)
DualQuaternion = wp.types.vector(8, wp.float64)
Points = wp.array(dtype=wp.vec3d)


@cache
def linear_kernel() -> Any:
    """Return the kernel   x = sum_b w_b (R_b X + t_b),   w in compressed rows."""

    @wp.kernel(module="unique", module_options=OPTIONS)
    def linear_skin(
        starts: Ints,
        bones: Ints,
        weights: Doubles,
        maps: wp.array(dtype=Affine),
        points: Points,
        out: Points,
    ):
        i = wp.tid()
        p = points[i]
        X = wp.vec4d(p[0], p[1], p[2], wp.float64(1.0))
        x = wp.vec3d()
        for k in range(starts[i], starts[i + 1]):
            x += weights[k] * (maps[bones[k]] @ X)
        out[i] = x

    return linear_skin


@cache
def dual_quaternion_kernel() -> Any:
    """Return the kernel of points moved by the mean of dual quaternions, in compressed rows.

    x = X + 2 (v x (v x X + w X + d) + w d - d_w v)/|q|^2,    (v, w, d, d_w) = sum_b w_b q_b
    """

    @wp.kernel(module="unique", module_options=OPTIONS)
    def dual_quaternion_skin(
        starts: Ints,
        bones: Ints,
        weights: Doubles,
        screws: wp.array(dtype=DualQuaternion),
        points: Points,
        out: Points,
    ):
        i = wp.tid()
        q = DualQuaternion()
        for k in range(starts[i], starts[i + 1]):
            q += weights[k] * screws[bones[k]]
        v, w = wp.vec3d(q[0], q[1], q[2]), q[3]
        d, last = wp.vec3d(q[4], q[5], q[6]), q[7]
        X = points[i]
        turned = wp.cross(v, wp.cross(v, X) + w * X + d) + w * d - last * v
        out[i] = X + (wp.float64(2.0) / (wp.dot(v, v) + w * w)) * turned

    return dual_quaternion_skin
