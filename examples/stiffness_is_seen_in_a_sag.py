"""How stiff each quarter of a beam is, found from where a camera saw it sag.

The fit needs some ten equilibria: their derivatives come with them. It also says how sure it is: the tip
carries little weight, so its stiffness is the least certain.
"""

from pathlib import Path

import matplotlib
import numpy as np

import pliant as pl

matplotlib.use("Agg")
import matplotlib.pyplot as plt

OUT = Path("out")
PARTS = ("a", "b", "c", "d")
TRUE = {"a": 6e5, "b": 3e5, "c": 9e5, "d": 4e5}
mesh = pl.meshes.box((2, 0.3, 0.3), (16, 2, 2))
quarter = (mesh.points[mesh.cells["tet4"]].mean(axis=1)[:, 0] * 2).astype(int)


def beam(**young):
    """A beam whose quarters are of different stiffness, under its weight."""
    map_ = np.array([young[part] for part in PARTS])[quarter]
    body = pl.Body(mesh, pl.StableNeoHookean(young=map_, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    return pl.Scene([body], gravity=(0, 0, -9.81))


sag = beam(**TRUE).equilibrium().positions[0]
seen = sag + 0.002 * np.random.default_rng(1).standard_normal(sag.shape)
found = pl.fit(beam, seen, vary=dict.fromkeys(PARTS, (1e5, 1e7)))
print(found.report())

OUT.mkdir(exist_ok=True)
figure, (above, below) = plt.subplots(2, 1, figsize=(7, 6), layout="constrained")
above.plot(seen[:, 0], seen[:, 2], ".", color="#e4572e", ms=3, label="seen, to 2 mm")
above.plot(mesh.points[:, 0], mesh.points[:, 2], ".", color="#c9d1d8", ms=3, label="without weight")
above.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
above.legend(frameon=False)
low, high = np.array([found.intervals[part] for part in PARTS]).T
value = np.array([found.values[part] for part in PARTS])
place = np.arange(4)
below.bar(place, list(TRUE.values()), width=0.6, color="#dfe6ec", label="put in")
below.errorbar(
    place, value, (value - low, high - value), fmt="o", color="#2f6f9f", capsize=5, label="found"
)
below.set(xticks=place, xticklabels=["root", "", "", "tip"], ylabel="Young's modulus [Pa]")
below.legend(frameon=False)
figure.savefig(OUT / "stiffness_is_seen_in_a_sag.png", dpi=120)
