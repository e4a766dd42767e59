"""Strangers and senseless packets at the socket of a real stage."""

import contextlib
import math
import random
import socket

import pytest

import pliant as pl
from pliant import scenefile as scene_files

pytest.importorskip("viser")

import msgspec
import viser
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode

from pliant.view import Stage, door
from pliant.view.guard import Guard
from pliant.view.packets import MOST_CHARACTERS, fault
from tests.unit.stage_bodies import beam
from tests.unit.stage_pages import CAMERA, drag, get, open_socket, turn, wait_for

SCENE = """
[run]
gravity = [0, -9.81, 0]
[body.beam]
mesh = { box = { size = [2, 0.5, 0.5], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 1.0, bounces = 2 }
"""


@pytest.fixture
def stage(tmp_path):
    file = scene_files.parse(SCENE)
    with Stage(file.build().scene, port=0, folder=tmp_path, file=file, waits=False) as opened:
        yield opened


def own(stage):
    return f"http://127.0.0.1:{stage.port}"


def goes_on(stage):
    """The scene's clock runs and nothing failed."""
    before = stage.engine.snapshot.time
    wait_for(lambda: stage.engine.snapshot.time > before)
    assert not stage.engine.snapshot.failed


# Strangers.


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "localhost:1", None])
def test_a_name_that_a_stranger_points_here_gets_no_page(stage, host):
    status, text = get(stage, Host=host and host.format(port=stage.port))
    assert status == 403 and len(text) < 300 and stage._guard.token not in text
    assert "pliant play" in text


def test_without_the_token_there_is_no_page(stage):
    for path in ("/", "/index.html", f"/{Guard('127.0.0.1').token}/", "/favicon.ico"):
        status, text = get(stage, path=path)
        assert status == 403 and stage._guard.token not in text


def test_the_page_is_neither_kept_nor_told_to_other_sites(stage):
    import urllib.request

    with urllib.request.urlopen(stage.url, timeout=10) as page:
        assert page.headers["Cache-Control"] == "no-store"
        assert page.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "stranger",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1"},
        {"host": "evil.example"},
        {"host": "evil.example", "origin": "http://evil.example"},
        {"path": "/"},
        {"path": "/wrong", "origin": "own"},
    ],
)
def test_a_stranger_gets_no_socket(stage, stranger, tmp_path):
    stranger = dict(stranger)
    if stranger.get("origin") == "own":
        stranger["origin"] = own(stage)
    with pytest.raises(InvalidStatus) as refused:
        open_socket(stage, **stranger)
    assert refused.value.response.status_code == 403
    assert not stage._server.get_clients() and not list(tmp_path.iterdir())
    goes_on(stage)


@pytest.mark.parametrize("origin", ["own", None])
def test_the_page_and_programs_with_the_token_may_save(stage, origin, tmp_path):
    with open_socket(stage, origin=origin and own(stage)) as page:
        turn(page, stage.panel.files.keep, "Save scene")
        wait_for(lambda: (tmp_path / "scene-1.toml").exists())
    wait_for(lambda: "scene-1.toml" in stage.engine.snapshot.message)


def test_what_is_no_request_at_all_is_one_line_at_most(stage, caplog, capfd):
    noise = random.Random(0).randbytes(20_000)
    post = b"POST / HTTP/1.1\r\n\r\n"  # any page can send that, and as often as it likes
    escape = b"\x1b[31m\x07GET /\r\n\r\n"
    for sent, lines in ((b"", 0), (noise, 0), (escape, 1), (post, 1), (post, 0), (noise[:50], 0)):
        caplog.clear()
        with socket.create_connection(("127.0.0.1", stage.port), timeout=10) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                while line.recv(1000):
                    pass
        wait_for(lambda: len(caplog.records) >= lines)  # noqa: B023
        goes_on(stage)
        assert len(caplog.records) == lines
        assert all(record.getMessage().isprintable() for record in caplog.records)
    assert get(stage)[0] == 200
    assert "Traceback" not in caplog.text + capfd.readouterr().err


# Senseless packets.

NESTED = b"\x91" * 5000 + b"\xc0"
GOOD = msgspec.msgpack.encode(CAMERA)
PACKETS = {
    "empty": b"",
    "no msgpack": b"\xc1\xc1",
    "cut off": GOOD[:-3],
    "random": random.Random(1).randbytes(300),
    "text": "hello",
    "a number": msgspec.msgpack.encode(3),
    "a list": msgspec.msgpack.encode([1, 2]),
    "nested": NESTED,
    "no type": msgspec.msgpack.encode({"uuid": "x"}),
    "type of a number": msgspec.msgpack.encode({"type": 3}),
    "unknown": msgspec.msgpack.encode({"type": "OpenTheDoor"}),
    "of the server": msgspec.msgpack.encode({"type": "RunJavascriptMessage", "source": "1"}),
    "a tunnel": msgspec.msgpack.encode({"type": "ShareUrlRequest"}),
    "too few fields": msgspec.msgpack.encode({"type": "ViewerCameraMessage", "fov": 1.0}),
    "too many fields": msgspec.msgpack.encode(CAMERA | {"also": 1}),
    "text for a number": msgspec.msgpack.encode(CAMERA | {"fov": "wide"}),
    "two for three": msgspec.msgpack.encode(CAMERA | {"position": [0.0, 1.0]}),
    "height of infinity": msgspec.msgpack.encode(CAMERA | {"image_height": math.inf}),
    "another property": msgspec.msgpack.encode(
        {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"update_cb": 3}}
    ),
    "a value of lists": msgspec.msgpack.encode(
        {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": [[1]]}}
    ),
    "giant": bytes(MOST_CHARACTERS + 1),
}


@pytest.mark.parametrize("packet", PACKETS.values(), ids=PACKETS)
def test_a_bad_packet_ends_its_connection_with_one_line(stage, packet, caplog, capfd):
    with open_socket(stage) as other, open_socket(stage) as page:
        wait_for(lambda: len(stage._server.get_clients()) == 2)
        page.send(packet)
        with pytest.raises(ConnectionClosed):
            while True:
                page.recv(timeout=20)
        wait_for(lambda: len(stage._server.get_clients()) == 1)
        (record,) = caplog.records
        assert "closed a connection" in record.getMessage() and "\n" not in record.getMessage()
        turn(other, stage.panel.wish.rest_in, 2.0)  # the others are heard as before
        wait_for(lambda: stage.engine.act.scene.bodies[0].damping.rest_in == 2.0)
    goes_on(stage)
    assert "Traceback" not in capfd.readouterr().err


def test_a_packet_is_refused_for_its_size_before_it_is_read(stage, caplog):
    with open_socket(stage) as page:
        page.send(GOOD + bytes(MOST_CHARACTERS))
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                page.recv(timeout=20)
    assert closed.value.rcvd.code == CloseCode.MESSAGE_TOO_BIG
    wait_for(lambda: caplog.records)
    assert str(MOST_CHARACTERS) in caplog.records[0].getMessage()


def test_what_follows_a_bad_packet_is_not_heard(stage):
    with open_socket(stage) as page:
        page.send(b"\xc1")
        with pytest.raises(ConnectionClosed):
            turn(page, stage.panel.wish.rest_in, 3.0)  # it may be closed by now
            while True:
                page.recv(timeout=20)
    assert stage.panel.wish.rest_in.value == 1.0


def test_a_hand_whose_page_is_shut_out_opens(stage):
    with open_socket(stage) as page:
        drag(page, "start", (2.0, 0.7, 0.25))
        wait_for(lambda: stage.engine.snapshot.held is not None)
        page.send(b"\xc1")
        wait_for(lambda: stage.engine.snapshot.held is None)


def test_no_packet_of_random_bytes_or_values_raises():
    rng = random.Random(2)
    for _ in range(3000):
        broken = bytearray(GOOD)
        for _ in range(rng.randint(1, 8)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        for packet in (bytes(broken), rng.randbytes(rng.randint(0, 60))):
            found = fault(packet)
            assert found is None or isinstance(found, str)


# Good packets with values that make no sense.


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300, -1.0, 10**18, "99", "nan"])
@pytest.mark.parametrize("name", ["rest_in", "bounces", "stiffness", "gravity", "speed"])
def test_a_value_off_the_scale_is_refused_and_the_slider_goes_back(stage, name, value, capfd):
    wish, world = stage.panel.wish, stage.panel.world
    slider = getattr(wish if hasattr(wish, name) else world, name)
    before = slider.value
    with open_socket(stage) as page:
        wait_for(lambda: stage._server.get_clients())
        turn(page, slider, value)
        unreadable = name == "bounces" and not str(value).lstrip("-").isdigit() and value != 1e300
        if not unreadable and value != -1.0:
            wait_for(lambda: "expected" in stage.engine.snapshot.message)
        turn(page, stage.panel.files.keep, "nothing of ours")
        turn(page, stage.panel.run, "nothing of ours")
        goes_on(stage)
    assert slider.value == before
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("value", ["soft", ""])
def test_words_for_a_number_are_one_line(stage, value, caplog, capfd):
    with open_socket(stage) as page:
        wait_for(lambda: stage._server.get_clients())
        turn(page, stage.panel.wish.rest_in, value)
        wait_for(lambda: caplog.records)
        goes_on(stage)
    assert "could not use" in caplog.records[0].getMessage()
    assert stage.panel.wish.rest_in.value == 1.0 and "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("to", [(math.nan, 0, 0), (0, math.inf, 0), (1e308, -1e308, 1e308)])
def test_a_hand_cannot_be_pulled_to_nowhere(stage, to, capfd):
    with open_socket(stage) as page:
        wait_for(lambda: stage._server.get_clients())
        drag(page, "start", (2.0, 0.6, 0.25))
        wait_for(lambda: stage.engine.snapshot.held is not None)
        drag(page, "update", to)
        drag(page, "update", (2.0, 0.7, 0.25), name="/nobody")
        goes_on(stage)
        drag(page, "end", (2.0, 0.7, 0.25))
        wait_for(lambda: stage.engine.snapshot.held is None)
        goes_on(stage)
    assert "Traceback" not in capfd.readouterr().err


def test_nothing_is_saved_through_a_link_to_elsewhere(stage, tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (tmp_path / "scene-1.toml").symlink_to(outside / "taken.toml")
    (tmp_path / "take-1.zarr").symlink_to(outside / "taken.zarr")
    with open_socket(stage) as page:
        turn(page, stage.panel.files.keep, "Record")
        wait_for(lambda: (stage.engine.snapshot.recorded or 0.0) > 0.1)
        turn(page, stage.panel.files.keep, "Stop")
        wait_for(lambda: "take-2.zarr" in stage.engine.snapshot.message)
        turn(page, stage.panel.files.keep, "Save scene")
        wait_for(lambda: "scene-2.toml" in stage.engine.snapshot.message)
    assert not list(outside.iterdir())


def test_saves_at_the_same_moment_have_names_of_their_own(stage, tmp_path):
    with open_socket(stage) as page:
        for _ in range(8):
            turn(page, stage.panel.files.keep, "Save scene")
        names = {f"scene-{k}.toml" for k in range(1, 9)}
        wait_for(lambda: {path.name for path in tmp_path.iterdir()} == names)


# viser.


def test_a_viser_that_opens_its_socket_otherwise_is_refused(monkeypatch):
    made = []

    class Another:
        def __init__(self, *, host, port, verbose):
            made.append(self)
            self.stopped = False

        def stop(self):
            self.stopped = True

    monkeypatch.setattr(viser, "ViserServer", Another)
    with pytest.raises(RuntimeError, match="cannot guard"):
        Stage(pl.Scene([beam()]), port=0)
    assert made[0].stopped


def test_other_programs_in_the_process_keep_their_websockets():
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    import websockets.asyncio.server as sockets

    async def echo(line):
        await line.send(await line.recv())

    async def talk():
        with door._guarding(Guard("127.0.0.1")):
            async with sockets.serve(echo, "127.0.0.1", 0) as server:
                from websockets.asyncio.client import connect

                port = server.sockets[0].getsockname()[1]
                async with connect(f"ws://127.0.0.1:{port}", proxy=None) as line:
                    await line.send("anybody")
                    return await line.recv()

    # In a thread of its own: a browser test before it may have left a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, talk()).result(timeout=60) == "anybody"


@pytest.mark.parametrize("port", [-1, 65536, 10**30, 80.5, "8080", True, None])
def test_a_port_that_is_none_is_refused(port):
    with pytest.raises(ValueError, match="expected 0 to 65535"):
        Stage(pl.Scene([beam()]), port=port)


def test_after_the_last_port_any_will_do():
    with socket.socket() as last:
        last.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            last.bind(("127.0.0.1", 65535))
        except OSError:
            pytest.skip("port 65535 is in use")
        last.listen()
        with Stage(pl.Scene([beam()]), port=65535) as stage:
            assert stage.port not in (0, 65535) and get(stage)[0] == 200


def test_all_packets_that_the_page_sends_are_known():
    """What viser's own classes make of our packets, so that a change of viser is seen here."""
    assert fault(GOOD) is None
    kinds = {kind.__name__: kind for kind in viser.infra.Message.get_subclasses()}
    for name in ("ViewerCameraMessage", "GuiUpdateMessage", "SceneNodeDragMessage"):
        assert name in kinds
