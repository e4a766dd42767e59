"""The inertia of several bodies that are tied together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .inertia import Inertia


@dataclass(frozen=True)
class IslandInertia(Inertia):
    """The sum of the inertias of all bodies, and these themselves."""

    members: Sequence[Inertia] = ()
