"""One mode at a time: every stepper and damping against its characteristic equation.

A body of Linear material released in its first eigenvector moves in that eigenvector only, and its
amplitude obeys the recurrence of the stepper for one oscillator of eigenvalue lambda, to rounding.
"""

import numpy as np
import pytest

import pliant as pl
from pliant.take import measure

DIMS = pytest.mark.parametrize("dim", [2, 3])
LINEAR = pl.Linear(young=1e5, poisson=0.3)
EXACT = pl.Implicit(tolerance=0)  # recurrences are compared to rounding, so steps are solved to it


def released(damping=None, *, dim=2, material=LINEAR, size=0.05, mode=0, free=False):
    """A body bent into one of its eigenvectors; lambda, and the mode as displacement."""
    mesh = (
        pl.meshes.rectangle((2, 0.5), (6, 2))
        if dim == 2
        else pl.meshes.box((2, 0.5, 0.4), (4, 1, 1))
    )
    body = pl.Body(mesh, material, damping=damping)
    if not free:
        body.fix(mesh.points[:, 0] < 1e-9)
    values, modes = body.system().modes(mesh.points, mode + 1)
    shape = size * modes[mode] / np.abs(modes[mode]).max()
    body.place(mesh.points + shape)
    return body, values[mode], shape


def amplitudes(body, take, shape):
    """The share of the start mode in every frame, and the largest part that is not in it."""
    u = take.positions - body.mesh.points
    weight = body.masses[:, None] * shape
    a = np.einsum("fpd,pd->f", u, weight) / (shape * weight).sum()
    return a, np.abs(u - a[:, None, None] * shape).max() / np.abs(shape).max()


def recurrence(p, q, r, steps):
    """a_0 = a_(-1) = 1 and p a_(k+1) = q a_k - r a_(k-1)."""
    a = [1.0, 1.0]
    for _ in range(steps):
        a.append((q * a[-1] - r * a[-2]) / p)
    return np.array(a[1:])


def check(body, take, shape, expected):
    a, rest = amplitudes(body, take, shape)
    # Each step is solved to 1e-9 of the size, 2 m, or better; the mode is 0.05 m; 60 steps.
    assert np.abs(a - expected).max() <= 1e-6
    assert rest <= 1e-6
    assert np.ptp(expected) > 0.4  # something happened


# --- steppers -------------------------------------------------------------------------------


@DIMS
def test_backward_euler(dim):
    """(1 + dt^2 lambda) z^2 - 2 z + 1 = 0."""
    body, lam, shape = released(dim=dim)
    dt = 0.5 / np.sqrt(lam)
    take = pl.Scene(body).run(seconds=40 * dt, dt=dt, stepper=EXACT)
    check(body, take, shape, recurrence(1 + dt**2 * lam, 2, 1, 40))


@DIMS
def test_symplectic_euler(dim):
    """z^2 - (2 - dt^2 lambda) z + 1 = 0: on the unit circle, no damping at all."""
    body, lam, shape = released(dim=dim)
    # The highest mode limits the step: dt < 2/omega_max.
    system = body.system()
    m = np.repeat(body.masses[system.free], dim)
    top = np.linalg.eigvalsh(system.stiffness(body.mesh.points).toarray() / np.sqrt(np.outer(m, m)))
    dt = 1.0 / np.sqrt(top[-1])
    steps = int(2 * np.pi / np.sqrt(lam) / dt)  # one period
    take = pl.Scene(body).run(seconds=steps * dt, dt=dt, stepper=pl.SymplecticEuler())
    expected = recurrence(1, 2 - dt**2 * lam, 1, steps)
    check(body, take, shape, expected)
    # Its modified energy a_k^2 + a_(k+1)^2 - (2 - dt^2 lambda) a_k a_(k+1) never changes.
    a, _ = amplitudes(body, take, shape)
    kept = a[:-1] ** 2 + a[1:] ** 2 - (2 - dt**2 * lam) * a[:-1] * a[1:]
    assert kept == pytest.approx(np.full(steps, kept[0]), rel=1e-6)


@DIMS
def test_quasi_static_follows_the_static_answer(dim):
    """No inertia: each frame is the equilibrium of that frame's load, whatever dt."""
    body, _, _ = released(dim=dim, size=0.0)
    tip = body.mesh.points[:, 0] > 2 - 1e-9
    push = np.array([0.0, -5.0, 2.0])[:dim]
    body.push(force=lambda t: t * push, on=tip)
    take = pl.Scene(body).run(seconds=1.0, dt=0.25, stepper=pl.QuasiStatic())
    still, _, _ = released(dim=dim, size=0.0)
    still.push(force=push, on=tip)
    rest = pl.Scene(still).equilibrium().positions[0] - body.mesh.points
    assert np.abs(rest).max() > 1e-3
    for t, x in zip(take.times, take.positions, strict=True):
        # Linear material: proportional to the load, to solver tolerance.
        assert np.abs(x - body.mesh.points - t * rest).max() <= 1e-8


def test_quasi_static_frame_is_the_equilibrium_under_pressure_too():
    """A pressure turns with the surface, so the first frame must iterate as equilibrium() does."""
    mesh = pl.meshes.annulus(1, 2, (24, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e4, poisson=0.3))
    body.fix([0, 12])
    body.push(pressure=2e3, on=np.linalg.norm(mesh.points, axis=1) < 1 + 1e-9)
    scene = pl.Scene(body)
    rest = scene.equilibrium().positions[0]
    first = scene.run(seconds=0.1, dt=0.1, stepper=pl.QuasiStatic()).positions[1]
    assert np.abs(rest - mesh.points).max() > 0.1
    assert np.abs(first - rest).max() <= 1e-6 * 4


# --- the controlled step --------------------------------------------------------------------


@DIMS
@pytest.mark.parametrize("kappa", [0.0, 0.4, 1.0, 1.15])
def test_energy_minimising_step_obeys_the_mode_equation(kappa, dim):
    """(1 + W) z^2 - (1 + kappa) z + kappa = 0, W = tau dt lambda (docs/theory.md)."""
    tau, dt = 0.2, 0.02
    body, lam, shape = released(pl.EnergyMinimising(tau=tau, kappa=kappa), dim=dim)
    take = pl.Scene(body).run(seconds=60 * dt, dt=dt, stepper=EXACT)
    check(body, take, shape, recurrence(1 + tau * dt * lam, 1 + kappa, kappa, 60))


@DIMS
@pytest.mark.parametrize("free", [False, True], ids=["clamped", "free"])
@pytest.mark.parametrize("tau", [None, 0.05, 0.5])
def test_amplitude_of_a_mode_falls_as_the_thesis_says(tau, free, dim):
    """(2.19) A_n = (1 + lambda dt^2)^-n A_0; (2.25) A_n = (1 + tau lambda dt)^-n A_0."""
    body, lam, shape = released(pl.EnergyMinimising(tau=tau), dim=dim, free=free, size=0.01)
    dt = 0.3 / np.sqrt(lam) if tau is None else 0.1 / (tau * lam)
    take = pl.Scene(body).run(seconds=40 * dt, dt=dt, stepper=EXACT)
    a, rest = amplitudes(body, take, shape)
    w = 1.0 if tau is None else tau / dt
    # A free body turns by the second order of the mode: 0.01^2 of it, with Linear material.
    bound = 1e-3 if free else 1e-6
    assert np.abs(a - (1 + w * dt**2 * lam) ** -np.arange(41.0)).max() <= bound
    assert rest <= bound and a[-1] < 0.2


@pytest.mark.parametrize("tau", [None, 0.05])
def test_standing_wave_of_a_bar_falls_with_its_wavenumber(tau):
    """lambda = k^2 E / rho of the continuous bar, k = pi / (2 L). Source: [young2007] (2.19)."""
    young, density, length, cells = 1e5, 1000.0, 2.0, 24
    mesh = pl.meshes.rectangle((length, 0.2), (cells, 1), kind="quad")
    body = pl.Body(mesh, pl.Linear(young=young, poisson=0.0), density=density)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.EnergyMinimising(tau=tau)
    k = np.pi / (2 * length)
    shape = np.zeros_like(mesh.points)
    shape[:, 0] = 0.01 * np.sin(k * mesh.points[:, 0])
    body.place(mesh.points + shape)
    lam, dt = k**2 * young / density, 0.02
    take = pl.Scene(body).run(seconds=30 * dt, dt=dt, stepper=EXACT)
    a, _ = amplitudes(body, take, shape)
    w = 1.0 if tau is None else tau / dt
    # Lumped mass lowers lambda by (k h)^2/12 = 0.04 %; 30 steps of W near 0.1 lose 3 of ln 20.
    assert a == pytest.approx((1 + w * dt**2 * lam) ** -np.arange(31.0), rel=5e-3)


@DIMS
@pytest.mark.parametrize("bounces", [None, 0, 1, 3])
@pytest.mark.parametrize("law", ["first-mode", "every-shape"])
def test_settle_moves_the_first_mode_by_its_law(law, bounces, dim):
    body, _, shape = released(pl.Settle(0.7, bounces, law=law), dim=dim)
    take = pl.Scene(body).run(seconds=0.7, dt=1 / 60, stepper=EXACT)
    expected = body.damping.gains(1 / 60).amplitude(np.arange(len(take)))
    a, rest = amplitudes(body, take, shape)
    # The schedule of "every-shape" is met to 0.5 % of itself (MISS); the fixed law exactly.
    bound = 1e-6 if law == "first-mode" or bounces else 5e-3
    assert np.abs(a - expected).max() <= bound
    assert rest <= 1e-6


@pytest.mark.parametrize("dt", [1 / 240, 1 / 30])
def test_unison_gives_every_mode_the_same_law(dt):
    """With stiffness as inertia an overtone and the first mode bounce alike."""
    for mode in (0, 1, 3):
        body, _, shape = released(pl.Settle(0.7, 2), mode=mode, size=0.02)
        take = pl.Scene(body).run(seconds=0.7, dt=dt, stepper=EXACT)
        a, rest = amplitudes(body, take, shape)
        expected = body.damping.gains(dt).amplitude(np.arange(len(take)))
        assert np.abs(a - expected).max() <= 1e-5 and rest <= 1e-5


# --- dissipation ----------------------------------------------------------------------------


@DIMS
@pytest.mark.parametrize("mass, stiffness", [(3.0, 0.0), (0.0, 0.05), (2.0, 0.02)])
def test_rayleigh_step_obeys_its_recurrence(mass, stiffness, dim):
    """(1 + dt c + dt^2 lambda) z^2 - (2 + dt c) z + 1 = 0, c = mass + stiffness lambda."""
    body, lam, shape = released(pl.Rayleigh(mass=mass, stiffness=stiffness), dim=dim)
    dt = 0.2 / np.sqrt(lam)
    take = pl.Scene(body).run(seconds=60 * dt, dt=dt, stepper=EXACT)
    c = mass + stiffness * lam
    check(body, take, shape, recurrence(1 + dt * c + dt**2 * lam, 2 + dt * c, 1, 60))


@DIMS
def test_strain_rate_step_obeys_its_recurrence(dim):
    """Viscosities proportional to the moduli damp like stiffness-proportional Rayleigh damping."""
    share = 0.05  # [s]
    viscous = pl.StrainRate(phi=share * LINEAR.lam, psi=share * LINEAR.mu)
    # Green strain is the small strain to first order: a mode of 1e-5 m on 2 m is linear to 1e-5.
    body, lam, shape = released(viscous, dim=dim, size=1e-5)
    dt = 0.2 / np.sqrt(lam)
    take = pl.Scene(body).run(seconds=60 * dt, dt=dt, stepper=EXACT)
    a, _ = amplitudes(body, take, shape)
    expected = recurrence(1 + dt * share * lam + dt**2 * lam, 2 + dt * share * lam, 1, 60)
    # Moves of 1e-9 of the size are left, 1e-4 of this small mode, on each of 60 steps.
    assert np.abs(a - expected).max() <= 5e-3
    assert np.ptp(expected) > 0.5


def ratio(times, a, omega):
    """Damping ratio and frequency of a decaying oscillation."""
    ring = measure.fit_ring(times, a, period=2 * np.pi / omega, rate=0.1 * omega)
    return ring.rate / np.hypot(ring.rate, 2 * np.pi / ring.period), ring


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7])
@pytest.mark.parametrize("kind", ["mass", "stiffness", "strain-rate"])
def test_damping_ratio_is_the_theorys(kind, share):
    """zeta = mass/(2 omega) + stiffness omega/2, measured with explicit steps that add nothing."""
    body, lam, shape = released(size=1e-4)
    omega = np.sqrt(lam)
    beta = 2 * share / omega
    body.damping = {
        "mass": pl.Rayleigh(mass=2 * share * omega),
        "stiffness": pl.Rayleigh(stiffness=beta),
        "strain-rate": pl.StrainRate(phi=beta * LINEAR.lam, psi=beta * LINEAR.mu),
    }[kind]
    explicit = kind == "mass"
    dt = 2 * np.pi / omega / 1500
    # Stiffness damping of the highest modes would need micro-steps: backward Euler instead, whose
    # own damping omega dt/2 = 0.2 % is taken off.
    stepper = pl.SymplecticEuler() if explicit else None
    take = pl.Scene(body).run(seconds=1.5 * 2 * np.pi / omega, dt=dt, stepper=stepper)
    a, _ = amplitudes(body, take, shape)
    zeta, ring = ratio(take.times, a, omega)
    own = 0.0 if explicit else omega * dt / 2
    # First-order steps err by omega dt = 0.4 %; the fit by less.
    assert zeta - own == pytest.approx(share, rel=0.02)
    assert 2 * np.pi / ring.period == pytest.approx(omega * np.sqrt(1 - share**2), rel=0.01)
