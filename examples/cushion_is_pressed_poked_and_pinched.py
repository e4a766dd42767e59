"""A cushion is pressed by a pad, poked by a ball and pinched by two fingers, and rests on cue.

It is made of boundary elements: triangles on its surface, and nothing inside. Each touch is answered
from the compliance of the surface, in microseconds, with the force that the hand feels.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pliant as pl
from pliant.io.camera import Camera
from pliant.io.drawing import draw_bodies, frame_picture

ball = pl.meshes.sphere(0.1, 8)
shape = pl.Mesh(ball.points * [1.4, 0.7, 1.0], ball.cells)  # flat: y is up
cushion = pl.BoundaryElements(shape, young=2e4, poisson=0.45, name="cushion")
x = cushion.mesh.points
cushion.fix(x[:, 1] < -0.05)
top, left, right = x[x[:, 1].argmax()], x[x[:, 0].argmin()], x[x[:, 0].argmax()]

touch = pl.Probe(cushion, radius=0.035)
shapes = {}
force = touch.press(at=top, by=(0.02, -0.02, 0.0))
shapes[f"pressed, and dragged aside:\n{np.linalg.norm(force):.1f} N"] = touch.positions
force = touch.poke(at=top + [0.0, 0.035 - 0.02, 0.0])
shapes[f"poked by a ball:\n{np.linalg.norm(force):.1f} N"] = touch.positions
forces = touch.pinch(at=(left, right), by=0.05)
shapes[f"pinched between two fingers:\n{np.linalg.norm(forces[0]):.1f} N"] = touch.positions

curves, point = {}, np.linalg.norm(x - top, axis=1).argmin()
for text, bounces in (("no bounce", 0), ("two bounces", 2)):
    cushion.damping = pl.Settle(rest_in=0.5, bounces=bounces)
    touch.press(at=top, by=(0.02, -0.02, 0.0))
    touch.let_go()
    take = pl.Scene(cushion).run(seconds=0.7, dt=1 / 240)
    curves[text] = take.times, 1e3 * (take.positions[:, point, 1] - top[1])
    print(f"{text}: at rest after {take.rest_time():.3f} s")

figure = Figure(figsize=(12, 4.6), layout="constrained")
picture, chart = figure.subplots(1, 2, width_ratios=(3, 2))
view, drawn = Camera.at(azimuth=20.0, elevation=18.0), []
for k, (text, there) in enumerate(shapes.items()):
    away = np.linalg.norm(there - x, axis=1)
    at = there + view.right * 0.32 * k
    drawn.append((cushion.mesh, at, away / away.max()))
    across = view.project(at)[:, 0].mean()
    picture.text(across, -0.16, text, fontsize=11, ha="center")
draw_bodies(picture, drawn, camera=view)
frame_picture(picture, np.concatenate([at for _, at, _ in drawn]), camera=view)
for text, curve in curves.items():
    chart.plot(*curve, label=text)
chart.axvline(0.5, color="#8a97a3", linewidth=1.0, linestyle=":")
chart.set(xlabel="s after it was let go", ylabel="the pressed point, up [mm]")
chart.legend(loc="lower right")
Path("out").mkdir(exist_ok=True)
figure.savefig(Path("out") / "cushion_is_pressed_poked_and_pinched.png", dpi=150)
