"""How long a press on long elements takes, somewhere else each time: one solve with a kept factor."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

import pliant as pl

#: Spacings [m] of a ball of 0.1 m: about 1, 10 and 20 thousand elements.
SPACINGS = {"1k": 0.01, "6k": 0.004, "48k": 0.003, "200k": 0.0022}
PRESSES = 400


def main(sizes: Iterable[str]) -> None:
    """Print processor times of a ball of liquid."""
    print("| elements | points | factor [s] | press [us] | 99 of 100 [us] | volume |")
    print("|---|---|---|---|---|---|")
    for size in sizes:
        print(row(SPACINGS[size]), flush=True)


def row(spacing: float) -> str:
    """The numbers of one ball."""
    body = pl.LongElements(pl.meshes.sphere(0.1, 10), spacing=spacing)
    body.fix(body.mesh.points[:, 2] < -0.09)
    began = time.process_time()
    body.responses([int(body.mesh.points[:, 2].argmax())])
    made = time.process_time() - began
    system, free = body._prepared(), ~body.pinned
    skin = np.unique(body.mesh.boundary["quad4"])
    basis, places = system.basis, np.random.default_rng(0).choice(skin[free[skin]], PRESSES)
    spent, change = [], 0.0
    for place in places:
        began = time.process_time()
        unit = np.zeros(len(basis))
        unit[basis.of[place]] = basis.shares[place]  # along the diagonal: all three axes
        dl = system.liquid.answer(unit).lengthening
        dl *= -0.002 / (dl @ unit)
        spent.append(time.process_time() - began)
        change = max(change, abs(float(body.elements.sections @ dl)) / body.mesh.volume)
    middle, late = (1e6 * np.quantile(spent, q) for q in (0.5, 0.99))
    counts = f"{len(basis)} | {len(body)} | {made:.2f}"
    return f"| {counts} | {middle:.0f} | {late:.0f} | {change:.0e} |"
