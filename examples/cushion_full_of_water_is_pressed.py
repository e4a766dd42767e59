"""A cushion full of water, of long elements: it bulges below, and where a hand presses it gives way.

Left: its weight alone. Middle: a hand presses in its middle with 15 N; what goes in there comes out
all around, to the last drop. Right: the hand lets go, and it settles on cue with two bounces.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

GRAVITY = (0, -9.81, 0)
ball = pl.meshes.sphere(1.0, 10)
cushion = pl.LongElements(
    pl.Mesh(ball.points * [0.2, 0.07, 0.2], ball.cells), spacing=0.01, young=1e4, tension=3.0
)
x = cushion.mesh.points
cushion.fix(x[:, 1] < x[:, 1].min() + 0.011)
print(f"{len(cushion.elements)} elements, {cushion.masses.sum():.2f} kg of water")

away = np.linalg.norm(x[:, [0, 2]], axis=1)
hand = np.flatnonzero((x[:, 1] > 0.055) & (away < 0.05))
rest = cushion.rest_shape(GRAVITY)
load = cushion.push(force=(0.0, -15.0 / len(hand), 0.0), on=hand)
pressed = cushion.rest_shape(GRAVITY)
under = cushion.pressure(GRAVITY)
cushion.place(pressed)
cushion.unpush(load)
print(f"the hand raises the pressure by {under - cushion.pressure(GRAVITY):.0f} Pa")

cushion.damping = pl.Settle(rest_in=0.6, bounces=2)
take = pl.Scene(cushion, gravity=GRAVITY).run(seconds=0.8, dt=1 / 60)
print(
    f"volume off by {abs(cushion.volume_change):.0e} of it, at rest after {take.rest_time():.2f} s"
)

figure = Figure(figsize=(12, 3.6), layout="constrained")
left, right = figure.subplots(1, 2, width_ratios=(3, 2))
view = Camera.at(azimuth=20.0, elevation=18.0)
skin, drawn = cushion.skin, []
shell = pl.Mesh(skin.surface.points, {"tri": skin.surface.corners.reshape(-1, 3)})
for place, (text, at) in enumerate({"its weight": rest, "and a hand": pressed}.items()):
    shift = skin.positions(at) + 0.46 * place * view.right
    drawn.append((shell, shift, np.linalg.norm(skin.positions(at - x), axis=1)))
    left.text(view.project(shift)[:, 0].mean(), 0.16, text, ha="center", fontsize=12)
draw_bodies(left, drawn, camera=view)
frame_picture(left, np.concatenate([at for _, at, _ in drawn] + [[(0, 0.2, 0)]]), camera=view)
right.plot(take.times, 1e3 * (take.positions[:, hand, 1].mean(axis=1) - rest[hand, 1].mean()))
right.axvline(0.6, color="0.7", lw=1)
right.set(xlabel="s", ylabel="top over its rest shape [mm]")
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "cushion_full_of_water_is_pressed.png", dpi=150)
