"""What the modes of a body leave out, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.reduced import ReducedSystem


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
    """The report of a prepared body under forces on its points [N], (n, d)."""
    basis = system.basis
    q = basis.project(load) / basis.eigenvalues
    whole, beyond = float(q @ q), float(q[basis.modes :] @ q[basis.modes :])
    hertz = np.sqrt(basis.eigenvalues[: basis.modes]) / (2.0 * np.pi)
    return ModalReport(
        modes=basis.modes,
        statics=len(basis) - basis.modes,
        lowest=float(hertz[0]),
        highest=float(hertz[-1]),
        left_out=float(np.sqrt(beyond / whole)) if whole else 0.0,
        sag=basis.way(q) / system.size,
        size=basis.columns.nbytes,
    )
