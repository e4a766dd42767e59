"""Five reeds are let go together and rest one after another.

All are alike and bent alike. Each has a wish of its own, a quarter of a second after its
neighbour's, so stillness runs from left to right. One scene, five bodies, five wishes.
"""

from pathlib import Path

import pliant as pl

reeds = []
for k in range(5):
    mesh = pl.meshes.rectangle(size=(0.2, 2), cells=(2, 16), origin=(0.7 * k, 0))
    reed = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), name=f"reed {k + 1}")
    reed.fix(mesh.points[:, 1] < 1e-9)
    reed.place(mesh.points + 0.18 * mesh.points[:, 1:] ** 2 * [1, 0])
    reed.damping = pl.Settle(rest_in=0.25 * (k + 1), bounces=0)
    reeds.append(reed)

take = pl.Scene(reeds).run(seconds=1.4, dt=1 / 60)

for reed in reeds:
    asked, found = reed.damping.rest_in, take[reed].rest_time()
    print(f"{reed.name}: asked to rest in {asked:.2f} s, rested in {found:.2f} s")
take.save(Path("out") / "reeds_rest_one_after_another.png")
