"""Derivatives of equilibria by every number of every public body, against centred differences."""

import logging

import numpy as np
import pytest

import pliant as pl
from pliant import kinds
from pliant.declared import MISSING, AnyOf, Numbers, Quantity, parameters_of
from pliant.many.sensitivity import equilibrium, equilibrium_with_slopes
from tests.unit.every_body import BODIES, BOX, LONGER, SOFT, chain

#: Numbers that only count: of modes, cells and points, which are whole or make another mesh.
COUNTS = {"modes", "size", "cells", "order", "spacing", "pairs"}
#: What has no example, or one that nothing flows or hardens by. Of arrays each number counts.
VALUES = {
    ("Cloth", "yield_strain"): 2e-3,
    ("Cloth", "rest_stretch"): (0.9, 0.9),
    ("Springs", "yield_strain"): 2e-3,
    ("ExampleBased", "bounds"): (-0.5, 1.5),
    ("FormSurface", "metric"): ((2e3, 700.0), (700.0, 900.0)),
    ("FormSurface", "curvature"): ((2.0, 0.5), (0.5, 1.0)),
    ("FormSolid", "metric"): 1e5 * (np.eye(6) + 0.2),
    ("Elastons", "thickness"): (0.02, 0.03),
    ("Plastic", "yield_stress"): 1e3,
    ("Plastic", "most"): 0.02,
}
LAME = (4e4, 3e4)
#: What a number needs beside it to move anything.
BESIDE = {
    ("Springs", "stiffening"): {"mass": 1.0},
    ("Springs", "yield_strain"): {"mass": 1.0},
    ("Rod", "width"): {"radius": None, "height": 0.03},
    ("Rod", "height"): {"radius": None, "width": 0.03},
    ("Rod", "up"): {"radius": None, "width": 0.03, "height": 0.02},
    ("Elastons", "up"): {"thickness": (0.02, 0.03)},
    ("ImpactRods", "area"): {"radius": None},
    ("Plastic", "yield_stress"): {"hardening": 1e4},
}
PLATE, LINE = pl.meshes.rectangle((1, 0.4), (5, 2)), chain(3)
ALONG = 2.0 * np.pi * LINE.points[:, 0]
HELIX = pl.Mesh(
    np.stack([LINE.points[:, 0], 0.2 * np.cos(ALONG), 0.2 * np.sin(ALONG)], axis=1), LINE.cells
)
#: Bodies that have what those of `every_body` cannot.
OTHERS = {
    ("Body", "thickness"): lambda **k: pl.Body(PLATE, SOFT, **k),
    ("Body", "section"): lambda **k: pl.Body(chain(2), SOFT, **k),
    ("ExampleBased", "thickness"): lambda **k: pl.ExampleBased(
        PLATE, SOFT, examples=[PLATE.points * [1.2, 1.0]], **k
    ),
    ("FormCurve", "torsion"): lambda **k: pl.FormCurve(
        HELIX, **{"metric": 1e3, "curvature": 0.1, "density": 0.1} | k
    ),
}
#: What moves no point of a body at rest, and why.
MOVES_NOTHING = {
    ("Body", "thickness"): "of weight and stiffness alike",
    ("Body", "section"): "of weight and stiffness alike",
    ("ExampleBased", "thickness"): "of weight and stiffness alike",
    ("ExampleBased", "bounds[0]"): "of weights that are between both",
    ("ExampleBased", "bounds[1]"): "of weights that are between both",
    ("ImpactRods", "radius"): "of weight and stiffness alike",
    ("ImpactRods", "area"): "of weight and stiffness alike",
    ("ImpactRods", "collision"): "of what hits",
    ("Elastons", "volume"): "of weight and stiffness alike",
    ("Elastons", "up[0]"): "along the line",
    ("Elastons", "up[2]"): "the length of a direction",
    ("Rod", "up[0]"): "along the line",
    ("Rod", "up[2]"): "the length of a direction",
    ("Snake", "density"): "nothing falls in a picture",
}


def numbers():
    """Every number of every body and material, with a value; of arrays one after the other."""
    for owner in (*BODIES, *kinds.MATERIALS.own(), "Plastic"):
        for p in parameters_of(getattr(pl, owner)):
            if p.name not in COUNTS and (p.name == "lame" or has_numbers(p.note)):
                value = value_of(owner, p)
                for at in np.ndindex(value.shape):
                    if tuple(sorted(at)) == at:  # the others of a matrix are the same
                        yield owner, p.name + "".join(f"[{k}]" for k in at), float(value[at])


def has_numbers(note):
    """Whether a parameter is a number, or several."""
    return isinstance(note, Quantity | Numbers) or (
        isinstance(note, AnyOf) and any(map(has_numbers, note.notes))
    )


def value_of(owner, p):
    """What a parameter is in these tests, as an array."""
    default = None if p.default is MISSING else p.default
    usual = LAME if p.name == "lame" else p.note.example or default or 0.1
    return np.array(VALUES.get((owner, p.name), usual), float)


def given_of(owner, number, value):
    """What a body or material is given to have this value; matrices stay symmetric."""
    name, *rest = number.replace("]", "").split("[")
    (parameter,) = (p for p in parameters_of(getattr(pl, owner)) if p.name == name)
    array, at = value_of(owner, parameter), tuple(map(int, rest))
    array[at] = array[at[::-1]] = value
    return BESIDE.get((owner, name), {}) | {name: array.tolist()}


def body_of(owner, number, value):
    """A body with a number, or one of a material with it."""
    given = given_of(owner, number, value)
    if (owner, number) in OTHERS:
        return OTHERS[owner, number](**given)
    if owner == "Plastic":
        return pl.Body(BOX, pl.Plastic(**{"material": SOFT, "yield_stress": 1e3} | given))
    if owner not in BODIES:
        return pl.Body(BOX, getattr(pl, owner)(**examples_beside(owner, given)))
    try:
        return BODIES[owner](**given)
    except TypeError:  # its row in every_body has the number already
        fixed = {"distance": 1.0, "mass": 0.01, "stiffness": 500.0}
        own = {p.name for p in parameters_of(getattr(pl, owner))}
        kept = {k: v for k, v in fixed.items() if k in own}
        return getattr(pl, owner)(BOX, **kept | given)


def examples_beside(material, given):
    """The parameters of a material; Lame's stand for the two that are usual."""
    usual = {"young", "poisson"} if "lame" in given else set()
    examples = {p.name: p.note.example for p in parameters_of(getattr(pl, material))}
    return {k: v for k, v in examples.items() if v is not None and k not in usual} | given


def scene_of(owner, number, value):
    """It hangs between both of its ends; a snake holds on to its picture."""
    body = body_of(owner, number, value)
    if owner == "Snake":
        return pl.Scene([body], contact=False)
    x = body.mesh.points[:, 0]
    body.fix((x < x.min() + 1e-9) | (x > x.max() - 1e-9))
    return pl.Scene([body], gravity=(0, -9.81, 0)[: body.dim], contact=False)


ALL = list(numbers())


def test_all_numbers_are_found():
    assert len(ALL) > 100
    assert {name for name, *_ in ALL} >= set(BODIES) - {"Modal", "Subspace"}
    assert {name for name, *_ in ALL} >= set(kinds.MATERIALS.own())


def centred(positions, value, step=2e-5):
    """The derivative of positions by one value, by their difference across it."""
    length = step * (abs(value) or 1.0)
    return (positions(value + length) - positions(value - length)) / (2.0 * length)


def of_body(make, values, name, body=0):
    """The same of one body of a scene; a step of 1e-4 misses by its square."""
    return centred(lambda v: equilibrium(make, values | {name: v})[body], values[name], step=1e-4)


@pytest.mark.parametrize(("owner", "number", "value"), ALL, ids=lambda v: str(v))
def test_they_are_the_slopes_of_equilibria(owner, number, value, caplog):
    caplog.set_level(logging.ERROR, "pliant")

    def at(values):
        return equilibrium_with_slopes(lambda v: scene_of(owner, number, v[number]), values)

    found = at({number: value})
    # Of equilibria that balance to rounding. Short steps: a picture has kinks in its second derivatives.
    slope = centred(lambda v: at({number: v}).positions[0], value)
    start = scene_of(owner, number, value).bodies[0].mesh.points
    moved = np.abs(found.positions[0] - start).max() / (abs(value) or 1.0)
    # Steps of 2e-5 of a value turn rounding, 1e-15 of the body, into 1e-10 of its motion.
    assert np.abs(found.slopes[0][0] - slope).max() <= 1e-6 * max(np.abs(slope).max(), moved)
    still = (owner, number) in MOVES_NOTHING
    assert (np.abs(slope).max() > 1e-5 * moved) != still
    # Only those whose energy is none of points take more equilibria than one.
    assert (found.solved > 1) == (owner in ("LongElements", "BoundaryElements"))


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
        for body, mine in enumerate(found.slopes):
            slope = of_body(make, values, name, body)
            assert np.abs(mine[k] - slope).max() <= 1e-6 * max(
                np.abs(slope).max(), 1e-3 / values[name]
            )


def on_the_ground(values):
    body = pl.Body(PLATE, pl.StableNeoHookean(young=values["young"], poisson=0.3))
    body.fix(PLATE.points[:, 0] < 1e-9)
    body.place(PLATE.points + [0, 0.02])
    scene = pl.Scene([body], gravity=(0, -9.81), contact=pl.Contact(friction=0))
    scene.add(pl.HalfSpace((0, values["height"]), (0, 1)))
    return scene


def tied(values):
    near = pl.Body(BOX, pl.StableNeoHookean(young=values["young"], poisson=0.3), name="near")
    far = pl.Body(BOX, pl.StableNeoHookean(young=1e5, poisson=values["poisson"]), name="far")
    near.fix(BOX.points[:, 0] < 1e-9)
    far.place(BOX.points + [1.0, 0, 0])
    scene = pl.Scene([near, far], gravity=(0, -9.81, 0))
    ends = [np.flatnonzero(np.abs(BOX.points[:, 0] - x) < 1e-9) for x in (1.0, 0.0)]
    scene.add(pl.Tie(near, ends[0], far, ends[1]))
    return scene


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (on_the_ground, {"young": 1e5, "height": -0.1}),
        (tied, {"young": 2e5, "poisson": 0.3}),
    ],
)
def test_bodies_that_touch_or_are_tied(make, values):
    """Whose stiffness is that of all of them together: equilibria are solved instead."""
    found = equilibrium_with_slopes(make, values)
    assert found.solved == 1 + 4 * len(values)
    for name in values:
        for body, slopes in enumerate(found.slopes):
            slope = of_body(make, values, name, body)
            mine = slopes[list(values).index(name)]
            assert np.abs(mine - slope).max() <= 1e-6 * np.abs(slope).max() > 0.0


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
        slope = of_body(make, values, name)
        assert found.solved == solved
        assert np.abs(found.slopes[0][0] - slope).max() <= 1e-6 * np.abs(slope).max()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("owner", "number", "value"),
    [row for row in ALL if row[:2] not in MOVES_NOTHING and row[2] != 0.0],
    ids=lambda v: str(v),
)
def test_each_is_recovered_from_where_the_body_rests(owner, number, value, caplog):
    """From a twentieth beside it."""
    caplog.set_level(logging.ERROR, "pliant")

    def make(**values):
        return scene_of(owner, number, values[number])

    target = equilibrium_with_slopes(lambda v: make(**v), {number: value})
    ends = sorted((0.8 * value, value * (1.1 if number == "poisson" else 1.3)))
    found = pl.fit(
        make, target.positions[0], vary={number: tuple(ends)}, start={number: 1.05 * value}
    )
    assert found.values[number] == pytest.approx(value, rel=1e-6)


def test_a_number_at_the_end_of_its_range_is_varied_inwards():
    """As no area below nothing can be had, whatever the way to it."""
    values = {"distance": 1.0, "area": 0.0, "volume": 2.0}
    ranges = {"area": (0.0, 1.0), "volume": (0.0, 2.0)}

    def make(v):
        assert v["area"] >= 0.0 and v["volume"] <= 2.0
        body = pl.ConstraintBody(BOX, mass=0.01, **v)
        body.fix(BOX.points[:, 0] < 1e-9)
        return pl.Scene([body], gravity=(0, -9.81, 0))

    found = equilibrium_with_slopes(make, values, ranges=ranges)
    for k, name in enumerate(values):
        inside = values[name] + (1e-3 if name == "area" else -1e-3)
        near = equilibrium_with_slopes(make, values | {name: inside}, ranges=ranges)
        # The slope a thousandth away is another one by about as much.
        assert np.abs(found.slopes[0][k] - near.slopes[0][k]).max() < 0.01 * (
            np.abs(near.slopes[0][k]).max()
        )
