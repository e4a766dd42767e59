"""Films, drawn without a screen and read back."""

from __future__ import annotations

import builtins
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import pliant as pl
from pliant.io import film
from pliant.io.curve_panel import CurvePanel
from pliant.io.film import film_frames, render, save_film

pytest.importorskip("vtkmodules")
iio = pytest.importorskip("imageio.v3")

SMALL = (192, 108)


def bent(dim=3):
    if dim == 3:
        mesh = pl.meshes.box(size=(3, 1, 1), cells=(4, 1, 1))
    else:
        mesh = pl.meshes.rectangle(size=(3, 1), cells=(4, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.1 * mesh.points[:, :1] ** 2 * np.eye(dim)[1])
    body.damping = pl.Settle(rest_in=0.2, bounces=None)
    return body


@pytest.fixture(scope="module")
def take():
    return pl.Scene([bent()]).run(seconds=0.3, dt=1 / 30)


def timed(take, rate):
    """The same frames at another rate."""
    times = np.arange(len(take)) / rate
    return type(take)([replace(t, times=times) for t in take.tracks], dt=1 / rate)


def coloured(picture):
    return np.ptp(picture.astype(int), axis=-1) > 50


def test_an_mp4_has_every_frame_in_real_time(take, tmp_path):
    path = save_film(take, tmp_path / "x.mp4", size=SMALL)
    frames, facts = iio.imread(path), iio.immeta(path)
    assert frames.shape == (len(take), SMALL[1], SMALL[0], 3)
    assert facts["fps"] == 30.0 and facts["codec"] == "h264"
    assert facts["pix_fmt"].startswith("yuv420p")
    assert facts["duration"] == pytest.approx(len(take) / 30, abs=0.02)  # said in hundredths
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 100  # it moves
    # Compression changes no pixel by much on average: the film shows what `render` draws.
    assert np.abs(frames[3].astype(int) - render(take, 3, SMALL)).mean() < 3.0
    assert [p.name for p in tmp_path.iterdir()] == ["x.mp4"]


def test_save_chooses_the_film_by_suffix(take, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(film, "save_film", lambda take, path: asked.append(path.name))
    for name in ("x.mp4", "x.gif"):
        take.save(tmp_path / name)
    assert asked == ["x.mp4", "x.gif"]


def test_a_gif_has_a_frame_every_forty_milliseconds(take, tmp_path):
    with Image.open(save_film(take, tmp_path / "x.gif", size=SMALL)) as gif:
        shown, lasting = [], []
        for i in range(gif.n_frames):
            gif.seek(i)
            lasting.append(gif.info["duration"])
            shown.append(np.asarray(gif.convert("RGB")).astype(int))
        assert gif.info["loop"] == 0
    _, chosen = film_frames(take, gif=True)
    assert sum(lasting) == 40 * len(chosen)  # equal frames may have been joined
    # 255 colours serve a picture of soft shades to within a few levels.
    assert np.abs(shown[0] - render(take, 0, SMALL)).mean() < 3.0


def test_a_long_gif_is_put_together_from_parts(tmp_path, monkeypatch):
    def pictures(count):
        y, x = np.mgrid[:30, :40]
        for k in range(count):
            shown = np.stack([6 * x, 8 * y, 0 * x], axis=2).astype(np.uint8)
            shown[5:15, k : k + 9] = [0, 0, 255] if k % 2 else [0, 255, 0]
            yield shown if k < 12 else np.full_like(shown, 20 * (k % 3))  # of a few colours

    def written(name):
        film.write_gif(tmp_path / name, pictures(16), np.concatenate(list(pictures(4))), 25.0)
        with Image.open(tmp_path / name) as gif:
            found = []
            for i in range(gif.n_frames):
                gif.seek(i)
                found.append((np.asarray(gif.convert("RGB")), gif.info["duration"]))
            return found, gif.info["loop"]

    whole, _ = written("whole.gif")
    monkeypatch.setattr(film, "_PICTURES_AT_ONCE", 5)  # 5, 5, 5 and 1
    parts, loop = written("parts.gif")
    assert loop == 0 and [t for _, t in parts] == [t for _, t in whole] == 16 * [40]
    np.testing.assert_array_equal([x for x, _ in parts], [x for x, _ in whole])


@pytest.mark.parametrize(
    ("rate", "slow", "gif", "fps", "every"),
    [
        (30.0, 1.0, False, 30.0, 1.0),
        (240.0, 1.0, False, 60.0, 4.0),
        (240.0, 8.0, False, 30.0, 1.0),
        (60.0, 2.0, False, 30.0, 1.0),
        (100.0, 1.0, True, 25.0, 4.0),
        (10.0, 1.0, True, 10.0, 1.0),
    ],
)
def test_films_keep_time(take, rate, slow, gif, fps, every):
    given = timed(take, rate)
    found, chosen = film_frames(given, slow=slow, gif=gif)
    assert found == pytest.approx(fps)
    assert chosen == [round(every * i) for i in range(len(chosen))]
    seconds = given.times[-1] * slow
    assert len(chosen) - 1 == round(seconds * fps)


def test_a_picture_holds_the_body_in_every_frame(take):
    for frame in (0, 5, -1):
        picture = render(take, frame, SMALL)
        body = coloured(picture)
        assert 0.05 < body.mean() < 0.8
        edge = np.concatenate([body[0], body[-1], body[:, 0], body[:, -1]])
        assert not edge.any()  # the camera holds all of it


def test_the_colour_is_blue_at_rest_and_warm_away_from_it(take):
    away, home = render(take, 0, SMALL).astype(int), render(take, -1, SMALL).astype(int)
    warm = [(p[..., 0] - p[..., 2] > 60).sum() for p in (away, home)]
    assert warm[0] > 100 and warm[1] == 0


def test_plane_bodies_keep_their_colours(tmp_path):
    from pliant.io.drawing import colours

    take = pl.Scene([bent(dim=2)]).run(seconds=0.3, dt=1 / 30)
    picture = render(take, -1, SMALL)
    rest = np.array(colours()(0.0)[:3]) * 255
    near = np.abs(picture - rest).max(axis=2) < 12  # all of it is at rest to 1 %
    assert near.mean() > 0.1


def test_the_curve_stands_beside_the_picture(take, tmp_path):
    path = save_film(take, tmp_path / "x.mp4", size=(320, 180), curve=True)
    frames = iio.imread(path).astype(int)
    assert frames.shape[1:] == (180, 320, 3)
    panel = CurvePanel(take, (122, 180))
    columns = []
    for frame in (0, 4, len(take) - 1):
        picture = panel.at(frame).astype(int)
        assert np.abs(frames[frame, :, -122:] - picture).mean() < 6.0
        dark = (picture.max(axis=2) < 70).sum(axis=0)
        columns.append(int(dark.argmax()))
    assert columns == sorted(set(columns))  # the line moves to the right


def test_a_take_of_one_frame_is_a_film_of_one(tmp_path):
    take = pl.Scene([bent()]).equilibrium()
    assert len(iio.imread(save_film(take, tmp_path / "x.mp4", size=SMALL, curve=True))) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"size": (101, 60)}, "even numbers"),
        ({"size": (10, 10)}, "at least 32"),
        ({"slow": 0.0}, "slow=0.0"),
        ({"slow": float("nan")}, "slow=nan"),
    ],
)
def test_what_cannot_be_filmed_is_refused(take, tmp_path, given, said):
    with pytest.raises(ValueError, match=said):
        save_film(take, tmp_path / "x.mp4", **given)
    with pytest.raises(ValueError, match=r"\.mp4 or \.gif"):
        save_film(take, tmp_path / "x.avi")
    with pytest.raises(ValueError, match="10 frames"):
        render(take, 99)


@pytest.mark.parametrize("package", ["vtkmodules", "imageio_ffmpeg"])
def test_what_is_missing_is_named(take, tmp_path, monkeypatch, package):
    found = builtins.__import__

    def missing(name, *rest, **more):
        if name == package:
            raise ImportError(name)
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r"pip install 'pliant\[view\]'"):
        save_film(take, tmp_path / "x.mp4", size=SMALL)
    assert list(tmp_path.iterdir()) == []


def test_films_have_the_size_the_camera_and_the_colours_that_are_asked_for(take, tmp_path, capsys):
    from pliant.cli import main

    def convert(*words):
        with pytest.raises(SystemExit) as end:
            main(["convert", str(tmp_path / "take.npz"), *map(str, words)])
        return end.value.code or 0

    take.resampled(10).save(tmp_path / "take.npz")
    pictures = {}
    for name, words in {
        "plain": [],
        "top": ["--camera", "top"],
        "turned": ["--camera", "-120,35"],
        "material": ["--colour", "material"],
    }.items():
        path = tmp_path / f"{name}.gif"
        assert convert("-o", path, "--size", "160x96", *words) == 0, capsys.readouterr().err
        with Image.open(path) as film:
            assert film.size == (160, 96)
            pictures[name] = np.asarray(film.convert("RGB")).astype(float)
    others = [p for name, p in pictures.items() if name != "plain"]
    assert all(np.abs(p - pictures["plain"]).mean() > 1.0 for p in others)
    # At the start the body is far from rest: warm, but in its own colour it is blue.
    warm = {k: (p[..., 0] - p[..., 2] > 40).mean() for k, p in pictures.items()}
    assert warm["plain"] > 0.01 and warm["material"] == 0.0
    for words, said in {
        ("--size", "wide"): "--size: got 'wide'; expected WIDTHxHEIGHT, e.g. 1920x1080",
        (
            "--camera",
            "below",
        ): "camera: got 'below'; expected front, back, left, right, top, or degrees",
        ("--camera", "0,91"): "camera: got '0,91'",
    }.items():
        assert convert("-o", tmp_path / "bad.gif", *words) == 2
        assert said in capsys.readouterr().err.replace("\n", " ")
    assert convert("-o", tmp_path / "a.glb", "--camera", "top", "--slow", 2) == 2
    assert "--slow, --camera: got a.glb; expected .mp4 or .gif" in capsys.readouterr().err
