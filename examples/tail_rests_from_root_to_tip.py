"""A tail that is let go comes to rest from its root to its tip.

Each point has a wish of its own: half a second at the root, two seconds at the tip. The motion runs out
along the tail, as animators draw it, in one body and without a key.
"""

from pathlib import Path

import numpy as np

import pliant as pl

mesh = pl.meshes.box(size=(4, 0.4, 0.4), cells=(32, 3, 3))
tail = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0, name="tail")
x, y, z = mesh.points.T
tail.fix(x < 1e-9)
tail.place(np.stack([x - 0.03 * x**2, y + 0.1 * x**2, z], axis=1))
tail.damping = pl.Settle(rest_in=0.5 * 4 ** (x / 4), bounces=2)

take = pl.Scene(tail).run(seconds=2.4, dt=1 / 60)

for place in take[tail].places():
    print(f"asked to rest in {place.asked:.2f} s, rested in {place.rested:.2f} s")
take.save(Path("out") / "tail_rests_from_root_to_tip.png")
