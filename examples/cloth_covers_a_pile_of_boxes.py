"""Soft boxes fall on a floor and pile up, and a cloth falls over them.

With `contact=pl.Contact(...)` bodies touch each other, themselves and the floor, with friction, and
nothing passes through anything in any frame.
"""

from pathlib import Path

import numpy as np

import pliant as pl

cube = pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2), origin=(-0.1, -0.1, -0.1))
soft = pl.StableNeoHookean(young=5e4, poisson=0.4)
places = [(-0.11, 0.13, 0.0), (0.13, 0.12, 0.03), (0.02, 0.36, 0.02)]
boxes = []
for k, (place, angle) in enumerate(zip(places, (0.1, -0.2, 0.5), strict=True)):
    c, s = np.cos(angle), np.sin(angle)
    box = pl.Body(cube, soft, density=500.0, name=f"box {k}")
    box.place(cube.points @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + place)
    boxes.append(box)

grid = pl.meshes.rectangle((1.0, 1.0), (14, 14))
sheet = pl.Mesh(np.insert(grid.points - 0.5, 1, 0.62, axis=1), grid.cells)
cloth = pl.Cloth(sheet, stretch=300.0, shear=30.0, bend=2e-5, density=0.2, name="cloth")
cloth.damping = pl.Rayleigh(mass=1.0)  # the air

scene = pl.Scene([*boxes, cloth], gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.4))
scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
take = scene.run(seconds=0.8, dt=1 / 60)

lowest = min(track.positions[..., 1].min() for track in take.tracks)
print(f"nothing is under the floor: the lowest point was {1e3 * lowest:.3f} mm above it")
Path("out").mkdir(exist_ok=True)
take.save("out/cloth_covers_a_pile_of_boxes.png")
