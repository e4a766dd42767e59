"""How long elements answer to forces: one sparse factor, and one row that keeps the volume."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from .lines import Lines

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Answer:
    """What long elements do under loads: `lengthening` dl [m], (r,), and `pressure` dP [Pa]."""

    lengthening: Array
    pressure: float


class Liquid:
    """Long elements that share a liquid: a quadratic energy with one constraint.

        1/2 sum A E dl^2/l + tension/2 sum (dl_i - dl_j)^2 - f . dl,     sum A dl = 0

        [ K  -A ] [dl]   [f]
        [A^T  0 ] [dP] = [0]

    The multiplier is the pressure: dP = P_fluid - P_atm, one in all elements. young E [Pa], tension
    [N/m]. Source: [deformablesurvey] (LEM), [costa2001]. The survey prints N equations for N + 1
    unknowns, without the last row; n k_s/A, where the A is A_i or springs do not balance; + P_env, which
    lengthens what a probe presses; and h as the height, which must be the depth.
    """

    def __init__(self, lines: Lines, *, young: float, tension: float):
        self.lines, self._young, self._tension = lines, young, tension

    @cached_property
    def stiffness(self) -> Any:
        """K [N/m], (r, r)."""
        lines, (i, j) = self.lines, self.lines.pairs.T
        r, k = len(lines), np.full(len(self.lines.pairs), self._tension)
        beside = np.bincount(i, minlength=r) + np.bincount(j, minlength=r) + lines.at_rest
        own = lines.sections * self._young / lines.lengths + self._tension * beside
        rows = np.concatenate([np.arange(r), i, j])
        columns = np.concatenate([np.arange(r), j, i])
        return sp.csr_matrix((np.concatenate([own, -k, -k]), (rows, columns)), shape=(r, r))

    @cached_property
    def _factor(self) -> Any:
        # Three grids that cross each other: minimum degree has a third of the entries of a dissection.
        how = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0}
        return sla.splu(self.stiffness.tocsc(), options={"SymmetricMode": True}, **how)

    def loose(self, force: Array) -> Array:
        """K^-1 f of forces on elements [N], (r,) or (r, k): as if the liquid could leave."""
        out: Array = self._factor.solve(force)
        return out

    @cached_property
    def _swollen(self) -> Array:
        """How elements lengthen under one pascal of pressure [m/Pa], (r,)."""
        return self.loose(self.lines.sections)

    @cached_property
    def _yielding(self) -> float:
        """The volume that one pascal makes [m^3/Pa]."""
        return float(self.lines.sections @ self._swollen)

    def answer(self, force: Array) -> Answer:
        """What forces on elements do [N], (r,)."""
        dl = self.loose(force)
        pressure = -float(self.lines.sections @ dl) / self._yielding
        dl = dl + pressure * self._swollen
        # What rounding has left of the volume is taken away as pressure would.
        dl = dl - self._swollen * (float(self.lines.sections @ dl) / self._yielding)
        return Answer(dl, pressure)

    def answers(self, forces: Array) -> Array:
        """dl of several forces, (r, k)."""
        dl = self.loose(forces)
        return np.asarray(dl - np.outer(self._swollen, (self.lines.sections @ dl) / self._yielding))

    def energy(self, dl: Array) -> float:
        """The energy of lengthenings [J]."""
        return 0.5 * float(dl @ (self.stiffness @ dl))

    def pressures(self, dl: Array, force: Array) -> Array:
        """The pressure that each element is in balance with [Pa], (r,): all are dP."""
        return np.asarray((self.stiffness @ dl - force) / self.lines.sections)
