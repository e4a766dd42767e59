"""`[run]`: how long, how finely, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from pliant.pacing import MOST_STEPS, steps_per_frame, whole_steps

from .fields import Fraction, Numbers, Quantity, Table, refuse

if TYPE_CHECKING:
    from pliant.scene import Stepper

USUAL_DT = 1 / 60  # [s], where only frames per second are asked for
Span = Fraction(above=0.0, unit="s")


class Run(Table):
    """The settings of a run."""

    seconds: Annotated[float, Span] = Field(2.0, description="how long to simulate [s]")
    dt: Annotated[float, Span] | None = Field(
        None,
        description='time step [s], also as text "1/60"; left out: 1/60, or the longest below it '
        "that divides a frame",
    )
    fps: Annotated[float, Fraction(above=0.0, unit="1/s")] | None = Field(
        None,
        description='frames per second of the take [1/s], also as text "24000/1001"; every step if '
        "left out",
    )
    device: str = Field("cpu", description='where to compute: "cpu" or "cuda"')
    stepper: Literal[
        "Implicit",
        "QuasiStatic",
        "Newmark",
        "BDF2",
        "LinearisedImplicit",
        "SymplecticEuler",
        "ExplicitEuler",
        "AverageVelocity",
        "RungeKutta4",
        "XPBD",
        "Impact",
    ] = Field(
        "Implicit",
        description="the time step: implicit, without inertia, explicit (Impact: for impact_rods), or "
        "position-based (XPBD: springs, cloth and preserving only)",
    )
    tolerance: Annotated[float, Quantity(at_least=0.0, below=1.0)] = Field(
        1e-3, description="share of the residual that a step may leave [-], for Implicit and XPBD"
    )
    iterations: Annotated[int, Quantity(at_least=1, whole=True)] = Field(
        1000, description="most sweeps of a substep, for XPBD"
    )
    substeps: Annotated[int, Quantity(at_least=1, whole=True)] = Field(
        1, description="parts of a step, each with its own sweeps, for XPBD"
    )
    relaxation: Annotated[float, Quantity(at_least=1.0, below=2.0)] = Field(
        1.0, description="over-relaxation of conditions that pull [-], for XPBD: 1.9 for chains"
    )
    gravity: (
        Annotated[
            tuple[float, ...],
            Numbers(each=Quantity(unit="m/s^2"), counts=(2, 3), like="[0, -9.81, 0]"),
        ]
        | None
    ) = Field(None, description="[m/s^2], 2 or 3 numbers; none if left out")

    @model_validator(mode="after")
    def _frames_fall_on_steps(self) -> Run:
        if self.dt is None or self.fps is None:
            return self
        if steps_per_frame(self.fps, self.dt) is None:
            whole = whole_steps(self.fps, self.dt)
            refuse(
                f'frames that fall on steps, e.g. dt = "1/{self.fps * whole:g}"',
                field="dt",
                got=f"got {self.dt:.6g} with fps = {self.fps:g}",
            )
        return self

    @model_validator(mode="after")
    def _of_its_stepper(self) -> Run:
        for name in ("iterations", "substeps", "relaxation"):
            if self.stepper != "XPBD" and name in self.model_fields_set:
                refuse('it beside stepper = "XPBD" only', field=name, got="is given")
        if self.stepper == "XPBD" and self.tolerance == 0.0:
            refuse("tolerance > 0 with XPBD", field="tolerance")
        return self

    @model_validator(mode="after")
    def _comes_to_an_end(self) -> Run:
        if self.seconds / self.step > MOST_STEPS:
            refuse(
                f"at most {MOST_STEPS:.0e} steps",
                field="fps" if self.dt is None and self.fps is not None else "seconds",
                got=f"{self.seconds:g} s are {self.seconds / self.step:.1e} steps of {self.step:g} s",
            )
        return self

    @property
    def step(self) -> float:
        """The time step [s]."""
        if self.dt is not None:
            return self.dt
        if self.fps is None:
            return USUAL_DT
        return 1.0 / (self.fps * whole_steps(self.fps, USUAL_DT))

    def make_stepper(self) -> Stepper:
        """The stepper of the library."""
        from pliant import stepping

        if self.stepper == "Implicit":
            return stepping.Implicit(self.tolerance)
        if self.stepper == "XPBD":
            return stepping.XPBD(
                self.iterations,
                substeps=self.substeps,
                tolerance=self.tolerance,
                relaxation=self.relaxation,
            )
        return getattr(stepping, self.stepper)()
