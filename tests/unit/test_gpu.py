"""The same kernels on a CUDA device: `device="cuda"` is a word, not another interface."""

from __future__ import annotations

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.runtime import start

start()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device"),
]
MATERIALS = [pl.Linear, pl.StVenantKirchhoff, pl.Corotated, pl.NeoHookean, pl.StableNeoHookean]


def beam(dim: int, material: type, damping: pl.Settle) -> pl.Body:
    mesh = pl.meshes.rectangle((4, 1), (12, 3)) if dim == 2 else pl.meshes.box((4, 1, 1), (8, 2, 2))
    body = pl.Body(mesh, material(young=1e6, poisson=0.3), damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    x = mesh.points.copy()
    x[:, 1] += 0.03 * x[:, 0] ** 2
    body.place(x)
    return body


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("bounces", [None, 2])
def test_run_equals_the_cpu(dim: int, material: type, bounces: int | None) -> None:
    takes = {}
    for device in ("cpu", "cuda"):
        body = beam(dim, material, pl.Settle(0.5, bounces))
        takes[device] = pl.Scene([body]).run(seconds=0.55, dt=1 / 60, device=device)
    # Steps are solved to 1e-9 of the size; 33 of them may differ by no more than their sum.
    apart = np.abs(takes["cpu"].positions - takes["cuda"].positions).max()
    assert apart <= 33 * 1e-9 * 4.2
    assert takes["cuda"].rest_time() == pytest.approx(takes["cpu"].rest_time(), rel=1e-6)


def test_equilibrium_equals_the_cpu() -> None:
    found = []
    for device in ("cpu", "cuda"):
        body = beam(3, pl.StableNeoHookean, pl.Settle(1.0))
        scene = pl.Scene([body], gravity=(0, -2.0, 0))
        found.append(scene.equilibrium(device=device).positions[0])
    assert np.abs(found[0] - found[1]).max() <= 1e-8
