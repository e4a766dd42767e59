"""What contact is to a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from pliant.energies import Energy
from pliant.mesh import Mesh


@runtime_checkable
class PairSource(Protocol):
    """A way in which the points of a body touch; see `Deformable.touch`."""

    def energies(self, mesh: Mesh, *, device: Any = "cpu") -> Sequence[Energy]:
        """What pushes the points of a body of this mesh."""
