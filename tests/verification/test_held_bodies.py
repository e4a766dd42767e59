"""Damping leaves held bodies alone: a carried clamp, a hinge, the shape at rest."""

import numpy as np
import pytest

import pliant as pl
from tests.verification.controlled import CONTROLLED, TUMBLE, dims, every_controlled

QUICK_PLANE_ONLY = {"settle-0", "first-mode", "first-mode-0", "energy-minimising"}


def rotation(angle, dim):
    Q = np.eye(dim)
    Q[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return Q


# --- driven and hinged bodies ---------------------------------------------------------------


def clamped(dim, damping):
    mesh = (
        pl.meshes.rectangle((2, 0.5), (6, 2))
        if dim == 2
        else pl.meshes.box((2, 0.5, 0.5), (4, 1, 1))
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=damping)
    return body, np.flatnonzero(mesh.points[:, 0] < 1e-9)


@dims
@every_controlled
def test_carried_clamp_leaves_the_shape_at_rest(damping, dim):
    speed = np.array([0.5, 1.0, -0.3])[:dim]
    body, pins = clamped(dim, damping())
    start = body.mesh.points[pins]
    body.move(pins, lambda t: start + t * speed)
    take = pl.Scene(body).run(seconds=1.0, dt=1 / 60)
    for t, x in zip(take.times, take.positions, strict=True):
        # The bound that was asked for, of a body of size 2; measured 1e-15.
        assert np.abs(x - t * speed - body.mesh.points).max() <= 2e-6
    assert np.abs(take.positions[-1] - body.mesh.points).max() > 0.9


@pytest.mark.parametrize("damping, dim", TUMBLE)
def test_turned_clamp_leaves_the_shape_at_rest(damping, dim):
    """No loads and no spin of its own: a clamp that turns carries the body with it."""
    body, pins = clamped(dim, damping())
    start = body.mesh.points[pins]
    body.move(pins, lambda t: start @ rotation(0.7 * t, dim).T)
    take = pl.Scene(body).run(seconds=1.0, dt=1 / 60)
    for t, x in zip(take.times, take.positions, strict=True):
        assert np.abs(x - body.mesh.points @ rotation(0.7 * t, dim).T).max() <= 2e-6


@dims
@every_controlled
def test_body_that_already_moves_with_its_clamp_does_not_deform(damping, dim):
    """The deformation velocity is measured against the clamp from the first step on."""
    speed = np.array([0.5, 1.0, -0.3])[:dim]
    body, pins = clamped(dim, damping())
    start = body.mesh.points[pins]
    body.move(pins, lambda t: start + t * speed)
    body.velocity = speed
    take = pl.Scene(body).run(seconds=0.5, dt=1 / 60)
    for t, x in zip(take.times, take.positions, strict=True):
        assert np.abs(x - t * speed - body.mesh.points).max() <= 2e-6


@pytest.mark.parametrize("damping", [CONTROLLED["settle"], CONTROLLED["energy-minimising"]])
@dims
def test_hinged_body_swings_like_a_rigid_pendulum(damping, dim):
    """One pin in 2D, a line of pins in 3D: the swing is rigid motion, which damping leaves alone."""
    mesh = (
        pl.meshes.rectangle((1, 0.2), (5, 2))
        if dim == 2
        else pl.meshes.box((1, 0.2, 0.3), (4, 1, 1))
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e7, poisson=0.3), damping=damping())
    corner = (mesh.points[:, 0] < 1e-9) & (mesh.points[:, 1] < 1e-9)
    body.fix(corner)
    m, r = body.masses, mesh.points[:, :2]
    arm = m @ r / m.sum()
    tilt = 0.1  # small: the period of amplitude 0.1 is 0.06 % longer than the limit's
    down = np.arctan2(arm[1], arm[0]) + np.pi / 2  # turn by this to hang straight down
    body.place(mesh.points @ rotation(-down + tilt, dim).T)
    g = 9.81
    inertia = m @ (r**2).sum(axis=1)
    period = 2 * np.pi * np.sqrt(inertia / (m.sum() * g * np.linalg.norm(arm)))
    take = pl.Scene(body, gravity=(0, -g, 0)[:dim]).run(seconds=2.2 * period, dt=1 / 120)
    centre = np.einsum("p,fpd->fd", m, take.positions) / m.sum()
    swing = np.arctan2(centre[:, 0], -centre[:, 1])
    assert swing[0] == pytest.approx(tilt, rel=1e-6)
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    crossing = take.times[up] + np.diff(take.times)[up] * swing[up] / (swing[up] - swing[up + 1])
    # Stiff to 1e-3, amplitude 0.06 %, symplectic steps of 1/120 in a period of 1.6 s: 1e-4.
    assert np.diff(crossing)[0] == pytest.approx(period, rel=3e-3)
    # Undamped: the second swing is as wide as the first, to the 1 % that stretching takes part in.
    half = len(swing) // 2
    assert np.abs(swing[half:]).max() == pytest.approx(np.abs(swing[:half]).max(), rel=0.01)
    assert np.abs(take.positions[:, corner] - take.positions[0, corner]).max() == 0.0


def test_hinge_goes_where_the_body_is_placed():
    """The hinge axis is that of the pins as placed, not as meshed."""
    swung = []
    quarter = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # about x: the axis z becomes -y
    mesh = pl.meshes.box((1, 0.4, 0.4), (3, 1, 1))
    for Q in (np.eye(3), quarter):
        for damping in (pl.EnergyMinimising(tau=0.05), pl.Settle(0.5)):
            body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), damping=damping)
            body.fix((mesh.points[:, 0] < 1e-9) & (mesh.points[:, 1] < 1e-9))
            body.place(mesh.points @ Q.T)
            take = pl.Scene(body, gravity=Q @ [0, -1.0, 0]).run(seconds=0.5, dt=1 / 60)
            swung.append(take.positions[-1] @ Q)
    assert np.abs(swung[0] - mesh.points).max() > 0.05
    # The same problem in turned axes: equal to solver tolerance, 1e-9 of the size a step.
    assert np.abs(swung[2] - swung[0]).max() <= 1e-7
    assert np.abs(swung[3] - swung[1]).max() <= 1e-7


# --- the shape at rest ----------------------------------------------------------------------

AT_REST = CONTROLLED | {
    "energy-minimising": lambda: pl.EnergyMinimising(tau=0.5),
    "energy-minimising-kappa": lambda: pl.EnergyMinimising(tau=1.0, kappa=0.6),
    "unmodified": lambda: pl.EnergyMinimising(tau=None),
    "strain-rate": lambda: pl.StrainRate(phi=2e4, psi=2e4),
    "rayleigh": lambda: pl.Rayleigh(mass=8, stiffness=0.1),
    "undamped": lambda: None,
}
#: Those whose rest time grows with the softness of the body take steps of a second: backward
#: Euler's own damping does the work, and the rest shape does not depend on dt.
LONG_STEPS = {"unmodified", "strain-rate", "undamped"}


@pytest.mark.parametrize(
    "name, dim",
    [
        pytest.param(
            name,
            dim,
            marks=[pytest.mark.slow] if dim == 3 and name in QUICK_PLANE_ONLY | LONG_STEPS else [],
        )
        for dim in (2, 3)
        for name in AT_REST
    ],
)
def test_shape_at_rest_is_the_equilibrium(name, dim):
    mesh = (
        pl.meshes.rectangle((2, 0.5), (6, 2))
        if dim == 2
        else pl.meshes.box((2, 0.5, 0.5), (4, 1, 1))
    )
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e5, poisson=0.3), damping=AT_REST[name]())
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene(body, gravity=(0, -2.0, 0)[:dim])
    rest = scene.equilibrium().positions[0]
    dt = 1.0 if name in LONG_STEPS else 1 / 30
    for _ in range(20):
        take = scene.run(seconds=40 * dt, dt=dt)
        if np.abs(take.velocities[-1]).max() * max(dt, 0.5) <= 1e-9:
            break
    assert np.abs(rest - mesh.points).max() > 0.1
    # The bound that was asked for. The loop above ends when half a second moves nothing by 1e-9.
    assert np.abs(take.positions[-1] - rest).max() <= 1e-6 * 2.0
