"""A water balloon, a rubber ball and an empty net hang by their knots.

Three balls of one mesh and one mass, made of nothing but the wish to keep edge lengths, surface and
volume. They differ in how much they wish each. All are asked to hang still after 0.8 seconds.
Colour is the stretch of the edges.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

STIFFNESSES = {  # [J]
    "rubber": {"distance": 1.0, "area": 1.0, "volume": 3.0},
    "water balloon": {"distance": 0.06, "area": 0.0, "volume": 1.8},
    "net": {"distance": 0.06, "area": 0.0, "volume": 0.0},
}

ball = pl.meshes.sphere(radius=0.5, cells=4)
bodies = []
for place, (name, stiffness) in enumerate(STIFFNESSES.items()):
    mesh = pl.Mesh(ball.points + [1.6 * place, 0, 0], ball.cells)
    body = pl.ConstraintBody(mesh, mass=0.01, name=name, **stiffness)
    body.fix(ball.points[:, 1] > 0.42)
    body.damping = pl.Settle(rest_in=0.8, bounces=0)
    bodies.append(body)
take = pl.Scene(bodies, gravity=(0, -9.81, 0)).run(seconds=1.0, dt=1 / 60)


def stretch(body):
    """How far the longest-drawn edge at each point is stretched, (n,)."""
    rest, now = (np.ptp(x[body.edges], axis=1) for x in (body.mesh.points, body.positions))
    strain = np.linalg.norm(now, axis=1) / np.linalg.norm(rest, axis=1) - 1.0
    most = np.zeros(len(body))
    np.maximum.at(most, body.edges, strain[:, None])
    return np.clip(most, 0.0, 1.0)


figure = Figure(figsize=(11, 6), layout="constrained")
ax = figure.add_subplot()
level = Camera.at(azimuth=0.0, elevation=10.0)
draw_bodies(ax, [(b.mesh, b.positions, stretch(b)) for b in bodies], camera=level)
low = min(b.positions[:, 1].min() for b in bodies) - 0.15
for body in bodies:
    volume = body.volume() / body.mesh.volume
    print(f"{body.name}: still after {take[body].rest_time():.2f} s, {volume:.1%} of its volume")
    across, up = level.project(np.array([[body.mesh.points[:, 0].mean(), low, 0]]))[0]
    label = f"{body.name}\nvolume {100 * (volume - 1):+.1f} %"
    ax.text(across, up, label, ha="center", va="top", fontsize=13)
frame_picture(
    ax, np.concatenate([*(b.positions for b in bodies), [(0, low - 0.3, 0)]]), camera=level
)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "water_balloon_hangs_by_its_knot.png", dpi=150)
