# mypy: ignore-errors
"""The target strain of a bounce, corrected for how far the stress departs from its tangent."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Doubles2, Ints

from .per_part import PerPart, gains_on
from .shifted_kernels import hooke
from .solid import SolidEnergy
from .solid_law import SolidLaw, law_constants, law_functions
from .term_kernels import TERM_OPTIONS


def bounce_target(
    solid: SolidEnergy,
    kappa: float | PerPart,
    W: float | PerPart,
    now: Any,
    before: Any,
    rest: Any,
    loaded: Any,
    target: Any,
) -> None:
    """Write the strain that a step in strain space aims at into `target`, an array of the device.

        (1 + kappa) now - kappa before + W s_beyond - loaded
        s_beyond = C^-1 T(I + at) - loaded - (at - rest)

    T is the stress of the material, of a plastic one after the flow that leads there, C its Hooke's law
    and `at` the strain predicted for the end of the step; s_beyond is absent where strain is not Biot's,
    or where the material has no finite stress.
    loaded: `strain_of_stress` at rest, None if there is next to none. All strains: (cells, q) matrices.
    kappa and W: one number, or one per part.
    """
    dim, _, _, dtype = solid.shape
    bends = solid.material.rotation_invariant
    if loaded is None:
        loaded = wp.empty((0, target.shape[1]), dtype=target.dtype, device=solid.device)
    strains = (now, before, rest, *solid.moduli, solid.known, loaded, target)
    inputs = [*gains_on(solid.device, kappa, W), *strains]
    solid.shares.launch(_target_kernel(solid.law, bends, dim, dtype), *inputs)


def strain_of_stress(solid: SolidEnergy, strains: Any) -> Any:
    """C^-1 T(I + strains), a new array: what Hooke's law would need for the stress of the material.

    Zero where strain is not Biot's: that of a linear material has no curvature for a stress to act on.
    """
    if not solid.material.rotation_invariant:
        return wp.zeros_like(strains)
    dim, _, _, dtype = solid.shape
    out: Any = wp.empty_like(strains)
    inputs = [strains, *solid.moduli, solid.known, out]
    solid.launches(_stress_kernel(solid.law, dim, dtype), out.shape, inputs)
    return out


@cache
def _target_kernel(law: SolidLaw, bends: bool, dim: int, dtype: Any) -> Any:
    mat = wp.types.matrix((dim, dim), dtype)
    one, half = (wp.constant(dtype(k)) for k in (1.0, 0.5))
    Solid = law_constants(law, dim, dtype)
    farthest = wp.constant(dtype(1e15))
    Mats2, Reals = wp.array2d(dtype=mat), wp.array(dtype=dtype)

    if not bends:

        @wp.func(module="unique")
        def beyond(at: mat, free: mat, lam: dtype, mu: dtype, c: int, q: int, k: Solid):
            return mat()

    else:
        answer = _compliance(law.material.lam_type(dim, dtype), dim, dtype)
        stress = law_functions(law, dim, dtype).stress

        @wp.func(module="unique")
        def beyond(at: mat, free: mat, lam: dtype, mu: dtype, c: int, q: int, k: Solid):
            T = stress(wp.identity(n=dim, dtype=dtype) + at, c, q, k)
            T = half * (T + wp.transpose(T))
            strain = answer(T, k.lam[c], lam, mu) - (at - free)
            # Not a number, or infinite: a stress that is shows it on the diagonal.
            if not (wp.abs(wp.trace(strain)) <= farthest):
                strain = mat()
            return strain

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def stiffening(
        order: Ints,
        kappa: wp.float64,
        W: wp.float64,
        each: Doubles2,
        parts: Ints,
        now: Mats2,
        before: Mats2,
        rest: Mats2,
        lam: Reals,
        mu: Reals,
        known: Solid,
        loaded: Mats2,
        target: Mats2,
    ):
        c = order[wp.tid()]
        k, w = dtype(kappa), dtype(W)
        if parts.shape[0] > 0:
            k, w = dtype(each[0, parts[c]]), dtype(each[1, parts[c]])
        for q in range(target.shape[1]):
            load = mat()
            if c < loaded.shape[0]:
                load = loaded[c, q]
            on = (one + k) * now[c, q] - k * before[c, q]
            at = one / (one + w) * (on + w * rest[c, q])
            free = rest[c, q] - load
            target[c, q] = on - load + w * beyond(at, free, lam[c], mu[c], c, q, known)

    return stiffening


@cache
def _stress_kernel(law: SolidLaw, dim: int, dtype: Any) -> Any:
    mat = wp.types.matrix((dim, dim), dtype)
    Mats2, Reals, Solid = (
        wp.array2d(dtype=mat),
        wp.array(dtype=dtype),
        law_constants(law, dim, dtype),
    )
    answer = _compliance(law.material.lam_type(dim, dtype), dim, dtype)
    stress = law_functions(law, dim, dtype).stress

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def strain_of_stress_kernel(strains: Mats2, lam: Reals, mu: Reals, known: Solid, out: Mats2):
        c, q = wp.tid()
        T = stress(wp.identity(n=dim, dtype=dtype) + strains[c, q], c, q, known)
        T = dtype(0.5) * (T + wp.transpose(T))
        out[c, q] = answer(T, known.lam[c], lam[c], mu[c])

    return strain_of_stress_kernel


@cache
def _compliance(first: Any, dim: int, dtype: Any) -> Any:
    """Return the Warp function (T, constants, lam, mu) -> C^-1 T, Hooke's law inverted.

    s = s0 - fibre (a . s0 a) / (1 + fibre (a . q a)) q,   s0, q the isotropic answers to T, a x a
    """
    mat = wp.types.matrix((dim, dim), dtype)
    two, dimension = wp.constant(dtype(2.0)), wp.constant(dtype(dim))
    _, _, dyad = hooke(first, dim, dtype)

    @wp.func(module="unique")
    def plain(T: mat, lam: dtype, mu: dtype):
        I = wp.identity(n=dim, dtype=dtype)
        return (dtype(0.5) / mu) * (T - lam / (two * mu + dimension * lam) * wp.trace(T) * I)

    if first is dtype:

        @wp.func(module="unique")
        def isotropic(T: mat, constants: first, lam: dtype, mu: dtype):
            return plain(T, lam, mu)

        return isotropic

    @wp.func(module="unique")
    def reinforced(T: mat, constants: first, lam: dtype, mu: dtype):
        M = dyad(constants)
        s, q = plain(T, lam, mu), plain(M, lam, mu)
        k = constants[1]
        return s - (k * wp.ddot(M, s) / (dtype(1.0) + k * wp.ddot(M, q))) * q

    return reinforced
