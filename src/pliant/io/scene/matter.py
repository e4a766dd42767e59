"""`material` and `settle`: what a body is made of, and when it rests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from pliant.pacing import MOST_BOUNCES, MOST_STEPS

from .fields import Range, Table, refuse

if TYPE_CHECKING:
    from pliant.damping import Damping
    from pliant.materials import Material


class MaterialTable(Table):
    """An elastic material."""

    model: Literal[
        "StableNeoHookean",
        "NeoHookean",
        "Corotated",
        "StVenantKirchhoff",
        "Linear",
        "FibreReinforced",
    ] = Field("StableNeoHookean", description="the law; StableNeoHookean survives any start shape")
    young: Annotated[float, Range(above=0.0, unit="Pa")] = Field(
        description="Young's modulus [Pa]: jelly 1e4, rubber 1e6, wood 1e10"
    )
    poisson: Annotated[float, Range(above=-1.0, below=0.5)] = Field(
        0.4, description="Poisson's ratio [-]: 0 cork, 0.3 metal, 0.49 nearly incompressible"
    )

    fibre: Annotated[float, Range(above=0.0, unit="Pa")] | None = Field(
        None, description="FibreReinforced: stiffness along the fibres, beside young [Pa]"
    )
    direction: list[float] | None = Field(
        None, description="FibreReinforced: along the fibres, in the rest shape [-]"
    )

    @model_validator(mode="after")
    def _fibres_go_together(self) -> MaterialTable:
        for field in ("fibre", "direction"):
            given = getattr(self, field) is not None
            if self.model == "FibreReinforced" and not given:
                refuse("fibre = 1e6 and direction = [1, 0, 0]", field=field, got="is missing")
            if self.model != "FibreReinforced" and given:
                refuse('it beside model = "FibreReinforced" only', field=field, got="is given")
        return self

    def make(self) -> Material:
        """The material of the library."""
        from pliant import materials

        law: type[Material] = getattr(materials, self.model)
        more = {} if self.fibre is None else {"fibre": self.fibre, "direction": self.direction}
        return law(young=self.young, poisson=self.poisson, **more)  # type: ignore[arg-type]


class SettleTable(Table):
    """The wish: when the body rests, and how often it bounces."""

    rest_in: Annotated[float, Range(above=0.0, unit="s")] = Field(
        description="seconds from release to rest [s]"
    )
    bounces: Annotated[int, Range(at_least=0, whole=True)] | None = Field(
        None, description="full oscillations on the way; 0 none, left out: none and a quick start"
    )
    within: Annotated[float, Range(above=0.0, below=1.0)] = Field(
        0.01, description="at rest is this share of the first distance [-]"
    )
    law: Literal["every-shape", "first-mode"] = Field(
        "every-shape", description="whether the promise is for every start or the slowest mode"
    )
    swing: bool = Field(
        True, description="whether what hangs by a point or a line swings on; false: it rests too"
    )

    @model_validator(mode="after")
    def _countable(self) -> SettleTable:
        if self.bounces is not None and self.bounces > MOST_BOUNCES:
            refuse(
                f"at most {MOST_BOUNCES}: a bounce takes 4 steps or more, and a run has at most "
                f"{MOST_STEPS:.0e}",
                field="bounces",
            )
        return self

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import Settle

        return Settle(self.rest_in, self.bounces, self.within, law=self.law, swing=self.swing)
