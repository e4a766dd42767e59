"""`[run]`: how long, how finely, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StrictBool, create_model, model_validator
from pydantic_core import PydanticCustomError

from pliant.declared import Parameter, parameters_of
from pliant.given import MOST_STEPS, steps_per_frame, whole_steps
from pliant.kinds import STEPPERS
from pliant.problem import Stepper

from .fields import AnyOf, Fraction, Numbers, Table, refuse

USUAL_DT = 1 / 60  # [s], where only frames per second are asked for
Span = Fraction(above=0.0, unit="s")
GRAVITY = Numbers("", "m/s^2", counts=(2, 3), like="[0, -9.81, 0]")


def _steppers() -> dict[str, type[Any]]:
    """The usual one first."""
    found = STEPPERS.own()
    return {word: found[word] for word in sorted(found, key=lambda word: word != "Implicit")}


if TYPE_CHECKING:
    STEPPER = str
else:
    STEPPER = Literal[tuple(_steppers())]


class RunBase(Table):
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
    stepper: STEPPER = Field(
        "Implicit",
        description="the time step: implicit, without inertia, explicit (Impact: for impact_rods), or "
        "position-based (XPBD: springs, cloth and preserving only)",
    )
    loop: StrictBool = Field(
        False,
        description="find the motion that repeats after `seconds`, as pins and loads do: a loop without "
        "a seam",
    )
    gravity: Annotated[tuple[float, ...], GRAVITY] | None = Field(
        None, description="[m/s^2], 2 or 3 numbers; none if left out"
    )

    @model_validator(mode="after")
    def _frames_fall_on_steps(self) -> RunBase:
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
    def _of_its_stepper(self) -> RunBase:
        own = {p.name: p for p in parameters_of(_steppers()[self.stepper])}
        for name in self.unused():
            if name not in OFTEN_UNUSED:
                owners = " or ".join(f'"{owner}"' for owner in SETTINGS[name])
                refuse(f"it beside stepper = {owners} only", field=name, got="is given")
        for name in self.model_fields_set & set(own):
            try:
                own[name].note.check(getattr(self, name))
            except PydanticCustomError as error:
                expected = (error.context or {})["expected"]
                refuse(f"{expected} with {self.stepper}", field=name)
        return self

    def unused(self) -> list[str]:
        """Settings that are given and that the stepper does not have."""
        own = {p.name for p in parameters_of(_steppers()[self.stepper])}
        return [name for name in SETTINGS if name in self.model_fields_set and name not in own]

    @model_validator(mode="after")
    def _comes_to_an_end(self) -> RunBase:
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
        """The stepper of the library; what is left out is as its class declares it."""
        cls = _steppers()[self.stepper]
        given = {
            p.name: p.note.from_file(getattr(self, p.name))
            for p in parameters_of(cls)
            if p.name in self.model_fields_set
        }
        made: Stepper = cls(**given)
        return made


def _settings() -> dict[str, dict[str, Parameter]]:
    """The parameters of all steppers by name, each by the steppers that have it."""
    found: dict[str, dict[str, Parameter]] = {}
    for word, cls in _steppers().items():
        for p in parameters_of(cls):
            found.setdefault(p.name, {})[word] = p
    return found


def _field(owners: dict[str, Parameter]) -> Any:
    """A setting of one or several steppers; the default of each is in its description."""
    first = next(iter(owners.values())).note
    usual = ", ".join(f"{word} ({p.default:g})" for word, p in owners.items())
    about = f"{first.description}, for {usual}"
    kind: Any = Annotated[Any, AnyOf(notes=tuple(p.note for p in owners.values()))]
    return kind, Field(None, description=about)


SETTINGS = _settings()
#: Was not refused beside a stepper that has none.
OFTEN_UNUSED = ("tolerance",)
if TYPE_CHECKING:
    Run = RunBase
else:
    Run = create_model(
        "Run", __base__=RunBase, **{name: _field(owners) for name, owners in SETTINGS.items()}
    )
