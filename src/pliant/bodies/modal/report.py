"""What the modes of a body leave out, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.reduced import ReducedShape, ReducedSystem, SubspaceSystem

#: An error of more than this share of the way is told in words.
MUCH = 0.1
#: Loads that move a body by less than this share of its size do nothing, but for rounding.
NOTHING = 1e-12


@dataclass(frozen=True)
class ModalReport:
    """`modal.report(gravity)`: the numbers behind the modes of a body.

    modes, statics: how many columns there are of each. lowest, highest [Hz]: frequencies of the modes.
    left_out [-]: the share of the static answer to the present loads that modes alone would miss; the
    columns of static answers hold it. sag [-]: how far the loads move a point at most, in lengths of
    the body: more than a tenth is not small. size [bytes]: of the columns.
    """

    modes: int
    statics: int
    lowest: float
    highest: float
    left_out: float
    sag: float
    size: int

    def __str__(self) -> str:
        rows = [
            ("modes", f"{self.modes}, {self.lowest:.4g} to {self.highest:.4g} Hz"),
            ("static answers", f"{self.statics}"),
            ("left out", f"{self.left_out:.2g} of the rest shape by modes alone, 0 with these"),
            ("sag", f"{self.sag:.2g} of the body's length"),
            ("columns", f"{self.size / 1e6:.3g} MB"),
        ]
        return "\n".join(f"{name:>15}  {value}" for name, value in rows)


def report_of(system: ReducedSystem, load: np.ndarray) -> ModalReport:
    """The report of a prepared body under forces on its points in its own axes [N], (n, d)."""
    basis = system.basis
    q = basis.project(load) / basis.eigenvalues
    q[basis.own :] = 0.0
    whole, beyond = float(q @ q), float(q[basis.modes :] @ q[basis.modes :])
    moves = whole > (NOTHING * system.span) ** 2  # weight does not deform what is free
    hertz = np.sqrt(basis.eigenvalues[: basis.modes]) / (2.0 * np.pi)
    return ModalReport(
        modes=basis.modes,
        statics=basis.own - basis.modes,
        lowest=float(hertz[0]),
        highest=float(hertz[-1]),
        left_out=float(np.sqrt(beyond / whole)) if moves else 0.0,
        sag=basis.way(q) / system.size,
        size=basis.columns.nbytes,
    )


@dataclass(frozen=True)
class SubspaceReport(ModalReport):
    """`subspace.report(gravity)`: what its columns and cells leave out, against the full body.

    error [-]: of the way to the rest shape under the present loads, in the norm of masses. linear [-]:
    that of the linear answer of all modes. cells: how many of how many the energy is taken of. missed
    [-]: the share of forces that they miss in training. size: of the columns [bytes]. sag: that of the
    full body. statics: all coordinates that are no modes. Where groups of pins are driven against each
    other, ways are those from the mesh, carried with the first group, to where they are now.
    """

    error: float = 0.0
    linear: float = 0.0
    cells: int = 0
    of_cells: int = 0
    missed: float = 0.0

    def __str__(self) -> str:
        rows = [
            ("coordinates", f"{self.modes + self.statics}, of {self.modes} modes"),
            ("frequencies", f"{self.lowest:.4g} to {self.highest:.4g} Hz"),
            ("cells", f"{self.cells} of {self.of_cells}, which miss {self.missed:.2g} of forces"),
            ("sag", f"{self.sag:.2g} of the body's length"),
            (
                "error",
                f"{self.error:.2g} of the way to rest; {self.linear:.2g} of the linear answer",
            ),
            ("columns", f"{self.size / 1e6:.3g} MB"),
        ]
        if self.error > MUCH:
            rows.append(("", "more than a tenth off: expected the full body for this"))
        return "\n".join(f"{name:>15}  {value}" for name, value in rows)


def subspace_report_of(
    system: SubspaceSystem, load: np.ndarray, shape: ReducedShape
) -> SubspaceReport:
    """The report of a prepared body under forces on its points [N], (n, d), with pins as in a shape."""
    basis, x, m = system.basis, system.loaded(shape), system.masses[:, None]
    home, turn = system.driven_home(shape), shape.frame.rotation[: x.shape[1], : x.shape[1]]
    found = np.array(system.equilibrium(home, lambda y: load)[0])
    here = found - x
    linear = home.expand() - x + system.linear_answer(load @ turn) @ turn.T
    there = system.full_equilibrium(load, found if basis.driven else x) - x
    way = float(np.sqrt((m * there**2).sum()))

    def error(u: np.ndarray) -> float:
        return float(np.sqrt((m * (u - there) ** 2).sum())) / way if way else 0.0

    modes = min(basis.modes, basis.own)
    hertz = np.sqrt(system.modes(system.undeformed, modes)[0]) / (2.0 * np.pi)
    return SubspaceReport(
        modes=modes,
        statics=basis.own - modes,
        lowest=float(hertz[0]),
        highest=float(hertz[-1]),
        left_out=error(here),
        sag=float(np.linalg.norm(there, axis=1).max() / system.size),
        size=basis.columns.nbytes,
        error=error(here),
        linear=error(linear),
        cells=len(system.cubature.cells),
        of_cells=sum(len(solid.stencils) for solid in system.solids),
        missed=system.cubature.missed,
    )
