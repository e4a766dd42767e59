"""Derivatives of equilibria by every number of every public body, against centred differences."""

import logging

import numpy as np
import pytest

import pliant as pl
from pliant import kinds
from pliant.declared import MISSING, Quantity, parameters_of
from pliant.many.sensitivity import _differenced, equilibrium, equilibrium_with_slopes
from tests.unit.every_body import BODIES, BOX, LONGER

#: Numbers that only count: of modes, cells and points, which are whole or make another mesh.
COUNTS = {"modes", "size", "cells", "order", "spacing"}
#: Numbers that these bodies cannot have beside what they are made of; all others must be differentiated.
REFUSED = {
    ("Body", "thickness"),  # of plane bodies only, as ExampleBased's
    ("Body", "section"),  # of lines only
    ("ExampleBased", "thickness"),
    ("FormCurve", "torsion"),  # of curves that are bent
    ("ImpactRods", "area"),  # beside a radius
    ("Rod", "width"),
    ("Rod", "height"),
}


def numbers():
    """Every number of every body, with a value; materials count as parts of their bodies."""
    for name in BODIES:
        for p in parameters_of(getattr(pl, name)):
            if isinstance(p.note, Quantity) and p.name not in COUNTS:
                default = None if p.default is MISSING else p.default
                yield name, p.name, float(p.note.example or default or 0.1)
    for name, cls in kinds.MATERIALS.own().items():
        for p in parameters_of(cls):
            if isinstance(p.note, Quantity):
                yield name, p.name, float(p.note.example or p.default or 0.1)


def body_of(name, **given):
    """A body with a number, or one of a material with it."""
    if name in BODIES:
        try:
            return BODIES[name](**given)
        except TypeError:  # its row in every_body has the number already
            fixed = {"distance": 1.0, "mass": 0.01, "stiffness": 500.0}
            own = {p.name for p in parameters_of(getattr(pl, name))}
            kept = {k: v for k, v in fixed.items() if k in own}
            return getattr(pl, name)(BOX, **kept | given)
    example = {
        p.name: p.note.example
        for p in parameters_of(getattr(pl, name))
        if p.note.example is not None
    }
    return pl.Body(BOX, getattr(pl, name)(**example | given))


def scene_of(name, **given):
    """It hangs between both of its ends; a snake holds on to its picture."""
    body = body_of(name, **given)
    if name == "Snake":
        return pl.Scene([body], contact=False)
    x = body.mesh.points[:, 0]
    body.fix((x < x.min() + 1e-9) | (x > x.max() - 1e-9))
    return pl.Scene([body], gravity=(0, -9.81, 0)[: body.dim], contact=False)


def can_have(name, number, value):
    try:
        body_of(name, **{number: 0.99 * value})
    except ValueError:
        return False
    return True


ALL = list(numbers())
HAD = [row for row in ALL if can_have(*row)]


def test_all_numbers_are_found_but_those_that_a_body_cannot_have():
    assert {row[:2] for row in ALL} - {row[:2] for row in HAD} == REFUSED
    assert {name for name, *_ in HAD} >= set(BODIES) - {"Modal", "Subspace"}


@pytest.mark.parametrize(("name", "number", "value"), HAD, ids=lambda v: str(v))
def test_they_are_the_slopes_of_equilibria(name, number, value, caplog):
    caplog.set_level(logging.ERROR, "pliant")

    def make(values):
        return scene_of(name, **values)

    found = equilibrium_with_slopes(make, {number: value})
    # Of equilibria that balance to rounding. Short steps: a picture has kinks in its second derivatives.
    (slope,) = _differenced(
        lambda v: equilibrium_with_slopes(make, v).positions, {number: value}, number, step=5e-5
    )
    moved = np.abs(found.positions[0] - make({number: value}).bodies[0].mesh.points).max()
    # Steps of 5e-5 of a value turn rounding, 1e-15 of the body, into 1e-10 of its motion.
    scale = max(np.abs(slope).max(), moved / value)
    assert np.abs(found.slopes[0][0] - slope).max() <= 1e-6 * scale
    # Only those whose energy is none of points take more equilibria than one.
    assert (found.solved > 1) == (name in ("LongElements", "BoundaryElements"))


def test_several_numbers_bodies_and_driven_pins():
    """All at once, with a pressure that turns with the surface and pins that move with a parameter."""

    def make(values):
        soft = pl.Body(BOX, pl.StableNeoHookean(young=values["young"], poisson=0.3), name="soft")
        soft.fix(BOX.points[:, 0] < 1e-9)
        soft.push(pressure=values["pressure"], on=BOX.points[:, 2] > 0.4 - 1e-9)
        end = BOX.points[:, 0] > 1 - 1e-9
        held = pl.Body(BOX, pl.NeoHookean(young=1e5, poisson=values["poisson"]), name="held")
        held.place(BOX.points + [0, 0, 3])
        held.fix(BOX.points[:, 0] < 1e-9)
        pulled = held.state.x[end] + [values["pull"], 0.0, 0.0]
        held.move(end, lambda t: pulled)
        return pl.Scene([soft, held], gravity=(0, 0, -9.81))

    values = {"young": 2e5, "pressure": 400.0, "poisson": 0.35, "pull": 0.2}
    found = equilibrium_with_slopes(make, values)
    assert found.solved == 1
    for k, name in enumerate(values):
        for mine, slope in zip(
            found.slopes, _differenced(lambda v: equilibrium(make, v), values, name), strict=True
        ):
            assert np.abs(mine[k] - slope).max() <= 1e-6 * max(
                np.abs(slope).max(), 1e-3 / values[name]
            )


def test_bodies_that_nothing_holds_and_those_in_modes():
    """Free bodies keep their place; modes are made again with each value, so equilibria are solved."""

    def free(values):
        body = pl.ExampleBased(BOX, pl.StableNeoHookean(young=1e5, poisson=0.3), examples=[LONGER])
        body.push(force=(values["force"], 0, 0), on=BOX.points[:, 0] > 1 - 1e-9)
        body.push(force=(-values["force"], 0, 0), on=BOX.points[:, 0] < 1e-9)
        return pl.Scene([body])

    def modal(values):
        body = pl.Body(BOX, pl.StableNeoHookean(young=values["young"], poisson=0.3))
        body.fix(BOX.points[:, 0] < 1e-9)
        return pl.Scene([pl.Modal(body, modes=5)], gravity=(0, -9.81, 0))

    for make, values, solved in ((free, {"force": 20.0}, 1), (modal, {"young": 1e6}, 5)):
        found = equilibrium_with_slopes(make, values)
        (name,) = values
        (slope,) = _differenced(lambda v, make=make: equilibrium(make, v), values, name)
        assert found.solved == solved
        assert np.abs(found.slopes[0][0] - slope).max() <= 1e-6 * np.abs(slope).max()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number", "value"), HAD, ids=lambda v: str(v))
def test_each_is_recovered_from_where_the_body_rests(name, number, value, caplog):
    """From a fifth more; where the number moves points at all, so that it can be told."""
    caplog.set_level(logging.ERROR, "pliant")

    def make(**values):
        return scene_of(name, **values)

    target = equilibrium_with_slopes(lambda v: make(**v), {number: value})
    moved = np.abs(target.positions[0] - make(**{number: value}).bodies[0].mesh.points).max()
    low, high = 0.8 * value, 1.3 * value
    if not can_have(name, number, high) or number in ("poisson",):
        high = 1.1 * value
    start = {number: 1.05 * value}
    found = pl.fit(make, target.positions[0], vary={number: (low, high)}, start=start)
    if np.abs(target.slopes[0][0]).max() * value < 1e-5 * moved:
        return  # as a radius that only thickens what is drawn
    assert found.values[number] == pytest.approx(value, rel=1e-6)
