"""Before a bounce: the shapes in which all strains are a share of those at release."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pliant.energies import bounce_target, mixed_strain, strain_norm
from pliant.problem import Inertia, StepContext
from pliant.solvers import Newton

from .deflections import Deflections
from .law import Law
from .laws import Laws
from .part_distances import distances
from .strain_energies import strain_energies, strains_at
from .unison import Unison

#: Shares of the strains at release at which shapes are found, beside 1 and 0: on this side of the rest
#: shape, and beyond it.
SHARES = (0.9, 0.75, 0.6, 0.45, 0.3, 0.15)
BEYOND = (0.15, 0.3, 0.5, 0.75, 1.0)
#: Forces of the body count this much beside the strains that are looked for.
SLIGHT = 1e-3
#: A body whose strains halfway home are within this of half of those at release moves in proportion.
PROPORTIONAL = 0.02
#: How exactly shapes are found, as `Newton.tolerance`: what they are off counts 1/W times.
SEARCH = Newton(tolerance=1e-6)
#: A shape is sought where the polynomial through the rest shape and so many others leads.
LAST = 3
#: Steering may carry a bounce this much farther than its law.
MORE = 1.2
#: Where distances rise so many times as steeply as on both sides, the body snaps to another shape.
STEEPER = 3.0


class Snaps(Exception):
    """The shapes are no path: the body jumps between two of them, as an arch does."""


def shapes_home(
    context: StepContext,
    laws: Laws,
    now: Sequence[Any],
    rest: Sequence[Any],
    force: Callable[[Any], Any] | None,
) -> Unison | None:
    """The shapes through which a body at x goes home; None if it goes in proportion, or none are found.

    now, rest: its strains, and those at rest. force: that of the stress at rest [N], at any shape; None
    without loads. Raises Snaps.
    """
    start = [mixed_strain(1.0, a, -1.0, b) for a, b in zip(now, rest, strict=True)]
    if _in_proportion(context, rest, start):
        return None
    host, v = context.mechanics.to_host, context.vectors
    home, last = host(context.rest), context.x
    shares, shapes, found = [1.0], [host(last)], [distances(context, last)]
    pace = 0.0
    for share in _shares(laws.each):
        guess = v.asarray(_extrapolated(share, shares, shapes, home))
        x = _shape(context, start, rest, share, guess)
        if x is None:
            return None
        pace = max(pace, math.sqrt(context.squared(x, last)) / (shares[-1] - share))
        shares.append(share)
        shapes.append(host(x))
        found.append(distances(context, x))
        last = x
    each = [np.array(d) for d in zip(*found, strict=True)]
    if any(_snaps(np.array(shares), d) for d in each):
        raise Snaps
    curves = [curve for d in each if (curve := Deflections.through(shares, d)) is not None]
    if len(curves) < len(each):
        return None
    known: list[Any] = []
    stress = None
    if force is not None:
        known = [v.asarray(x) for x in (*shapes, home)]
        stress = force(context.rest)
    pairs = tuple((1.0, law.before()[0]) for law in laws.each)
    return Unison(start, (*shares, 0.0), known, stress, tuple(curves), pace, pairs, pairs)


def _shares(laws: Sequence[Law]) -> list[float]:
    """The shares to be looked at, of a body that goes as far to the other side as these laws do."""
    back = MORE * max(math.exp(-law.decay * math.pi / law.theta) for law in laws)
    return [*SHARES, *(-b for a, b in zip((0.0, *BEYOND), BEYOND, strict=False) if a < back)]


def _in_proportion(context: StepContext, rest: Sequence[Any], start: Sequence[Any]) -> bool:
    """Whether half of the way home is half of the strain."""
    there = strains_at(context, context.vectors.mixed(0.5, context.x, 0.5, context.rest))
    off = size = 0.0
    for s, at_rest, whole in zip(there, rest, start, strict=True):
        left = mixed_strain(1.0, mixed_strain(1.0, s, -1.0, at_rest), -0.5, whole)
        off, size = off + strain_norm(left) ** 2, size + strain_norm(whole) ** 2
    return off <= PROPORTIONAL**2 * size


def _extrapolated(
    share: float, shares: Sequence[float], shapes: Sequence[np.ndarray], home: np.ndarray
) -> np.ndarray:
    """The shape at a share, by the polynomial through the last ones and the shape at rest."""
    at, known = np.array([*shares[-LAST:], 0.0]), [*shapes[-LAST:], home]
    out = np.zeros_like(home)
    for k, shape in enumerate(known):
        others = np.delete(at, k)
        out += np.prod((share - others) / (at[k] - others)) * shape
    return out


def _shape(
    context: StepContext, start: Sequence[Any], rest: Sequence[Any], share: float, guess: Any
) -> Any:
    """The shape whose strains are nearest to this share of those at release; None if none is found."""
    body, energies = context.mechanics, strain_energies(context.mechanics)
    for solid, energy, at_rest, whole in zip(body.solids, energies, rest, start, strict=True):
        aim = mixed_strain(1.0, at_rest, share * (1.0 + SLIGHT), whole)
        bounce_target(solid, 0.0, SLIGHT, aim, aim, at_rest, None, energy.look())
        energy.weigh(1.0 / SLIGHT)
    inertia = Inertia(0.0, guess, energies, stiffness=1.0 + 1.0 / SLIGHT)
    objective = body.objective(inertia, context.vectors.zeros_like(guess), context.complement)
    x, report = body.minimise(SEARCH, objective, guess)
    return x if report.converged else None


def _snaps(shares: np.ndarray, d: np.ndarray) -> bool:
    """Whether a distance jumps between two shares, or on the last way home."""
    order = np.argsort(np.append(shares, 0.0))
    a, b = np.append(shares, 0.0)[order], np.append(np.copysign(d, shares), 0.0)[order]
    slopes = np.diff(b) / np.diff(a)
    around = np.maximum(np.append(slopes[1:], 0.0), np.append(0.0, slopes[:-1]))
    return bool((slopes > STEEPER * np.maximum(around, 0.0)).any())
