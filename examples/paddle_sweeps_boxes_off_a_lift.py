"""A lift raises two soft boxes, and a paddle that swings round sweeps them off it.

Obstacles move along a `path`: offsets as a function of time, or keyframes of turns. They push what is
in their way, friction drags along what lies on them, and nothing passes through anything.
"""

from pathlib import Path

import numpy as np

import pliant as pl

cube = pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2), origin=(-0.1, 0.0, -0.1))
soft = pl.StableNeoHookean(young=2e5, poisson=0.4)
boxes = []
for name, x in (("left", -0.15), ("right", 0.15)):
    box = pl.Body(cube, soft, density=300.0, name=name)
    box.place(cube.points + [x, 0.001, 0.0])
    boxes.append(box)

plate = pl.meshes.box((0.8, 0.04, 0.4), (1, 1, 1), origin=(-0.4, -0.04, -0.2))
rise = pl.Keyframes([0, 0.5], offsets=[(0, 0, 0), (0, 0.2, 0)], ease="smooth")
surface = pl.Surface.of(plate.points, plate.boundary["tri3"])
lift = pl.MeshObstacle(surface, path=rise, friction=0.3, name="lift")

swing = pl.Keyframes([0.4, 0.9], turns=[(0, 0, 0), (0, 0, 180)], about=(0.1, 0.9, 0))
paddle = pl.Capsule((-0.5, 0.9, -0.2), (-0.5, 0.9, 0.2), 0.04, path=swing, name="paddle")

scene = pl.Scene(boxes, gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.3))
scene.add(lift, paddle, pl.HalfSpace((0, -0.3, 0), (0, 1, 0), name="floor"))
take = scene.run(seconds=0.9, dt=1 / 60)

work = sum(track.energies["obstacle_work"][-1] for track in take.tracks)
most = max(np.abs(touching.forces).max(initial=0.0) for touching in take.contacts)
print(f"lift and paddle did {work:.1f} J of work; no contact pushed with more than {most:.0f} N")
Path("out").mkdir(exist_ok=True)
take.save("out/paddle_sweeps_boxes_off_a_lift.png")
