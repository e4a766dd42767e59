"""The pressure around a thin tube grows, and beyond the critical one five lobes grow from nothing.

A shell of 4 mm, half a metre wide and a metre long. By theory it buckles at p = 0.92 E (h/R)^2.5 R/L
= 37 Pa, far above the 3 D/R^3 of a loose ring, in 2.7 sqrt(R/L sqrt(R/h)) = 4 lobes; its rims here
are held lengthwise too, which is worth half as much again, and a lobe. It starts a tenth of a
millimetre out of round. Colour is how far the wall has moved.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

around, along, radius, thick, young = 40, 20, 0.25, 0.004, 5e6
i, j = (a.ravel() for a in np.meshgrid(np.arange(around), np.arange(along + 1), indexing="ij"))
angle = 2 * np.pi * (i + 0.5 * (j % 2)) / around
points = np.stack([radius * np.cos(angle), radius * np.sin(angle), j / along - 0.5], axis=1)
rows = np.arange(around * (along + 1)).reshape(around, along + 1)
a, b = rows[:, :-1], np.roll(rows, -1, axis=0)[:, :-1]
c, d = np.roll(rows, -1, axis=0)[:, 1:], rows[:, 1:]
even = np.arange(along) % 2 == 0
corners = np.where(even, [a, b, d, b, c, d], [a, b, c, a, c, d]).reshape(2, 3, -1)
mesh = pl.Mesh(points, {"tri": corners.transpose(0, 2, 1).reshape(-1, 3)})

tube = pl.Shell(mesh, young=young, poisson=0.3, thickness=thick, density=1000.0)
tube.fix(np.abs(mesh.points[:, 2]) > 0.499)
free = np.abs(mesh.points[:, 2:]) < 0.499
noise = np.random.default_rng(2).standard_normal(points.shape)
tube.place(points + 1e-4 * free * noise)
critical = 0.92 * young * (thick / radius) ** 2.5 * radius
tube.push(pressure=lambda t: critical * (1 + t))
take = pl.Scene([tube]).run(seconds=2.0, dt=1 / 60)

figure = Figure(figsize=(12, 3.8), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=32.0, elevation=16.0)
triangles = mesh.cells["tri3"]
sides = np.concatenate([triangles, triangles[:, ::-1]])  # an open tube is seen from both
shown = []
for place, frame in enumerate((0, 45, 60, 75, 120)):
    x = take.positions[frame]
    moved = np.linalg.norm(x - mesh.points, axis=1)
    at = x + 1.05 * place * view.right
    drawn = pl.Surface(at, np.full(len(sides), 3), sides.ravel())
    shown.append((drawn, at, np.clip(moved / (0.6 * radius), 0.0, 1.0)))
    across = view.project(at)[:, 0].mean()
    ax.text(across, -0.6, f"{1 + take.times[frame]:.2g} p", ha="center", fontsize=13)
draw_bodies(ax, shown, camera=view)
frame_picture(ax, np.concatenate([at for _, at, _ in shown] + [[(0, -0.6, 0)]]), camera=view)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "tube_collapses_under_pressure.png", dpi=150)
