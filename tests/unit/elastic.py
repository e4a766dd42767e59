"""An elastic body with its matrix and grids, for the tests of solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp

import pliant as pl
from pliant.elements import by_name, lumped_mass
from pliant.energies.frames import turned_points
from pliant.energies.solid import SolidEnergy
from pliant.solvers.blocks import BlockPattern
from pliant.solvers.conjugate import ConjugateGradients, ConjugateReport
from pliant.solvers.grids import Grids
from pliant.solvers.multigrid import Multigrid


def bent(points: np.ndarray, degrees: float) -> np.ndarray:
    """A beam along x of length 4 and height 1, bent to an arc."""
    radius = 4.0 / np.radians(degrees)
    turn, arm = points[:, 0] / radius, radius - (points[:, 1] - 0.5)
    x = points.copy()
    x[:, 0], x[:, 1] = arm * np.sin(turn), 0.5 + radius - arm * np.cos(turn)
    return x


class Elastic:
    """A body of one kind of cells, pinned at its left end unless `pinned` is False."""

    def __init__(
        self,
        mesh: pl.Mesh,
        *,
        pinned: bool = True,
        device: str = "cpu",
        dtype: Any = wp.float64,
        **options: Any,
    ):
        ((kind, cells),) = mesh.cells.items()
        self.points, self.device = mesh.points, device
        n, self.dim = mesh.points.shape
        self.free = np.ones(n, bool)
        if pinned:
            self.free = mesh.points[:, 0] > mesh.points[:, 0].min() + 1e-9
        material = pl.StableNeoHookean(young=1e6, poisson=0.35)
        self.solid = SolidEnergy(mesh.points, cells, kind, material, device=device)
        self.masses = lumped_mass(mesh.points, cells, by_name(kind), density=1000.0)
        self.pattern = BlockPattern(n, [cells])
        self.slots = wp.array(self.pattern.slots(cells), dtype=wp.int32, device=device)
        self.grids = Grids(mesh.points, [cells], self.free)
        of = {"device": device, "dtype": dtype, **options}
        self.multigrid = Multigrid(self.grids, self.pattern, self.masses, **of)
        self.refresh(mesh.points)
        self.conjugate = ConjugateGradients(self.multigrid)

    def vectors(self, x: np.ndarray) -> Any:
        return wp.array(x, dtype=wp.types.vector(self.dim, wp.float64), device=self.device)

    def refresh(self, x: np.ndarray) -> None:
        at = self.vectors(x)
        self.multigrid.refresh(
            lambda grids: self.solid.add_coarse_stiffness(at, grids.holders[0], grids)
        )

    def stiffness(self, x: np.ndarray, *, project: bool = True) -> np.ndarray:
        """The blocks of the stiffness, with the identity at pins."""
        blocks = self.pattern.zeros(self.dim, device=self.device)
        self.solid.add_hessian(self.vectors(x), blocks, self.slots, project)
        values = blocks.numpy()
        rows, columns = self.pattern.rows, self.pattern.columns
        values[~(self.free[rows] & self.free[columns])] = 0.0
        values[self.pattern.diagonal[~self.free]] = np.eye(self.dim)
        return values

    def system(
        self, x: np.ndarray, weight: float, *, project: bool = True
    ) -> tuple[Any, sp.bsr_matrix]:
        """The step matrix, as blocks on the device and as a scipy matrix."""
        values = self.stiffness(x, project=project)
        inertia = (weight * self.masses * self.free)[:, None, None] * np.eye(self.dim)
        values[self.pattern.diagonal] += inertia
        mat = wp.types.matrix((self.dim, self.dim), wp.float64)
        return wp.array(values, dtype=mat, device=self.device), self.pattern.matrix(values)

    def random(self, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        return rng.standard_normal(self.points.shape) * self.free[:, None]

    def applied(self, r: np.ndarray) -> np.ndarray:
        """One cycle."""
        z = self.vectors(np.zeros_like(r))
        self.multigrid.apply(self.vectors(r), z)
        return z.numpy()

    def solve(
        self,
        x: np.ndarray,
        *,
        weight: float,
        rtol: float = 1e-3,
        rhs: np.ndarray | None = None,
        frames: bool = True,
        project: bool = True,
        **options: Any,
    ) -> tuple[ConjugateReport, np.ndarray, tuple[sp.bsr_matrix, np.ndarray]]:
        """Solve for a random load where none is given."""
        blocks, A = self.system(x, weight, project=project)
        rhs = self.random(0) if rhs is None else rhs
        if frames:
            turns = turned_points([self.solid], self.vectors(x), len(x)).numpy()
            mat = wp.types.matrix((self.dim, self.dim), wp.float64)
            options["frames"] = wp.array(turns, dtype=mat, device=self.device)
        out = self.vectors(np.zeros_like(rhs))
        given = self.vectors(rhs)
        report = self.conjugate.solve(blocks, given, out, rtol=rtol, weight=weight, **options)
        return report, out.numpy(), (A, rhs)
