"""What flow costs: steps of a beam of a plastic material over those of the elastic one.

Both beams are released straight under gravity, by backward Euler. within yield: nothing flows, but
every point is asked. beyond: a tenth or more of the cells flow in every step. bent: let go beyond yield,
whole runs of 1.2 s, as in `docs/plastic.md`. Processor time of the same steps, in turns, the least of
some repeats: only ratios count. Iterations are Newton's.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

STEPS, REPEATS, DT = 20, 3, 1 / 60
#: Cells along and across of hexahedra.
SIZES = {"1k": (40, 5, 5), "6k": (80, 9, 9)}
YOUNG, DENSITY = 1e6, 1000.0
#: Beyond the first the beam does not yield; beyond the second it does from the second step on.
FIRM, SOFT = 1e9, 5e3
MATERIALS = ("StableNeoHookean", "Hencky")


def law_of(material: str, yield_stress: float | None) -> Any:
    """A material by its name, that yields or does not."""
    import pliant as pl

    elastic = getattr(pl, material)(young=YOUNG, poisson=0.3)
    if yield_stress is None:
        return elastic
    return pl.Plastic(elastic, yield_stress=yield_stress, hardening=1e5)


def bent(material: str, yield_stress: float | None) -> tuple[float, int, float]:
    """As `seconds`, of a beam that is bent and let go."""
    import pliant as pl

    mesh = pl.meshes.box((2, 0.4, 0.4), (20, 4, 4), kind="hex")
    body = pl.Body(mesh, law_of(material, yield_stress), damping=pl.Settle(0.75, bounces=0))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.15 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    scene = pl.Scene([body], contact=False)
    begin = time.process_time()
    take = scene.run(seconds=1.2, dt=DT, progress=False)
    spent = time.process_time() - begin
    iterations = int(take.tracks[0].solver["iterations"].sum())
    flows = 0.0 if take.plastic is None else float((np.diff(take.plastic, axis=0) > 0.0).mean())
    return spent, iterations, flows


def seconds(
    cells: tuple[int, int, int], material: str, yield_stress: float | None
) -> tuple[float, int, float]:
    """Processor time of the steps [s], Newton iterations, and the share of cells that flow."""
    import pliant as pl

    mesh = pl.meshes.box((4, 0.5, 0.5), cells, kind="hex")
    body = pl.Body(mesh, law_of(material, yield_stress), density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=False)
    scene.step(DT)  # compiles, and makes the solver
    spent, iterations, flowed = 0.0, 0, []
    for _ in range(STEPS):
        before = body.plastic.copy() if yield_stress is not None else np.zeros(1)
        begin = time.process_time()
        (report,) = scene.step(DT)
        spent += time.process_time() - begin
        iterations += report.iterations
        now = body.plastic if yield_stress is not None else np.zeros(1)
        flowed.append(float((now > before).mean()))
    return spent, iterations, float(np.mean(flowed))


def main(sizes: Sequence[str] = tuple(SIZES)) -> None:
    """Print the table."""
    print("| case | material | step over elastic | iterations over elastic | cells that flow |")
    print("|---|---|---|---|---|")
    for material in MATERIALS:
        for size in sizes:
            limits = {f"{size}, within yield": FIRM, f"{size}, beyond": SOFT}
            tell(material, limits, partial(seconds, SIZES[size]))
        bent(material, None)  # compiles
        bent(material, 2e4)
        tell(material, {"bent": 2e4}, bent)


def tell(material: str, limits: dict[str, float], work: Any) -> None:
    """Rows of the table: work with each yield stress over that of the elastic material."""
    cases: dict[str, float | None] = {"elastic": None, **limits}
    found: dict[str, list[tuple[float, int, float]]] = {name: [] for name in cases}
    for _ in range(REPEATS):
        for name, limit in cases.items():
            found[name].append(work(material, limit))
    least = {name: min(rows) for name, rows in found.items()}
    plain = least["elastic"]
    for name in limits:
        spent, iterations, flows = least[name]
        cost, more = spent / plain[0], iterations / plain[1]
        print(f"| {name} | {material} | {cost:.2f} | {more:.2f} | {100 * flows:.0f} % |")


if __name__ == "__main__":
    main()
