"""Obstacles do the same to bodies of 1 mm, 1 m and 100 m, and say whom they throw off."""

import warnings

import numpy as np
import pytest

import pliant as pl

FLOOR = ((0, 0, 0), (0, 1, 0))
#: Steps of 1/60 s for a body of 1 m; falls and waves of others take the root of their size.
DT = 1 / 60
#: A stepper without contact: near obstacles its points are pushed.
PUSHED = pl.XPBD(tolerance=1e-2)


def block(size, above=1.0, springs=False, **floor):
    """A cube as stiff for its weight at every size, so many sizes above a floor, and its scene."""
    mesh = pl.meshes.box((size, size, size), (2, 2, 2))
    if springs:
        weight = 1000.0 * size**3 / len(mesh)
        body = pl.Springs(mesh, stiffness=2e5 * size**2, mass=weight, name="body")
    else:
        body = pl.Body(mesh, pl.StableNeoHookean(young=2e5 * size, poisson=0.3), density=1000.0)
    body.place(mesh.points + [0, above * size, 0])
    scene = pl.Scene(body, gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace(*FLOOR, **floor))
    return body, scene


def heights(size, seconds=2.0, **how):
    """Of all points in all frames, in sizes of the body."""
    _, scene = block(size, **how)
    root = np.sqrt(size)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        take = scene.run(seconds=seconds * root, dt=DT * root, progress=False)
    return take.positions[..., 1] / size


@pytest.mark.parametrize("size", [1e-3, 1.0, 100.0])
def test_what_falls_lands_and_stays(size):
    y = heights(size)
    assert y.max() == y[0].max()  # nothing is thrown higher than it was
    assert y.min() > -1e-12
    assert 0.0 < y[-1].min() < 1e-3  # it rests in the gap
    assert y[-20:].min(axis=1).max() < 1e-3  # what rings on is no hop: it does not leave the gap


@pytest.mark.parametrize("size", [1e-3, 0.05])
def test_small_bodies_move_as_large_ones(size):
    """Lengths go with the size and times with its root: the same numbers, to what steps leave."""
    assert np.abs(heights(size) - heights(1.0)).max() < 1e-3


def test_a_margin_is_the_gap():
    assert np.array_equal(heights(1.0), heights(1.0, margin=1e-3))


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("stepper", [pl.Implicit, pl.LinearisedImplicit])
def test_friction_and_steppers_know_the_size(friction, stepper):
    size, v = 1e-2, 0.5
    body, scene = block(size, above=0.005 - 0.005 / 128, friction=friction)
    body.velocity = (v, 0.0, 0.0)
    take = scene.run(seconds=0.02, dt=1e-3, stepper=stepper(), progress=False)
    slower = v - take.velocities[-1, :, 0] @ body.masses / body.masses.sum()
    # The first steps sink in until the push is the weight.
    assert slower == pytest.approx(friction * 9.81 * 0.02, rel=0.2, abs=1e-6)


def test_a_start_within_the_margin_is_told():
    """A ball of 1 mm, 1 mm above the floor, is thrown by a margin that is meant for larger ones."""
    body, scene = block(1e-3, springs=True, margin=0.005)
    words = r"body: 27 points begin within the margin of HalfSpace"
    with pytest.warns(RuntimeWarning, match=words) as told:
        take = scene.run(seconds=0.05, dt=1e-3, stepper=PUSHED, progress=False)
    words = str(told[0].message)
    assert "0.001 m from it where 0.005 m is the margin" in words and "margin=0.0005)" in words
    assert told[0].filename == __file__
    assert take.positions[..., 1].max() > 0.01
    body.place(body.mesh.points + [0, 1e-3, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scene.run(seconds=2e-3, dt=1e-3, stepper=PUSHED, progress=False)  # nor of one that goes on
        block(1e-3, springs=True)[1].run(seconds=1e-3, dt=1e-3, stepper=PUSHED, progress=False)


@pytest.mark.parametrize("stepper", [pl.LinearisedImplicit(), pl.SymplecticEuler()], ids=repr)
def test_a_body_that_begins_within_the_gap_is_not_thrown(stepper):
    """It falls the rest of the way; where a spring stood, this body was thrown up."""
    body, scene = block(1.0, above=0.003, margin=0.005)
    body.damping = pl.Rayleigh(mass=5.0, stiffness=2e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        take = scene.run(seconds=1.0, dt=1 / 120, stepper=stepper, progress=False)
        assert take.positions[..., 1].min() > 0.0
        assert take.positions[:, :, 1].max() < 1.003 + 1e-3  # the barrier lifts it a little
        again, heavy = block(1.0, margin=0.005)
        again.place(body.positions)  # where it lies
        heavy.run(seconds=0.1, dt=1 / 120, stepper=stepper, progress=False)
        assert np.abs(again.velocity).max() < 0.02


def test_statics_begin_within_the_gap_too():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        held, scene = block(1.0, above=0.001)
        held.fix(held.mesh.points[:, 1] > 0.99)
        assert len(scene.equilibrium()) == 1  # nothing is thrown where nothing moves


def test_inside_is_refused_as_ever():
    with pytest.raises(ValueError, match="body: 9 points are inside HalfSpace"):
        block(1e-3, above=-0.01)[1].run(seconds=0.1)


def test_takes_and_scene_files_tell_a_margin_that_was_given_from_one_that_was_not():
    from pliant.boundary import obstacle_of

    for how, margin, scaled in (({}, 0.005, True), ({"margin": 0.005}, 0.005, False)):
        floor = pl.HalfSpace(*FLOOR, **how)
        again = obstacle_of(floor.facts())
        assert (again.margin, again.scaled) == (margin, scaled)
