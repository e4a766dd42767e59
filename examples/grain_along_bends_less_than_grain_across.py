"""Two planks of one stuff, stiff along its grain: the grain along one, and across the other.

Solids that keep their metric, with a weight for each component of strain. Clamped at one end, let go
straight, asked to rest after 1.2 s with two bounces.
"""

from pathlib import Path

import numpy as np

import pliant as pl

mesh = pl.meshes.box((1.2, 0.1, 0.15), (24, 2, 3), kind="hex")
planks = []
for name, stiff, place in (("along", 0, 0.0), ("across", 2, 0.3)):
    weights = np.full((3, 3), 4e5)  # [Pa]
    weights[stiff, stiff] = 4e6
    moved = pl.Mesh(mesh.points + [0, 0, place], mesh.cells)
    plank = pl.FormSolid(moved, metric=weights, density=300.0, name=name)
    plank.fix(moved.points[:, 0] < 1e-9)
    plank.damping = pl.Settle(rest_in=1.2, bounces=2)
    planks.append(plank)
take = pl.Scene(planks, gravity=(0, -9.81, 0)).run(seconds=1.5, dt=1 / 60)
for plank in planks:
    tip = plank.mesh.points[:, 0] > 1.2 - 1e-9
    sag = (plank.mesh.points - take[plank].positions[-1])[tip, 1].mean()
    print(f"grain {plank.name}: its tip sags {100 * sag:.1f} cm")
Path("out").mkdir(exist_ok=True)
take.save("out/grain_along_bends_less_than_grain_across.png")
