"""A scene that can be made again and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pliant import scenefile as scene_files
from pliant.bodies import LINEAR_CELLS
from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.step import Implicit
from pliant.take import Measure


@dataclass(frozen=True)
class Case:
    """What the laboratory runs: a scene, made afresh for each trial.

    make(level): the scene, with the mesh of its bodies refined `level` times; `refines` says whether
    it can be. seconds, dt [s]; rest_in [s], bounces: when all bodies are to rest, and how; by default
    when the `Settle` of each says, or after half of the run. measure: of what is left.
    """

    name: str
    make: Callable[[int], Scene]
    seconds: float
    dt: float
    rest_in: float | None = None
    bounces: int | None = None
    refines: bool = True
    stepper: Stepper = field(default_factory=Implicit)
    measure: Measure = "rms"

    @classmethod
    def of(cls, path: str, overrides: list[str] | None = None) -> Case:
        """The case of a scene file."""
        from pathlib import Path

        file = scene_files.read(path, overrides=overrides or [])
        setup = file.build()
        return cls(
            name=Path(path).stem,
            make=lambda level: file.build(refine=level).scene,
            seconds=setup.seconds,
            dt=setup.dt,
            refines=_kinds(setup.scene) <= LINEAR_CELLS,
            stepper=setup.stepper,
        )


def _kinds(scene: Scene) -> set[str]:
    return {kind for body in scene.bodies for kind in body.mesh.cells}
