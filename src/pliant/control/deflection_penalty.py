"""The part of a bounce's inertia that holds points to where the law wants them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from pliant.backend import to_host
from pliant.problem import Inertia, StepContext

from .held import held_each
from .laws import Laws

#: How many times stiffer than the body's own way home the hold is. Ten leaves 4 % of error in rest
#: times of sheets that are held all round, thirty leave 2 %.
STRONG = 30.0
#: At this share of its departure a body answers as its tangent does.
SMALL = 1e-2
#: A membrane is so many times stiffer at its departure than at rest; what is only stretched is not.
MORE = 2.0
#: Departures below this share of the body's size are rounding, not motion.
STILL = 1e-9


@dataclass(frozen=True)
class DeflectionPenalty:
    """Holds the points of a body to the law, as strongly as its deflections need.

        c/2 |x - p|^2_M,    p = (x_hat + W x*)/(1 + W),    c = 30 (1 + 1/W) lambda
        lambda = q min(1, q/q_0),    q = u . f / u . M u,   q_0 = u . K u / u . M u,   u = x_n - x*

    p is where the law wants the points if all go straight to rest. In small motion the step ends
    there by itself, and the hold does nothing. A membrane that is held all round stretches by the
    square of its deflection, so it cannot move in unison in strain; held, it moves in unison in
    deflection, and strain along the surface, being stiffer than the hold, does as it must.

    q measures how stiff the way home is by the forces f, q_0 by the tangent K. Parts that turn far
    must not go home straight, since that would shorten them. The tangent at rest resists that way, and
    the forces where they are do not: q/q_0 is small, and the hold lets go. A free body, whose turns
    are shared by both sides, shows them less: the square of q/q_0 at its start counts. The hold does
    not let go, and has the larger of the two, while loads turn against the body and its rest shape
    moves: a sheet that swings from two corners has no other stiffness against folds. Derivation:
    `docs/theory.md`.
    """

    rate: float = 0.0
    farthest: float = 0.0
    turned: float = 0.0

    def of(
        self, context: StepContext, laws: Laws, inertia: Inertia, swings: bool, beyond: Any
    ) -> tuple[DeflectionPenalty, Inertia]:
        """An inertia with the hold of this step in it.

        Its anchor is x_hat, the shape moved on by kappa of its drift. beyond: Kg of `StrainInertia`.
        """
        law, extrapolated = laws.slowest, inertia.anchor
        v, rest = context.vectors, context.rest
        x, d = context.x, math.sqrt(v.weighted(context.x, rest))
        if (
            not self.farthest and context.moved(extrapolated) > d
        ):  # it begins with a push, not a shape
            x, d = extrapolated, math.sqrt(v.weighted(extrapolated, rest))
        new = replace(self, farthest=max(d, law.r * self.farthest))
        # Measured at the turns: in between a departure is what is left of it, of any shape.
        if d >= 0.9 * new.farthest and d > STILL * context.span:
            q, q0 = _stiffness(context, x)
            grip, turned = q / q0 if 0.0 < q < q0 else 1.0, self.turned
            if context.complement.rank:
                grip = turned = turned or grip**2
            rate = max(q, q0, 0.0) if swings else max(q, 0.0) * grip
            if not laws.alike:
                rate = min(rate, max(q - MORE * q0, 0.0) + _stiffness_of(context, beyond, x))
            new = replace(new, rate=rate, turned=turned)
        shares = [law.W / (1.0 + law.W) for law in laws.each]
        weights = [STRONG * (1.0 + 1.0 / law.W) * new.rate for law in laws.each]
        if laws.alike:
            there = v.mixed(1.0 - shares[0], extrapolated, shares[0], rest)
            return new, replace(inertia, weight=weights[0], anchor=there)
        if not new.rate:
            return new, inertia
        there, least = laws.mixed(context, shares, rest, extrapolated), min(weights)
        more = held_each(context.mechanics, laws.of_points(weights) - least, there)
        quadratics = (*inertia.quadratics, more)
        return new, replace(inertia, weight=least, anchor=there, quadratics=quadratics)


def _stiffness(context: StepContext, x: Any) -> tuple[float, float]:
    """q and q_0 [1/s^2] of the way from x to rest."""
    body, v, rest = context.mechanics, context.vectors, context.rest
    force, at_rest = (body.force(y, context.load, context.complement) for y in (x, rest))
    away, work, _ = v.rest_products(x, rest, force)
    near = v.mixed(1.0 - SMALL, rest, SMALL, x)
    change = body.force(near, context.load, context.complement)
    way, tangent, _ = v.rest_products(near, rest, v.mixed(1.0, change, -1.0, at_rest))
    return work / away, tangent / way


def _stiffness_of(context: StepContext, beyond: Any, x: Any) -> float:
    """u . Kg u / u . M u [1/s^2], of the way from x to rest; 0 if there is no Kg."""
    if beyond is None:
        return 0.0
    body, host = context.mechanics, context.mechanics.to_host
    u = host(x) - host(context.rest)
    matrix = body.assembly.pattern.matrix(to_host(beyond))
    work = float(u.ravel() @ (matrix @ u.ravel()))
    return max(work, 0.0) / float((body.masses[:, None] * u * u).sum())
