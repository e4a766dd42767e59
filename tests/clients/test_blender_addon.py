"""The Blender add-on, in Blender: what it shows is what pliant computed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "blender_addon"
RELEASE, REST, LAST = 5, 29, 35


@pytest.fixture(autouse=True)
def our_pliant(monkeypatch):
    """The Python that the add-on starts is this one, with the pliant of this tree."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))


def test_is_switched_on_and_off_twice_and_draws(blender):
    seen = blender(SCRIPTS / "switching.py", python=sys.executable)
    assert seen["times"] == [[[True, True], [False, False]]] * 2
    for name in ("release", "rest", "bounces", "pins", "gravity", "pliant.bake"):
        assert name in seen["panel"]
    assert {"preset", "young", "poisson", "density"} <= set(seen["material"])
    assert {"edge_length", "fill_holes", "after", "output"} <= set(seen["output"])
    assert "soft" in seen["falls"] and "Nothing is pinned: it will fall" in seen["falls"]
    assert "pliant.cancel" in seen["baking"] and "pliant.bake" not in seen["baking"]
    assert seen["timeline"][0].startswith("Torus: ") and seen["timeline"][1] == ""
    assert seen["timeline"][2] == "Torus: released at 5, rests at 6"
    said = " / ".join(seen["notes"])
    assert "Edited since the bake" in said and "nothing to apply" in said
    assert "12 bounces in 1 frame are hard to see: 0 at most" in said
    assert "python" in seen["preferences"] and "pliant.check_python" in seen["preferences"]
    assert (seen["preset"], seen["own"]) == ("RUBBER", "OWN")
    assert seen["camera"] == [False, False]


@pytest.fixture(scope="module")
def baked(blender, tmp_path_factory):
    """What Blender shows of the torus in frames 1 to 44, and the take."""
    folder = tmp_path_factory.mktemp("bake")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "src"))
        seen = blender(SCRIPTS / "bakes.py", folder=folder, python=sys.executable)
    home = folder / "torus_pliant" / "Torus"
    take = pl.Take.read(home / "take.npz")
    return seen, dict(np.load(folder / "shown.npz")), take, home


def test_shows_the_take(baked):
    seen, shown, take, home = baked
    track = take.tracks[0]
    expected = track.skin.positions(track.positions).astype(np.float32)
    assert len(expected) == LAST - RELEASE + 1
    # The scale is one, so only the rounding to float32 stands between: once by pliant, once here.
    close = {"rtol": 0, "atol": 2e-7}
    np.testing.assert_allclose(shown["frames"][RELEASE - 1 : LAST], expected, **close)
    np.testing.assert_allclose(shown["frames"][LAST:], expected[[-1] * (44 - LAST)], **close)
    assert np.array_equal(shown["again"], shown["frames"])  # the .blend, closed and opened
    assert seen["path"] == "//torus_pliant/Torus/cache.pc2"
    files = {"scene.toml", "Torus.obj", "Torus.start.pc2", "take.npz", "cache.pc2"}
    assert {p.name for p in home.iterdir()} == files
    assert [p.name for p in home.parent.iterdir()] == ["Torus"]


def test_stands_posed_until_it_is_released_and_rests_on_cue(baked):
    seen, shown, take, _ = baked
    frames, posed = shown["frames"], shown["posed"]
    assert np.array_equal(frames[: RELEASE - 1], posed[:-1])  # its keys move it until then
    away = np.linalg.norm(frames - frames[-1], axis=2).mean(axis=1)[RELEASE - 1 :]
    # A stretch of the whole object is met as well as float32 can say it, though cells are three
    # times as large as faces.
    assert np.abs(frames[RELEASE - 1] - posed[-1]).max() < 5e-7
    assert away[0] > 0.05
    lasts = REST - RELEASE
    assert (away[lasts:] < 0.01 * away[0]).all()
    assert away[lasts // 2 : lasts].max() > 0.03 * away[0]  # and not long before
    assert take.tracks[0].asked["bounces"] == 1
    assert seen["stayed"] == 17  # the frame the user looked at


def test_a_bake_can_be_run_again_as_a_scene(baked, tmp_path):
    """What the folder holds is all there is to a bake."""
    *_, take, home = baked
    run = [sys.executable, "-m", "pliant", "run", home / "scene.toml", "-o", tmp_path / "again.npz"]
    subprocess.run(run, check=True, capture_output=True)
    again = pl.Take.read(tmp_path / "again.npz")
    assert np.array_equal(again.positions, take.positions)


def test_stands_where_vertices_match(baked):
    seen = baked[0]
    assert seen["order"] == ["MESH_CACHE", "SUBSURF"]
    assert seen["fine"] == 4 * 24 * 8  # subdivided after the cache


def test_shape_keys_show_the_same(baked):
    seen, shown, *_ = baked
    frames, keys = shown["frames"], shown["keys"]
    # Blender adds keys to the basis in float32.
    np.testing.assert_allclose(keys[RELEASE - 1 :], frames[RELEASE - 1 :], rtol=0, atol=5e-7)
    np.testing.assert_allclose(keys[0], frames[RELEASE - 1], rtol=0, atol=5e-7)
    assert seen["hidden"] == [True, True] and seen["back"] == [False, False]
    assert seen["kept"] == ["SUBSURF"]
    assert seen["gone"] and seen["actions"] == [2, 1]
    assert seen["left"] == [1, 1]  # its own Key and mesh: nothing is left of the copy


def test_hangs_in_metres_whatever_the_scale(blender):
    seen = blender(SCRIPTS / "pinned.py", python=sys.executable)
    assert seen["young"] == 5e3
    assert "swing = false" in seen["scene"]  # what hangs must not swing on
    size = max(seen["size"])
    assert seen["start"] < 1e-5 * size  # nothing poses it
    sunk = np.array(seen["sunk"])
    # Points that carry less than 5 % of a pinned vertex are free.
    assert seen["held"] < 0.1 * np.linalg.norm(sunk)
    # Down, as the world sees it: the object is mirrored, turned and below a turned parent. Held at
    # a slanted edge it leans as well.
    assert sunk[2] < -0.05 * size and np.abs(sunk[:2]).max() < abs(sunk[2])
    # Let go, it falls by g t^2 / 2, in centimetres; backward Euler adds a step to twenty-four.
    assert seen["fallen"][2] == pytest.approx(-0.5 * 981.0 * 0.5**2, rel=0.05)
    assert np.abs(seen["fallen"][:2]).max() < 1e-3 * abs(seen["fallen"][2])


def test_runs_in_the_background_and_cancels(blender):
    seen = blender(SCRIPTS / "background.py", python=sys.executable)
    assert seen["invoked"] == ["RUNNING_MODAL"] and seen["mouse"] == ["PASS_THROUGH"]
    assert not seen["twice"]
    frame, of, text = seen["progress"]
    assert 0 < frame < of == LAST - RELEASE  # frames, not steps
    assert text.startswith(f"frame {frame} of {of}, ") and text.endswith(" s left")
    assert {"starting", "preparing the first step"} <= set(seen["doing"])
    assert not seen["alive"] and not Path(f"/proc/{seen['pid']}").exists()
    assert seen["cancelled"] == ["CANCELLED"] and seen["unchanged"]
    assert seen["open"] == 0 and seen["left"] == []
    assert seen["last"] == ["FINISHED"]
    assert seen["steps"] == sorted(seen["steps"]) and seen["steps"][-1] > 50
    assert seen["finished"] == ["MESH_CACHE", "SUBSURF"]
    assert [kind for kind, _ in seen["said"]] == ["INFO", "WARNING"]  # rests; unsaved
    assert not seen["off"]


def test_mistakes_are_reported(blender, tmp_path):
    said = blender(
        SCRIPTS / "mistakes.py",
        python=sys.executable,
        path=ROOT / "src",
        nothing=tmp_path / "no" / "python",
    )
    assert "has nothing to do" in said["sheet, still"]
    assert said["open"].startswith("Plane is not closed: 4 edges")
    assert "encloses no volume" in said["flat"] and "thickness" in said["sheet"]
    assert "42 edges" in said["holes"] and "Fill holes" in said["holes"]
    assert "nothing to do" in said["still"]
    assert said["late"].startswith("Cast of Cube.001 cannot be simulated after")
    assert "no vertex group 'nobody'" in said["group"]
    assert "No vertex has a weight" in said["empty"]
    assert "All vertices are pinned" in said["all"]
    assert "scaled to nothing" in said["scale"]
    assert "must rest later" in said["frames"]
    assert "vertices without a face (1)" in said["loose"]
    assert said["mode"]
    assert "No file" in said["no python"] and "no pliant in it" in said["no pliant"]
    assert "no pliant in it" in said["no pliant, bake"] and "pip install" in said["no pliant, bake"]
    assert "No such file" in said["no python, bake"] or "Cannot start" in said["no python, bake"]
    assert "edge_length" in said["pliant's own"] and "\n" not in said["pliant's own"]
    assert said["unchanged"]
    assert said["check"].startswith(f"pliant {pl.__version__}, Python ")


def test_zip_installs_as_an_extension(blender, tmp_path, monkeypatch):
    monkeypatch.setenv("BLENDER_USER_RESOURCES", str(tmp_path / "user"))
    build = [sys.executable, ROOT / "integrations" / "blender" / "build.py", tmp_path]
    zipped = subprocess.run(build, capture_output=True, text=True, check=True).stdout.strip()
    assert os.path.basename(zipped) == f"pliant-blender-{pl.__version__}.zip"
    seen = blender(SCRIPTS / "installs.py", zip=zipped, python=sys.executable)
    assert seen["on"] and seen["panel"] and seen["where"].startswith(seen["home"])
    assert seen["check"].startswith("pliant ")
    assert seen["legacy"]


@pytest.mark.slow
def test_zip_with_wheels_brings_its_own_python(blender, tmp_path, monkeypatch):
    monkeypatch.setenv("BLENDER_USER_RESOURCES", str(tmp_path / "user"))
    build = [sys.executable, ROOT / "integrations" / "blender" / "build.py", tmp_path, "--wheels"]
    zipped = subprocess.run(build, capture_output=True, text=True, check=True).stdout.split()[-1]
    seen = blender(SCRIPTS / "bundled.py", zip=zipped)
    assert seen["found"].startswith(f"pliant {pl.__version__}, Python 3.11 in {seen['inside']}")
    assert seen["baked"] == ["FINISHED", "CACHE"]


def test_no_name_of_an_object_leads_out_of_its_folder(blender, tmp_path):
    (tmp_path / "precious.txt").write_text("mine")
    names = ["..", ".", "...", "../../up", "/etc/x", "a\\b", "Würfel.001", "x/..", "~"]
    seen = blender(SCRIPTS / "folders.py", names=names, blend=tmp_path / "shot.blend")
    for name, (temporary, kept) in seen["places"].items():
        for home, folder in ((temporary, seen["temporary"]), (kept, tmp_path / "shot_pliant")):
            assert Path(os.path.normpath(home)).parent == Path(folder), name
    assert Path(seen["places"]["Würfel.001"][1]).name == "Würfel.001"
    assert (tmp_path / "precious.txt").exists() and (tmp_path / "shot.blend").exists()
    assert seen["private"] == [0o700, 0o700]
