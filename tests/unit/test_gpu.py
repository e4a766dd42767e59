"""The same kernels on a CUDA device: `device="cuda"` is a word, not another interface."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stages
import warp as wp
from stages import DAMPINGS, SUPPORTS, stage
from travel import Watched

import pliant as pl
from pliant.backend import start

start()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device"),
]
MATERIALS = [pl.Linear, pl.StVenantKirchhoff, pl.Corotated, pl.NeoHookean, pl.StableNeoHookean]


def beam(dim: int, material: type, damping: Any) -> pl.Body:
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
        exact = pl.Implicit(tolerance=0)
        takes[device] = pl.Scene([body]).run(seconds=0.55, dt=1 / 60, device=device, stepper=exact)
    # Steps are solved to 1e-9 of the size; 33 of them may differ by no more than their sum.
    apart = np.abs(takes["cpu"].positions - takes["cuda"].positions).max()
    assert apart <= 33 * 1e-9 * 4.2
    assert takes["cuda"].rest_time() == pytest.approx(takes["cpu"].rest_time(), rel=1e-6)


def compare(damping: str, support: str, dim: int) -> None:
    takes = []
    for device in ("cpu", "cuda"):
        scene = stage(stages.beam(dim, DAMPINGS[damping](), support=support), support)
        exact = pl.Implicit(tolerance=1e-6)
        takes.append(scene.run(seconds=0.3, dt=1 / 60, device=device, stepper=exact))
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    # 18 steps, each within 1e-6 of its motion, in two solvers.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 36 * 1e-6 * moved


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("damping", DAMPINGS)
def test_every_damping_equals_the_cpu(damping: str, support: str) -> None:
    compare(damping, support, 3)


@pytest.mark.parametrize("bounces", [None, 2])
def test_a_block_on_a_string_equals_the_cpu(bounces: int | None) -> None:
    takes = []
    for device in ("cpu", "cuda"):
        scene = pl.Scene(stages.on_a_string(bounces), gravity=(0, -9.81, 0), contact=False)
        exact = pl.Implicit(tolerance=1e-6)
        takes.append(scene.run(seconds=0.5, dt=1 / 60, device=device, stepper=exact))
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    # 30 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 60e-6 * moved


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("damping", ["settle", "bounces"])
def test_control_of_planar_bodies_equals_the_cpu(damping: str, support: str) -> None:
    compare(damping, support, 2)


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("damping", DAMPINGS)
def test_no_array_travels_between_frames(
    damping: str, support: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = stage(stages.beam(3, DAMPINGS[damping](), support=support), support)
    stepper = Watched(monkeypatch)
    scene.run(seconds=0.4, dt=1 / 60, fps=10, device="cuda", stepper=stepper)
    assert stepper.watched == 24 - stepper.start


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("dim", [2, 3])
def test_rigid_motion_equals_the_cpu(dim: int, support: str) -> None:
    for name, (host, device, scale) in stages.rigid_motions(dim, support, "cuda").items():
        assert np.abs(host - device).max() <= 1e-13 * scale, name


@pytest.mark.parametrize("damping", ["settle", "bounces", "strain-rate"])
def test_a_run_can_go_on_on_the_other_device(damping: str) -> None:
    ends = []
    for devices in (("cpu", "cpu"), ("cuda", "cpu"), ("cpu", "cuda")):
        scene = stage(stages.beam(3, DAMPINGS[damping](), support="hinged"), "hinged")
        for device in devices:
            exact = pl.Implicit(tolerance=1e-6)
            take = scene.run(seconds=0.1, dt=1 / 60, device=device, stepper=exact)
        ends.append(take.positions[-1])
    # 12 steps, each within 1e-6 of its motion, by two solvers.
    moved = np.abs(ends[0] - take.positions[0]).max()
    assert max(np.abs(end - ends[0]).max() for end in ends) <= 24e-6 * moved


def test_a_larger_beam_equals_the_cpu_within_the_default_tolerance() -> None:
    takes = []
    for device in ("cpu", "cuda"):
        mesh = pl.meshes.box((4, 1, 1), (16, 5, 5))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), damping=pl.Settle(0.5))
        body.fix(mesh.points[:, 0] < 1e-9)
        body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * [0, 1, 0])
        scene = pl.Scene([body], gravity=(0, -9.81, 0))
        takes.append(scene.run(seconds=0.6, dt=1 / 60, device=device))
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 2e-3 * moved
    for take in takes:
        assert take.rest_time() == pytest.approx(0.5, rel=0.01)


def test_equilibrium_equals_the_cpu() -> None:
    found = []
    for device in ("cpu", "cuda"):
        body = beam(3, pl.StableNeoHookean, pl.Settle(1.0))
        scene = pl.Scene([body], gravity=(0, -2.0, 0))
        found.append(scene.equilibrium(device=device).positions[0])
    assert np.abs(found[0] - found[1]).max() <= 1e-8
