"""A towel is thrown over a soft ball on a floor, and all lies still at the second that was asked for.

Controlled cloth on controlled flesh, the scene that the thesis this library began with asks for. The
clock of what flies starts at its first touch, and bodies that touch rest together.
"""

from pathlib import Path

import numpy as np

import pliant as pl

REST_AT, HEIGHT = 1.0, 0.06  # [s], [m] of air between towel and ball
TOUCHES = 0.131  # [s] when the towel reaches the ball, which has sagged a little by then
mesh = pl.meshes.sphere(radius=0.15, cells=2)
ball = pl.Body(mesh, pl.StableNeoHookean(young=3e4, poisson=0.4), density=300.0, name="ball")
ball.place(mesh.points + [0.0, 0.1502, 0.0])
grid = pl.meshes.rectangle((0.6, 0.45), (10, 8))
flat = np.insert(grid.points - [0.33, 0.225], 1, 0.0, axis=1)
towel = pl.Cloth(pl.Mesh(flat, grid.cells), stretch=300.0, shear=60.0, bend=3e-4, density=0.3)
towel.name = "towel"
towel.place(flat + [0.0, 0.3 + HEIGHT, 0.0])
towel.velocity = (0.2, 0.0, 0.0)
ball.damping = pl.Settle(rest_in=REST_AT)
towel.damping = pl.Settle(rest_in=REST_AT - TOUCHES)

scene = pl.Scene([ball, towel], gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.4))
scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
take = scene.run(seconds=1.2, dt=1 / 60)

for body in (ball, towel):
    rests = take[body].since + take[body].rest_time()
    print(f"{body.name}: asked to rest at {REST_AT} s, at rest at {rests:.3f} s")
Path("out").mkdir(exist_ok=True)
take.save("out/towel_lands_on_a_soft_ball.png")
