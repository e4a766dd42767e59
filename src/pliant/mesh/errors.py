"""The error that refuses a mesh, and how it names what is wrong."""

from __future__ import annotations

from collections.abc import Mapping

from .arrays import Indices


class MeshError(ValueError):
    """A mesh that cannot be simulated; `indices` maps "points" or a cell kind to the offenders."""

    def __init__(self, message: str, indices: Mapping[str, Indices] | None = None):
        super().__init__(message)
        self.indices = dict(indices or {})


def name_some(indices: Indices, *, most: int = 10) -> str:
    """Write the first few indices, and how many there are when not all are shown."""
    shown = ", ".join(str(i) for i in indices[:most])
    return shown if len(indices) <= most else f"{shown}, ... ({len(indices)} in all)"


def name_cells(bad: Mapping[str, Indices]) -> str:
    """Write the first few cells of each kind: "tri3 cells 4, 7; quad4 cells 0"."""
    return "; ".join(f"{kind} cells {name_some(indices)}" for kind, indices in bad.items())
