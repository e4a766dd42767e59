"""A house of seven cards stands if friction is enough, and falls if it is not.

Cards that lean at 65 degrees need a friction of about 0.3 at their feet. What sticks does not creep:
with 0.5 the house stands as long as one likes.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

LONG, THICK, GAP, LEAN = 0.2, 0.004, 2e-4, np.radians(65.0)
card = pl.meshes.box((1, 0.12, 1), (3, 2, 1))
roof = pl.meshes.box((0.4, 0.12, THICK), (4, 2, 1))
# Feet are cut level and heads upright: corners that meet corners would slip off each other.
s, t = card.points[:, [0]], card.points[:, [2]] - 1.0
foot = [-LONG * np.cos(LEAN) - GAP / 2, 0, GAP] - t * [THICK / np.sin(LEAN), 0, 0]
head = [-GAP / 2, 0, LONG * np.sin(LEAN) + GAP] + t * [0, 0, THICK / np.cos(LEAN)]
left = pl.Mesh((1 - s) * foot + s * head + card.points * [0, 1, 0], card.cells)
right = pl.Mesh(left.points * [-1, 1, 1], {"tet": card.cells["tet4"][:, [1, 0, 2, 3]]})
high = left.points[:, 2].max() + GAP
places = [(left, -0.1, 0), (right, -0.1, 0), (left, 0.1, 0), (right, 0.1, 0), (roof, -0.2, high)]
places += [(left, 0, high + THICK), (right, 0, high + THICK)]


def run(friction):
    """A take of the house."""
    stiff = pl.StableNeoHookean(young=1e8, poisson=0.3)
    house = [
        pl.Body(pl.Mesh(mesh.points + [x, 0, z], mesh.cells), stiff, density=1000.0, name=f"{k}")
        for k, (mesh, x, z) in enumerate(places)
    ]
    scene = pl.Scene(house, gravity=(0, 0, -9.81), contact=pl.Contact(friction=friction))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1), name="floor"))
    return house, scene.run(seconds=0.3, dt=1 / 60)


figure, view = (
    Figure(figsize=(8, 4), layout="constrained"),
    Camera.at(azimuth=-25.0, elevation=12.0),
)
for column, friction in enumerate((0.5, 0.2)):
    house, take = run(friction)
    moved = max(np.abs(track.positions[-1] - track.positions[0]).max() for track in take.tracks)
    print(f"friction {friction}: no point moved by more than {1e3 * moved:.1f} mm in 0.3 s")
    at = [b.skin.positions(take[b].positions[-1])[:, [0, 2, 1]] * [1, 1, -1] for b in house]
    ax = figure.add_subplot(1, 2, column + 1)
    shown = [(b.skin.surface, x, np.zeros(len(x))) for b, x in zip(house, at, strict=True)]
    draw_bodies(ax, shown, camera=view)
    frame_picture(ax, np.concatenate([*at, [(-0.25, 0, 0), (0.25, 0.4, 0)]]), camera=view)
    ax.set_title(f"friction {friction}")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/house_of_cards_stands_by_friction.png", dpi=120)
