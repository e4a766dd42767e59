"""What flow costs: steps of a beam of a plastic material over those of the elastic one.

Both beams are released straight under gravity, by backward Euler. within yield: nothing flows, but
every point is asked. beyond: a tenth or more of the cells flow in every step. Processor time of the
same steps, in turns, the least of some repeats: only ratios count. Iterations are Newton's.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

STEPS, REPEATS, DT = 20, 3, 1 / 60
#: Cells along and across of hexahedra.
SIZES = {"1k": (40, 5, 5), "6k": (80, 9, 9)}
YOUNG, DENSITY = 1e6, 1000.0
#: Beyond the first the beam does not yield; beyond the second it does from the second step on.
FIRM, SOFT = 1e9, 5e3


def seconds(cells: tuple[int, int, int], yield_stress: float | None) -> tuple[float, int, float]:
    """Processor time of the steps [s], Newton iterations, and the share of cells that flow."""
    import pliant as pl

    mesh = pl.meshes.box((4, 0.5, 0.5), cells, kind="hex")
    material = pl.StableNeoHookean(young=YOUNG, poisson=0.3)
    law = (
        material
        if yield_stress is None
        else pl.Plastic(material, yield_stress=yield_stress, hardening=1e5)
    )
    body = pl.Body(mesh, law, density=DENSITY)
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
    print("| cells | matter | step over elastic | iterations over elastic | cells that flow |")
    print("|---|---|---|---|---|")
    for size in sizes:
        cases = {"elastic": None, "within yield": FIRM, "beyond": SOFT}
        found: dict[str, list[tuple[float, int, float]]] = {name: [] for name in cases}
        for _ in range(REPEATS):
            for name, limit in cases.items():
                found[name].append(seconds(SIZES[size], limit))
        least = {name: min(rows) for name, rows in found.items()}
        plain = least["elastic"]
        for name in list(cases)[1:]:
            spent, iterations, flows = least[name]
            cost, more = spent / plain[0], iterations / plain[1]
            print(f"| {size} | {name} | {cost:.2f} | {more:.2f} | {100 * flows:.0f} % |")


if __name__ == "__main__":
    main()
