"""Bodies make steps together with whom they touch, and with nobody else."""

import sys

import numpy as np
import pytest

import pliant as pl
from pliant.contact import ContactKeys
from pliant.contact.bristles import Bristles
from pliant.contact.contact_keys import EDGE
from pliant.contact.part_keys import PartKeys
from pliant.step import groups as grouping
from tests.contact.in_scenes import BOX, box, island, on_floor, stacked
from tests.resuming import assert_same, stopped_and_resumed

stepping = sys.modules["pliant.step.step"]
WISHES = {"none": None, "hops": pl.Settle(0.5, 1)}


def groups_of(scene, dt=1 / 60):
    """Who made the last step together, of bodies that touched something."""
    made = {}
    for body in scene.bodies:
        known = body.state.guess.solver
        if known is not None:
            made.setdefault(id(known.system()), []).append(body.name)
    return sorted(made.values())


@pytest.mark.parametrize("wish", WISHES)
def test_far_neighbours_change_no_bit(wish):
    def scene(*places):
        bodies = [box(*at, name=f"box {at[0]:g}") for at in places]
        for body in bodies:
            body.damping = WISHES[wish]
        return on_floor(*bodies, friction=0.3)

    places = [(0, 0, 0.01), (3, 0, 0.1), (6, 0, 0.004)]
    together = scene(*places)
    take = together.run(seconds=0.25, dt=1 / 60, progress=False)
    assert groups_of(together) == [["box 0"], ["box 3"], ["box 6"]]
    for at, track in zip(places, take.tracks, strict=True):
        alone = scene(at).run(seconds=0.25, dt=1 / 60, progress=False).tracks[0]
        np.testing.assert_array_equal(track.positions, alone.positions)
        assert np.ptp(track.positions, axis=0).max() > 1e-3


def two_and_one(friction=0.4):
    """A box that falls on another one, and a third beside them."""
    bodies = [box(0, 0, 0.001, name="low"), box(0.02, 0, 0.25, name="high")]
    return on_floor(*bodies, box(1, 0, 0.001, name="other"), friction=friction)


def test_what_flies_into_what_touches_makes_no_step_twice(monkeypatch):
    scene, made, whole = two_and_one(), [], stepping.step_island

    def counted(island, *given):
        made.append(len(island.bodies))
        return whole(island, *given)

    monkeypatch.setattr(stepping, "step_island", counted)
    seen = []
    while (2, 1) not in seen and (1, 2) not in seen:
        made.clear()
        scene.step(1 / 60)
        seen.append(tuple(made))
    assert seen[-2] == (1, 1) and len(seen) < 20


def test_a_group_is_joined_when_bodies_meet():
    scene, seen = two_and_one(), []
    for _ in range(20):
        scene.step(1 / 60)
        seen.append(groups_of(scene))
    apart, met = [["high"], ["low"], ["other"]], [["low", "high"], ["other"]]
    assert seen[0] == apart and seen[-1] == met
    assert seen == [apart] * seen.count(apart) + [met] * seen.count(met)
    high, low = scene.bodies[1].state.x, scene.bodies[0].state.x
    assert high[:, 2].min() > low[:, 2].max() - 0.01  # nothing went through


def test_a_step_in_which_bodies_meet_is_made_once_more_together(monkeypatch):
    asked, joined = [], grouping.groups_after

    def groups_after(groups, *given):
        if given[0].meeting is not None:  # short steps to the impact have none
            asked.append(len(groups))
        return joined(groups, *given)

    monkeypatch.setattr(sys.modules["pliant.step.step"], "groups_after", groups_after)
    bodies = [box(0, 0, 0, name="left"), box(0.25, 0, 0, name="right", velocity=(-6, 0, 0))]
    scene = pl.Scene(bodies, contact=pl.Contact(friction=0.0))
    scene.step(1 / 60)
    assert asked == [2, 1]
    momentum = sum(b.masses @ b.state.v for b in bodies)
    before = bodies[1].masses.sum() * np.array([-6.0, 0, 0])
    np.testing.assert_allclose(momentum, before, atol=1e-10 * np.linalg.norm(before))
    assert bodies[0].state.v[:, 0].max() < 0.0  # it was hit


def test_what_sticks_goes_on_sticking_when_something_comes_to_touch_it():
    angle = np.radians(15.0)
    down = 9.81 * np.array([np.sin(angle), 0, -np.cos(angle)])

    def moved(*more):
        stays = box(0, 0, 2e-4, name="stays", young=1e7)
        scene, seen = on_floor(stays, *more, gravity=down, friction=0.6), []
        for _ in range(40):
            scene.step(1 / 60)
            seen.append(len(groups_of(scene)))
        return stays.state.x.mean(axis=0)[0], seen

    light = box(-0.01, 0, 0.24, name="light", young=1e4)
    light.masses = 1e-4 * light.masses
    (alone, _), (beside, groups) = moved(), moved(light)
    assert groups[2] == 2 and groups[-1] == 1
    # tan(15 deg) is 0.45 of the friction there can be, which bends bristles by a quarter of 2e-4 m:
    # the box goes as far once more if they are straight again when the light one has joined it.
    assert abs(beside - alone) < 5e-6


def test_numbers_of_contacts_do_not_depend_on_who_makes_the_step():
    scene = two_and_one()
    scene.add(pl.Sphere((1.1, 0.1, -1.0), 0.5, name="ball"))
    scene.run(seconds=0.4, dt=1 / 60, progress=False)
    whole = island(scene)
    meeting = scene.problem("cpu").meeting
    found = whole.friction.touching(whole.assembly.array(stacked(scene, "x")))
    first, second = found.first, found.second
    some = {(0, 1): ["low", "high"], (2,): ["other"]}
    for numbers in some:
        part = meeting.island_of(numbers).system
        own = part.friction.touching(
            part.assembly.array(np.concatenate([scene.bodies[i].state.x for i in numbers]))
        )
        bristles = Bristles(np.unique(own.numbers), np.zeros((len(np.unique(own.numbers)), 3)))
        told = np.concatenate([b.keys for b in part.friction.divided(bristles)])
        count = len(scene.bodies)
        mine = np.isin(first, numbers) | np.isin(second, numbers)
        assert not (mine & ((first < count) & ~np.isin(first, numbers))).any()
        np.testing.assert_array_equal(np.sort(told), np.unique(found.numbers[mine]))
        assert len(told) > 4


def test_translated_numbers_come_back():
    bodies = [box(k, 0, 0, name=str(k)) for k in range(4)]
    scene = on_floor(*bodies, obstacles=[pl.Sphere((9, 9, 9), 1.0)])
    surface = scene.problem("cpu").meeting.island.system.contact.surface
    numbers, rng = (1, 3), np.random.default_rng(0)
    whole, part = ContactKeys(surface), ContactKeys(surface.part(numbers))
    table = PartKeys(part, whole, numbers)
    points, others = len(part.surface.rest), part.others
    first = rng.integers(points, size=500)
    keys = np.unique(part.made_of(first, rng.integers(others, size=500), first % 2))
    edges = rng.integers(len(part.sorted), size=(2, 500))
    alone = part.made_of(edges[0], others + edges[1], np.full(500, EDGE))
    keys = np.unique(np.concatenate([keys, alone]))
    bends = rng.normal(size=(len(keys), 3))
    outside = table.outwards(Bristles(keys, bends))
    back = table.inwards(outside)
    np.testing.assert_array_equal(back.keys, keys)
    np.testing.assert_array_equal(back.bends, bends)
    assert not np.array_equal(outside.keys, keys)
    # Those of bodies that are not in the part are left out.
    more = whole.made_of(np.array([0]), np.array([len(surface.bodies)]), np.array([0]))
    joined = Bristles.joined([outside, Bristles(more, np.ones((1, 3)))])
    np.testing.assert_array_equal(table.inwards(joined).keys, keys)


@pytest.mark.parametrize("wish", WISHES)
def test_a_run_that_is_taken_up_knows_who_stepped_together(tmp_path, wish):
    def make():
        scene = two_and_one()
        for body in scene.bodies[:2]:
            body.damping = WISHES[wish]
        return scene

    whole = make().run(seconds=24 / 60, dt=1 / 60, progress=False)
    found = stopped_and_resumed(make, tmp_path / "a.zarr", steps=24, dt=1 / 60, at=16)
    assert_same(found, whole)


def test_no_more_islands_are_kept_than_are_needed():
    count = 7
    bodies = [box(k, 0, 0, name=str(k), mesh=BOX) for k in range(count)]
    meeting = on_floor(*bodies).problem("cpu").meeting
    for k in range(2**count - 1):
        numbers = tuple(i for i in range(count) if (k + 1) >> i & 1)
        made = meeting.island_of(numbers)
        assert made.numbers == numbers and made is meeting.island_of(numbers)
    assert len(meeting.islands) == 4 * count + 16


def test_scenes_with_moving_obstacles_are_one_group():
    bodies = [box(0, 0, 0.01, name="a"), box(3, 0, 0.01, name="b")]
    scene = on_floor(*bodies)
    lift = pl.HalfSpace((0, 0, -5), (0, 0, 1), path=lambda t: (0, 0, 0.1 * t), name="lift")
    scene.add(lift)
    scene.step(1 / 60)
    assert groups_of(scene) == [["a", "b"]]
