"""Fibres wound around a rod turn a pull into a twist.

The fibres climb at 45 degrees around the axis, five times as stiff as what holds them. Pulled
upward the rod cannot lengthen along them, so it unwinds; let go, it turns back and rests on cue.
"""

from pathlib import Path

import numpy as np

import pliant as pl

mesh = pl.meshes.box((0.8, 4, 0.8), (2, 10, 2), kind="hex20", origin=(-0.4, 0, -0.4))
x, _, z = mesh.points[mesh.cells["hex20"]].mean(axis=1).T  # the middles of the cells
radius = np.hypot(x, z)
fibres = np.stack([-z / radius, np.ones(len(x)), x / radius], axis=1)

material = pl.FibreReinforced(young=1e6, poisson=0.4, fibre=5e6, direction=fibres)
rod = pl.Body(mesh, material, density=1000.0, name="rod")
bottom, top = mesh.points[:, 1] < 1e-9, mesh.points[:, 1] > 4 - 1e-9
rod.fix(bottom)
pull = rod.push(traction=(0, 1.5e5, 0), on=top)
scene = pl.Scene([rod])
pulled = scene.equilibrium().positions[0]


def twist(x):
    """The mean turn of the upper end [degrees]."""
    a, b = mesh.points[top][:, [0, 2]], x[top][:, [0, 2]]
    return np.degrees(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))


longer = (pulled - mesh.points)[top, 1].mean() / 4
print(
    f"pulled with 0.15 MPa it is {longer:.0%} longer and its end has turned {-twist(pulled):.0f} degrees"
)

rod.place(pulled)
rod.unpush(pull)
rod.damping = pl.Settle(rest_in=1.0, bounces=0)
take = scene.run(seconds=1.2, dt=1 / 60)
print(
    f"let go, its end is turned {-twist(take.positions[60]):.1f} degrees after the second asked for"
)
take.save(Path("out") / "helical_fibres_twist_a_pulled_rod.png")
