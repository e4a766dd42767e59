"""A bent beam rests when it is told to.

The beam is clamped at its left end, bent by 70 degrees and let go under its own weight. It is asked
to be within one per cent of its rest shape after three quarters of a second, without overshoot.
"""

from pathlib import Path

import numpy as np

import pliant as pl

mesh = pl.meshes.box(size=(4, 1, 1), cells=(12, 3, 3))
beam = pl.Body(mesh, pl.StableNeoHookean(young=1e7, poisson=0.4), density=1000.0, name="beam")
beam.fix(mesh.points[:, 0] < 1e-9)

# Roll the beam along an arc whose middle line keeps its length.
radius = 4 / np.radians(70)
x, y, z = mesh.points.T
arm = radius - (y - 0.5)
beam.place(np.stack([arm * np.sin(x / radius), 0.5 + radius - arm * np.cos(x / radius), z], axis=1))

beam.damping = pl.Settle(rest_in=0.75, bounces=0)
take = pl.Scene([beam], gravity=(0, -9.81, 0)).run(seconds=1.0, dt=1 / 60)

print(f"asked to rest in 0.75 s, rested in {take.rest_time():.3f} s")
take.save(Path("out") / "beam_rests_on_cue.png")
