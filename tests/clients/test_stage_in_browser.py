"""The stage in a real browser: drag, let go, turn a slider, and look."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene_files

pytest.importorskip("viser")

import viser

from pliant.view import Stage

DT = 1 / 60
SCENE = """
[body.beam]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 0.5 }
"""
GRAVITY = """
[run]
gravity = [0, -0.5, 0]
"""
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


def test_a_reduced_body_rests_on_cue_under_a_gravity_slider(page, tmp_path):
    reduced = SCENE.replace("fix", "reduce = { modes = 4, size = 9 }\nfix") + GRAVITY
    file = scene_files.parse(reduced.replace("rest_in = 0.5", "rest_in = 0.6, bounces = 1"))
    with Stage(file.build().scene, dt=DT, port=0, folder=tmp_path, file=file) as stage:
        open_page(page, stage)
        body = stage.engine.act.scene.bodies[0]
        assert isinstance(body, pl.Subspace)
        label = "//*[starts-with(text(), 'gravity')]"
        field = page.locator(f"xpath={label}/following::input[@type='text'][1]")
        field.fill("3")
        field.press("Enter")
        wait_for(lambda: stage.engine.act.scene.gravity[1] == -3.0, "the slider")
        # What is promised with bounces, and a frame for the moment of the slider.
        assert rested(stage, 0.6) == pytest.approx(0.6, abs=0.02 * 0.6 + DT)
        assert body.positions[:, 1].min() < -0.03
        page.get_by_text("at rest after").wait_for(timeout=1000 * PATIENCE)
        page.screenshot(path=tmp_path / "reduced.png")


# Pages of others.

#: Opens a websocket as viser's page does and says how that ended.
KNOCK = """([address, protocol]) => new Promise((done) => {
    const line = new WebSocket(address, [protocol]);
    line.onopen = () => done("open");
    line.onerror = () => done("refused");
})"""


@pytest.fixture
def stranger():
    """The address of a web page that is served from another port of this machine."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html><body>hello</body></html>")

        def log_message(self, *given):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def knock(page, stage, path):
    protocol = f"viser-v{viser.__version__}"
    return page.evaluate(KNOCK, [f"ws://127.0.0.1:{stage.port}{path}", protocol])


def test_a_page_from_elsewhere_gets_no_socket_even_with_the_token(page, stage, stranger):
    token = urlsplit(stage.url).path.rstrip("/")
    page.goto(stage.url)  # whatever the browser remembers of the stage does not help others
    page.goto(stranger)
    for path in ("", "/", "/wrong", token):
        assert knock(page, stage, path) == "refused"
    page.goto("data:text/html,hello")  # has no origin
    assert knock(page, stage, token) == "refused"
    page.goto(stage.url)
    assert knock(page, stage, token) == "open"
    assert knock(page, stage, "/") == "refused"


def test_a_name_that_was_pointed_here_gets_403(browser, stage):
    """DNS rebinding: a stranger's name that resolves to this machine."""
    from tests.clients.conftest import CHROMIUM, FLAGS

    rules = "--host-resolver-rules=MAP evil.example 127.0.0.1"
    rebound = browser.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, rules])
    try:
        page = rebound.new_page()
        for path in ("/", urlsplit(stage.url).path):
            answer = page.goto(f"http://evil.example:{stage.port}{path}")
            assert answer.status == 403 and "pliant play" in answer.text()
            assert len(answer.text()) < 300
        page.goto(f"http://127.0.0.1:{stage.port}/wrong/")
        assert "pliant play" in page.inner_text("body") and stage._guard.token not in page.content()
        assert page.goto(stage.url).status == 200
    finally:
        rebound.close()
    assert not stage._server.get_clients() or stage.engine.snapshot.message == ""


def test_save_record_and_reload_in_the_page(page, tmp_path):
    file = scene_files.parse(SCENE)
    with Stage(file.build().scene, dt=DT, port=0, folder=tmp_path, file=file) as stage:
        open_page(page, stage)
        page.get_by_text("Save scene", exact=True).click()
        wait_for(lambda: (tmp_path / "scene-1.toml").exists(), "the scene to be saved")
        page.get_by_text("Record", exact=True).click()
        wait_for(lambda: (stage.engine.snapshot.recorded or 0) > 0.1, "the recording")
        page.get_by_text("Reset", exact=True).click()
        page.get_by_text("the recording began anew").wait_for(timeout=1000 * PATIENCE)
        wait_for(lambda: (stage.engine.snapshot.recorded or 0) > 0.1, "the recording")
        page.get_by_text("Stop", exact=True).click()
        wait_for(lambda: "take-1.zarr" in stage.engine.snapshot.message, "the take")
        times = pl.Take.read(tmp_path / "take-1.zarr").times
        assert (np.diff(times) > 0).all() and times[0] == 0.0
        page.reload()
        page.get_by_text("Save scene", exact=True).click(timeout=1000 * PATIENCE)
        wait_for(lambda: (tmp_path / "scene-2.toml").exists(), "the scene after a reload")
    assert not [error for error in page.errors if "WebSocket" not in error]
