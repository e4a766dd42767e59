"""A soft crate falls on a springboard; both lie still when they were asked to.

The board is held at its left end and moves in 24 numbers and what static answers add, however fine its
mesh is. The crate is a full body. What touches are the points of both surfaces.
"""

from pathlib import Path

import pliant as pl

G = (0, -9.81, 0)
plank = pl.meshes.box((2.0, 0.1, 0.5), (16, 2, 4), kind="hex")
board = pl.Body(plank, pl.StableNeoHookean(young=8e7, poisson=0.3), density=600.0, name="board")
board.fix(plank.points[:, 0] < 1e-9)
board = pl.Subspace(board, modes=8, size=24)
board.place(board.rest_shape(G))  # it hangs at rest when the crate comes

cube = pl.meshes.box((0.3, 0.3, 0.3), (3, 3, 3), kind="hex")
crate = pl.Body(cube, pl.StableNeoHookean(young=2e5, poisson=0.4), density=500.0, name="crate")
tip = board.positions[plank.points[:, 0] > 1.99].mean(axis=0)
crate.place(cube.points - 0.15 + tip + [-0.35, 0.7, 0.0])
for body in (board, crate):
    body.damping = pl.Settle(rest_in=0.9)

scene = pl.Scene([board, crate], gravity=G, contact=pl.Contact(friction=0.8))
take = scene.run(seconds=1.5, dt=1 / 60)
since, left = take["crate"].since, take["crate"].rest_time()
lower = take["board"].positions[0] - take["board"].positions[-1]
print(
    f"touched at {since:.2f} s, at rest {left:.2f} s later, the tip {lower[:, 1].max():.2f} m lower"
)
Path("out").mkdir(exist_ok=True)
take.save("out/crate_lands_on_a_springboard.png")
