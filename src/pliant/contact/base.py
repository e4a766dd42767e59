"""The protocol of contacts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from pliant.energies import Energy
from pliant.mesh import Mesh


@runtime_checkable
class PairSource(Protocol):
    """A contact between parts of a body, for `Deformable.touch`."""

    def energies(self, mesh: Mesh, *, device: Any = "cpu") -> Sequence[Energy]:
        """The energies that push the points of a body with this mesh."""
