"""What flows on a device flows as on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.backend import devices, start

start()


def clay(dim: int, kind: str, damping: Any) -> pl.Body:
    """A beam bent far beyond yield."""
    make = pl.meshes.rectangle if dim == 2 else pl.meshes.box
    mesh = make((2.0, 0.4, 0.4)[:dim], (8, 2, 2)[:dim], kind=kind)
    matter = pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), yield_stress=2e4, hardening=1e5)
    body = pl.Body(mesh, matter, damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    x = mesh.points.copy()
    x[:, 1] += 0.1 * x[:, 0] ** 2
    body.place(x)
    return body


def wire(damping: Any) -> pl.Rod:
    """A wire bent into an arc."""
    line = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 12)
    rod = pl.Rod(line, young=1e9, radius=0.01, yield_strain=0.002, damping=damping)
    rod.fix(rod.node([0, 1]))
    x = rod.positions
    away = np.setdiff1d(np.arange(len(x)), rod.node([0, 1]))
    x[away] = pl.shape.bend(x, degrees=60.0, about=(0.1, 0.0, 0.0))[away]
    rod.place(x)
    return rod


BODIES: dict[str, Callable[[Any], Any]] = {
    "quads": lambda damping: clay(2, "quad", damping),
    "hexes": lambda damping: clay(3, "hex", damping),
    "tets": lambda damping: clay(3, "tet", damping),
    "wire": wire,
}
DAMPINGS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "settle": lambda: pl.Settle(0.4),
    "bounces": lambda: pl.Settle(0.4, 1),
}


def flowed(name: str, damping: str, device: str) -> tuple[np.ndarray, np.ndarray]:
    """How far the points have gone, and the plastic strains."""
    body = BODIES[name](DAMPINGS[damping]())
    exact = pl.Implicit(tolerance=1e-7)
    start = body.positions
    pl.Scene(body).run(seconds=0.25, dt=1 / 60, device=device, stepper=exact)
    return body.positions - start, body.plastic


def compare(name: str, damping: str, device: str, *, resident: bool) -> None:
    here = flowed(name, damping, "cpu")
    with ExitStack() as ways:
        if resident:
            ways.enter_context(devices.resident(True))
        there = flowed(name, damping, device)
    assert here[1].max() > 1e-3  # it flows
    # 15 steps, each within 1e-7 of its motion, by two solvers; float32 inside of one of them.
    for one, other in zip(here, there, strict=True):
        assert np.abs(one - other).max() <= 1e-5 * np.abs(one).max()


@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("name", BODIES)
def test_what_flows_on_a_device_that_is_the_cpu(name: str, damping: str) -> None:
    compare(name, damping, "cpu", resident=True)


@pytest.mark.gpu
@pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("name", BODIES)
def test_what_flows_on_cuda(name: str, damping: str) -> None:
    compare(name, damping, "cuda", resident=False)
