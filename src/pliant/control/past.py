"""Where a body was one step earlier, if it has been following the law all the time."""

from __future__ import annotations

from typing import Any

from pliant.problem import StepContext

from .law import Law


def resampled(law: Law, k: float) -> tuple[float, float]:
    """Shares of u now and of u k steps ago that make up what the law had one step ago."""
    (near, slope), (far, rise) = law.before(), law.before(k)
    share = slope / rise
    return near - share * far, share


def anchor_of(context: StepContext, law: Law, last_dt: float | None) -> Any:
    """x + kappa (x - x_before), to which inertia carries the body.

    last_dt [s]: the length of the last step, to which the drift belongs; None if the body has just
    been let go, with its drift as velocity. The law begins as if it had been followed before, so that
    its curve does not depend on dt.
    """
    return _ahead(context, *anchor_gains(law, last_dt, context.dt))


def anchor_gains(law: Law, last_dt: float | None, dt: float) -> tuple[float, float]:
    """How far the anchor is moved: as a share of the way to the rest shape, and in steps of drift."""
    keep, share = _before(law, last_dt, dt)
    return law.kappa * (keep - 1.0), -law.kappa * share


def predicted(context: StepContext, law: Law, last_dt: float | None) -> Any:
    """Where the step ends of a departure that follows the law.

    u <- (u + kappa (u - u_before))/(1 + W)
    """
    keep, share = _before(law, last_dt, context.dt)
    home = (law.W + law.kappa * (keep - 1.0)) / (1.0 + law.W)
    return _ahead(context, home, -law.kappa * share / (1.0 + law.W))


def _before(law: Law, last_dt: float | None, dt: float) -> tuple[float, float]:
    """Shares of u and of dt v that make up the departure one step of this length ago."""
    if last_dt == dt:
        return 1.0, -1.0
    if last_dt is None:
        return law.before()
    keep, share = resampled(law, last_dt / dt)
    return keep + share, -share * last_dt / dt


def _ahead(context: StepContext, home: float, on: float) -> Any:
    """x, moved by a share of the way home and by so many steps of its drift. Pins stay exactly."""
    return context.vectors.led(context.x, home, context.rest, on * context.dt, context.drift)
