"""Flow in steps that stay on a device: with the CPU as the device, and on CUDA where there is one."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.backend import devices, start

start()


def beam(dim, damping):
    if dim == 3:
        mesh = pl.meshes.box((2, 0.4, 0.4), (6, 2, 2), kind="hex")
    else:
        mesh = pl.meshes.rectangle((2, 0.4), (8, 2), kind="quad")
    material = pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), yield_stress=2e4, hardening=1e5)
    body = pl.Body(mesh, material, damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.08 * mesh.points[:, :1] ** 2 * np.eye(dim)[1])
    return body


def run(dim, damping, device="cpu"):
    body = beam(dim, damping)
    scene = pl.Scene([body], gravity=(0, -9.81, 0)[:dim], contact=False)
    exact = pl.Implicit(tolerance=1e-6)
    take = scene.run(seconds=0.3, dt=1 / 60, device=device, stepper=exact, progress=False)
    assert body.state.history.flow.count > 3
    return take


def alike(takes):
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    # 18 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 36e-6 * moved
    most = takes[0].plastic.max()
    assert np.abs(takes[0].plastic - takes[1].plastic).max() <= 1e-4 * most


@pytest.mark.parametrize("damping", [None, pl.Settle(0.4, 0)], ids=["none", "settle"])
@pytest.mark.parametrize("dim", [2, 3])
def test_steps_on_a_device_flow_as_those_on_the_host(dim, damping):
    takes = []
    for on in (False, True):
        with devices.resident(on):
            takes.append(run(dim, damping))
    alike(takes)


@pytest.mark.gpu
@pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("damping", [None, pl.Settle(0.4, 0)], ids=["none", "settle"])
@pytest.mark.parametrize("dim", [2, 3])
def test_cuda_flows_as_the_cpu_does(dim, damping):
    alike([run(dim, damping, device) for device in ("cpu", "cuda")])
