"""A bar that was shown one pose, bent and twisted, twists when its own weight bends it.

Both bars are of the same matter and sag from the same clamp; the second was shown the pose on the
right. Off what it was shown it is twenty times as stiff, so it turns as it sinks.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

mesh = pl.meshes.box((4, 0.6, 0.6), (20, 3, 3), kind="hex", origin=(0, -0.3, -0.3))
s, y, z = mesh.points.T

# Along an arc that ends 60 degrees down, twisted by 120 degrees at its end.
turn, bend, radius = np.radians(120) * s / 4, np.radians(60) * s / 4, 4 / np.radians(60)
up, side = y * np.cos(turn) - z * np.sin(turn), y * np.sin(turn) + z * np.cos(turn)
pose = np.stack([np.sin(bend) * (radius + up), np.cos(bend) * (radius + up) - radius, side], axis=1)

matter = pl.StableNeoHookean(young=6e5, poisson=0.3)
plain = pl.Body(mesh, matter)
shown = pl.ExampleBased(mesh, matter, examples=[pose], strength=20.0)
for bar in (plain, shown):
    bar.fix(s < 1e-9)
    bar.damping = pl.Settle(rest_in=1.0, bounces=0)
take = pl.Scene([plain, shown], gravity=(0, -9.81, 0)).run(seconds=1.2, dt=1 / 60)

print(f"the weight of the pose is {shown.weights()[1]:.2f}")


def twist(x):
    """How far the end has turned about the bar, beyond what bending turns it [degrees]."""
    end = s > 4 - 1e-9
    up, side = np.linalg.lstsq(mesh.points[end, 1:], x[end] - x[end].mean(axis=0), rcond=None)[0]
    along = np.cross(up, side) / np.linalg.norm(np.cross(up, side))
    mirror = along + [1, 0, 0]  # and in x = 0: mirrored twice, the end is turned the short way back
    up -= 2 * (up @ mirror) / (mirror @ mirror) * mirror
    return np.degrees(np.arctan2(up[2], up[1]))


figure = Figure(figsize=(12, 4.0), layout="constrained")
ax = figure.add_subplot()
view = Camera.at(azimuth=20.0, elevation=18.0)
texts = {"plain": plain.positions, "was shown the pose": shown.positions, "the pose": pose}
drawn = []
for place, (text, x) in enumerate(texts.items()):
    at = x + 4.4 * place * view.right
    drawn.append((mesh, at, 0.5 + y / 0.6))  # coloured by where it was: below blue, above coral
    text += f"\nturned by {abs(twist(x)):.0f}°"
    ax.text(view.project(at)[:, 0].mean(), -4.8, text, ha="center", fontsize=13)
draw_bodies(ax, drawn, camera=view)
frame_picture(ax, np.concatenate([at for _, at, _ in drawn] + [[(0, -5, 0)]]), camera=view)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "bar_prefers_to_twist.png", dpi=150)
