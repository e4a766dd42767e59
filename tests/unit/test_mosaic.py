"""Takes beside each other: filmstrips and films of tiles, and the page of a sweep."""

import re

import numpy as np
import pytest
from PIL import Image

import pliant as pl
from pliant.io import save_filmstrip, save_mosaic
from pliant.io.mosaic import _tiles
from tests.unit.test_sweep import REST, SCENE, ran


def block(rest_in, seconds=0.4):
    mesh = pl.meshes.box((1, 1, 1), (2, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(rest_in=rest_in)
    return pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=seconds, dt=0.05, progress=False)


@pytest.fixture(scope="module")
def takes():
    return [block(0.2), block(0.3), block(0.3, seconds=0.2)]


def test_tiles_are_even_and_fill_the_whole():
    for count in (1, 2, 3, 4, 5, 12, 64):
        columns, (width, height) = _tiles(count, (1280, 720))
        assert columns**2 >= count and width % 2 == height % 2 == 0
        assert columns * width <= 1280 and -(-count // columns) * height <= 720


def test_a_film_of_tiles_shows_all_takes_on_one_clock(takes, tmp_path):
    path = save_mosaic(takes, tmp_path / "m.gif", titles=["a", "b", "c"], size=(320, 200))
    with Image.open(path) as film:
        assert film.size == (320, 200) and film.n_frames == 9
        frames = []
        for k in range(film.n_frames):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB"), float))

    def moved(a, b, rows, columns):
        return np.abs(frames[a][rows, columns] - frames[b][rows, columns]).max()

    above, below, left, right = slice(20, 75), slice(120, 175), slice(0, 160), slice(160, 320)
    for rows, columns in ((above, left), (above, right), (below, left)):
        assert moved(0, 4, rows, columns) > 50.0
    assert moved(5, 8, below, left) == 0.0  # it has ended
    assert frames[0][below, right].min() > 250.0  # no fourth take


def test_a_filmstrip_has_a_row_for_each_take(takes, tmp_path):
    path = save_filmstrip(takes, tmp_path / "f.png", titles=["a", "b", "c"])
    with Image.open(path) as picture:
        one = np.asarray(picture.convert("L"))
    save_filmstrip(takes[:1], tmp_path / "g.png", titles=["a"])
    with Image.open(tmp_path / "g.png") as picture:
        assert abs(3 * picture.height - one.shape[0]) <= 3 and picture.width == one.shape[1]
    dark = (one[: len(one) // 3 * 3] < 250).reshape(3, -1, one.shape[1])
    assert (dark.any(axis=2).mean(axis=1) > 0.3).all()


def test_the_page_of_a_sweep_has_all_takes(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bar.toml").write_text(SCENE)
    sweep = pl.Sweep("bar.toml", {REST: [0.2, 0.3]})
    assert sweep.draw() == []
    ran(sweep)
    paths = sweep.draw(["strip.png"])
    assert [p.name for p in paths] == ["index.html", "strip.png"]
    text = paths[0].read_text(encoding="utf-8")
    assert re.findall(r'"title":"(rest_in=[\d.]+)"', text) == ["rest_in=0.2", "rest_in=0.3"]
    drawn = paths[0].stat().st_mtime_ns
    assert sweep.draw()[0].stat().st_mtime_ns == drawn  # nothing new
    ran(pl.Sweep("bar.toml", {REST: [0.4]}))
    again = pl.Sweep("bar.sweep").draw()[0].read_text(encoding="utf-8")
    assert again.count('"title":"rest_in=') == 3
    monkeypatch.setattr("pliant.many.pictures.MOST_ON_A_PAGE", 2)
    assert not caplog.messages
    pl.Sweep("bar.sweep").draw(["few.html"])
    assert caplog.messages == ["few.html shows the first 2 of 3 takes"]
    with pytest.raises(ValueError, match="expected the folder of a sweep"):
        sweep.draw(["sweep.usdc"])
