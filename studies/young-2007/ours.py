"""The thesis's examples run by the library: `pl.EnergyMinimising(tau=...)`."""

from __future__ import annotations

import numpy as np

import pliant as pl

from .examples import Example


def ours(example: Example, tau: float) -> np.ndarray:
    """Positions of every frame of an example, start included, shape (frames, n, 2).

    The library minimises over positions with Newton's method and finds the minimum of (2.22);
    velocity_method.py does the same in plain numpy, stress_method.py as the thesis does.
    """
    scene = pl.Scene([body(example, pl.EnergyMinimising(tau=tau))])
    exact = pl.Implicit(tolerance=0)  # what is compared is the minimum itself
    take = scene.run(seconds=example.seconds, dt=example.dt, stepper=exact, progress=False)
    return take.positions


def body(example: Example, damping: pl.EnergyMinimising) -> pl.Body:
    """The example as a body: plane strain has the Lame parameters of the thesis unchanged."""
    lam, mu = example.mesh.lam, example.mesh.mu
    material = pl.StVenantKirchhoff(
        young=mu * (3.0 * lam + 2.0 * mu) / (lam + mu), poisson=lam / (2.0 * (lam + mu))
    )
    mesh = pl.Mesh(example.mesh.points, cells={"tri": example.mesh.cells})
    body = pl.Body(mesh, material, damping=damping, name=example.name)
    body.masses = example.masses  # of each vertex, as in Table 4.1; the density has no say
    body.fix(example.fixed)
    body.place(example.start)
    return body
