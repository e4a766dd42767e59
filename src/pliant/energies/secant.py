# mypy: disable-error-code="valid-type"
"""How much stiffer than its tangent a material is over a finite strain."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.materials import Material

from .solid import SolidEnergy
from .solid_kernels import OPTIONS


def secant_ratios(solid: SolidEnergy, at: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return, per cell, the work of the stress over that of its tangent at rest.

        ratio = s : (T(I + at) - T(I + rest)) / s : dT(I + rest)[s],    s = at - rest

    `at` and `rest` are Biot strains, shape (cells, q, d, d); T is the stress of the material. 1 for
    small s. Cells whose strain is a thousandth of the mean or less count as 1, and the ratio is kept
    within a factor of ten: it is a weight, and a wild one would only slow the cell.
    """
    dim, _, _, dtype = solid.shape
    mat = wp.types.matrix((dim, dim), dtype)
    weights = solid.geometry[2]
    work = wp.zeros((len(solid.stencils), 2), dtype=dtype, device=solid.device)
    strains: list[Any] = [
        wp.array(np.ascontiguousarray(s), dtype=mat, device=solid.device) for s in (at, rest)
    ]
    material: Any = type(solid.material)
    kernel = _secant_kernel(material, dim, dtype)
    inputs = [*strains, weights, *solid.moduli, work]
    wp.launch(kernel, len(solid.stencils), inputs=inputs, device=solid.device)
    done, linear = work.numpy().astype(np.float64).T
    floor = 1e-3 * linear.mean()
    with np.errstate(all="ignore"):
        ratio = (done + floor) / (linear + floor)
    return np.clip(np.where(np.isfinite(ratio), ratio, 1.0), 0.1, 10.0)


@cache
def _secant_kernel(material: type[Material], dim: int, dtype: Any) -> Any:
    mat = wp.types.matrix((dim, dim), dtype)
    functions = material.functions(dim, dtype)
    stress, dstress = functions.stress, functions.dstress

    @wp.kernel(module="unique", module_options=OPTIONS)
    def secant(
        at: wp.array2d(dtype=mat),
        rest: wp.array2d(dtype=mat),
        weights: wp.array2d(dtype=dtype),
        lam: wp.array(dtype=dtype),
        mu: wp.array(dtype=dtype),
        work: wp.array2d(dtype=dtype),
    ):
        c = wp.tid()
        one = wp.identity(n=dim, dtype=dtype)
        for q in range(weights.shape[1]):
            s = at[c, q] - rest[c, q]
            U = one + rest[c, q]
            T = stress(one + at[c, q], lam[c], mu[c]) - stress(U, lam[c], mu[c])
            work[c, 0] += weights[c, q] * wp.ddot(s, T)
            work[c, 1] += weights[c, q] * wp.ddot(s, dstress(U, s, lam[c], mu[c]))

    return secant
