"""A poster is held by its rim, and a strip is torn out of it: grabbed at the upper edge and pulled down.

Nothing says where it is to tear. The tears begin at the ends of the grip and run down, by the fracture
energy of the paper. Then the hand holds still, and the poster is at rest in the time that was asked for.
"""

from pathlib import Path

import numpy as np

import pliant as pl

side, thickness = 0.2, 4e-4
sheet = pl.meshes.rectangle(size=(side, side), cells=(10, 10))
mesh = pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)
tear = pl.Tear(strength=5e4, energy=500.0, thickness=thickness)
poster = pl.Cloth(mesh, stretch=600.0, shear=250.0, bend=4e-6, density=0.15, tear=tear)

x, y, _ = mesh.points.T
poster.fix((x < 1e-9) | (x > side - 1e-9) | (y < 1e-9))
grip = np.flatnonzero((np.abs(x - side / 2) < 0.021) & (y > side - 1e-9))
start = mesh.points[grip]


def pull(t):
    """Towards us first, then down."""
    way = 0.14 * min(t, 1.6)
    return start + [0.0, -way, min(2 * way, 0.05)]


poster.move(grip, pull)
scene = pl.Scene([poster], gravity=(0, -9.81, 0), contact=False)
torn = scene.run(seconds=1.6, dt=1 / 50, progress=False)
area = poster.torn_area
print(
    f"{area / thickness:.3f} m of tear took {poster.torn_energy:.4f} J, {tear.energy * area:.4f} J"
)

poster.damping = pl.Settle(rest_in=0.5, bounces=0)
take = scene.run(seconds=0.8, dt=1 / 50, progress=False)
print(f"asked to rest 0.5 s after the pull, rested in {take.rest_time():.2f} s")

Path("out").mkdir(exist_ok=True)
torn.save(Path("out") / "strip_is_torn_out_of_a_poster.png")
