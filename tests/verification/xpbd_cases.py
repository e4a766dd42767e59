"""Bodies for position-based dynamics."""

import numpy as np

import pliant as pl

G, DT = 9.81, 1 / 60


def chain(links=20, *, k=2000.0, mass=0.01, way=(1.0, 0.0), damping=None):
    """A chain of 1 m from the origin, held at its first point."""
    points = np.linspace(0.0, 1.0, links + 1)[:, None] * np.array(way)
    pairs = np.stack([np.arange(links), np.arange(links) + 1], axis=1)
    body = pl.Springs(pl.Mesh(points, {"line": pairs}), stiffness=k, mass=mass, damping=damping)
    body.fix([0])
    return body
