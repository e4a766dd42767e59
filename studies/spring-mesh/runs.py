"""Everything the page needs, run once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .ours import Settled, settled
from .paper import (
    DAMPING,
    DAMPING_1D,
    DT,
    Force,
    Motion,
    advance,
    chain,
    pyramid,
    signed,
    simulate,
    triangle,
    unsigned,
    vectorial,
)

LAWS = {"signed": signed, "unsigned": unsigned}
STEPS = ("explicit", "symplectic", "average", "in place")
NAMES = {
    "explicit": "old velocity (explicit Euler)",
    "symplectic": "new velocity (symplectic Euler, as printed in 2)",
    "average": "average of both (as printed in 3)",
    "in place": "new velocity, particle by particle (as listed in 5)",
}
#: A spring of this many rest lengths has blown up.
FAR = 1000.0
LONG = 15.0  # [s]


@dataclass(frozen=True)
class Runs:
    """Motions of the paper's structures, by law and step, and ours beside them."""

    undamped: dict[tuple[str, str], Motion]
    damped: dict[tuple[str, str], Motion]  # by structure and step
    free: dict[tuple[str, str], Motion]  # triangle and pyramid without damping
    settled: dict[str, Settled]


def run_all() -> Runs:
    """Some seconds."""
    structures = {s.name: s for s in (chain(), triangle(), pyramid())}
    damped = {
        (name, step): simulate(s, vectorial(DAMPING_1D if name == "chain" else DAMPING), step, 1.5)
        for name, s in structures.items()
        for step in STEPS
    }
    return Runs(
        undamped={
            (law, step): simulate(chain(), make(), step, LONG, far=2.0 * FAR)
            for law, make in LAWS.items()
            for step in STEPS
        },
        damped=damped,
        free={
            (name, step): simulate(structures[name], vectorial(), step, 10.0, far=2.0 * FAR)
            for name in ("triangle", "pyramid")
            for step in STEPS[:3]
        },
        settled={
            name: settled(s, damped[name, "average"].rests()) for name, s in structures.items()
        },
    )


def growth(step: str, damping: float = 0.0, dt: float = DT) -> float:
    """The rate [1/s] at which the fastest growing motion of the chain grows, signed law.

    One step is a matrix, made column by column with the step itself; its largest eigenvalue tells.
    """
    structure, n = chain(0.0), 3
    columns = []
    for y in np.eye(2 * n):
        x, v = structure.rest + y[:n, None], y[n:, None]
        x, v = advance(step, structure, signed(damping), x, v, dt)
        columns.append(np.concatenate([x - structure.rest, v])[:, 0])
    largest = np.abs(np.linalg.eigvals(np.array(columns).T)).max()
    return float(np.log(largest) / dt)


def postponed(force: Force, step: str, dt: float) -> float:
    """When the undamped chain blows up at another time step [s]."""
    return simulate(chain(), force, step, 2.0 * LONG, dt=dt, far=2.0 * FAR).blown_up(FAR)


def bounded_up_to(step: str = "symplectic", seconds: float = 5.0) -> float:
    """The largest push of the last particle after which the unsigned chain stays together, to 1 %."""
    low, high = 0.3, 1.2
    while high > 1.005 * low:
        push = 0.5 * (low + high)
        stays = np.isinf(simulate(chain(push), unsigned(), step, seconds, far=20.0).blown_up(10.0))
        low, high = (push, high) if stays else (low, push)
    return low
