"""The stage in a real browser: drag, let go, throw, turn a slider, look back, and look.

One page and one stage serve all tests of the page: each begins with the scene as it was.
"""

import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import urlsplit

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene_files

pytest.importorskip("viser")

import viser

from pliant.view import Stage, trail

DT = 1 / 60
#: A board held at a wall, another in few coordinates, and a block that floats over a floor.
SCENE = """
title = "Two boards and a block"
[body.beam]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 0.5 }
[body.few]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] }, move = [0, 0, -2] }
material = { young = 1e6, poisson = 0.4 }
reduce = { modes = 4, size = 9 }
fix = "x < 1e-6"
settle = { rest_in = 0.6, bounces = 1 }
[body.block]
mesh = { box = { size = [0.6, 0.6, 0.6], cells = [1, 1, 1] }, move = [2.6, 0, 0] }
material = { young = 1e5, poisson = 0.4 }
settle = { rest_in = 0.4 }
[[obstacle]]
half_space = { point = [0, -0.6, 0], normal = [0, 1, 0] }
"""
OTHER = """
title = "Another board"
[body.other]
mesh = { box = { size = [1, 0.5, 0.5], cells = [2, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 0.5 }
"""
BEAM, FEW, BLOCK = range(3)
WIDE, HIGH = 640, 420  # software rendering pays by the pixel
#: Where the buttons of the page are: left, top, right, bottom by their words.
BUTTONS = """() => Object.fromEntries([...document.querySelectorAll("button")].map((b) => {
    const r = b.getBoundingClientRect();
    return [b.textContent.trim(), [r.left, r.top, r.right, r.bottom]];
}))"""
#: Pictures per second: software draws few, and would keep all cores busy with more.
PICTURES = 6.0
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


@pytest.fixture(scope="module")
def opened(browser, tmp_path_factory):
    """A stage and a page that looks at it; `waited`: what was there before the page."""
    yield from opened_in(browser, tmp_path_factory.mktemp("stage"))


@pytest.fixture
def alone(browser, tmp_path):
    """The same for one test, with the camera as a new page has it."""
    for opened in opened_in(browser, tmp_path):
        yield as_it_began(opened)


def opened_in(browser, folder):
    for name, text in (("scene", SCENE), ("other", OTHER)):
        (folder / f"{name}.toml").write_text(text)
    file = scene_files.read(folder / "scene.toml")
    scenes = sorted(folder.glob("*.toml"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pliant.view.stage.PICTURES_PER_SECOND", PICTURES)
        yield from opened_page(browser, folder, file, scenes)


def opened_page(browser, folder, file, scenes):
    with Stage(file.build().scene, port=0, folder=folder, file=file, scenes=scenes) as stage:
        context = browser.new_context(viewport={"width": WIDE, "height": HIGH})
        page = context.new_page()
        page.errors, page.asked = [], []
        page.on("pageerror", lambda e: page.errors.append(str(e)))
        page.on("request", lambda r: page.asked.append(r.url))
        time.sleep(0.1)
        waited = stage.engine.snapshot
        page.goto(stage.url)
        page.wait_for_selector("canvas", timeout=1000 * PATIENCE)
        clients = wait_for(lambda: stage._server.get_clients(), "the page to connect")
        camera = next(iter(clients.values())).camera
        wait_for(lambda: stage.engine.snapshot.steps > 3, "the first steps")
        begins = stage._server.initial_camera.position
        fitted = lambda: camera.position[2] > 2.0 and not np.allclose(camera.position, begins)  # noqa: E731
        wait_for(fitted, "the camera to be set")
        yield SimpleNamespace(stage=stage, page=page, camera=camera, waited=waited, folder=folder)
        context.close()


@pytest.fixture
def ready(opened):
    """The scene as it began, with its own wishes."""
    return as_it_began(opened)


def as_it_began(opened):
    engine = opened.stage.engine
    engine.speed(1.0)
    engine.gravity((0, 0, 0))
    engine.settle(None)
    engine.reset()
    wait_for(lambda: engine.snapshot.time < 0.2 or engine.snapshot.paused, "the reset")
    return opened


@pytest.fixture(scope="module")
def stage(opened):
    return opened.stage


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


def rested(stage, asked, body=0):
    """The measured time to rest, once the asked time is well over."""

    def known():
        s = stage.engine.snapshot.bodies[body]
        return s.rested is not None and s.asked == asked and s.curve[0][-1] > 1.3 * asked

    wait_for(known, "the body to rest")
    return stage.engine.snapshot.bodies[body].rested


def fill(page, label, value):
    """Type a number beside the slider with a label."""
    where = f"//*[starts-with(text(), '{label}')]/following::input[@type='text'][1]"
    field = page.locator(f"xpath={where}")
    field.fill(str(value))
    field.press("Enter")


def tab(page, name):
    page.get_by_role("tab", name=name).click()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click(timeout=1000 * PATIENCE)


def test_nothing_moves_before_the_page_is_there(opened):
    assert opened.waited.waiting and opened.waited.time == 0.0 and opened.waited.steps == 0
    assert not opened.stage.engine.snapshot.waiting


def test_buttons_are_in_view_on_a_narrow_screen(ready):
    page = ready.page

    def in_view():
        """The left side of the first one, once the page has put all in their places."""
        boxes = [page.evaluate(BUTTONS)[name] for name in ("Pause", "Step", "Reset", "Replay")]
        inside = [
            x >= 0 and right <= WIDE and y >= 0 and bottom <= HIGH for x, y, right, bottom in boxes
        ]
        return all(inside) and boxes[0][0]

    left = wait_for(in_view, "all buttons to be in view")
    x = ready.stage.look.bodies[BEAM].vertices
    assert max(pixel(ready.camera, point)[0] for point in x) < left  # not behind the panel


def test_grab_pull_let_go_and_turn_a_slider(ready):
    stage, page, camera = ready.stage, ready.page, ready.camera
    begin = pixel(camera, (1.9, 0.4, 0.5))  # on the front face, near the free end
    end = (begin[0] - 10, begin[1] - 60)
    eye = camera.position.copy()
    drag(page, begin, end, lambda: stage.engine.snapshot.held is not None)
    wait_for(lambda: stage.engine.snapshot.held[1] > 0.7, "the hand to follow the pointer")
    assert camera.position == pytest.approx(eye)  # the body is pulled, not the camera turned
    page.mouse.up()
    wait_for(lambda: stage.engine.snapshot.held is None, "the hand to open")
    # What Settle promises, and one frame for the moment of the release.
    assert rested(stage, 0.5) == pytest.approx(0.5, abs=0.03 * 0.5 + DT)
    page.get_by_text("at rest after 0.50 s").wait_for(timeout=1000 * PATIENCE)

    fill(page, "rest in", 0.9)
    bodies = stage.engine.act.scene.bodies
    wait_for(lambda: bodies[BEAM].damping.rest_in == 0.9, "the slider")
    assert [bodies[FEW].damping.rest_in, bodies[BLOCK].damping.rest_in] == [0.6, 0.4]
    outside = [u for u in page.asked if not u.startswith((stage.url, "blob:", "data:"))]
    assert not outside


def test_a_reduced_body_rests_on_cue_under_a_gravity_slider(ready):
    stage, page = ready.stage, ready.page
    body = stage.engine.act.scene.bodies[FEW]
    assert isinstance(body, pl.Subspace)
    tab(page, "World")
    fill(page, "gravity", 3)
    wait_for(lambda: stage.engine.act.scene.gravity[1] == -3.0, "the slider")
    # What is promised with bounces, and a frame for the moment of the slider.
    assert rested(stage, 0.6, FEW) == pytest.approx(0.6, abs=0.02 * 0.6 + DT)
    assert body.positions[:, 1].min() < -0.03
    page.get_by_text("few: at rest after").wait_for(timeout=1000 * PATIENCE)
    page.get_by_role("checkbox", name="contacts").click()
    page.get_by_text(re.compile(r"\d+ places? touch")).wait_for(timeout=1000 * PATIENCE)
    wait_for(lambda: len(stage.look._touches._drawn) == 2, "dots and lines of contacts")
    page.get_by_role("checkbox", name="contacts").click()
    fill(page, "gravity", 0)
    wait_for(lambda: stage.engine.act.scene.gravity[1] == 0.0, "the slider")
    tab(page, "Rest on cue")


def test_a_flick_throws_a_body(alone, monkeypatch):
    stage, page, camera = alone.stage, alone.page, alone.camera
    told = []

    def end(trails, who, now, own=trail.Trails.end):
        told.append(own(trails, who, now))
        return told[-1]

    # Software draws slowly: here a flick may take seconds.
    monkeypatch.setattr(trail, "FLICK", PATIENCE)
    monkeypatch.setattr(trail, "PAUSE", PATIENCE)
    monkeypatch.setattr(trail.Trails, "end", end)
    block = stage.engine.act.scene.bodies[BLOCK]
    begin = np.array(pixel(camera, (2.9, 0.3, 0.6)))
    end = begin + [15.0, -45.0]
    drag(page, begin, end, lambda: stage.engine.snapshot.held is not None)
    page.mouse.up()
    wait_for(lambda: told and stage.engine.snapshot.held is None, "the hand to open")
    thrown = block.masses @ block.velocity / block.masses.sum()
    assert thrown == pytest.approx(told[-1], rel=1e-6)  # nothing slows it down in flight
    forward = camera.look_at - camera.position
    along = np.cross(forward, camera.up_direction)
    along /= np.linalg.norm(along)
    # As the pointer went, in the plane of the screen; pixels and throttling leave some per cent.
    assert thrown[1] > 0.0 and thrown @ along > 0.2 * thrown[1]


def test_looking_back_shows_the_past_and_goes_on(ready):
    stage, page = ready.stage, ready.page
    tab(page, "World")
    fill(page, "gravity", 3)
    wait_for(lambda: stage.engine.snapshot.time > 0.8, "something to have happened")
    fill(page, "past", -0.5)
    page.get_by_text("replay").first.wait_for(timeout=1000 * PATIENCE)
    wait_for(lambda: stage.engine.snapshot.paused, "the pause")
    then = stage.engine.tape.at(0.5)
    at = np.sort(then.positions[BEAM][:, 1])
    wait_for(
        lambda: np.isclose(stage.look.bodies[BEAM].vertices[:, 1].min(), at[0], atol=1e-4),
        "the picture of the past",
    )
    press(page, "Replay")
    wait_for(lambda: not stage.engine.snapshot.paused, "the scene to go on after its replay")
    press(page, "Pause")
    wait_for(lambda: stage.engine.snapshot.paused, "the pause")
    page.get_by_role("button", name="Play", exact=True).wait_for(timeout=1000 * PATIENCE)
    press(page, "Reset")
    wait_for(lambda: not stage.engine.snapshot.paused, "the reset")
    fill(page, "gravity", 0)
    tab(page, "Rest on cue")


def test_the_camera_turns_and_stays_above_the_ground(alone):
    stage, page, camera = alone.stage, alone.page, alone.camera
    eye = camera.position.copy()
    beside = (20, HIGH - 40)
    drag(page, beside, (100, 60), lambda: not np.allclose(camera.position, eye, atol=0.05))
    page.mouse.move(100, 5)
    page.mouse.up()
    assert stage.engine.snapshot.held is None  # beside the body the camera turns
    page.wait_for_timeout(300)
    drag(page, beside, (60, 20), lambda: True)
    page.mouse.up()
    wait_for(lambda: camera.position[1] > stage.look.ground.height, "the camera above the ground")


def test_save_record_choose_another_scene_and_reload(ready):
    stage, page, folder = ready.stage, ready.page, ready.folder
    tab(page, "Files")
    press(page, "Save scene")
    wait_for(lambda: (folder / "scene-1.toml").exists(), "the scene to be saved")
    press(page, "Record")
    wait_for(lambda: (stage.engine.snapshot.recorded or 0) > 0.1, "the recording")
    press(page, "Reset")
    page.get_by_text("the recording began anew").wait_for(timeout=1000 * PATIENCE)
    wait_for(lambda: (stage.engine.snapshot.recorded or 0) > 0.1, "the recording")
    press(page, "Stop")
    wait_for(lambda: "take-1.zarr" in stage.engine.snapshot.message, "the take")
    times = pl.Take.read(folder / "take-1.zarr").times
    assert (np.diff(times) > 0).all() and times[0] == 0.0
    before = stage.engine
    page.get_by_label("scene").last.click()
    page.get_by_role("option", name="other").click()
    wait_for(lambda: stage.engine is not before, "the other scene")
    page.get_by_text("Another board").wait_for(timeout=1000 * PATIENCE)
    assert [body.name for body in stage.engine.act.scene.bodies] == ["other"]
    wait_for(lambda: stage.engine.snapshot.steps > 3, "its steps")
    page.reload()
    tab(page, "Files")
    press(page, "Save scene")
    wait_for(lambda: (folder / "other-1.toml").exists(), "the scene after a reload")
    stage.open(folder / "scene.toml")
    assert not [error for error in page.errors if "WebSocket" not in error]


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
