"""`settle.report(body)`: a wish explains itself."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl


def beam() -> pl.Body:
    mesh = pl.meshes.rectangle((4, 0.25), (64, 4), kind="quad")
    body = pl.Body(mesh, pl.Linear(young=1e6, poisson=0.0), density=1000.0)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def test_lambda_and_period_are_those_of_a_cantilever() -> None:
    report = pl.Settle(1.0).report(beam())
    # Euler-Bernoulli: omega_1 = 1.8751^2 sqrt(E I / (rho A L^4)), I/A = h^2/12. Slenderness 16
    # leaves half a percent of shear, and linear quads of 1/16 m are too stiff by about two.
    omega = 1.8751**2 * np.sqrt(1e6 * 0.25**2 / 12 / (1000.0 * 4.0**4))
    assert np.sqrt(report.lambda_1) == pytest.approx(omega, rel=0.03)
    assert report.natural_period == pytest.approx(2 * np.pi / np.sqrt(report.lambda_1))


def test_gains_are_the_laws_and_w_is_what_the_step_uses() -> None:
    settle, dt = pl.Settle(0.8, bounces=2), 1 / 60
    report = settle.report(beam(), dt=dt)
    law = settle.gains(dt)
    assert (report.kappa, report.W) == pytest.approx((law.kappa, law.W))
    assert report.w == pytest.approx(law.W / (dt**2 * report.lambda_1))
    assert report.tau == pytest.approx(report.w * dt)
    assert report.longest_dt == pytest.approx(settle.longest_dt)
    settle.gains(0.999 * report.longest_dt)
    with pytest.raises(pl.ImpossibleWishError):
        settle.gains(1.001 * report.longest_dt)


def test_tau_of_the_report_rests_the_first_mode_in_the_asked_time() -> None:
    # The thesis's own parameter, computed beforehand: what [young2007] 4.1 found too hard to do.
    body, dt = beam(), 1 / 60
    tau = pl.Settle(0.5).report(body, dt=dt).tau
    mode = body.system().modes(body.mesh.points, 1)[1][0]
    body.place(body.mesh.points + 1e-3 * mode / np.abs(mode).max())
    body.damping = pl.EnergyMinimising(tau=tau)
    take = pl.Scene([body]).run(seconds=0.6, dt=dt)
    assert take.rest_time(within=0.01, rest=body.mesh.points) == pytest.approx(0.5, rel=1e-3)


def test_report_is_made_at_the_equilibrium_and_leaves_the_body_alone() -> None:
    mesh = pl.meshes.rectangle((4, 0.5), (32, 4))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e7, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    before = body.positions
    straight = pl.Settle(1.0).report(body).lambda_1
    hanging = pl.Settle(1.0).report(body, gravity=(0, -9.81)).lambda_1
    assert abs(hanging / straight - 1.0) > 1e-3  # the load has a stiffness of its own
    assert np.array_equal(body.positions, before)


def test_report_reads_well() -> None:
    text = str(pl.Settle(1.0, bounces=3).report(beam()))
    for word in ("lambda_1", "natural period", "kappa", "longest dt", "bounces 3"):
        assert word in text
