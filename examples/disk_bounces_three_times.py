"""A squashed disk bounces three times and is still.

The bottom of a plane disk is held; the disk is pressed flat and let go. Three full oscillations
within one and a half seconds were asked for.
"""

from pathlib import Path

import numpy as np

import pliant as pl
from pliant.take import crossings
from pliant.take.measure import amplitude

mesh = pl.meshes.disk(radius=1.0, rings=6)
disk = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0, name="disk")
disk.fix(mesh.points[:, 1] < -0.85)

# Wider and lower, more so the higher a point lies, so that the held points stay where they are.
height = np.maximum(mesh.points[:, 1:] + 0.85, 0.0)
disk.place(mesh.points * (1 + height * [0.15, 0]) - height * [0, 0.3])

disk.damping = pl.Settle(rest_in=1.5, bounces=3)
take = pl.Scene([disk]).run(seconds=1.75, dt=1 / 120)

swing = amplitude(take[disk].displacements(), disk.masses)
halves = np.diff(crossings(take.times, swing)[:6])
print(f"asked for a bounce every 0.5 s, found one every {2 * halves.mean():.3f} s")
take.save(Path("out") / "disk_bounces_three_times.png")
