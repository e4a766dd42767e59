"""The stage in a real browser: drag, let go, turn a slider, and look."""

import time

import numpy as np
import pytest

import pliant as pl

pytest.importorskip("viser")

from pliant.view import Stage

DT = 1 / 60
#: How long a slow machine with software rendering may take for anything [s].
PATIENCE = 90


def wait_for(condition, what):
    """Poll, since a fixed sleep is too short somewhere and too long everywhere else."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    pytest.fail(f"waited {PATIENCE} s for {what}")


def pixel(camera, point):
    """Where a point of the scene is on the page."""
    forward = camera.look_at - camera.position
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, camera.up_direction)
    right = right / np.linalg.norm(right)
    way = np.asarray(point) - camera.position
    scale = camera.image_height / 2 / np.tan(camera.fov / 2) / (way @ forward)
    x = camera.image_width / 2 + scale * (way @ right)
    return x, camera.image_height / 2 - scale * (way @ np.cross(right, forward))


@pytest.fixture
def stage():
    mesh = pl.meshes.box(size=(2, 0.5, 0.5), cells=(8, 2, 2))
    beam = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), name="beam")
    beam.fix(mesh.points[:, 0] < 1e-9)
    beam.damping = pl.Settle(0.5)
    with Stage(pl.Scene([beam]), dt=DT, port=0, title="beam") as opened:
        yield opened


def open_page(page, stage):
    """The page with its picture; the camera that it looks through."""
    page.set_viewport_size({"width": 1100, "height": 560})  # software rendering pays by the pixel
    page.goto(stage.url)
    page.wait_for_selector("canvas", timeout=1000 * PATIENCE)
    clients = wait_for(lambda: stage._server.get_clients(), "the page to connect")
    camera = next(iter(clients.values())).camera
    wanted = stage._server.initial_camera.position
    wait_for(lambda: np.allclose(camera.position, wanted, atol=1e-3), "the camera to be set")
    return camera


def drag(page, begin, end, reached):
    """Press, move and hold; pressed again if the picture was not ready for the first try."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        page.mouse.move(*begin)
        page.mouse.down()
        for share in (0.2, 0.6, 1.0):  # each waits for a picture, which software draws slowly
            page.mouse.move(*(np.array(begin) + share * (np.array(end) - begin)))
        for _ in range(60):
            if reached():
                return
            page.wait_for_timeout(50)
        page.mouse.up()
    pytest.fail(f"nothing was grabbed at {begin}")


def rested(stage, asked):
    """The measured time to rest, once the asked time is well over."""

    def known():
        s = stage.engine.snapshot
        return s.rested is not None and s.asked == asked and s.curve[0][-1] > 1.3 * asked

    wait_for(known, "the body to rest")
    return stage.engine.snapshot.rested


def test_grab_pull_let_go_and_turn_a_slider(page, stage, tmp_path):
    camera = open_page(page, stage)
    begin = pixel(camera, (1.9, 0.4, 0.5))  # on the front face, near the free end
    end = (begin[0] - 30, begin[1] - 110)
    eye = camera.position.copy()
    drag(page, begin, end, lambda: stage.engine.snapshot.held is not None)
    wait_for(lambda: stage.engine.snapshot.held[1] > 0.7, "the hand to follow the pointer")
    assert camera.position == pytest.approx(eye)  # the body is pulled, not the camera turned
    page.screenshot(path=tmp_path / "held.png")

    page.mouse.up()
    wait_for(lambda: stage.engine.snapshot.held is None, "the hand to open")
    # What Settle promises, and one frame for the moment of the release.
    assert rested(stage, 0.5) == pytest.approx(0.5, abs=0.03 * 0.5 + DT)
    page.get_by_text("at rest after 0.50 s").wait_for(timeout=1000 * PATIENCE)

    field = page.locator("xpath=//*[text()='rest in [s]']/following::input[@type='text'][1]")
    field.fill("1.2")
    field.press("Enter")
    wait_for(lambda: stage.engine.act.scene.bodies[0].damping.rest_in == 1.2, "the slider")
    drag(page, begin, end, lambda: stage.engine.snapshot.held is not None)
    page.mouse.up()
    assert rested(stage, 1.2) == pytest.approx(1.2, abs=0.03 * 1.2 + DT)

    page.get_by_text("Pause", exact=True).click()
    wait_for(lambda: stage.engine.snapshot.paused, "the pause")
    page.get_by_text("Play", exact=True).wait_for(timeout=1000 * PATIENCE)
    page.get_by_text("Reset", exact=True).click()
    wait_for(lambda: not stage.engine.snapshot.paused, "the reset")

    drag(page, (60, 500), (200, 460), lambda: not np.allclose(camera.position, eye, atol=0.05))
    page.mouse.up()
    assert stage.engine.snapshot.held is None  # beside the body the camera turns
    page.screenshot(path=tmp_path / "turned.png")
    outside = [u for u in page.asked if not u.startswith((stage.url, "blob:", "data:"))]
    assert not outside
