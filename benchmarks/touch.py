"""What a press costs, beside factoring the body's equations anew with the touched nodes held.

Both on the same body in one run, in processor time on one thread. `first` is the press at a place that
was not touched before; `next` at the same place, which a hand does a thousand times a second.
"""

from __future__ import annotations

import time

import numpy as np
import scipy.linalg as la

import pliant as pl

from .reduced import spent

#: Of a block, so that there are 500 points: 1500 unknowns.
CELLS = (8, 8, 12)
#: Radii of the pad [m].
RADII = (0.05, 0.13, 0.2, 0.4)
TOP, WAY = (0.5, 0.5, 2.0), np.array([0.0, 0.0, -0.05])


def main() -> None:
    """Print the table."""
    body = pl.BoundaryElements(pl.meshes.box((1, 1, 2), CELLS), young=1e6, poisson=0.3)
    body.fix(body.mesh.points[:, 2] < 1e-9)
    began = time.process_time()
    body.statics()
    assembled = time.process_time() - began
    began = time.process_time()
    own = body.compliance()
    solved = time.process_time() - began
    n = body.mesh.points.size
    print(f"{n} unknowns: equations {assembled:.1f} s, factor and all responses {solved:.1f} s\n")
    print("| radius | points | anew | first | next | whole surface | anew / next |")
    print("|---|---|---|---|---|---|---|")
    anew = refactored(body)
    for radius in RADII:
        touch = pl.Probe(own, radius=radius)
        first = spent(lambda t=touch: t.press(at=TOP, by=WAY), 1)
        again = spent(lambda t=touch: t.press(at=TOP, by=WAY), 500)
        shown = spent(lambda t=touch: t.positions, 100)
        print(
            f"| {radius:g} m | {len(touch.nodes)} | {1e3 * anew:.0f} ms | {1e6 * first:.0f} us "
            f"| {1e6 * again:.0f} us | {1e6 * shown:.0f} us | {anew / again:.0f} |"
        )


def refactored(body: pl.BoundaryElements) -> float:
    """The time [s] of a factor of the equations and one solve."""
    statics = body.statics()
    known = np.repeat(statics.known, 3)
    matrix = np.where(known[None, :], -body.young * statics.of.held, statics.of.H)
    right = statics.of.free.sum(axis=1)
    return spent(lambda: la.lu_solve(la.lu_factor(matrix), right), 3)
