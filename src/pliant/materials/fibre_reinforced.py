# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Stable neo-Hookean material with fibres."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import numpy as np
import warp as wp
from numpy.typing import ArrayLike

from pliant.declared import Numbers, Quantity
from pliant.errors import shown, usable
from pliant.given import floats_or_nan, unit_vectors

from .base import Functions, Lame, Poisson, Young
from .invariants import invariants
from .projection import definite_tangent, projected_tangent
from .stable_neo_hookean import StableNeoHookean
from .tangent import flattened


class FibreReinforced(StableNeoHookean):
    """Flesh or rubber with fibres in one direction: stiffer along them, as muscle and wood are.

        psi = StableNeoHookean(F) + fibre/2 (l - 1)^2,   l = |F a|
        P = StableNeoHookean + fibre (1 - 1/l) F a x a

    a is the unit direction of the fibres in the rest shape, `direction`: one vector (d,) or one per
    cell (cells, d), of any length. fibre [Pa]: what they add to the stiffness along a, one number or
    one per cell. For small strains a bar along the fibres has Young's modulus young + fibre, one
    across them young / (1 - poisson^2 fibre / (young + fibre)). Source: [bonet2008] section 6.6,
    transversely isotropic, with the fibre energy of a spring. Units: psi [J/m^3], P [Pa].

    Fibres resist compression as they resist tension. Not for fibres that buckle (cloth, rope): use
    springs that pull only. In 2D the direction is in the plane.
    """

    isotropic = False

    def __init__(
        self,
        *,
        young: Young = None,
        poisson: Poisson = None,
        fibre: Annotated[
            ArrayLike,
            Quantity("stiffness along the fibres; beside young", "Pa", at_least=0.0, example=1e5),
        ],
        direction: Annotated[
            ArrayLike,
            Numbers(
                "along the fibres, in the rest shape",
                "-",
                counts=(2, 3),
                like="[1, 0, 0]",
                example=(0.6, 0.8, 0.3),
            ),
        ],
        lame: Lame = None,
    ) -> None:
        super().__init__(young=young, poisson=poisson, lame=lame)
        name, example = type(self).__name__, "fibre=5e6, direction=(1, 0, 0)"
        k = floats_or_nan(fibre)
        if k.ndim > 1 or not (usable(k) and (k >= 0).all()):
            raise ValueError(
                f"{name}: got fibre={shown(fibre)}; expected pascals >= 0, one number or one per cell, "
                f"as in {name}(young=1e6, poisson=0.4, {example})"
            )
        a = floats_or_nan(direction)
        given = a.ndim in (1, 2) and a.size and np.isfinite(a).all() and a.any(axis=-1).all()
        if not given:
            raise ValueError(
                f"{name}: got direction={shown(direction)}; expected a vector that is not zero, or "
                f"one per cell, as in {name}(young=1e6, poisson=0.4, {example})"
            )
        self.fibre = float(k) if k.ndim == 0 else k
        self.direction = unit_vectors(a)

    def _numbers_of_cells(self) -> list[str]:
        names = [*super()._numbers_of_cells(), *(["fibre"] if np.ndim(self.fibre) else [])]
        return [*names, *(["direction"] if self.direction.ndim == 2 else [])]

    def along(self, ways: np.ndarray) -> "FibreReinforced":
        """The same with fibres along the first axis; refused where they run across a bar."""
        aligned = np.abs(np.einsum("bd,bd->b", *np.broadcast_arrays(ways, self.direction)))
        if (aligned < 1.0 - 1e-6).any():
            bad = int(np.argmin(aligned))
            angle = np.degrees(np.arccos(aligned[bad]))
            raise ValueError(
                f"{type(self).__name__}: fibres are at {angle:.3g} degrees to bar {bad}; expected "
                f"fibres along bars, one direction per bar, {ways[bad].round(3).tolist()} for this one"
            )
        return type(self)(
            young=self.young, poisson=self.poisson, fibre=self.fibre, direction=(1.0, 0.0, 0.0)
        )

    @classmethod
    @cache
    def lam_type(cls, dim: int, dtype: Any) -> Any:
        """The vector (lam, fibre, direction)."""
        return wp.types.vector(length=2 + dim, dtype=dtype)

    def constants(self, cells: int, dim: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (lam, fibre, direction), shape (cells, 2 + dim), and mu, shape (cells,)."""
        lam, mu = self.per_cell(cells)
        for what, values, shape in (
            ("fibre", np.asarray(self.fibre), ((), (cells,))),
            ("direction", self.direction, ((dim,), (cells, dim))),
        ):
            if values.shape not in shape:
                raise ValueError(
                    f"{type(self).__name__}: got {what} of shape {values.shape} for {cells} cells in "
                    f"{dim}D; expected {shape[0]} or {shape[1]}"
                )
        k, a = np.broadcast_to(self.fibre, (cells,)), np.broadcast_to(self.direction, (cells, dim))
        return np.column_stack([lam, k, a]), mu

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        many, matrix = cls.lam_type(dim, dtype), StableNeoHookean.functions(dim, dtype)
        base_psi, base_stress, base_dstress = matrix
        along, green = _along(dim, dtype), invariants(dim, dtype).green
        floor = wp.constant(dtype(SHORTEST_FIBRE))

        @wp.func(module="unique")
        def psi(F: mat, c: many, mu: dtype):
            a = along(c)
            # l - 1 through the Green strain: near rest the difference itself would be rounding.
            e = dtype(2.0) * wp.dot(a, green(F) @ a)
            longer = e / (wp.sqrt(wp.max(dtype(1.0) + e, dtype(0.0))) + dtype(1.0))
            return base_psi(F, c[0], mu) + dtype(0.5) * c[1] * longer * longer

        @wp.func(module="unique")
        def stress(F: mat, c: many, mu: dtype):
            a = along(c)
            Fa = F @ a
            l = wp.max(wp.length(Fa), floor)
            pull = c[1] * (l - dtype(1.0)) / l
            return base_stress(F, c[0], mu) + wp.outer(pull * Fa, a)

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, c: many, mu: dtype):
            a = along(c)
            Fa, dFa = F @ a, dF @ a
            l = wp.max(wp.length(Fa), floor)
            u = Fa / l
            turn = (l - dtype(1.0)) / l
            d = turn * dFa + (wp.dot(u, dFa) / l) * u
            return base_dstress(F, dF, c[0], mu) + wp.outer(c[1] * d, a)

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, constants, mu) = dP/dF."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        many, base = cls.lam_type(dim, dtype), StableNeoHookean.tangent(dim, dtype)
        fibres = _fibres(dim, dtype)

        @wp.func(module="unique")
        def tangent(F: mat, c: many, mu: dtype):
            return base(F, c[0], mu) + fibres(F, c, dtype(-1.0e30))

        return tangent

    @classmethod
    @cache
    def projected(cls, dim: int, dtype: Any) -> Callable:
        """Return A+(F, constants, mu): where dP/dF is indefinite, the sum of two positive parts."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        many, whole = cls.lam_type(dim, dtype), cls.tangent(dim, dtype)
        base = projected_tangent(StableNeoHookean, dim, dtype)
        fibres, definite = _fibres(dim, dtype), definite_tangent(dim, dtype)

        @wp.func(module="unique")
        def projected(F: mat, c: many, mu: dtype):
            A = whole(F, c, mu)
            if definite(A, mu + wp.abs(c[0]) + c[1]):
                return A
            return base(F, c[0], mu) + fibres(F, c, dtype(0.0))

        return projected


#: Shorter fibres count as this long: those of a vanished cell have no direction.
SHORTEST_FIBRE = 1e-6


@cache
def _along(dim: int, dtype: Any) -> Callable:
    """Return the Warp function constants -> a."""
    many = FibreReinforced.lam_type(dim, dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)

    @wp.func(module="unique")
    def along(c: many):
        a = vec()
        for i in range(dim):
            a[i] = c[2 + i]
        return a

    return along


@cache
def _fibres(dim: int, dtype: Any) -> Callable:
    """Return the Warp function of the fibres' part of dP/dF, eigenvalues no lower than `least`.

        fibre [ (1/l) u x u + (1 - 1/l) I ] x (a x a),   u = F a / l

    Eigenvalues: fibre along u, fibre (1 - 1/l) across it, which is negative in compression.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    many, along, flat = (
        FibreReinforced.lam_type(dim, dtype),
        _along(dim, dtype),
        flattened(dim, dtype),
    )
    floor = wp.constant(dtype(SHORTEST_FIBRE))

    @wp.func(module="unique")
    def fibres(F: mat, c: many, least: dtype):
        a = along(c)
        Fa = F @ a
        l = wp.max(wp.length(Fa), floor)
        u = Fa / l
        across = wp.max(c[1] * (l - dtype(1.0)) / l, least)
        ua = flat(wp.outer(u, a))
        A = wp.outer((c[1] - across) * ua, ua)
        for i in range(dim):
            for j in range(dim):
                for k in range(dim):
                    A[i * dim + j, i * dim + k] += across * a[j] * a[k]
        return A

    return fibres
