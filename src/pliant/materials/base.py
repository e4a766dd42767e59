"""The Material base class: two elastic constants and the three functions of a constitutive law."""

from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pliant.declared import Declared, InPython, Quantity, accept, parameters_of
from pliant.errors import check_positive, shown

from .principal import principal_of
from .tangent import tangent_by_columns

Young = Annotated[
    ArrayLike | None,
    Quantity(
        "Young's modulus: jelly 1e4, rubber 1e6, wood 1e10",
        "Pa",
        above=0.0,
        per="cell",
        says="young > 0 in pascals, e.g. young=1e6",
        default=...,
        example=1e5,
    ),
]
Poisson = Annotated[
    ArrayLike | None,
    Quantity(
        "Poisson's ratio: 0 cork, 0.3 metal, 0.49 nearly incompressible",
        "-",
        above=-1.0,
        below=0.5,
        per="cell",
        why="at 0.5 lam is infinite (incompressible), and 0.49 is nearly so and still solvable",
        default=0.4,
        example=0.3,
    ),
]
Lame = Annotated[
    tuple[ArrayLike, ArrayLike] | None, InPython("lam and mu; files say young and poisson", "Pa")
]


LAM = Quantity(unit="Pa", per="cell")
MU = Quantity(unit="Pa", above=0.0, per="cell", says="mu > 0 in pascals, e.g. lame=(1e6, 4e5)")


class Functions(NamedTuple):
    """The Warp functions of one material for one dimension and precision.

    psi(F, lam, mu) energy density [J/m^3], stress(F, lam, mu) first Piola-Kirchhoff stress
    P = dpsi/dF [Pa], dstress(F, dF, lam, mu) its directional derivative dP/dF : dF [Pa].
    """

    psi: Callable[..., Any]
    stress: Callable[..., Any]
    dstress: Callable[..., Any]


class Material(Declared):
    """An elastic material: an energy density psi of the deformation gradient F.

        lam = young poisson / ((1 + poisson)(1 - 2 poisson)),   mu = young / (2 (1 + poisson))

    Source: [sifakis2012] "Linear elasticity". Units: young, lam, mu [Pa]; poisson [-]. Each is one
    number or one per cell.

    Subclasses supply `functions`; those with more constants than two also declare them in `__init__`,
    and supply `lam_type`, `constants` and `projected`. Two-dimensional bodies are plane strain
    (F33 = 1). Every material has Hooke's law with the given constants as its small-strain limit. Not
    for incompressible solids: poisson = 0.5 has no displacement-only energy.
    """

    constant_hessian: ClassVar[bool] = False
    """True when dP/dF does not depend on F and is positive semi-definite."""
    rotation_invariant: ClassVar[bool] = True
    """True when psi(Q F) = psi(F) for every rotation Q."""
    isotropic: ClassVar[bool] = True
    """True when psi(F Q) = psi(F) for every rotation Q: no direction is stiffer than another."""
    finite_when_inverted: ClassVar[bool] = True
    """False when psi = +inf for det F <= 0, so that line searches must stop before inversion."""
    spectral: ClassVar[bool] = False
    """True when its stress is found in the principal frame of F, which then costs nothing more."""

    def __init__(self, *, young: Young = None, poisson: Poisson = None, lame: Lame = None) -> None:
        by_young = young is not None and poisson is not None and lame is None
        by_lame = lame is not None and young is None and poisson is None
        name = type(self).__name__
        if not (by_young or by_lame):
            raise ValueError(
                f"{name}: got young={shown(young)}, poisson={shown(poisson)}, lame={shown(lame)}; "
                f"expected exactly one pair: {name}(young=1e6, poisson=0.4) or {name}(lame=(lam, mu))"
            )
        if by_young:
            E, nu = accept(self, young=young, poisson=poisson)
            _require_as_many(name, young=E, poisson=nu)
            lam, mu = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
        else:
            if not isinstance(lame, (tuple, list)) or len(lame) != 2:
                raise ValueError(f"{name}: got lame={shown(lame)}; expected a pair, lame=(lam, mu)")
            lam, mu = LAM.accept(name, "lam", lame[0]), MU.accept(name, "mu", lame[1])
            _require_as_many(name, lam=lam, mu=mu)
            _require(name, "lam", lam, lam > -2 * mu / 3, "lam > -2 mu / 3 (positive bulk modulus)")
            E, nu = mu * (3 * lam + 2 * mu) / (lam + mu), lam / (2 * (lam + mu))
        self.lam, self.mu, self.young, self.poisson = (_scalar(v) for v in (lam, mu, E, nu))

    def scaled(self, factor: float) -> "Material":
        """The same material with its stiffness multiplied by a factor."""
        check_positive("scaled", "factor", factor, "-")
        known = {
            p.name: (p, getattr(self, p.name)) for p in parameters_of(type(self)) if p.in_files
        }
        return type(self)(
            **{n: float(factor) * v if p.note.unit == "Pa" else v for n, (p, v) in known.items()}
        )

    @classmethod
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return the Warp functions (psi, stress, dstress) for dim 2 or 3 and a Warp float."""
        raise NotImplementedError(f"{cls.__name__} must define functions(dim, dtype)")

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable[..., Any]:
        """Return the Warp function A(F, lam, mu) = dP/dF, row and column i * dim + j for entry ij.

        Override it only where `dstress` repeats work that all columns share.
        """
        return tangent_by_columns(dim, dtype, cls.functions(dim, dtype).dstress)

    @classmethod
    @cache
    def principal(cls, dtype: Any) -> Callable[..., Any]:
        """Return the Warp function (s, lam, mu) -> t_i = dpsi/d ln s_i and K_ij = dt_i/d ln s_j [Pa].

        s: principal stretches in 3D, all above zero; t are then the principal Kirchhoff stresses of an
        isotropic material. Override it where they are simpler than `functions` and `tangent`.
        """
        return principal_of(cls.functions(3, dtype).stress, cls.tangent(3, dtype), dtype)

    @classmethod
    def von_mises_bound(cls, dtype: Any) -> Callable[..., Any] | None:
        """Return the Warp function (F, mu) -> no less than von Mises' norm of the stress [Pa], or None.

        F in 3D, upright; the stress is Kirchhoff's. `spectral` materials define it where it takes no
        principal frame: what is below yield by it is elastic. None: it is not known.
        """
        return None

    @classmethod
    def projected(cls, dim: int, dtype: Any) -> Callable[..., Any] | None:
        """Return A+(F, lam, mu), dP/dF made positive semi-definite, or None for isotropic ones.

        Those are projected in their principal frame by `projected_tangent`.
        """
        return None

    @classmethod
    def lam_type(cls, dim: int, dtype: Any) -> Any:
        """The Warp type of the first constant of `functions`: lam, or (lam, fibre, direction)."""
        return dtype

    def constants(self, cells: int, dim: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what `functions` take as lam and mu, per cell."""
        return self.per_cell(cells)

    def along(self, ways: np.ndarray) -> "Material":
        """The material in the axes of bars, of which the first is each bar's own; ways: (bars, d)."""
        return self

    def of_pieces(self, parents: np.ndarray) -> "Material":
        """The same material in pieces of cells; parents: the cell of each piece, (pieces,)."""
        found = copy(self)
        for name in self._numbers_of_cells():
            setattr(found, name, getattr(self, name)[parents])
        return found

    def _numbers_of_cells(self) -> list[str]:
        """The names of what has a value for each cell."""
        names = {"lam", "mu", "young", "poisson"}
        for p in parameters_of(type(self)):
            if isinstance(p.note, Quantity) and p.note.per == "cell":
                names.add(p.name)
        return sorted(name for name in names if np.ndim(getattr(self, name)))

    def per_cell(self, cells: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (lam, mu) [Pa], each of shape (cells,)."""
        for values in (self.lam, self.mu):
            if np.ndim(values) and np.shape(values) != (cells,):
                raise ValueError(
                    f"{type(self).__name__}: got constants of shape {np.shape(values)} for {cells} "
                    f"cells; expected scalars or one value per cell, young=np.full({cells}, 1e6)"
                )
        lam, mu = (np.broadcast_to(v, (cells,)).astype(float) for v in (self.lam, self.mu))
        return lam, mu


def _require_as_many(name: str, **values: np.ndarray) -> None:
    first, second = values.values()
    if first.ndim and second.ndim and first.shape != second.shape:
        raise ValueError(
            f"{name}: got {len(first)} and {len(second)} values for {' and '.join(values)}; "
            "expected one number, or one value per cell, for each"
        )


def _require(name: str, what: str, values: np.ndarray, ok: np.ndarray, expected: str) -> None:
    if not np.all(ok):
        bad = np.broadcast_to(values, np.shape(ok))[~ok] if np.ndim(ok) else values
        raise ValueError(f"{name}: got {what}={np.ravel(bad)[0]:g}; expected {expected}")


def _scalar(values: np.ndarray) -> Any:
    return float(values) if np.ndim(values) == 0 else values
