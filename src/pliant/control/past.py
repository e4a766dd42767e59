"""Where a body was one step earlier, if it has been following the law all the time."""

from __future__ import annotations

from typing import Any

from pliant.problem import StepContext

from .law import Law


def shape_before(context: StepContext, law: Law, last_dt: float | None) -> Any:
    """The shape one step of this length before the step begins.

    last_dt [s]: the length of the last step, to which the drift belongs; None if the body has just
    been let go, with its drift as velocity. The law begins as if it had been followed before, so that
    its curve does not depend on dt.
    """
    v = context.vectors
    if last_dt == context.dt:
        return context.extrapolated(-1.0)
    if last_dt is None:
        keep, share = law.before()
        return v.moved(
            v.mixed(keep, context.x, 1.0 - keep, context.rest), share * context.dt, context.drift
        )
    keep, share = resampled(law, last_dt / context.dt)
    near = v.mixed(keep + share, context.x, 1.0 - keep - share, context.rest)
    return v.moved(near, -share * last_dt, context.drift)


def resampled(law: Law, k: float) -> tuple[float, float]:
    """Shares of u now and of u k steps ago that make up what the law had one step ago."""
    (near, slope), (far, rise) = law.before(), law.before(k)
    share = slope / rise
    return near - share * far, share


def anchor_of(context: StepContext, law: Law, last_dt: float | None) -> Any:
    """x + kappa (x - x_before), to which inertia carries the body."""
    if last_dt == context.dt:
        return context.extrapolated(law.kappa)
    return context.vectors.mixed(
        1.0 + law.kappa, context.x, -law.kappa, shape_before(context, law, last_dt)
    )
