"""Rubber ducks fall into a box, on each other, and none of them gets through anything.

The ducks are a surface file, filled with tetrahedra. The box is a mesh that stands still: it stops what
comes from both sides.
"""

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import pliant as pl

HERE = Path(__file__).parent
surface = pl.Surface.read(HERE / "scenes" / "rubber_duck.obj")
mesh = pl.meshes.tetrahedralise(surface, edge_length=0.03)
middle = mesh.points.mean(axis=0)
rubber = pl.StableNeoHookean(young=1e5, poisson=0.4)
ducks = []
for k, (x, z) in enumerate([(-0.05, -0.04), (0.05, 0.03), (-0.02, 0.04), (0.03, -0.03)]):
    duck = pl.Body(mesh, rubber, density=300.0, name=f"duck {k}")
    turn = Rotation.from_euler("yxz", [70.0 * k, 15.0 * k, -10.0], degrees=True).as_matrix()
    duck.place((mesh.points - middle) @ turn.T + [x, 0.07 + 0.11 * k, z])
    duck.damping = pl.Rayleigh(mass=2.0)
    ducks.append(duck)

w, h = 0.13, 0.12  # half of its width, and its height [m]
corners = np.array([(x, y, z) for y in (0.0, h) for x, z in ((-w, -w), (w, -w), (w, w), (-w, w))])
sides = [(0, 1, 2, 3), *((k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4))]
box = pl.MeshObstacle(pl.Surface.of(corners, np.array(sides)), name="box")

scene = pl.Scene(ducks, gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.4))
scene.add(box)
take = scene.run(seconds=0.6, dt=1 / 60)

last = take.contacts[-1]
within = sum(np.abs(take[duck].positions[-1][:, [0, 2]]).max() < w for duck in ducks)
print(f"{within} ducks are in the box, and touch in {len(last)} places")
Path("out").mkdir(exist_ok=True)
take.save("out/ducks_fall_into_a_box.png")
