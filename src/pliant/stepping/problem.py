"""What a step is about: the bodies as they stay from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pliant.damping import Damping
from pliant.energies.obstacle import Solid

from .system import System


@dataclass(frozen=True)
class BodyProblem:
    """One body, prepared: what does not change while its topology, pins and matter stay."""

    name: str
    system: System
    damping: Damping
    obstacles: Sequence[Solid] = ()


@dataclass(frozen=True)
class Problem:
    """All bodies of a scene. Each is an island: one minimisation per step."""

    bodies: tuple[BodyProblem, ...]

    @property
    def systems(self) -> list[System]:
        """Their prepared forms."""
        return [body.system for body in self.bodies]
