"""Sweeps: which variants there are, what is kept of them, and how they go on. In this process."""

import csv
import errno
import json
import re

import meshio
import numpy as np
import pytest

import pliant as pl
from pliant.cli import main
from pliant.many import Variant, fields_of, has_several
from pliant.many.variants import combined, from_table, named, paired, sampled
from pliant.many.written import pieces
from pliant.scenefile import SceneError

SCENE = """
[run]
seconds = 0.4
dt = 0.02
fps = 10

[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { young = 1e5, poisson = 0.3 }
settle = { rest_in = 0.3, bounces = 0 }
fix = "x < 0.01"
start = { offset = ["0.1*x", "0"] }
"""
REST, YOUNG = "body.settle.rest_in", "body.material.young"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bar.toml").write_text(SCENE)
    return tmp_path


def ran(sweep, **how):
    return list(sweep.run(workers=0, progress=False, **how))


def called(*arguments):
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return left.value.code


# --- which variants -------------------------------------------------------------------------


def test_values_are_cut_at_commas_outside_brackets_and_quotes():
    assert pieces("[0, -9.81],[0, 0]") == ["[0, -9.81]", "[0, 0]"]
    assert pieces("\"x < 1, y\",'a,b', { a = 1, b = [2, 3] }")[2] == "{ a = 1, b = [2, 3] }"
    found = fields_of([f"{REST}=0.5,1", "run.gravity=[0, -9.81],[0, 0]", f"{YOUNG}=1e4:1e6"])
    assert found == {
        REST: [0.5, 1],
        "run.gravity": [[0, -9.81], [0, 0]],
        YOUNG: (1e4, 1e6),
    }
    for wrong in ("a", "a=", "a=1,,2", "=1", "a=2:1"):
        with pytest.raises(ValueError, match="--set"):
            fields_of([wrong])


def test_one_run_knows_several_values_from_a_word_with_commas():
    assert has_several("a=0.5,1") and has_several("a='p','q'") and has_several("a=[1, 2],[3, 4]")
    assert not has_several("a=[1, 2]") and not has_several("fix=x < 1, y < 2")
    assert not has_several("a=1")


def test_combinations_pairs_and_tables(tmp_path):
    values = {"a": [1, 2], "b": [3, 4]}
    assert combined(values) == [{"a": a, "b": b} for a in (1, 2) for b in (3, 4)]
    assert paired(values) == [{"a": 1, "b": 3}, {"a": 2, "b": 4}]
    assert paired({"a": [1, 2], "c": [7]})[1] == {"a": 2, "c": 7}
    with pytest.raises(ValueError, match="as many values"):
        paired({"a": [1, 2], "b": [1, 2, 3]})
    (tmp_path / "t.csv").write_text("a,b\n1,word\n2,\n")
    assert from_table(tmp_path / "t.csv") == [{"a": 1, "b": "word"}, {"a": 2}]
    (tmp_path / "t.csv").write_text("a,b\n1\n")
    with pytest.raises(ValueError, match="row 2 has 1 cells"):
        from_table(tmp_path / "t.csv")


def test_samples_fill_their_ranges_and_are_the_same_again():
    values = {"a": (1e4, 1e6), "b": (-1.0, 1.0), "c": ["p", "q"]}
    found = sampled(values, 40, seed=3)
    assert found == sampled(values, 40, seed=3) != sampled(values, 40, seed=4)
    a, b = (np.array([row[k] for row in found]) for k in "ab")
    # A Latin hypercube has one point in each fortieth of every range; wide ones by the logarithm.
    assert sorted(np.floor(40 * np.log(a / 1e4) / np.log(100)).astype(int)) == list(range(40))
    assert sorted(np.floor(40 * (b + 1.0) / 2.0).astype(int)) == list(range(40))
    assert [row["c"] for row in found].count("p") == 20


def test_names_tell_values_and_do_not_depend_on_other_variants():
    few = named([{REST: 0.5, YOUNG: 1e5}])
    many = named([{REST: r, YOUNG: y} for r in (0.5, 1) for y in (1e5, 2e5)])
    assert few[0].name == many[0].name == "rest_in=0.5,young=100000"
    assert len({v.name for v in many}) == 4
    two = named([{"body.a.settle.rest_in": 1, "body.b.settle.rest_in": 2}])
    assert two[0].name == "a.settle.rest_in=1,b.settle.rest_in=2"
    odd = named([{"a": "x/y"}, {"a": "x?y"}, {"a": "x/y"}])
    assert len(odd) == 2 and all("/" not in v.name and "?" not in v.name for v in odd)
    assert len(named([{"a": "z" * 500}])[0].name) <= 100
    assert Variant("n", {"a": "x < 1", "b": [1, 2.5]}).overrides == ['a="x < 1"', "b=[1, 2.5]"]


# --- what is kept ---------------------------------------------------------------------------


def test_takes_results_and_what_was_asked_are_in_the_folder(folder):
    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3], YOUNG: [1e5, 2e5]})
    found = ran(sweep)
    assert [r.outcome.how for r in found] == ["run"] * 4
    assert sorted(p.name for p in (folder / "bar.sweep" / "takes").glob("*.zarr")) == sorted(
        f"{v.name}.zarr" for v in sweep.variants
    )
    with (folder / "bar.sweep" / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row[REST]) for row in rows] == [0.2, 0.2, 0.3, 0.3]
    for row, result in zip(rows, found, strict=True):
        take = pl.Take.read(folder / "bar.sweep" / "takes" / f"{row['variant']}.zarr")
        assert row["state"] == "done" and len(take) == 5
        assert float(row["rest"]) == take.rest_time() == pytest.approx(float(row[REST]), rel=0.03)
        assert float(row["largest_motion"]) == pytest.approx(
            np.linalg.norm(take.positions - take.positions[0], axis=2).max()
        )
        assert int(row["iterations"]) == take.solver["iterations"].sum() > 0
        assert result.take.rest_time() == take.rest_time()
        assert f"rest_in = {row[REST]}" in take.about["scene"]


def test_a_variant_is_the_run_of_its_scene_to_the_last_bit(folder):
    (result,) = ran(pl.Sweep("bar.toml", {YOUNG: [3e5]}))
    code = called(
        "run", "bar.toml", "--set", f"{YOUNG}=3e5", "-o", "one.zarr", "--progress", "none"
    )
    assert code == 0
    np.testing.assert_array_equal(result.take.positions, pl.Take.read("one.zarr").positions)


def test_a_sweep_goes_on_and_grows(folder):
    ran(pl.Sweep("bar.toml", {REST: [0.2]}))
    again = ran(pl.Sweep("bar.toml", {REST: [0.2, 0.3]}))
    assert [r.outcome.how for r in again] == ["kept", "run"]
    assert [r.outcome.how for r in ran(pl.Sweep("bar.sweep"))] == ["kept", "kept"]
    (folder / "bar.toml").write_text(SCENE.replace("0.1*x", "0.2*x"))
    with pytest.raises(ValueError, match="another scene.*--fresh"):
        pl.Sweep("bar.toml", {REST: [0.2]})
    fresh = pl.Sweep("bar.toml", {REST: [0.2]}, fresh=True)
    assert [r.outcome.how for r in ran(fresh)] == ["run"]
    assert len(pl.Sweep("bar.sweep").variants) == 1


def test_a_half_take_goes_on_and_a_whole_one_is_measured_again(folder, monkeypatch):
    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3]})
    whole = [r.take.positions for r in ran(sweep)]
    monkeypatch.setattr("pliant.many.job._who_waits", lambda: iter_of(7))
    other = pl.Sweep("bar.toml", {REST: [0.2, 0.3]}, folder="other.sweep")
    stopped = ran(other)
    assert [r.outcome.state.value for r in stopped] == ["stopped"] * 2
    assert all(0 < r.outcome.frames < 5 for r in stopped)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    rest = ran(pl.Sweep("other.sweep"))
    assert [r.outcome.how for r in rest] == ["resumed"] * 2
    for result, positions in zip(rest, whole, strict=True):
        np.testing.assert_array_equal(result.take.positions, positions)
    other.folder.outcome_file(other.variants[0]).write_text("torn")
    assert [r.outcome.how for r in ran(pl.Sweep("other.sweep"))] == ["kept", "kept"]


def iter_of(count):
    """Somebody waits for so many steps."""
    left = iter(range(count))
    return lambda: next(left, None) is not None


def test_files_that_the_scene_names_come_along(folder):
    mesh = pl.meshes.rectangle((2, 1), (4, 2))
    meshio.Mesh(mesh.points, {"triangle": mesh.cells["tri3"]}).write(folder / "bar.vtu")
    text = SCENE.replace(
        "{ rectangle = { size = [2, 1], cells = [4, 2] } }", '{ file = "bar.vtu" }'
    )
    (folder / "bar.toml").write_text(text)
    ran(pl.Sweep("bar.toml", {REST: [0.2]}))
    (folder / "bar.vtu").unlink()
    sweep = pl.Sweep("bar.sweep")
    sweep.folder.forget(sweep.variants[0])
    (result,) = ran(sweep)
    assert result.outcome.state.value == "done" and "files/" in sweep.folder.scene


# --- what is refused ------------------------------------------------------------------------


def test_all_variants_are_checked_before_the_first_runs(folder):
    with pytest.raises(SceneError, match=r"no variant was run: poisson=0.7: .*got 0.7"):
        pl.Sweep("bar.toml", {"body.material.poisson": [0.3, 0.7]})
    assert not (folder / "bar.sweep").exists()
    # Only building shows that nothing is fixed so; and that a wish cannot be met at this time step.
    sweep = pl.Sweep("bar.toml", {"body.fix": ["x < 0.01", "x > 99"]})
    with pytest.raises(SceneError, match=r"no variant was run: fix=x_99.*"):
        ran(sweep)
    assert not list((folder / "bar.sweep" / "takes").iterdir())


def ran_in(path, **how):
    return list(pl.Sweep(path).run(progress=False, **how))


def test_mistakes_are_told_with_what_to_do(folder):
    ran(pl.Sweep("bar.toml", {REST: [0.2]}))
    for wrong, said in (
        (lambda: pl.Sweep("bar.toml", {REST: []}), "expected a list of values"),
        (lambda: pl.Sweep("bar.toml", {REST: 0.5}), "expected a list of values"),
        (lambda: pl.Sweep("bar.toml", {"no good": [1]}), "expected one of the scene"),
        (lambda: pl.Sweep("bar.toml", {REST: [1]}, pairs=True, sample=3), "one of them"),
        (lambda: pl.Sweep("bar.toml", {REST: [1]}, sample=0), "a whole number of variants"),
        (lambda: pl.Sweep("bar.toml", sample=3), "nothing to draw"),
        (lambda: pl.Sweep(folder), "is not a sweep of pliant"),
        (lambda: ran_in("bar.sweep", workers=-1), "expected a whole number from 0"),
        (lambda: ran_in("bar.sweep", client="farm"), "expected one of dask.distributed"),
        (lambda: pl.Sweep("bar.sweep", {REST: [1]}), "goes on as it is"),
        (lambda: pl.Sweep("bar.sweep", sample=3), "goes on as it is"),
        (lambda: pl.Sweep("bar.toml", {"a": [1] * 1000, "b": [1] * 1000}), "at most 100000"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            wrong()


def kept(folder, name="bar.sweep"):
    """All files of a sweep that is not running, by their content."""
    paths = sorted(p for p in (folder / name).rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in paths}


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize(
    "wrong", [{"body.material.poisson": [0.7]}, {"body.fix": ["x < 0.02", "x > 99"]}]
)
def test_what_is_refused_leaves_the_sweep_as_it_was(folder, wrong, fresh):
    """A mistake in new variants costs none of the takes, and the sweep goes on without them."""
    ran(pl.Sweep("bar.toml", {REST: [0.2]}))
    before = kept(folder)
    with pytest.raises(SceneError, match="no variant was run"):
        ran(pl.Sweep("bar.toml", wrong, fresh=fresh))
    assert kept(folder) == before
    again = ran(pl.Sweep("bar.toml", {REST: [0.2, 0.3]}))
    assert [r.outcome.how for r in again] == ["kept", "run"]


def test_a_running_sweep_is_not_begun_anew(folder):
    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3]})
    run = sweep.run(workers=0, progress=False)
    first = next(run)
    with pytest.raises(ValueError, match="is being written by another run"):
        ran(pl.Sweep("bar.toml", {REST: [0.4]}, fresh=True))
    assert len(first.take) == 5 and len(list(run)) == 1
    assert [v.name for v in pl.Sweep("bar.sweep").variants] == ["rest_in=0.2", "rest_in=0.3"]


def test_folders_of_others_are_left_alone(folder):
    (folder / "mine" / "takes").mkdir(parents=True)
    (folder / "mine" / "notes.txt").write_text("dear diary")
    for fresh in (False, True):
        with pytest.raises(ValueError, match="mine is not a sweep of pliant"):
            pl.Sweep("bar.toml", {REST: [0.2]}, folder="mine", fresh=fresh)
    (folder / "empty").mkdir()
    assert len(ran(pl.Sweep("bar.toml", {REST: [0.2]}, folder="empty"))) == 1


def test_going_on_with_other_versions_is_told(folder, caplog):
    ran(pl.Sweep("bar.toml", {REST: [0.2]}))
    asked = folder / "bar.sweep" / "sweep.toml"
    asked.write_text(re.sub(r'numpy = "[^"]*"', 'numpy = "1.0.0"', asked.read_text()))
    ran(pl.Sweep("bar.sweep"))  # nothing new comes
    assert not caplog.messages
    ran(pl.Sweep("bar.toml", {REST: [0.2, 0.3]}))
    (said,) = caplog.messages
    assert "bar.sweep was begun with numpy 1.0.0 (here" in said and "--fresh" in said
    assert "1.0.0" in asked.read_text()  # and is told again
    ran(pl.Sweep("bar.toml", {REST: [0.2]}, fresh=True))
    assert "1.0.0" not in asked.read_text()


def test_two_at_a_time_are_refused(folder):
    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3]})
    first = sweep.run(workers=0, progress=False)
    next(first)
    with pytest.raises(ValueError, match="is being written by another run"):
        ran(pl.Sweep("bar.sweep"))
    first.close()
    assert len(ran(pl.Sweep("bar.sweep"))) == 2


# --- faults ---------------------------------------------------------------------------------


def test_a_variant_that_fails_is_a_result_with_its_frames(folder, monkeypatch):
    fail_at(monkeypatch, 5)
    sweep = pl.Sweep("bar.toml", {YOUNG: [1e5, 2e5]})
    failed, done = ran(sweep)
    assert (failed.outcome.state.value, done.outcome.state.value) == ("failed", "done")
    assert failed.outcome.frames == len(failed.take) == 2 and "stuck" in failed.outcome.trouble
    assert [r.outcome.state.value for r in ran(pl.Sweep("bar.sweep"))] == ["failed", "done"]
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    again = ran(pl.Sweep("bar.sweep"), retry=True)
    assert [r.outcome.state.value for r in again] == ["done", "done"]
    assert {r.variant.name: r.outcome.how for r in again} == {
        "young=100000": "run",
        "young=200000": "kept",
    }


def fail_at(monkeypatch, step):
    """Let one step of the first run fail."""
    original, count = pl.Scene._step, iter(range(10**6))

    def stepped(self, *given):
        if next(count) == step:
            raise pl.SolverError("stuck")
        return original(self, *given)

    monkeypatch.setattr(pl.Scene, "_step", stepped)


def test_a_full_disk_is_told_and_nothing_is_lost(folder, monkeypatch):
    from pliant.io.folder import TakeFolder

    original, count = TakeFolder._write, iter(range(10**6))

    def full(self, *given):
        if next(count) >= 7:
            raise OSError(errno.ENOSPC, "No space left on device", str(self.path))
        return original(self, *given)

    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3, 0.4]})
    monkeypatch.setattr(TakeFolder, "_write", full)
    with pytest.raises(OSError, match=r"no space left.*pliant sweep bar.sweep goes on"):
        ran(sweep)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    found = {r.variant.name: r.outcome.how for r in ran(pl.Sweep("bar.sweep"))}
    assert found == {"rest_in=0.2": "kept", "rest_in=0.3": "resumed", "rest_in=0.4": "run"}


def test_a_disk_too_full_for_the_results_is_told_in_the_same_words(folder, monkeypatch):
    """The table is written last, when the disk is as full as before."""
    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3]})

    def full(path, rows):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("pliant.many.results.write_results", full)
    with pytest.raises(OSError, match=r"no space left.*pliant sweep bar.sweep goes on"):
        ran(sweep)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert [r.outcome.how for r in ran(pl.Sweep("bar.sweep"))] == ["kept", "kept"]


def test_other_versions_are_refused_before_the_first_run(folder, monkeypatch):
    sweep = pl.Sweep("bar.toml", {REST: [0.2]})
    monkeypatch.setattr(
        "pliant.many.checks.look", lambda f, t: (("farm7", {"pliant": "0.0.9"}), True)
    )
    with pytest.raises(ValueError, match=r"farm7 has pliant 0.0.9 \(here .*same versions"):
        ran(sweep)
    from pliant.many import job

    given = sweep._job(sweep.variants[0])
    monkeypatch.setattr(job, "versions", lambda: {"pliant": "0.0.9"})
    told = job.run_job(given).outcome
    assert told.state.value == "stopped" and "same versions everywhere" in told.trouble


# --- the command ----------------------------------------------------------------------------


def test_the_command_says_what_it_does_for_people_and_programs(folder, monkeypatch, capsys):
    values = ["--set", f"{REST}=0.2,0.3", "--workers", "0"]
    assert called("sweep", "bar.toml", *values, "--progress", "json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["done"] for line in lines if "done" in line] == [1, 2]
    assert {line["variant"] for line in lines if "variant" in line} == {
        "rest_in=0.2",
        "rest_in=0.3",
    }
    assert lines[-1] == {"written": "bar.sweep/index.html"}
    assert called("sweep", "bar.sweep") == 0
    assert "2 variants: 2 done" in capsys.readouterr().out
    assert called("sweep", "bar.sweep", "--set", "a=1") == 2
    assert "goes on as it is" in capsys.readouterr().err
    monkeypatch.chdir(folder / "bar.sweep")
    assert called("sweep", ".") == 0
    monkeypatch.chdir(folder)
    assert "2 variants: 2 done" in capsys.readouterr().out
    assert called("sweep", "bar.toml", "--set", f"{YOUNG}=1e4:1e6") == 2
    assert "--sample 100" in " ".join(capsys.readouterr().err.split())
    assert called("run", "bar.toml", "--set", f"{REST}=0.2,0.3") == 2
    assert "pliant sweep bar.toml" in " ".join(capsys.readouterr().err.split())


def test_the_command_leaves_with_one_if_a_variant_fails(folder, monkeypatch, capsys):
    fail_at(monkeypatch, 5)
    values = ["--set", f"{REST}=0.2,0.3", "--workers", "0", "--progress", "none"]
    assert called("sweep", "bar.toml", *values) == 1
    said = capsys.readouterr()
    assert "1 done, 1 failed" in said.out and "failed: rest_in=0.2: stuck" in said.err
    assert "pliant sweep bar.sweep --retry" in said.err


def test_ctrl_c_keeps_all_takes(folder, monkeypatch, capsys):
    original, count = pl.Scene._step, iter(range(10**6))

    def stepped(self, *given):
        if next(count) == 27:  # in the second variant
            raise KeyboardInterrupt
        return original(self, *given)

    monkeypatch.setattr(pl.Scene, "_step", stepped)
    values = ["--set", f"{REST}=0.2,0.3,0.4", "--workers", "0", "--progress", "none"]
    assert called("sweep", "bar.toml", *values) == 130
    assert "1 of 3 variants; pliant sweep bar.sweep goes on" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert [r.outcome.how for r in ran(pl.Sweep("bar.sweep"))] == ["kept", "resumed", "run"]
