"""Bodies that are tied together land, lean and rest on cue as one."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import crossings
from tests.contact.landings import G, hop_heights, run
from tests.resuming import assert_same, stopped_and_resumed

FEW = pl.meshes.box((0.1, 0.1, 0.1), (1, 1, 1))


def block(name, at, wish):
    body = pl.Body(FEW, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0, name=name)
    body.place(FEW.points - FEW.points.mean(axis=0) + np.array(at))
    body.damping = wish
    return body


def dumbbell(*, height, wish):
    """Two blocks and a rod between them, tied, above a floor."""
    blocks = [block(name, (x, height, 0), wish) for name, x in (("a", -0.15), ("b", 0.15))]
    ends = [np.flatnonzero(np.isclose(FEW.points[:, 0], x)) for x in (0.1, 0.0)]
    scene = pl.Scene(blocks, gravity=(0, -G, 0), contact=pl.Contact(friction=0.3))
    # An offset turns with the blocks: two tied so are rigid to each other.
    scene.add(pl.Tie(blocks[0], ends[0], blocks[1], ends[1]))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
    return scene, blocks


@pytest.mark.parametrize("bounces", [None, 1])
def test_two_blocks_tied_by_a_rod_fall_and_rest_on_cue(bounces):
    scene, blocks = dumbbell(height=0.3, wish=pl.Settle(rest_in=0.45, bounces=bounces))
    take = run(scene, 0.8, 1 / 60)
    assert not crossings(scene, take)
    for body in blocks:
        assert take[body].since == pytest.approx(np.sqrt(2 * 0.25 / G), rel=2e-3)
        assert take[body].rest_time() == pytest.approx(0.45, rel=0.06)
        assert len(hop_heights(take, body)) == (bounces or 0)
    between = blocks[1].positions.mean(axis=0) - blocks[0].positions.mean(axis=0)
    # The tie holds: it gives by less than 1e-4 of a block under ten times its weight.
    assert np.linalg.norm(between) == pytest.approx(0.3, abs=1e-3)


def test_without_a_word_tied_bodies_touch_all_but_each_other():
    wish = pl.Settle(rest_in=0.4)
    places = {"a": (-0.055, 0.06, 0), "b": (0.055, 0.06, 0), "third": (0, 0.35, 0.02)}
    a, b, third = (block(name, at, wish) for name, at in places.items())
    ends = [np.flatnonzero(np.isclose(FEW.points[:, 0], x)) for x in (0.1, 0.0)]
    wide = pl.Scene([a, b, third], gravity=(0, -G, 0))
    wide.add(pl.Tie(a, ends[0], b, ends[1]), pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
    take = run(wide, 0.7, 1 / 60)
    assert not crossings(wide, take)
    assert take["third"].positions[-1][:, 1].min() > 0.09  # it lies on both
    assert take["third"].since + take["third"].rest_time() < np.sqrt(0.4 / G) + 1.06 * 0.4
    between = {frozenset(names) for c in take.contacts for names in np.array(c.names)[c.pairs]}
    assert frozenset("ab") not in between and {frozenset(["a", "third"])} <= between


def tied_end_to_end(apart, bounces):
    """Two bars in a line, tied all over the faces between them; a pin holds one."""
    mesh, bars = pl.meshes.box((0.4, 0.1, 0.1), (1, 1, 1)), []
    for name, x in (("a", 0.0), ("b", 0.4 + apart)):
        soft = pl.StableNeoHookean(young=1e6, poisson=0.4)
        bar = pl.Body(mesh, soft, density=1000.0, name=name)
        bar.place(mesh.points + [x, 0, 0])
        bar.damping = pl.Settle(0.4, bounces)
        bars.append(bar)
    left, right = (np.isclose(mesh.points[:, 0], x) for x in (0.0, 0.4))
    bars[0].fix(left)
    scene = pl.Scene(bars, gravity=(0, -G, 0), contact=pl.Contact())
    scene.add(pl.Tie(bars[0], right, bars[1], left))
    return scene, bars


def test_a_tie_that_pulls_bars_together_does_not_stop_time():
    """They begin at the gap, and come nearer in however short a time."""
    scene, bars = tied_end_to_end(0.0, 2)
    take = run(scene, 0.6, 1 / 60)
    assert not crossings(scene, take)
    assert take[bars[0]].rest_time() == pytest.approx(0.4, rel=0.06)


def test_what_is_tied_to_what_pins_hold_bounces_and_has_a_time_to_rest():
    scene, bars = tied_end_to_end(0.01, 2)
    take = run(scene, 0.6, 1 / 60)
    for body in bars:
        assert take[body].ring().rest_time(0.01) == pytest.approx(0.4, rel=0.06)
        assert "hops" not in take[body].asked


@pytest.mark.slow
def test_a_block_on_a_rope_swings_against_a_wall_and_rests_on_cue():
    turn = np.array([[np.cos(0.5), np.sin(0.5), 0], [-np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    x = np.zeros((6, 3))
    x[:, 1] = -np.linspace(0, 0.4, 6)
    lines = np.stack([np.arange(5), np.arange(1, 6)], axis=1)
    rope = pl.Springs(pl.Mesh(x @ turn.T, {"line": lines}), stiffness=2e4, mass=0.02, name="rope")
    rope.fix([0])
    cube = pl.meshes.box((0.1, 0.1, 0.1), (2, 2, 2))
    mesh = pl.Mesh((cube.points - [0.05, 0.5, 0.05]) @ turn.T, cube.cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0, name="block")
    rope.damping = body.damping = pl.Settle(rest_in=1.0)
    contact = pl.Contact(friction=0.3, ignore=[("rope", "block")])
    scene = pl.Scene([rope, body], gravity=(0, -G, 0), contact=contact)
    top = int(np.argmin(np.linalg.norm(mesh.points - rope.positions[5], axis=1)))
    scene.add(pl.Tie(rope, [5], body, [top]))
    scene.add(pl.HalfSpace((0.03, 0, 0), (-1, 0, 0), name="wall"))
    take = run(scene, 1.5, 1 / 60)
    assert not crossings(scene, take)
    centre = take[body].positions.mean(axis=1)
    assert centre[0, 0] < -0.2 and centre[-1, 0] == pytest.approx(-0.02, abs=5e-3)  # it leans
    pushed = take.contacts[-1].between("block", "wall").forces.sum(axis=0)
    end, mass = body.positions[top], float(body.masses.sum())
    # The rope pulls along itself; friction and its own weight are 2 % of that. Steps are solved to some
    # thousandths of the weight, which is twenty times the push.
    assert -pushed[0] == pytest.approx(mass * G * end[0] / end[1], rel=0.1)
    moved = np.linalg.norm(take[body].positions - take[body].positions[-1], axis=(1, 2))
    # The clock of what pins hold starts at the release.
    rest = take.times[np.flatnonzero(moved > 0.01 * moved.max())[-1]]
    assert rest == pytest.approx(1.0, rel=0.05)


@pytest.mark.slow
def test_a_run_of_tied_bodies_is_taken_up_bit_for_bit(tmp_path):
    def scene():
        return dumbbell(height=0.15, wish=pl.Settle(rest_in=0.3, bounces=1))[0]

    whole = scene().run(seconds=24 / 60, dt=1 / 60, progress=False)
    for at in (4, 14):  # in flight, and on the ground
        found = stopped_and_resumed(scene, tmp_path / f"{at}.zarr", steps=24, dt=1 / 60, at=at)
        assert_same(found, whole)
