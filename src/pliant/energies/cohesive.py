"""The energy of faces that come apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start

from .cohesive_kernels import cohesive_kernels
from .face_tractions import normals
from .protocol import Flowed, Flowing, Lagged
from .terms import TermEnergy

#: An opening that is larger by less than this share than ever before is rounding.
BARELY = 1e-12


@dataclass(frozen=True, eq=False)
class CohesiveLaw:
    """What it takes to pull a face apart.

        traction = strength r / yields,                         r <= yields
                 = strength (parts - r) / (parts - yields),     r <= parts,      then nothing

    r [m]: how far its sides are apart; strength [Pa]; energy [J/m^2], that under the curve: parts =
    2 energy / strength. If r was larger before, the traction is linear up to there: what is torn
    stays torn. Source: [ortizpandolfi1999].
    """

    strength: float
    energy: float
    yields: float

    @property
    def parts(self) -> float:
        """Where its sides are free of each other [m]."""
        return 2.0 * self.energy / self.strength

    def lost(self, most: np.ndarray) -> np.ndarray:
        """The energy that is lost once a face was so far open [J/m^2]."""
        m = np.clip(most, self.yields, self.parts)
        return np.asarray(self.energy * (m - self.yields) / (self.parts - self.yields))


@dataclass(frozen=True, eq=False)
class Tearing(Flowed):
    """What has torn: of all faces of a body, whether each is open, and how far its corners were at most.

    opened: (faces,); most [m]: (faces, corners).
    """

    opened: np.ndarray
    most: np.ndarray

    @property
    def plastic(self) -> np.ndarray:
        """No term of it flows as matter does."""
        return np.zeros(0)


class CohesiveEnergy(TermEnergy, Flowing[Tearing], Lagged):
    """Open faces whose sides hold together until they are too far apart.

        W = sum_f sum_i area_f / corners  w(|d_i|),    d_i = x_i' - x_i

    w: the integral of the traction of `CohesiveLaw`; d: the way from each corner on one side to the
    same on the other; a corner that both sides share has none. Sides that are inside of each other are
    pushed apart by the first stiffness of the law; the normals for this are held during a
    minimisation (`Lagged`). Faces that have parted do nothing.
    W counts from what was lost in steps before.

    faces: corners on both sides by their points, of all faces of the body, (faces, 2, corners); cells:
    the points of the cells on both sides, (faces, 2, width); areas: at rest [m^2], (faces,).
    """

    def __init__(
        self,
        points: np.ndarray,
        faces: np.ndarray,
        cells: np.ndarray,
        areas: np.ndarray,
        law: CohesiveLaw,
        tearing: Tearing,
        *,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        self.law, self._none = law, replace(tearing, most=np.zeros_like(tearing.most))
        apart = (faces[:, 0] != faces[:, 1]) & tearing.opened[:, None]
        apart &= tearing.most < law.parts  # what has parted already does nothing
        self._rows = np.nonzero(apart)
        self._faces, self._cells = faces, cells
        self._device, self._dtype = device, dtype
        face, corner = self._rows
        count, dim = len(face), points.shape[1]
        self._held: np.ndarray | None = None
        self._flow = tearing
        constants = {
            "area": areas[face] / faces.shape[2],
            "strength": np.full(count, law.strength),
            "yields": np.full(count, law.yields),
            "parts": np.full(count, law.parts),
            "most": self._most(tearing),
            "normal": np.zeros((count, dim)),
            "arrested": 0,
        }
        stencils = faces[face, :, corner]
        super().__init__(points, stencils, cohesive_kernels(dim, dtype), constants, device=device)

    def hold(self, x: Any) -> None:
        """Hold the normals at x from now on; None: let them go."""
        if x is None:
            return
        self._take({"normal": self.normals(x.numpy())})

    def normals(self, x: np.ndarray) -> np.ndarray:
        """The normals of the open faces at x, (terms, d), from the first side to the other."""
        face = self._rows[0]
        centres = x[self._cells[face]].mean(axis=2)
        return normals(centres[:, 1] - centres[:, 0], x[self._faces[face]].mean(axis=1))

    def virgin(self) -> Tearing:
        """The same faces are open, and nothing is torn."""
        return self._none

    def take_flow(self, flow: Tearing) -> None:
        """Go on from what has torn so far."""
        if flow is not self._flow:
            self._flow = flow
            self._take({"most": self._most(flow)})

    def after_flow(self, x: Any) -> Tearing:
        """What will have torn when the body has come to x; the same object if nothing tears."""
        self._launch(self._run.opening, x, self._numbers)
        before, now = self._flow.most[self._rows], self._numbers.numpy()
        further = now > (1.0 + BARELY) * np.maximum(before, self.law.yields)
        if not further.any():
            return self._flow
        most = self._flow.most.copy()
        most[self._rows] = np.where(further, now, before)
        return replace(self._flow, most=most)

    @property
    def tears(self) -> bool:
        """Whether some of its faces hold on though they are open."""
        return len(self.stencils) > 0

    def arrest(self, arrested: bool) -> None:
        """Be linear, with the stiffness that is left, however large an opening is."""
        self._take({"arrested": int(arrested)})

    def annealed(self, x: Any) -> Tearing:
        """What is torn stays torn."""
        return self._flow

    def unpacked_flow(self, arrays: Mapping[str, np.ndarray]) -> Tearing:
        """What was packed."""
        opened, most = np.asarray(arrays["opened"]), np.asarray(arrays["most"])
        if opened.shape != self._none.opened.shape or most.shape != self._none.most.shape:
            raise ValueError("flow of another body")
        return Tearing(opened.astype(bool), most.astype(float))

    def _launch(self, kernel: Any, x: Any, *outputs: Any) -> None:
        if len(self.stencils):  # nothing can be launched for no terms
            super()._launch(kernel, x, *outputs)

    def _most(self, tearing: Tearing) -> np.ndarray:
        """How far each term was open at most, at least as far as it yields [m]."""
        return np.asarray(np.maximum(tearing.most[self._rows], self.law.yields))
