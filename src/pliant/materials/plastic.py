"""Matter that flows: what bends beyond yield stays bent."""

from __future__ import annotations

from copy import copy
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from pliant.declared import Declared, InPython, Quantity, accept, parameters_of
from pliant.errors import check_positive, shown

from .base import Material

YieldStress = Annotated[
    ArrayLike,
    Quantity(
        "where the body begins to flow and stays bent: clay 2e4, lead 1e7, steel 2.5e8",
        "Pa",
        above=0.0,
        per="cell",
        example=2e4,
    ),
]
Hardening = Annotated[
    ArrayLike,
    Quantity(
        "how much the yield stress grows with flow, beside yield_stress",
        "Pa",
        at_least=0.0,
        per="cell",
        example=1e4,
    ),
]
Most = Annotated[
    ArrayLike | None,
    Quantity(
        "equivalent plastic strain beyond which it is elastic again, beside yield_stress; left out: "
        "no end",
        "-",
        above=0.0,
        per="cell",
        example=0.5,
    ),
]


class Plastic(Declared):
    """A material that flows where its stress is beyond yield, and keeps the shape that it takes.

        F = Fe Fp,    energy psi(Fe),    von Mises(t) <= yield_stress + hardening a,    det Fp = 1

    t: the Kirchhoff stress of the material at Fe; a: the equivalent plastic strain, the sum of all flow.
    A step minimises psi(F Fp^-1 exp(-p)) + yield_stress g + hardening g^2/2 over the flow p as well,
    g = |p| sqrt(2/3); at its end Fp is what it has become. Flow keeps volume, pressure causes none.
    material: an isotropic one that turns with the body, so not `Linear` and `FibreReinforced`; most [-]:
    where a ends, and the material is elastic again. One number or one per cell each.

        clay = pl.Plastic(pl.Hencky(young=1e6, poisson=0.4), yield_stress=2e4, hardening=1e4)
        body = pl.Body(pl.meshes.box((1, 1, 1), (6, 6, 6)), clay)
        body.plastic          # the equivalent plastic strain of each cell

    Source: [ortiz1999]; `docs/plastic.md`. Units: [Pa].

    Rates do not matter: for what creeps or is viscous take a damping. Linear tetrahedra and triangles
    lock where all of a body flows, since flow keeps volume: take hexahedra, or quadratic cells.
    """

    def __init__(
        self,
        material: Annotated[Material, InPython("the other fields of the table", "")],
        *,
        yield_stress: YieldStress,
        hardening: Hardening = 0.0,
        most: Most = None,
    ) -> None:
        if not isinstance(material, Material):
            raise TypeError(
                f"Plastic: got material={shown(material)}; expected a material, as in "
                "pl.Plastic(pl.StableNeoHookean(young=1e6, poisson=0.4), yield_stress=2e4)"
            )
        if not (material.isotropic and material.rotation_invariant):
            raise ValueError(
                f"Plastic: got {material!r}; expected an isotropic material that turns with the body, "
                "such as pl.Hencky, pl.StableNeoHookean, pl.NeoHookean, pl.Corotated"
            )
        self.material = material
        self.yield_stress: Any
        self.hardening: Any
        self.most: Any
        given = {"yield_stress": yield_stress, "hardening": hardening, "most": most}
        self.yield_stress, self.hardening, self.most = (
            float(v) if v is not None and np.ndim(v) == 0 else v for v in accept(self, **given)
        )

    def __repr__(self) -> str:
        return f"Plastic({self.material!r}, {super().__repr__().partition('(')[2]}"

    @property
    def young(self) -> Any:
        """That of the material [Pa]."""
        return self.material.young

    @property
    def poisson(self) -> Any:
        """That of the material [-]."""
        return self.material.poisson

    def scaled(self, factor: float) -> Plastic:
        """The same with stiffness, yield stress and hardening multiplied by a factor."""
        check_positive("scaled", "factor", factor, "-")
        return Plastic(
            self.material.scaled(factor),
            yield_stress=factor * self.yield_stress,
            hardening=factor * self.hardening,
            most=self.most,
        )

    def of_pieces(self, parents: np.ndarray) -> Plastic:
        """The same material in pieces of cells; parents: the cell of each piece, (pieces,)."""
        found = copy(self)
        found.material = self.material.of_pieces(parents)
        for name in ("yield_stress", "hardening", "most"):
            if np.ndim(getattr(self, name)):
                setattr(found, name, getattr(self, name)[parents])
        return found

    def per_cell(self, cells: int) -> dict[str, np.ndarray]:
        """Yield stress and hardening [Pa], and most, inf where there is no end; each (cells,)."""
        found = {}
        for p in parameters_of(type(self)):
            if not p.in_files:
                continue
            values = getattr(self, p.name)
            values = np.inf if values is None else values
            if np.ndim(values) and np.shape(values) != (cells,):
                raise ValueError(
                    f"Plastic: got {p.name} of shape {np.shape(values)} for {cells} cells; expected one "
                    f"number, or one value per cell, {p.name}=np.full({cells}, {p.note.example:g})"
                )
            found[p.name] = np.broadcast_to(values, (cells,)).astype(float)
        return found
