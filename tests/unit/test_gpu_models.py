"""Every model on a CUDA device does what it does on the CPU."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.backend import start
from tests.verification.test_settle_on_every_model import MODELS, bent_start

start()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device"),
]

DAMPINGS = {
    "none": lambda: None,
    "settle": lambda: pl.Settle(0.5),
    "bounces": lambda: pl.Settle(0.5, 2),
    "rayleigh": lambda: pl.Rayleigh(mass=1.0, stiffness=0.01),
    "relative": lambda: pl.RelativeDamping(0.1),
}


def refused(name):
    """Whether it is a body in its modes, which moves on the host and says so before the run."""
    body = MODELS[name]()
    if not body.in_modes:
        return False
    with pytest.raises(ValueError, match="moves on the host"):
        pl.Scene(body).run(seconds=0.1, device="cuda")
    return True


def moved(name, damping, device, stepper=None, dt=1 / 60, steps=8):
    body = MODELS[name]()
    bent_start(body, 5e-3)
    body.damping = damping
    scene = pl.Scene(body)
    scene.run(seconds=steps * dt, dt=dt, device=device, stepper=stepper)
    return body.positions - body.mesh.points


@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("name", MODELS)
def test_models_move_as_on_the_cpu(name, damping):
    """Steps are solved to 1e-3 of their own motion; both ways they may differ by that."""
    if refused(name):
        return
    here = moved(name, DAMPINGS[damping](), "cpu")
    there = moved(name, DAMPINGS[damping](), "cuda")
    assert np.abs(there - here).max() <= 5e-3 * np.abs(here).max()


@pytest.mark.parametrize("name", MODELS)
def test_explicit_steps_agree_to_rounding(name):
    """Sums on a device have another order: 1e-9 over eight steps of a stiff body."""
    if refused(name):
        return
    body = MODELS[name]()
    dt = 0.2 * pl.SymplecticEuler().longest_dt(body.system())
    here, there = (
        moved(name, None, device, pl.SymplecticEuler(), dt=dt) for device in ("cpu", "cuda")
    )
    assert np.abs(there - here).max() <= 1e-9 * np.abs(here).max()


@pytest.mark.parametrize("name", ["Springs", "ConstraintBody", "Cloth"])
def test_xpbd_and_condition_damping(name):
    here, there = (
        moved(name, pl.ConditionDamping(0.01), device, pl.XPBD(100, tolerance=None))
        for device in ("cpu", "cuda")
    )
    # Colours are swept in another order inside: both are 100 sweeps on the way to one answer.
    assert np.abs(there - here).max() <= 1e-2 * np.abs(here).max()


def test_wind_and_obstacles():
    def run(device):
        sheet = pl.meshes.rectangle((1, 1), (6, 6))
        mesh = pl.Mesh(np.insert(sheet.points, 2, 0.6, axis=1), sheet.cells)
        cloth = pl.Cloth(mesh, stretch=500.0, shear=200.0, bend=1e-3, density=0.2)
        cloth.push(wind=(2.0, 0.0, 1.0))
        scene = pl.Scene(cloth, gravity=(0, 0, -9.81))
        scene.add(pl.Sphere((0.5, 0.5, 0.0), 0.4))
        scene.run(seconds=0.4, dt=1 / 60, device=device)
        return cloth.positions

    here, there = run("cpu"), run("cuda")
    assert np.abs(there - here).max() <= 5e-3  # of a metre, for a sheet that has begun to fold
