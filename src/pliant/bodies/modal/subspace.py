"""A solid that moves in a few shapes, far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.backend import resident
from pliant.control import Damping
from pliant.declared import InPython, Quantity, accept
from pliant.energies import Energy
from pliant.errors import UnstableError, described, prefixed
from pliant.given import floats_or_nan
from pliant.problem import System
from pliant.reduced import ReducedShape, SubspaceSystem

from ..solid import Body
from .modal import Modal
from .report import SubspaceReport, subspace_report_of


class Subspace(Modal):
    """A solid in large deformation with few coordinates: modes, and how they change along each other.

        x = X + U q,     W(q) = sum over few cells of factor times energy

    body: a `pl.Body` of one material and one kind of cells, held or free, with its pins, loads, start
    and damping; it stays as it is. The columns U hold `modes` modes, their derivatives and the static
    answers to loads: `size` of them and a few more. The energy is that of the body's own material on at
    most `cells` cells, chosen and weighed so that their forces are those of all. `report()` tells the
    error against the full body.

    Coordinates are solved for as points are, by the implicit step, with `pl.Settle`, `pl.Rayleigh` or
    without damping. A step takes about a millisecond on any mesh.

        body = pl.Body(mesh, material)
        body.fix(mesh.points[:, 0] < 1e-9)
        soft = pl.Subspace(body, modes=8, size=24)
        soft.damping = pl.Settle(rest_in=1.0, bounces=2)

    basis (k, n, d): displacements whose sums it can have, in place of modes and derivatives, such as
    `pl.shape.Lattice(mesh).basis` and the `basis` of a `pl.shape.EigenSkin`. All of them that leave pins
    where they are count, and static answers as well; `size` does not.

    Pins stand still or are driven: as one, or groups of them against each other, each as one, far and
    with turns. For each group but the first the energy is taken of
    `cells` more cells at most. `report()` compares with the full body where its pins are.

    It touches and may be tied to other bodies and obstacles, and never itself.

    Not for deflections of more than half the length. Not for pressure and wind, which are refused. What
    spins vibrates as if it did not.
    Source: [barbic2005], [an2008], [craig1968]; `docs/reduced.md`.
    """

    def __init__(
        self,
        body: Body,
        modes: Annotated[
            int,
            Quantity("lowest modes that it is made of", "-", at_least=1, whole=True, example=8),
        ] = 8,
        size: Annotated[
            int,
            Quantity(
                "most coordinates besides static answers", "-", at_least=1, whole=True, example=24
            ),
        ] = 24,
        cells: Annotated[
            int,
            Quantity(
                "most cells that its energy is taken of", "-", at_least=1, whole=True, example=120
            ),
        ] = 120,
        *,
        basis: Annotated[Any, InPython("shapes are arrays")] = None,
        damping: Damping | None = None,
        name: str | None = None,
    ):
        self._size: int
        self._most: int
        self._size, self._most = accept(self, size=size, cells=cells)
        self._shapes = None if basis is None else _accepted(basis, body)
        super().__init__(body, modes, damping=damping, name=name)

    @property
    def size(self) -> int:
        """How many coordinates it was given, besides static answers. Fixed."""
        return int(self._size)

    @property
    def cells_taken(self) -> np.ndarray:
        """The cells that its energy is taken of, by number."""
        return np.array(self._prepared().cubature.cells)

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return super().facts() | {"size": self._size, "cells": self._most}

    def _report_of(self, load: np.ndarray) -> SubspaceReport:
        system, shape = self._prepared(), self._state.x
        assert isinstance(shape, ReducedShape)
        return subspace_report_of(system, load, shape)

    def _prepared(self) -> SubspaceSystem:
        system = self.system()
        assert isinstance(system, SubspaceSystem)
        return system

    def _made_system(self, energies: Sequence[Energy], **given: Any) -> System:
        self._require_able()
        if not self.loads_constant:
            raise ValueError(
                f"{self.name}: got pressure, which turns with the surface; expected force=, traction= "
                "or volume= on pl.Subspace, or the full body"
            )
        how: dict[str, Any] = {"modes": self._modes, "size": self._size}
        how |= {"most_cells": self._most, "shapes": self._shapes}
        try:
            with resident(False):
                return SubspaceSystem(
                    energies,
                    loads=self._patterns(),
                    groups=self.pins.groups,
                    thickness=self.thickness,
                    **how,
                    **given,
                )
        except (UnstableError, ValueError) as error:
            raise type(error)(prefixed(f"{self.name}: ", error)) from None


def _accepted(basis: Any, body: Any) -> np.ndarray:
    """Shapes of a body, (k, n, d)."""
    if not isinstance(body, Body):
        return np.zeros((0, 0, 0))  # which is refused with its own words
    shapes = floats_or_nan(basis)
    n, d = body.mesh.points.shape
    fits = shapes.ndim == 3 and shapes.shape[1:] == (n, d) and len(shapes)
    if not fits or not np.isfinite(shapes).all():
        raise ValueError(
            f"Subspace: got basis {described(basis)}; expected displacements of its points, "
            f"(k, {n}, {d}), as in basis=pl.shape.Lattice(mesh).basis"
        )
    return shapes
