"""Five curls of one shape, let go from it: the softer the hair, the further it hangs.

Rods of 1 mm radius, clamped at the top, each asked to rest after one second. The first is stiff and
hardly moves; in the last the weight unwinds the upper turns, and the lower ones, which carry less,
keep their shape. Colour is the depth.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

turn = np.linspace(0, 2 * np.pi * 5, 121)
curl = np.stack([0.02 * np.cos(turn), -0.0035 * turn, 0.02 * np.sin(turn)], axis=1)
stiffness = [4e9, 2e8, 8e7, 4e7, 2.5e7]  # [Pa]
hairs = []
for place, young in enumerate(stiffness):
    hair = pl.Rod(
        curl + [0.085 * place, 0, 0], radius=1e-3, young=young, poisson=0.35, density=1200.0
    )
    hair.fix(hair.node(0))
    hair.damping = pl.Settle(rest_in=1.0)
    hairs.append(hair)
take = pl.Scene(hairs, gravity=(0, -9.81, 0)).run(seconds=1.2, dt=1 / 60)

figure = Figure(figsize=(8, 6.5), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=8.0, elevation=12.0)
shown = []
for hair, young in zip(hairs, stiffness, strict=True):
    x = take[hair].positions[-1]
    drop = -hair.along(x)[-1, 1] - 0.11
    at = hair.skin.positions(x)
    shown.append((hair.skin.surface, at, np.clip(-at[:, 1] / 0.4, 0.0, 1.0)))
    print(f"{young:8.1e} Pa: {1000 * drop:4.0f} mm longer")
    across, _ = view.project(at).mean(axis=0)
    ax.text(across, 0.02, f"{young / 1e6:g} MPa", ha="center", fontsize=12)
draw_bodies(ax, shown, camera=view)
frame_picture(ax, np.concatenate([at for _, at, _ in shown] + [[(0, 0.03, 0)]]), camera=view)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "curls_hang_longer_the_softer_they_are.png", dpi=150)
