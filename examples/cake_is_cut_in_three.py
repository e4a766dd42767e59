"""A cake on a narrow stand is cut in three: its sides fall to the table, and all rest on cue.

The cells of the cake are split along both cuts. From then on every piece is a body by itself: it falls
freely, and its clock starts when it first touches what carries it.
"""

from pathlib import Path

import numpy as np

import pliant as pl

REST_IN, HEIGHT = 0.5, 0.07  # [s] after the first touch, [m] of the stand
mesh = pl.meshes.box((0.3, 0.08, 0.15), (8, 3, 4))
cake = pl.Body(mesh, pl.StableNeoHookean(young=4e4, poisson=0.4), density=400.0, name="cake")
cake.damping = pl.Settle(rest_in=REST_IN)
cake.cut(pl.HalfSpace((0.105, 0, 0), (1, 0, 0.15)), at=0.3)
cake.cut(pl.HalfSpace((0.195, 0, 0), (1, 0, -0.15)), at=0.3)

block = pl.meshes.box((0.05, HEIGHT, 0.13), (1, 1, 1))
faces = np.concatenate(list(block.boundary.values()))
stand = pl.Surface.of(block.points + [0.125, -HEIGHT - 1e-3, 0.01], faces)
scene = pl.Scene([cake], gravity=(0, -9.81, 0))
scene.add(pl.MeshObstacle(stand, name="stand"))
scene.add(pl.HalfSpace((0, -HEIGHT - 1e-3, 0), (0, 1, 0), name="table"))
take = scene.run(seconds=1.2, dt=1 / 60)

print(f"{len(cake.parts)} pieces of {len(mesh)} + {len(cake) - len(mesh)} points")
for piece in cake.parts:
    middle = piece.masses @ piece.positions / piece.masses.sum()
    speed = np.linalg.norm(piece.velocity, axis=1).max()
    print(f"a piece of {piece.masses.sum():.2f} kg at {middle.round(3)} moves by {speed:.1e} m/s")
Path("out").mkdir(exist_ok=True)
take.save("out/cake_is_cut_in_three.png")
