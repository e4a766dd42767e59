"""Every damping that controls motion, and which of them the quick run takes."""

import pytest

import pliant as pl

CONTROLLED = {
    "settle": lambda: pl.Settle(0.5),
    "settle-0": lambda: pl.Settle(0.5, 0),
    "settle-2": lambda: pl.Settle(0.5, 2),
    "first-mode": lambda: pl.Settle(0.5, law="first-mode"),
    "first-mode-0": lambda: pl.Settle(0.5, 0, law="first-mode"),
    "first-mode-2": lambda: pl.Settle(0.5, 2, law="first-mode"),
    "energy-minimising": lambda: pl.EnergyMinimising(tau=0.05),
    "energy-minimising-kappa": lambda: pl.EnergyMinimising(tau=0.05, kappa=0.7),
}
every_controlled = pytest.mark.parametrize("damping", CONTROLLED.values(), ids=list(CONTROLLED))
dims = pytest.mark.parametrize("dim", [2, 3])

#: The quick run takes one damping of each kind in each dimension; the others differ in gains only.
QUICK = {
    2: {"settle", "settle-0", "settle-2", "first-mode-0"},
    3: {"settle", "settle-2", "first-mode-2", "energy-minimising-kappa"},
}
TUMBLE = [
    pytest.param(
        make,
        dim,
        id=f"{name}-{dim}",
        marks=[] if name in QUICK[dim] else [pytest.mark.slow],
    )
    for dim in (2, 3)
    for name, make in CONTROLLED.items()
]
