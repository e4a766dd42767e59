"""The page of a take, opened in Chromium."""

from __future__ import annotations

import io
import time
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import pliant as pl
from pliant.io.html import save_html
from pliant.io.packed import POSITION_ERROR

WIDE, HIGH = 800, 560
STAGE = slice(0, 320)  # rows of the picture above the curve
HOSTILE = '</script><b id="hurt">x'


def beam(dt=1 / 30, name="beam", seconds=0.6):
    mesh = pl.meshes.box(size=(4, 1, 1), cells=(6, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), name=name)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.08 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.damping = pl.Settle(rest_in=0.4, bounces=0)
    return pl.Scene([body]).run(seconds=seconds, dt=dt)


@pytest.fixture(scope="module")
def take():
    return beam()


@pytest.fixture
def opened(page, tmp_path):
    """Opens takes at their first frame, paused; afterwards the page must be without fault."""

    def show(takes, *, titles=None, where="#frame=0"):
        path = save_html(takes, tmp_path / "take.html", titles=titles)
        page.set_viewport_size(
            {"width": WIDE, "height": HIGH}
        )  # software draws small pictures sooner
        page.goto(path.as_uri() + where)
        until(page, "Boolean(window.pliant)")
        return page

    yield show
    assert page.errors == []
    outside = [a for a in page.asked if not a.startswith(("file://", "data:", "blob:"))]
    assert outside == [] and sum(a.startswith("file://") for a in page.asked) == 1


def until(page, truth, seconds=20.0):
    """Wait; playwright's own way needs eval, which the page forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(truth):
        assert time.monotonic() < end, f"{truth} did not come true"
        time.sleep(0.02)


def shot(page):
    page.evaluate("() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return np.asarray(picture).astype(float)


def shown_frames(page, take=0, body=0):
    """The points of every frame of the clock, (frames, m, 3)."""
    text = """([take, body]) => Array.from({ length: pliant.frames }, (_, i) => {
        pliant.seek(i);
        return pliant.positions(take, body);
    })"""
    flat = np.array(page.evaluate(text, [take, body]))
    return flat.reshape(len(flat), -1, 3)


def test_every_point_of_every_frame_arrives(opened, take):
    page = opened(take)
    (track,) = take.tracks
    expected = track.skin.positions(track.positions)
    shown = shown_frames(page)
    assert shown.shape == expected.shape
    assert np.linalg.norm(shown - expected, axis=2).max() <= POSITION_ERROR * track.size
    assert np.ptp(shown, axis=0).max() > 0.1 * track.size  # and they move


def test_a_body_that_travels_far_is_kept_in_float32(opened, take):
    (track,) = take.tracks
    far = track.positions + 100.0 * take.times[:, None, None]
    flying = type(take)([replace(track, positions=far, rests=None)], dt=take.dt, about=take.about)
    shown = shown_frames(opened(flying))
    expected = track.skin.positions(far)
    # Half a unit in the last place of 32-bit floats of the size of the coordinates.
    assert np.abs(shown - expected).max() <= 0.5 * np.spacing(np.float32(np.abs(expected).max()))


def test_it_plays_by_itself_and_stops_on_space(opened, take):
    page = opened(take, where="")
    until(page, "pliant.playing && pliant.frame > 2")
    page.keyboard.press("Space")
    assert not page.evaluate("pliant.playing")
    frame = page.evaluate("pliant.frame")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("pliant.frame") == 1 and frame > 1
    page.click("#play")
    until(page, "pliant.frame > 4")


def test_it_plays_in_real_time_and_stops_at_the_end_without_loop(opened, take):
    page = opened(take)
    page.click("#loop")
    page.select_option("#speed", "2")
    passed = page.evaluate("""() => new Promise((done) => {
        const start = performance.now();
        pliant.play();
        const look = () => {
            if (pliant.playing) requestAnimationFrame(look);
            else done(performance.now() - start);
        };
        look();
    })""")
    # 0.6 s at twice the speed, never faster; a busy machine that draws once a second is slower.
    assert 290 < passed < 300 + 20000 / len(take)
    assert page.evaluate("pliant.frame") == len(take) - 1


def test_scrubbing_moves_the_body(opened, take):
    page = opened(take)
    before = shot(page)
    page.locator("#scrub").fill("9")
    assert page.evaluate("pliant.frame") == 9
    assert page.locator("#time").inner_text().startswith("0.30 / 0.60 s")
    stage = np.abs(shot(page) - before)[STAGE]
    assert (stage.max(axis=2) > 30).mean() > 0.01  # the picture changed where bodies are


def test_the_asked_time_is_marked_on_the_curve_and_a_click_jumps_there(opened, take):
    page = opened(take)
    (mark,) = page.evaluate("pliant.marks")
    assert mark["time"] == pytest.approx(0.4)
    box = page.locator("#curve").bounding_box()
    left, right = 58, box["width"] - 14  # the margins of the chart
    assert mark["x"] == pytest.approx(left + (right - left) * 0.4 / 0.6, abs=0.5)
    column = shot(page)[int(box["y"]) : int(box["y"] + box["height"]), int(box["x"] + mark["x"])]
    red = (column[:, 0] - column[:, 2]) > 60  # the dashes have the colour of the series
    assert red.sum() > 20
    page.mouse.click(box["x"] + mark["x"], box["y"] + 30)
    assert page.evaluate("pliant.time") == pytest.approx(0.4)
    assert "asked to rest in 0.4" in page.locator("#labels p").inner_text().lower()


def test_looks_can_be_switched(opened, take):
    page = opened(take)
    seen = [shot(page)]
    for key in ("c", "g", "w", "l"):
        page.keyboard.press(key)
        seen.append(shot(page))
        assert np.abs(seen[-1] - seen[-2]).max() > 20, key
    for name, pressed in (("colour", "false"), ("ghost", "false"), ("mesh", "true")):
        assert page.locator(f"#{name}").get_attribute("aria-pressed") == pressed


def test_obstacles_move_and_contacts_are_drawn_when_asked(opened):
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), density=1000.0)
    scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=pl.Contact())
    scene.add(
        pl.HalfSpace((0, 0, 0), (0, 1, 0)),
        pl.Sphere((0.35, 0.1, 0.1), 0.1, path=lambda t: (0, 2.0 * t, 0)),
    )
    page = opened(scene.run(seconds=0.1, dt=1 / 60, progress=False))
    first = shot(page)[STAGE]
    page.evaluate("pliant.seek(6)")
    last = shot(page)[STAGE]
    assert (np.abs(last - first).max(axis=2) > 30).sum() > 500  # the ball has risen
    page.click("#contacts")
    pink = np.abs(shot(page)[STAGE] - last).max(axis=2) > 30
    assert 5 < pink.sum() < 5000  # some lines, and nothing else has changed


def test_orbiting_turns_the_view_and_fit_brings_it_back(opened, take):
    page = opened(take)
    start = shot(page)
    page.mouse.move(400, 200)
    page.mouse.down()
    page.mouse.move(500, 220, steps=4)
    page.mouse.up()
    turned = shot(page)
    page.keyboard.press("f")
    back = shot(page)
    inner = (slice(10, 300), slice(10, WIDE - 10))  # within the ring of the keyboard's focus
    assert np.abs(turned - start)[inner].mean() > 1.0
    assert np.abs(back - start)[inner].mean() < 0.05


def test_the_picture_has_a_body_and_a_ground(opened, take):
    stage = shot(opened(take))[STAGE]
    assert len(np.unique(stage.reshape(-1, 3).astype(int), axis=0)) > 500
    coloured = stage.max(axis=2) - stage.min(axis=2) > 60
    assert 0.02 < coloured.mean() < 0.6  # the body is seen, and fits


def test_two_takes_share_one_clock(opened, take):
    finer = beam(dt=1 / 60, seconds=0.3)
    page = opened([take, finer], titles=["coarse", "fine"])
    assert page.locator("#labels h1").all_inner_texts() == ["coarse", "fine"]
    assert page.evaluate("pliant.frames") == 37  # 0.6 s in steps of 1/60
    assert page.evaluate("pliant.scales") == [1, 1]  # alike in size: one scale
    for one, coarse, fine in ((2, 1, 2), (3, 1, 3), (30, 15, 18)):  # the fine one ends at 0.3 s
        page.evaluate(f"pliant.seek({one})")
        for i, (what, frame) in enumerate(((take, coarse), (finer, fine))):
            (track,) = what.tracks
            x = np.array(page.evaluate(f"pliant.positions({i}, 0)")).reshape(-1, 3)
            expected = track.skin.positions(track.positions[frame])
            assert np.abs(x - expected).max() <= POSITION_ERROR * track.size
    page.evaluate("pliant.seek(0)")
    stage = shot(page)[STAGE]
    coloured = stage.max(axis=2) - stage.min(axis=2) > 60
    assert coloured[:, : WIDE // 2].mean() > 0.02 and coloured[:, WIDE // 2 :].mean() > 0.02


def test_names_are_text_and_never_markup(opened):
    take = beam(name=HOSTILE, seconds=0.1)
    page = opened(take)
    assert page.locator("#hurt").count() == 0
    assert page.locator("#labels h1").inner_text() == HOSTILE
    assert page.title() == HOSTILE


def test_plane_bodies_face_the_viewer(opened):
    mesh = pl.meshes.rectangle(size=(3, 1), cells=(6, 2))
    bodies = [pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4)) for _ in range(2)]
    for i, body in enumerate(bodies):
        body.fix(mesh.points[:, 0] < 1e-9)
        body.place(mesh.points * [1, 1 + 0.2 * i] + [0, 2 * i])
        body.damping = pl.Settle(rest_in=0.1 + 0.1 * i, bounces=None)
    take = pl.Scene(bodies).run(seconds=0.3, dt=1 / 30)
    page = opened(take)
    before = shot(page)
    assert page.locator("#labels p").count() == 2 and len(page.evaluate("pliant.marks")) == 2
    page.mouse.move(400, 200)
    page.mouse.down()
    page.mouse.move(460, 200, steps=3)
    page.mouse.up()
    moved = shot(page)  # a drag moves the picture and does not turn it
    np.testing.assert_allclose(moved[90:280, 160:700], before[90:280, 100:640], atol=60)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_telephone(browser, take, tmp_path, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(save_html([take, take], tmp_path / "take.html").as_uri() + "#frame=0")
    until(page, "Boolean(window.pliant)")
    assert page.evaluate("document.documentElement.scrollWidth") == 390  # nothing hangs out
    picture = shot(page)
    assert (picture[-5:, :5].mean() < 80) == (scheme == "dark")
    coloured = picture.max(axis=2) - picture.min(axis=2) > 60
    assert coloured[60:270].mean() > 0.02 and coloured[340:500].mean() > 0.02  # one above the other
    context.close()


def test_many_takes_stand_in_rows(opened, take):
    """Labels are where the takes are drawn, and every take is drawn."""
    page = opened([take] * 6, titles=list("abcdef"))
    tiles = page.evaluate("window.pliant.tiles()")
    high = page.evaluate("document.getElementById('view').clientHeight")
    boxes = page.evaluate(
        "[...document.querySelectorAll('#labels > div')].map((d) => [d.offsetLeft, d.offsetTop])"
    )
    assert len({x for x, *_ in tiles}) == 3 and len({y for _, y, *_ in tiles}) == 2
    for (left, top), (x, y, _, tall) in zip(boxes, tiles, strict=True):
        assert abs(left - x) <= 1.5 and abs(top - (high - y - tall)) <= 1.5


def test_the_rest_shape_is_outlined_where_it_turns_away(opened, take):
    """By its silhouette: edges of the mesh, however sharp, are no part of it unless a side is hidden."""
    page = opened(take)
    before = np.array(page.evaluate("pliant.rim()")).reshape(-1, 2, 3)
    # Six of the twelve edges of a box outline it, each in as many pieces as it has cells.
    assert len(before) == 2 * (6 + 2 + 2) == page.evaluate("pliant.edges()") / 2
    box = page.locator("#view").bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 220, y + 60, steps=4)
    page.mouse.up()
    shot(page)
    after = np.array(page.evaluate("pliant.rim()")).reshape(-1, 2, 3)
    assert not np.allclose(before, after)  # another view has another outline


def test_takes_of_unlike_sizes_fill_their_tiles(opened, take):
    (track,) = take.tracks
    mesh = pl.Mesh(0.1 * track.mesh.points, track.mesh.cells)
    skin = type(track.skin).bare(mesh)
    rests = [0.1 * rest for rest in track.rests]
    own = {"positions": 0.1 * track.positions, "velocities": 0.1 * track.velocities}
    small = type(take)([replace(track, mesh=mesh, skin=skin, rests=rests, **own)], dt=take.dt)
    page = opened([take, small])
    assert page.evaluate("pliant.scales") == pytest.approx([1.0, 10.0], rel=1e-3)
    whole = shot(page)[STAGE]
    # Both halves show the same picture, but for the words and the grid.
    halves = whole[80:, : WIDE // 2 - 2], whole[80:, WIDE // 2 : WIDE - 2]
    warm = [(h[..., 0] - h[..., 2] > 20).mean() for h in halves]
    assert min(warm) > 0.01 and warm[0] == pytest.approx(warm[1], rel=0.1)
    assert "drawn 10 times as large" in page.locator("#labels").inner_text()
