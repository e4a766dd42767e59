"""Fits: what was put in comes out, how sure that is, and what cannot be told."""

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main
from pliant.io.surfaces import points_at
from pliant.many import search
from tests.unit.test_sweep import SCENE

MESH = pl.meshes.box((2, 0.4, 0.4), (10, 2, 2))
LEFT = MESH.points[:, 0] < 1e-9
HALF = MESH.points[MESH.cells["tet4"]].mean(axis=1)[:, 0] < 1.0
WIDE = (1e5, 1e7)


def beam(root, tip):
    """A beam whose halves differ in stiffness, under its weight."""
    young = np.where(HALF, root, tip)
    body = pl.Body(MESH, pl.StableNeoHookean(young=young, poisson=0.3))
    body.fix(LEFT)
    return pl.Scene([body], gravity=(0, 0, -9.81))


def plain(young=1e6, density=1000.0, poisson=0.3):
    body = pl.Body(MESH, pl.StableNeoHookean(young=young, poisson=poisson), density=density)
    body.fix(LEFT)
    return pl.Scene([body], gravity=(0, 0, -9.81))


@pytest.fixture(scope="module")
def sag():
    return beam(8e5, 3e5).equilibrium().positions[0]


def test_the_stiffness_map_of_a_beam_is_recovered_from_its_sag(sag):
    found = pl.fit(beam, sag, vary={"root": WIDE, "tip": WIDE})
    assert found.values["root"] == pytest.approx(8e5, rel=1e-6)
    assert found.values["tip"] == pytest.approx(3e5, rel=1e-6)
    assert found.missed < 1e-9 and found.solved <= 20 and not found.untold


@pytest.mark.slow
def test_noise_gives_intervals_that_hold_what_was_put_in(sag):
    """95 of 100 should; of 200 intervals fewer than 90 % would come by chance once in 500 times."""
    rng = np.random.default_rng(0)
    size = 0.01 * np.abs(sag - MESH.points).max()
    trials, inside = 100, 0
    for _ in range(trials):
        seen = sag + size * rng.standard_normal(sag.shape)
        found = pl.fit(
            beam, seen, vary={"root": WIDE, "tip": WIDE}, start={"root": 8e5, "tip": 3e5}
        )
        for name, true in (("root", 8e5), ("tip", 3e5)):
            low, high = found.intervals[name]
            inside += low <= true <= high
            assert high - low < 0.2 * true
        assert found.missed == pytest.approx(size * np.sqrt(3), rel=0.15)
    print(f"{inside} of {2 * trials} intervals hold it")
    assert 0.90 <= inside / (2 * trials) <= 0.99


def test_what_cannot_be_told_is_said(sag):
    weight = pl.fit(
        lambda young, density: plain(young, density),
        plain().equilibrium().positions[0],
        vary={"young": WIDE, "density": (100.0, 1e4)},
        start={"young": 5e5, "density": 900.0},
    )
    assert weight.values["young"] / weight.values["density"] == pytest.approx(1e3, rel=1e-6)
    (said,) = weight.untold
    assert (
        said
        == "only the ratios of young, density can be told: all of them times a factor move nothing"
    )
    assert weight.intervals["young"] == (pytest.approx(1e5), pytest.approx(1e7))

    def held(**k):
        body = pl.ConstraintBody(MESH, mass=0.1, **k)
        body.fix(LEFT)
        body.move(
            MESH.points[:, 0] > 2 - 1e-9,
            lambda t: MESH.points[MESH.points[:, 0] > 2 - 1e-9] * [1.1, 1, 1],
        )
        return pl.Scene([body])

    where = held(distance=4.0, area=1.5, volume=10.0).equilibrium()
    ratios = pl.fit(held, where, vary=dict.fromkeys(("distance", "area", "volume"), (0.1, 100.0)))
    assert any(
        said.startswith("only the ratios of distance, area, volume") for said in ratios.untold
    )
    v = ratios.values
    assert v["volume"] / v["distance"] == pytest.approx(2.5, rel=1e-4)

    class Still:
        def __call__(self, young, wind):
            return plain(young)

    still = pl.fit(Still(), plain().equilibrium(), vary={"young": WIDE, "wind": (1.0, 100.0)})
    assert still.untold == ("wind cannot be told: it hardly moves the points of the target",)
    assert "wind cannot be told" in still.report()


def test_a_target_of_fewer_numbers_than_parameters_tells_no_intervals():
    """Two coordinates of one point are met by many values of three parameters."""
    flat = pl.meshes.rectangle((2, 0.4), (8, 2))
    left = flat.points[flat.cells["tri3"]].mean(axis=1)[:, 0] < 1.0

    def halves(root, tip, poisson=0.3):
        young = np.where(left, root, tip)
        body = pl.Body(flat, pl.StableNeoHookean(young=young, poisson=poisson))
        body.fix(flat.points[:, 0] < 1e-9)
        return pl.Scene([body], gravity=(0, -9.81))

    rest = halves(8e5, 3e5).equilibrium().positions[0]
    corner = pl.PointTracks(np.array([20]), rest[[20]])
    for vary in ({"root": WIDE, "tip": WIDE}, {"root": WIDE, "tip": WIDE, "poisson": (0.1, 0.45)}):
        found = pl.fit(halves, corner, vary=vary)
        assert found.missed < 1e-9
        assert found.untold[-1].endswith(f"the target has 2 numbers for {len(vary)} parameters")
        for name, ends in vary.items():
            assert found.intervals[name] == pytest.approx(ends)
    assert "poisson cannot be told apart" in found.untold[0]


def test_a_value_at_an_end_of_its_range_is_told():
    found = pl.fit(plain, plain(4e5).equilibrium(), vary={"young": (6e5, 1e7)})
    assert found.values["young"] == pytest.approx(6e5, rel=1e-4)
    assert found.untold == ("young is at an end of its range: what fits best may lie beyond",)


def test_a_search_that_ended_early_is_told():
    """Its interval goes as far as derivatives say that the best is."""
    target = plain(4e5).equilibrium()
    few = pl.fit(plain, target, vary={"young": WIDE}, method=pl.CMAES(evaluations=6))
    assert abs(few.values["young"] / 4e5 - 1.0) > 0.002
    (said,) = few.untold
    assert said.startswith("the search for young ended early")
    low, high = few.intervals["young"]
    assert low < 4e5 < high
    many = pl.fit(plain, target, vary={"young": WIDE}, method=pl.LBFGS())
    assert not many.untold


@pytest.mark.parametrize(
    ("method", "near"),
    [(pl.LBFGS(), 1e-4), (pl.CMAES(evaluations=60), 0.02), (pl.Annealing(evaluations=40), 0.2)],
    ids=repr,
)
def test_other_methods_find_it_too(method, near):
    target = plain(4e5).equilibrium()
    found = pl.fit(plain, target, vary={"young": WIDE}, method=method)
    assert found.values["young"] == pytest.approx(4e5, rel=near)


def test_a_motion_is_met_by_the_stiffness_that_it_had():
    def moving(young):
        scene = plain(young)
        scene.bodies[0].damping = pl.Rayleigh(mass=2.0)
        return scene

    take = moving(7e5).run(seconds=0.3, dt=1 / 30, progress=False)
    found = pl.fit(moving, take, vary={"young": WIDE}, dt=1 / 30)
    assert found.values["young"] == pytest.approx(7e5, rel=1e-5)
    seen = pl.PointTracks(np.array([5, 40]), take.positions[1:, [5, 40]], take.times[1:])
    seen.positions[3, 1] = np.nan  # hidden for a moment
    again = pl.fit(moving, seen, vary={"young": WIDE}, dt=1 / 30)
    assert again.values["young"] == pytest.approx(7e5, rel=1e-5)


BLOCK = pl.meshes.rectangle((0.4, 0.2), (2, 1))
BAR = pl.meshes.rectangle((2.0, 0.4), (8, 2), kind="quad")


def slide(friction):
    """A block that the ground stops."""
    block = pl.Body(BLOCK, pl.StableNeoHookean(young=1e6, poisson=0.3), name="block")
    block.place(BLOCK.points + [0, 0.0005])
    block.velocity = np.tile([1.0, 0.0], (len(BLOCK), 1))
    scene = pl.Scene([block], gravity=(0, -9.81), contact=pl.Contact(friction=friction))
    scene.add(pl.HalfSpace((0, 0), (0, 1)))
    return scene


def bent(yield_stress):
    """A bar of clay that is let go, and stays bent."""
    clay = pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), yield_stress=yield_stress, hardening=1e5)
    body = pl.Body(BAR, clay, damping=pl.Settle(rest_in=0.3))
    body.fix(BAR.points[:, 0] < 1e-9)
    body.place(BAR.points + 0.15 * BAR.points[:, :1] ** 2 * [0, 1])
    return pl.Scene([body], contact=False)


def disturbed(take, rng):
    """What a camera sees of it, to 2 mm."""
    x = take.positions + 0.002 * rng.standard_normal(take.positions.shape)
    return pl.PointTracks(np.arange(x.shape[1]), x, take.times)


#: What makes a motion, its number, the range and a start, and how long it is filmed at which step.
MOTIONS = [
    pytest.param(slide, "friction", 0.25, (0.05, 0.6), 0.4, 0.25, 1 / 60, marks=pytest.mark.slow),
    (bent, "yield_stress", 2e4, (5e3, 1e5), 5e4, 0.4, 1 / 30),
]


@pytest.mark.parametrize(("make", "name", "true", "ends", "start", "seconds", "dt"), MOTIONS)
def test_friction_and_yield_are_found_in_motions(make, name, true, ends, start, seconds, dt):
    take = make(true).run(seconds=seconds, dt=dt, progress=False)
    how = {"vary": {name: ends}, "start": {name: start}, "dt": dt}
    # Steps are solved to 1e-3 of their motion, and what that leaves is 1e-6 of the size.
    assert pl.fit(make, take, **how).values[name] == pytest.approx(true, rel=1e-3)
    noisy = pl.fit(make, disturbed(take, np.random.default_rng(1)), **how)
    assert abs(noisy.values[name] - true) < noisy.uncertainty[name] < 0.05 * true


@pytest.mark.slow
@pytest.mark.parametrize(("make", "name", "true", "ends", "start", "seconds", "dt"), MOTIONS)
def test_intervals_from_disturbed_motions_hold_what_was_put_in(
    make, name, true, ends, start, seconds, dt
):
    """95 of 100 should: of 60 fewer than 52 would come by chance once in 100 times."""
    take = make(true).run(seconds=seconds, dt=dt, progress=False)
    rng, trials, inside = np.random.default_rng(5), 60, 0
    for _ in range(trials):
        found = pl.fit(make, disturbed(take, rng), vary={name: ends}, start={name: true}, dt=dt)
        low, high = found.intervals[name]
        inside += low <= true <= high
        assert high - low < 0.05 * true
    print(f"{inside} of {trials} intervals hold it")
    assert inside >= 52


def test_evaluations_are_forgotten_before_they_fill_the_memory(monkeypatch):
    target, how = plain(4e5).equilibrium(), {"vary": {"young": WIDE}}
    every = pl.fit(plain, target, method=pl.CMAES(evaluations=20), **how)
    monkeypatch.setattr(search, "REMEMBERED", 5 * target.positions.nbytes)
    few = pl.fit(plain, target, method=pl.CMAES(evaluations=20), **how)
    assert few.values == every.values and few.solved - every.solved in (0, 1)


def test_trials_without_an_equilibrium_are_answers():
    def only_stiff(young):
        if young > 2e6:
            raise pl.UnstableError("it buckles")
        return plain(young)

    target = plain(1.5e6).equilibrium()
    found = pl.fit(only_stiff, target, vary={"young": WIDE}, method=pl.CMAES(evaluations=40))
    assert found.failed > 0 and found.values["young"] == pytest.approx(1.5e6, rel=0.05)
    assert "without a solution" in found.report()


def test_mistakes_are_told(sag):
    for given, said in (
        ({"vary": {}}, "nothing to vary"),
        ({"vary": {"young": (2.0, 1.0)}}, "expected a range"),
        ({"vary": {"young": WIDE}, "start": {"young": 1.0}}, "expected 100000 to 1e"),
        ({"vary": {"young": WIDE}, "start": {"rho": 1.0}}, "expected of"),
        ({"vary": {"young": WIDE}, "target": sag[:, :2]}, "expected points of body"),
        ({"vary": {"young": WIDE}, "target": [sag, sag]}, "2 targets for 1 scenes"),
    ):
        with pytest.raises(ValueError, match=said):
            pl.fit(plain, given.pop("target", sag), **given)
    with pytest.raises(ValueError, match="expected the full body"):
        few = {"modes": 2, "size": 4, "cells": 30}
        pl.fit(lambda young: pl.Subspace(plain(young).bodies[0], **few), sag, vary={"young": WIDE})
    with pytest.raises(TypeError, match="expected a pl.Scene"):
        pl.fit(lambda young: young, sag, vary={"young": WIDE})


def test_point_tracks_are_read_from_csv(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("time, point, x, y\n0.1, 7, 1, 2\n0.2, 7, 3, 4\n0.1, 3, 5, 6\n")
    found = pl.PointTracks.read(path)
    assert found.points.tolist() == [3, 7] and found.times.tolist() == [0.1, 0.2]
    np.testing.assert_array_equal(found.positions[0], [[5, 6], [1, 2]])
    assert np.isnan(found.positions[1, 0]).all()
    path.write_text("point,x,y,z\n4,1,2,3\n2,5,6,7\n")
    assert pl.PointTracks.read(path).positions.tolist() == [[5, 6, 7], [1, 2, 3]]
    for text, said in (("a,b\n1,2\n", "expected point"), ("point,x,y\n1,q,2\n", "numbers")):
        path.write_text(text)
        with pytest.raises(ValueError, match=said):
            pl.PointTracks.read(path)


def test_point_caches_are_read_as_they_were_written(tmp_path):
    take = plain(3e5).run(seconds=0.2, dt=1 / 40, progress=False)
    for name, fps in (("bar.mdd", None), ("bar.pc2", 40)):
        take.save(tmp_path / name)
        found = pl.PointTracks.read(tmp_path / name, fps=fps)
        np.testing.assert_allclose(found.times, take.times, atol=1e-7)
        surface = np.stack([points_at(take.tracks[0], k) for k in range(len(take))])
        np.testing.assert_allclose(found.positions, surface, atol=1e-6)  # of float32
    whole = (tmp_path / "bar.pc2").read_bytes()
    for content, said in (
        (whole[:-4], "not whole"),
        (whole[:20], "begins with POINTCACHE2"),
        (b"P" + whole, "begins with POINTCACHE2"),
        (whole[:28] + b"\xff\xff\xff\x7f" + whole[32:], "not whole"),
    ):
        (tmp_path / "bad.pc2").write_bytes(content)
        with pytest.raises(ValueError, match=said):
            pl.PointTracks.read(tmp_path / "bad.pc2", fps=24)
    for content in (b"\0\0", b"\0\0\0\1\0\0\0\1\0\0", b"\xff" * 16, b"\0" * 8):
        (tmp_path / "bad.mdd").write_bytes(content)
        with pytest.raises(ValueError, match="not whole"):
            pl.PointTracks.read(tmp_path / "bad.mdd")


def test_tracks_that_count_frames_need_their_rate(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("frame,point,x,y\n12,0,1,2\n13,0,3,4\n")
    assert pl.PointTracks.read(path, fps=25).times.tolist() == pytest.approx([0.0, 0.04])
    plain().run(seconds=0.05, dt=0.05, progress=False).save(tmp_path / "bar.pc2")
    for name in ("p.csv", "bar.pc2"):
        with pytest.raises(ValueError, match=r'PointTracks.read\("\w+.\w+", fps=24\)'):
            pl.PointTracks.read(tmp_path / name)
    path.write_text("time,point,x,y\n0,0,1,2\n1,0,3,4\n")
    with pytest.raises(ValueError, match="has times"):
        pl.PointTracks.read(path, fps=25)
    with pytest.raises(ValueError, match="fps=0; expected more than 0"):
        pl.PointTracks.read(path, fps=0)


def test_the_command_fits_a_scene_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = SCENE.replace("[run]", "[run]\ngravity = [0, -9.81]")
    (tmp_path / "bar.toml").write_text(text.replace("young = 1e5", "young = 1e6"))
    call = ["run", "bar.toml", "--set", "body.material.young=3e5", "-o", "seen.npz"]
    vary = ["--vary", "body.material.young=1e5:1e7", "-o", "found.toml"]
    for arguments in (
        [*call, "--progress", "none"],
        ["fit", "bar.toml", "--target", "seen.npz", "--at-rest", *vary],
    ):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == 0
    said = capsys.readouterr().out
    assert "body.material.young  " in said and "written  found.toml" in said
    from pliant import scenefile

    young = scenefile.read("found.toml").body["bar"].material.young
    # The take ended 1 % of the way from rest.
    assert young == pytest.approx(3e5, rel=0.02)
    young = "body.material.young"
    for given, said in (
        ([f"{young}=1"], "expected a range"),
        ([f"{young}=1e5:1e7", "--start", f"{young}=2e5:3e5"], "expected one number"),
        ([f"{young}=1e5:1e7", "--start", f"{young}=2e5,3e5"], "expected one number"),
        (["body.material.poisson=0.1:0.7"], "got 0.7"),
        (["body.material.yung=1e5:1e7"], "did you mean"),
        ([f"{young}=1e5:1e7", "--target", "bar.toml"], "Takes are .zarr and .npz"),
    ):
        with pytest.raises(SystemExit) as left:
            main(["fit", "bar.toml", "--target", "seen.npz", "--vary", *given])
        assert left.value.code == 2 and said in " ".join(capsys.readouterr().err.split())


def test_workers_share_trials(monkeypatch):
    """What is sent is what is evaluated here."""
    sent = []

    class Here:
        def each(self, call, jobs, *, gpu=False):
            sent.extend(jobs)
            return ((name, call(job)) for name, job in jobs.items())

    monkeypatch.setattr(search, "Workers", lambda client: Here())
    target = plain(4e5).equilibrium()
    how = {"vary": {"young": WIDE}, "method": pl.CMAES(evaluations=20)}
    shared, alone = pl.fit(plain, target, client=object(), **how), pl.fit(plain, target, **how)
    assert shared.values == alone.values and len(sent) >= 15
