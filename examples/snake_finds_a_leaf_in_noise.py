"""A snake lies round a leaf in a noisy picture, and closes in on its contour.

First the picture is blurred much, so that the edge is felt from afar; then less and less. At each
blur the snake rests after a second.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl


def radius(turn):
    """Of the leaf's contour [pixels], seven-pointed."""
    return 33 + 5 * np.cos(turn - 0.4) + 4.5 * np.cos(7 * turn + 0.5)


rows, columns = np.mgrid[:120, :160]
across, down = columns - 84.0, rows - 62.0
leaf = 1 / (1 + np.exp(2 * (np.hypot(across, down) - radius(np.arctan2(down, across)))))
shade = 0.25 + 0.15 * columns / 160  # the light is not even
picture = shade + 0.4 * leaf + 0.12 * np.random.default_rng(5).standard_normal(leaf.shape)

turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
start = np.stack([80 + 58 * np.cos(turn), 60 + 52 * np.sin(turn)], axis=1)
snake = pl.Snake(start, picture, damping=pl.Settle(1.0))
scene = pl.Scene([snake])
takes = []
for blur in (10.0, 5.0, 2.5, 1.5):
    snake.blur = blur
    takes.append(scene.run(seconds=1.2, dt=1 / 30))

far = snake.positions - [84, 62]
off = np.hypot(*far.T) - radius(np.arctan2(far[:, 1], far[:, 0]))
print(
    f"off by {np.sqrt((off**2).mean()):.2f} pixels (root mean square), at most {abs(off).max():.2f}"
)

figure = Figure(figsize=(13, 5.5), layout="constrained")
left, right = figure.subplots(1, 2)
path = np.concatenate([take.positions for take in takes])
left.imshow(picture, cmap="gray")
for x in path[::2]:
    left.plot(*np.concatenate([x, x[:1]]).T, color="tab:orange", lw=0.5, alpha=0.6)
left.plot(*np.concatenate([start, start[:1]]).T, "--", color="tab:blue", lw=2, label="start")
left.plot([], [], color="tab:orange", label="on the way")
for ax in (left, right):
    ax.plot(*np.concatenate([path[-1], path[-1][:1]]).T, color="tab:red", lw=2, label="end")
    ax.set(xlim=(0, 159), ylim=(119, 0), xticks=[], yticks=[])
edge = np.stack([84 + radius(turn) * np.cos(turn), 62 + radius(turn) * np.sin(turn)], axis=1)
right.imshow(snake.potential, cmap="magma_r")
right.plot(*np.concatenate([edge, edge[:1]]).T, ":", color="cyan", lw=1.5, label="true contour")
for ax, title in ((left, "The picture"), (right, "Its edges, which pull the snake")):
    ax.legend(loc="lower left", framealpha=0.9)
    ax.set_title(title)
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "snake_finds_a_leaf_in_noise.png", dpi=120)
