# mypy: ignore-errors
"""How far a material's stress departs from its tangent over a finite strain."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.materials import Material

from .solid import SolidEnergy
from .solid_kernels import OPTIONS


def stiffening_strain(solid: SolidEnergy, at: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return the strain that Hooke's law would need for the stress beyond the tangent.

        C^-1 [ T(I + at) - T(I + rest) - dT(I + rest)[s] ],    s = at - rest

    `at`, `rest` and the result are Biot strains, shape (cells, q, d, d); T is the stress of the
    material and C its Hooke's law. Second order in s. Where it exceeds ten times s, or the material
    has no finite stress, it is cut: it corrects the timing of a bounce and must not drive it.
    """
    dim, _, quads, dtype = solid.shape
    mat = wp.types.matrix((dim, dim), dtype)
    beyond = wp.zeros((len(solid.stencils), quads), dtype=mat, device=solid.device)
    strains = [
        wp.array(np.ascontiguousarray(s), dtype=mat, device=solid.device) for s in (at, rest)
    ]
    kernel = _beyond_kernel(type(solid.material), dim, dtype)
    inputs = [*strains, *solid.moduli, beyond]
    wp.launch(kernel, beyond.shape, inputs=inputs, device=solid.device)
    stress = beyond.numpy().astype(np.float64)
    lam, mu = (m[:, None, None, None] for m in solid.material.per_cell(len(solid.stencils)))
    trace = np.trace(stress, axis1=2, axis2=3)[:, :, None, None]
    with np.errstate(all="ignore"):
        strain = (stress - lam / (2.0 * mu + dim * lam) * trace * np.eye(dim)) / (2.0 * mu)
        size = np.linalg.norm(strain, axis=(2, 3), keepdims=True)
        limit = 10.0 * np.linalg.norm(at - rest, axis=(2, 3), keepdims=True)
        strain = strain * np.minimum(1.0, limit / np.maximum(size, 1e-300))
    return np.where(np.isfinite(strain), strain, 0.0)


@cache
def _beyond_kernel(material: type[Material], dim: int, dtype: Any) -> Any:
    mat = wp.types.matrix((dim, dim), dtype)
    functions = material.functions(dim, dtype)
    stress, dstress = functions.stress, functions.dstress

    @wp.kernel(module="unique", module_options=OPTIONS)
    def stiffening(
        at: wp.array2d(dtype=mat),
        rest: wp.array2d(dtype=mat),
        lam: wp.array(dtype=dtype),
        mu: wp.array(dtype=dtype),
        beyond: wp.array2d(dtype=mat),
    ):
        c, q = wp.tid()
        one = wp.identity(n=dim, dtype=dtype)
        U = one + rest[c, q]
        T = stress(one + at[c, q], lam[c], mu[c]) - stress(U, lam[c], mu[c])
        T = T - dstress(U, at[c, q] - rest[c, q], lam[c], mu[c])
        beyond[c, q] = dtype(0.5) * (T + wp.transpose(T))

    return stiffening
