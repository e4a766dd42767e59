"""Tables of responses: recording, files, players, and what is refused."""

import json

import numpy as np
import pytest

import pliant as pl
from pliant.responses.compression import Gathered, rank_for
from pliant.responses.entries import Entries
from pliant.responses.parts import PackedRecording
from pliant.responses.random_run import ResponseRecording

MESH = pl.meshes.box((2, 1, 1), (4, 2, 2))
TIP = MESH.points[:, 0] > 2.0 - 1e-9
PUSH = pl.Excite(on=TIP, force=(0, -300, 0), seconds=0.1)
TAP = pl.Excite(on=[44], impulse=(0, 0, 30))


def body(damping=None):
    full = pl.Body(MESH, pl.StableNeoHookean(young=2e6, poisson=0.3))
    full.fix(MESH.points[:, 0] < 1e-9)
    return pl.Modal(full, modes=6, damping=damping or pl.Rayleigh(mass=3.0))


def recorded(made=None, pushes=(PUSH, TAP), **how):
    scene = pl.Scene(body() if made is None else made)
    how = {"seconds": 3.0, "dt": 1 / 30, "each": 0.3, "progress": False} | how
    return pl.Responses.record(scene, list(pushes), **how)


@pytest.fixture(scope="module")
def table():
    return recorded()


# --- recording ------------------------------------------------------------------------------


def test_the_scene_is_afterwards_as_it_was():
    made = body(pl.Settle(0.5, 1))
    made.push(force=(0, 5, 0), on=TIP)
    made.place(MESH.points + 0.01 * MESH.points[:, :1] * [0, 1, 0] * ~made.pinned[:, None])
    scene = pl.Scene(made)
    scene.run(seconds=0.1)
    before, loads, time = made.positions, made.loads, scene.time
    pl.Responses.record(scene, [PUSH], seconds=2.0, dt=1 / 30, progress=False)
    assert np.array_equal(made.positions, before) and made.loads == loads and scene.time == time
    scene.run(seconds=0.1)  # and goes on


def test_one_seed_gives_one_table_and_another_another(table):
    again, other = recorded(), recorded(seed=3)
    assert np.array_equal(again.entries.after, table.entries.after)
    assert not np.array_equal(other.entries.before, table.entries.before)


def test_each_push_comes_as_often_as_none_and_first_from_rest(table):
    kinds, before = table.entries.kinds, table.entries.before
    assert sorted(kinds[:3]) == [0, 1, 2] and not before[:3].any()
    assert np.ptp(np.bincount(kinds)) <= 1
    assert (before[4:] != 0.0).any(axis=1).all()  # what came third may have been no push


def test_the_rank_follows_the_error():
    ranks = [recorded(error=error).entries.rank for error in (0.5, 0.05, 1e-4)]
    assert ranks == sorted(ranks) and ranks[0] < ranks[-1]


def test_ctrl_c_keeps_what_was_recorded():
    seen = []

    def stop(done, total):
        seen.append(done)
        if seen == [1, 2, 3, 4, 5, 6, 7]:
            raise KeyboardInterrupt

    kept = recorded(progress=stop)
    assert len(kept.entries) == 7
    assert np.array_equal(kept.entries.kinds, recorded().entries.kinds[:7])


def test_ctrl_c_before_each_push_has_come_is_an_interrupt():
    made = body()

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recorded(made, progress=stop)
    assert made.loads == ()


def whole_body():
    full = pl.Body(MESH, pl.StableNeoHookean(young=2e6, poisson=0.3), damping=pl.Rayleigh(mass=3.0))
    full.fix(MESH.points[:, 0] < 1e-9)
    return full


PARTED = {
    "Modal": body,
    "Subspace": lambda: pl.Subspace(whole_body(), modes=3, size=6),
    "Body": whole_body,
}


@pytest.mark.parametrize("kind", PARTED)
def test_parts_are_runs_of_their_own_and_one_part_is_one_run(kind):
    """Errors of pushes that a table has not seen are those of one run; SVD: 1 %."""
    one = recorded(PARTED[kind]())
    same = recorded(PARTED[kind](), parts=1, workers=0)
    assert np.array_equal(one.entries.kinds, same.entries.kinds)
    # Columns go from numbers of the body to points and back.
    np.testing.assert_allclose(np.abs(same.entries.after), np.abs(one.entries.after), atol=1e-9)
    several = recorded(PARTED[kind](), parts=3, workers=0)
    assert len(several.entries) == len(one.entries)
    before = several.entries.before
    assert (~before.any(axis=1)).sum() == 3  # each kind once from rest, in the first part only
    asked, table = several.entries.some(slice(3, None)), one.entries
    assert set(asked.kinds) == set(table.kinds)
    player, again = several.player(), one.player()
    for k in (0, 1):
        player.excite(k), again.excite(k)
        t = player.time + 0.2
        a, b = player.positions(t), again.positions(t)
        assert np.abs(a - b).max() < 0.03 * np.abs(b - one.rest).max()


def test_a_part_is_refused_where_versions_are_others():
    made = PackedRecording.of(ResponseRecording(pl.Scene(body()), (PUSH,), 0.1, 3, 0.01))
    name, versions = made.asked_by
    other = PackedRecording(made.content, (name, versions | {"numpy": "0.1"}))
    with pytest.raises(ValueError, match=r"has numpy 0.1 \(here .*expected the same versions"):
        other.run()


def test_ctrl_c_keeps_parts_that_are_whole():
    seen = []

    def stop(done, total):
        seen.append(done)
        if seen == [1, 2]:
            raise KeyboardInterrupt

    kept = recorded(progress=stop, parts=3, workers=0)
    assert len(kept.entries) == 7  # of ten, in parts of 4, 3 and 3
    assert np.array_equal(kept.entries.kinds, recorded(parts=3, workers=0).entries.kinds[:7])


def test_a_body_that_is_placed_elsewhere_is_played_back_there():
    """A quarter turn carries the body and what its columns mean."""
    made, turned = body(), body()
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    turned.place(MESH.points @ quarter.T + [0.3, 0, 0])
    rows = []
    for one, turn in ((made, np.eye(3)), (turned, quarter)):
        player = recorded(one, [pl.Excite(on=TIP, impulse=tuple(turn @ [0, 30, 0]))]).player()
        player.excite(0)
        rows.append((player.positions(0.2) - player._rest) @ turn)
    assert np.abs(rows[0]).max() > 0.005
    np.testing.assert_allclose(rows[1], rows[0], atol=1e-9)


def test_a_subspace_of_blocks_loses_no_more_than_it_may():
    random = np.random.default_rng(0)
    rows = random.standard_normal((60, 8)) @ random.standard_normal((8, 50))
    rows += 1e-4 * random.standard_normal(rows.shape)
    gathered = Gathered(50, 0.01)
    found = [gathered.add(block) for block in np.split(rows, 6)]
    columns = gathered.columns
    np.testing.assert_allclose(columns.T @ columns, np.eye(columns.shape[1]), atol=1e-12)
    assert columns.shape[1] == 8
    back = np.concatenate([z @ columns[:, : z.shape[1]].T for z in found])
    assert np.linalg.norm(back - rows) <= 0.01 * np.linalg.norm(rows)


def test_the_rank_leaves_out_at_most_the_error():
    values = np.sqrt(np.array([0.9, 0.09, 0.009, 0.001]))
    assert [rank_for(values, error) for error in (0.99, 0.32, 0.11, 0.05, 0.0)] == [1, 1, 2, 3, 4]


# --- playing --------------------------------------------------------------------------------


def test_a_player_begins_at_rest_and_stays_there(table):
    player = table.player()
    for t in (0.0, 0.5, 7.0):
        np.testing.assert_allclose(player.positions(t), table.rest, atol=1e-12)
    assert player.time == 7.0
    player.reset()
    assert player.time == 0.0


def test_a_push_has_no_jump_and_what_follows_does_not_either(table):
    """The next push comes while the body moves; after its end it goes on freely."""
    player = table.player()
    player.excite(0)
    path = []
    for k in range(400):
        path.append(player.positions(1e-3 * k))
        if k == 150:
            player.excite(0)
    speed = np.abs(np.diff(path, axis=0)).max(axis=(1, 2))
    # Steps of a millisecond: a jump would be of the size of the whole motion.
    assert speed.max() < 0.05 * np.ptp(path, axis=0).max()


def test_between_frames_it_is_smooth_and_the_rate_is_that_of_the_path(table):
    player = table.player()
    player.excite(0)
    h = 1e-6
    for t in (0.0333, 0.05, 0.11):
        a, b, c = (player._state(t + s * h) for s in (-1, 0, 1))
        r = table.entries.rank
        np.testing.assert_allclose((c - a)[:r] / (2 * h), b[r:], atol=1e-5 * np.abs(b[r:]).max())


def test_points_are_those_that_are_asked_for(table):
    some, every = table.player(points=TIP), table.player()
    for player in (some, every):
        player.excite(1)
    np.testing.assert_allclose(some.positions(0.2), every.positions(0.2)[TIP], atol=1e-14)


def test_a_report_tells_errors_and_sizes(table):
    report = table.report()
    text = str(report)
    assert "entries of rank" in text and "with the difference" in text
    _, errors, sizes = zip(*report.ranks, strict=True)
    assert list(errors) == sorted(errors, reverse=True) and list(sizes) == sorted(sizes)
    assert report.rank == table.entries.rank and report.entries == len(table.entries)
    assert all(blended < nearest for _, nearest, blended, _ in report.counts)


# --- files ----------------------------------------------------------------------------------


def test_a_file_has_the_table(table, tmp_path):
    table.save(tmp_path / "a.responses.npz")
    again = pl.Responses.load(tmp_path / "a.responses.npz", body())
    assert repr(again) == repr(table) and again.mesh == table.mesh
    a, b = table.player(), again.player(body())
    for player in (a, b):
        player.excite(1)
    assert np.array_equal(a.positions(0.31), b.positions(0.31))
    assert str(again.report()) == str(table.report())


def test_a_table_of_another_mesh_is_refused(table, tmp_path):
    table.save(tmp_path / "a.npz")
    full = pl.Body(pl.meshes.box((2, 1, 1.1), (4, 2, 2)), pl.Linear(young=1e6, poisson=0.3))
    with pytest.raises(
        ValueError, match="Responses.load: the table is of another mesh than that of body"
    ):
        pl.Responses.load(tmp_path / "a.npz", full)
    with pytest.raises(ValueError, match="player: the table is of another mesh"):
        table.player(full)


def spoilt(path, **changed):
    with np.load(path) as file:
        arrays = dict(file)
    arrays |= changed
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


def facts(path, **changed):
    with np.load(path) as file:
        return np.array(json.dumps(json.loads(str(file["facts"])) | changed))


DAMAGES = {
    "cut": (lambda p: p.write_bytes(p.read_bytes()[:2000]), "damaged|not a"),
    "text": (lambda p: p.write_text("nothing"), "damaged|not a"),
    "a take": (lambda p: spoilt(p, before=None), "is no table of responses; expected a file that"),
    "sizes": (lambda p: spoilt(p, before=np.zeros((3, 2))), "before has the shape .*is damaged"),
    "numbers": (lambda p: spoilt(p, values=np.array([np.nan])), "or are no numbers. It is damaged"),
    "kinds": (lambda p: spoilt(p, kinds=np.zeros(11, int)), "has the shape|do not fit its pushes"),
    "format": (lambda p: spoilt(p, facts=facts(p, format="x")), "is no table of responses"),
    "version": (lambda p: spoilt(p, facts=facts(p, version=9)), "has version 9 of tables; expected 1"),
    "dt": (lambda p: spoilt(p, facts=facts(p, dt=-1.0)), "dt is -1. It is damaged"),
    "pushes": (lambda p: spoilt(p, facts=facts(p, excitations=[{"on": [1]}])), "got neither"),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_file_is_refused(what, table, tmp_path):
    spoil, said = DAMAGES[what]
    path = tmp_path / "a.npz"
    table.save(path)
    spoil(path)
    with pytest.raises(ValueError, match=said):
        pl.Responses.load(path)


# --- what is refused ------------------------------------------------------------------------


def free():
    return pl.Modal(pl.Body(MESH, pl.Linear(young=1e6, poisson=0.3)), modes=6)


def driven():
    made = body()
    root = made.pinned
    made.move(root, lambda t: MESH.points[root] + [0, 0.1 * t, 0])
    return made


def swaying():
    made = body()
    made.push(force=lambda t: (0, np.sin(t), 0), on=TIP)
    return made


def with_moving_floor():
    scene = pl.Scene(body())
    path = pl.Keyframes([0.0, 1.0], offsets=[(0, 0, 0), (0, 0.1, 0)])
    scene.add(pl.HalfSpace((0, -1, 0), (0, 1, 0), path=path))
    return pl.Responses.record(scene, [PUSH], seconds=2.0)


def flowing():
    made = pl.Body(MESH, pl.Plastic(pl.Hencky(young=2e6, poisson=0.3), yield_stress=1e4))
    made.fix(MESH.points[:, 0] < 1e-9)
    return made


def keyed():
    made = body(pl.Settle(0.5))
    made.change_damping(pl.Settle(0.2), at=0.1)
    return made


def liquid():
    made = pl.LongElements(MESH, spacing=0.5)
    made.fix(made.mesh.points[:, 0] < 1e-9)
    return made


def of_two():
    scene = pl.Scene([body(), body()], contact=False)
    return pl.Responses.record(scene, [PUSH])


REFUSED = {
    "nothing": (lambda: pl.Excite(on=[0]), "got neither; expected one of force= .* and impulse="),
    "both": (lambda: pl.Excite(on=[0], force=(0, 1, 0), impulse=(0, 1, 0)), "Excite: got both"),
    "vector": (lambda: pl.Excite(on=[0], force=3.0), "Excite: got force=3.0; expected a vector"),
    "while": (lambda: pl.Excite(on=[0], impulse=(0, 1, 0), seconds=1), "got seconds beside impulse"),
    "long": (lambda: pl.Excite(on=[0], force=(0, 1, 0), seconds=0), "got seconds=0; expected a time"),
    "two": (of_two, "got a scene of 2 bodies; expected one body"),
    "free": (lambda: recorded(free()), "body: it can move rigidly, .*expected a body that is held"),
    "driven": (lambda: recorded(driven()), "its pins are driven; expected pins that stand still"),
    "loads": (lambda: recorded(swaying()), "body: its loads change by themselves; expected constant"),
    "obstacles": (with_moving_floor, "got HalfSpace.*which moves; expected obstacles that stand still"),
    "flow": (lambda: recorded(flowing()), "body: its rest shape changes as it flows.*elastic material"),
    "keys": (lambda: recorded(keyed()), "body: its damping changes at 0.1 s; expected one damping"),
    "liquid": (lambda: recorded(liquid()), "LongElements is a static model, and answers at once"),
    "scene": (lambda: pl.Responses.record(body(), [PUSH]), "scene of type Modal; expected pl.Scene"),
    "no pushes": (lambda: recorded(pushes=()), r"got excitations=\[\]; expected a list"),
    "a number": (lambda: recorded(pushes=(3,)), r"got excitations=\[3\]; expected a list"),
    "points": (
        lambda: recorded(pushes=[pl.Excite(on=[999], force=(0, 1, 0))]),
        r"excitation 0 \(on=...\): got indices \[999\]",
    ),
    "held": (
        lambda: recorded(pushes=[pl.Excite(on=[40], impulse=(0, 1, 0))]),
        "excitation 0 acts on points that body is held by; expected on= with points that are free",
    ),
    "plane": (
        lambda: recorded(pushes=[pl.Excite(on=[9], force=(0, 1))]),
        "excitation 0 has 2 numbers, and body is in 3D; expected 3",
    ),
    "seconds": (lambda: recorded(seconds=-1), r"got seconds=-1; expected more than 0 \[s\]"),
    "each": (lambda: recorded(each=0.0), r"got each=0.0; expected more than 0 \[s\]"),
    "error": (lambda: recorded(error=1.5), "got error=1.5; expected a share of the motion"),
    "seed": (lambda: recorded(seed=-1), "got seed=-1; expected 0, 1, 2"),
    "parts": (lambda: recorded(parts=4, workers=0), "got parts=4; expected 1 to 3: .*10 entries"),
    "no parts": (lambda: recorded(workers=2), "got workers=2 without parts; expected as many"),
    "made": (lambda: pl.Responses(1, (), 0.1, 0, 0, 0, 0, ""), "expected one made by"),
    "huge": (lambda: recorded(seconds=3e7), "takes at least .* of memory"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what):
    call, said = REFUSED[what]
    with pytest.raises((TypeError, ValueError), match=said):
        call()


def test_what_a_player_refuses(table, tmp_path):
    player = table.player()
    with pytest.raises(ValueError, match="excite: got 2; expected the number of a push, 0 to 1"):
        player.excite(2)
    player.positions(1.0)
    with pytest.raises(ValueError, match="positions: got t=0.5; expected a time of 1 s or later"):
        player.positions(0.5)
    with pytest.raises(ValueError, match=r"player\(points\): got indices \[999\]"):
        table.player(points=[999])
    with pytest.raises(TypeError, match="player: got body of type int"):
        table.player(3)
    with pytest.raises(ValueError, match="expected a name that ends in .npz"):
        table.save(tmp_path / "a.txt")
    with pytest.raises(FileNotFoundError):
        pl.Responses.load(tmp_path / "nowhere.npz")


def test_nearest_is_by_energy_and_among_the_same_push():
    before = np.array([[0.0, 0.0], [1.0, 0.0], [0.9, 0.0]])
    entries = Entries(
        np.array([0, 0, 1]), before, np.zeros((3, 3, 2)), np.zeros((3, 2, 2)), np.eye(2)
    )
    assert entries.nearest(0, np.array([0.9, 0.0])) == 1
    assert entries.nearest(0, np.array([0.9, 2.0])) == 1
    assert entries.nearest(1, np.array([0.0, 0.0])) == 2
