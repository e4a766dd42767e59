"""The command line and the files it leaves, as a user meets them."""

import logging
import re
import subprocess
import sys
import webbrowser

import numpy as np
import pytest

import pliant as pl
from pliant.cli import app as cli_app, main
from pliant.cli.study import find_study
from pliant.io.png import picture


def leave(*arguments):
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code or 0


@pytest.fixture(autouse=True)
def quiet_log():
    yield
    log = logging.getLogger("pliant")
    log.setLevel(logging.NOTSET)
    log.handlers = [h for h in log.handlers if h.name != "pliant-cli"]


@pytest.fixture(scope="module")
def quick_demo(tmp_path_factory):
    """One run of the reduced demo in a process of its own, its output in pipes."""
    out = tmp_path_factory.mktemp("demo")
    call = [sys.executable, "-m", "pliant", "demo", "--quick", "--out", str(out)]
    return subprocess.run(call, capture_output=True, text=True, timeout=300), out


def test_demo_prints_asked_against_measured(quick_demo):
    done, _ = quick_demo
    assert done.returncode == 0, done.stderr
    shares = [float(s) for s in re.findall(r"([\d.]+)%", done.stdout)]
    assert len(shares) == 5
    # Without bounces the promise is 3 %, for the fitted envelope of a bend it is 5 %; the beam of
    # the reduced demo is so coarse that the envelope is allowed twice that.
    assert all(abs(s - 100) < 3 for s in shares[:3]) and all(abs(s - 100) < 10 for s in shares)


def test_demo_leaves_a_picture_and_a_take(quick_demo):
    _, out = quick_demo
    assert (out / "demo.png").stat().st_size > 50_000
    saved = pl.Take.read(out / "demo.npz")
    assert saved.tracks[0].asked == {"rest_in": 2.0, "bounces": 3, "within": 0.01}
    assert len(saved.times) == 151


def test_demo_is_silent_on_stderr_in_a_pipe(quick_demo):
    done, _ = quick_demo
    assert done.stderr == ""
    assert "\x1b" not in done.stdout  # no colours, no cursor movements


def test_version(capsys):
    assert leave("--version") == 0
    assert capsys.readouterr().out == f"pliant {pl.__version__}\n"


def test_unknown_study_is_one_line_and_code_2(capsys):
    assert leave("study", "nobody-1900") == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    assert "nobody-1900" in error and "expected one of" in error


def test_unknown_command_is_code_2():
    assert leave("dance") == 2


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("got a\nand b"), 2),
        (FileNotFoundError("there is no file x"), 2),
        (pl.ImpossibleWishError("too many bounces"), 2),
        (pl.SolverError("no convergence"), 1),
        (pl.UnstableError("it falls"), 1),
    ],
)
def test_known_failures_are_one_line(monkeypatch, capsys, error, code):
    def fail(**options):
        raise error

    monkeypatch.setattr(cli_app, "app", fail)
    assert leave() == code
    line = " ".join(str(error).split())
    assert capsys.readouterr().err == f"error: {line}\n"


def test_a_bug_keeps_its_traceback(monkeypatch):
    def fail(**options):
        raise ZeroDivisionError

    monkeypatch.setattr(cli_app, "app", fail)
    with pytest.raises(ZeroDivisionError):
        main([])


def test_study_calls_main_with_a_folder(tmp_path, monkeypatch):
    folder = tmp_path / "studies" / "someone-2020"
    folder.mkdir(parents=True)
    (folder / "answer.py").write_text("ANSWER = '42'\n")
    (folder / "study.py").write_text(
        "from .answer import ANSWER\n\ndef main(out):\n    (out / 'answer').write_text(ANSWER)\n"
    )
    monkeypatch.setattr("pliant.cli.study.study_places", lambda: [tmp_path / "studies"])
    monkeypatch.chdir(tmp_path)
    assert leave("study", "someone-2020") == 0
    assert (tmp_path / "out" / "someone-2020" / "answer").read_text() == "42"
    with pytest.raises(FileNotFoundError):
        find_study("../studies/someone-2020")


def test_verbose_logs_and_shows_tracebacks(capsys):
    with pytest.raises(FileNotFoundError):
        main(["--verbose", "study", "nobody-1900"])
    logging.getLogger("pliant").info("150 steps")
    assert "150 steps" in capsys.readouterr().err
    assert leave("study", "nobody-1900") == 2  # the next run is quiet again
    logging.getLogger("pliant").info("151 steps")
    assert "151 steps" not in capsys.readouterr().err


def bar(name="bar", damping=None):
    mesh = pl.meshes.rectangle(size=(2, 1), cells=(4, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), name=name, damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points * [1.2, 1.0])
    return body


@pytest.fixture(scope="module")
def take():
    body = bar(damping=pl.Settle(rest_in=0.2, bounces=0))
    return pl.Scene([body]).run(seconds=0.3, dt=1 / 30)


def test_npz_gives_back_every_array(take, tmp_path):
    path = take.save(tmp_path / "deep" / "bar.npz")
    saved = pl.Take.read(path)
    (found,), (track,) = saved.tracks, take.tracks
    assert saved.about["pliant"] == pl.__version__ and saved.dt == take.dt
    np.testing.assert_array_equal(saved.times, take.times)
    for name in ("positions", "velocities", "energies", "solver", "rest", "masses", "pinned"):
        np.testing.assert_array_equal(getattr(found, name), getattr(track, name))
    np.testing.assert_array_equal(saved.distance(), take.distance())
    np.testing.assert_array_equal(found.mesh.points, track.mesh.points)
    np.testing.assert_array_equal(found.mesh.cells["tri3"], track.mesh.cells["tri3"])
    np.testing.assert_array_equal(found.skin.surface.corners, track.skin.surface.corners)
    assert found.name == "bar" and found.asked == {"rest_in": 0.2, "bounces": 0, "within": 0.01}
    assert saved.rest_time() == take.rest_time() and saved.bodies == []


def test_npz_holds_several_bodies_and_none_that_settles(tmp_path):
    scene = pl.Scene([bar("one"), bar("two")])
    saved = pl.Take.read(scene.run(seconds=0.1, dt=1 / 30).save(tmp_path / "two.npz"))
    assert [track.name for track in saved.tracks] == ["one", "two"]
    assert saved["two"].rest is None and saved["two"] is saved.tracks[1]


def test_foreign_npz_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match="expected those of a take"):
        pl.Take.read(tmp_path / "other.npz")
    with pytest.raises(FileNotFoundError, match=r"missing\.npz"):
        pl.Take.read(tmp_path / "missing.npz")


@pytest.mark.parametrize("name", ["beam.xyz", "beam"])
def test_unknown_suffix_lists_the_known(take, tmp_path, name):
    with pytest.raises(ValueError, match=r"expected one of .*\.npz.*\.png.*\.zarr"):
        take.save(tmp_path / name)


def test_suffix_may_be_upper_case(take, tmp_path):
    assert take.save(tmp_path / "BAR.NPZ").exists()


def test_picture_shows_frames_and_curve(take, tmp_path):
    assert take.save(tmp_path / "bar.png").read_bytes().startswith(b"\x89PNG")
    figure = picture(take, instants=[0.0, 0.1, 0.2])
    assert len(figure.axes) == 4  # three frames and a curve
    np.testing.assert_allclose(figure.axes[-1].lines[0].get_ydata(), take.distance())


def test_picture_of_a_driven_body_shows_energies_instead():
    body = bar(damping=pl.Settle(rest_in=0.2))
    left = np.flatnonzero(body.mesh.points[:, 0] < 1e-9)
    start = body.mesh.points[left]
    body.release()
    body.move(left, lambda t: start + np.array([t, 0.0]))
    take = pl.Scene([body]).run(seconds=0.1, dt=1 / 30)
    assert picture(take).axes[-1].get_ylabel() == "energy [J]"


@pytest.mark.parametrize("kind", ["tet", "hex"])
def test_picture_of_an_equilibrium_in_3d(kind):
    mesh = pl.meshes.box(size=(2, 1, 1), cells=(2, 1, 1), kind=kind)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    figure = picture(pl.Scene([body], gravity=(0, -9.81, 0)).equilibrium())
    assert len(figure.axes) == 1


def test_show_opens_a_page_of_its_own(take, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    take.show()
    (address,) = opened
    path = capsys.readouterr().out.strip()
    assert address.startswith("file://") and address.endswith("take.html")
    with open(path, encoding="utf-8") as page:
        assert 'id="scrub"' in page.read()
