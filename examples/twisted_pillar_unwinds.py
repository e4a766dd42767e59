"""A twisted pillar unwinds, overshoots twice, and stands still.

A quarter turn is wound into a pillar of hexahedra. It is asked for two bounces within 1.2 seconds:
each full oscillation then takes 0.6 seconds, whatever the pillar is made of.
"""

from pathlib import Path

import numpy as np

import pliant as pl

mesh = pl.meshes.box(size=(1, 4, 1), cells=(4, 16, 4), kind="hex", origin=(-0.5, 0, -0.5))
pillar = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), name="pillar")
pillar.fix(mesh.points[:, 1] < 1e-9)

x, y, z = mesh.points.T
angle = np.radians(90) * y / 4
cos, sin = np.cos(angle), np.sin(angle)
pillar.place(np.stack([cos * x + sin * z, y, cos * z - sin * x], axis=1))

pillar.damping = pl.Settle(rest_in=1.2, bounces=2)
take = pl.Scene([pillar]).run(seconds=1.4, dt=1 / 60)

ring = take.ring()
print(f"asked for a bounce every 0.60 s, found one every {ring.period:.2f} s")
print(f"asked to rest in 1.20 s, the envelope reached 1 % after {ring.rest_time(0.01):.2f} s")
take.save(Path("out") / "twisted_pillar_unwinds.png")
