"""A program that talks to a stage as its page does; the one place that knows how to connect."""

from __future__ import annotations

import random
import socket
from typing import Any
from urllib.parse import urlsplit

import msgspec
import viser
from websockets.sync.client import ClientConnection, connect

from pliant.view import Stage

CAMERA = {
    "type": "ViewerCameraMessage", "wxyz": [1.0, 0.0, 0.0, 0.0], "position": [0.0, 0.0, 5.0],
    "fov": 0.7, "near": 0.01,
    "far": 100.0, "image_height": 400, "image_width": 600, "look_at": [0.0, 0.0, 0.0],
    "up_direction": [0.0, 1.0, 0.0],
}  # fmt: skip
DRAG = {
    "type": "SceneNodeDragMessage", "phase": "start", "name": "/body 0", "instance_index": None,
    "start_position": [2.0, 0.5, 0.25],
    "start_screen_pos": [0.5, 0.5], "end_position": [2.0, 1.0, 0.5], "end_screen_pos": [0.5, 0.5],
    "button": "left",
    "modifier": None, "owner": "",
}  # fmt: skip


def open_socket(stage: Stage) -> ClientConnection:
    """A websocket of the stage's own page."""
    found = urlsplit(stage.url)
    return connect(
        f"ws://{found.netloc}{found.path.rstrip('/')}",
        subprotocols=[f"viser-v{viser.__version__}"],  # type: ignore[list-item]
        max_size=None, proxy=None, open_timeout=5.0, close_timeout=1.0,
    )  # fmt: skip


def packed(message: Any) -> bytes:
    """A message as the page sends it; whole numbers beyond 64 bits go as text."""

    def other(value: Any) -> Any:
        return str(value)

    try:
        return msgspec.msgpack.encode(message, enc_hook=other)
    except (OverflowError, RecursionError, TypeError, ValueError):
        return msgspec.msgpack.encode(str(message)[:1000])


def raw(stage: Stage, data: bytes) -> None:
    """Bytes that are no websocket at all."""
    with socket.create_connection(("127.0.0.1", stage.port), timeout=5.0) as line:
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            line.settimeout(2.0)
            while line.recv(4096):
                pass
        except OSError:
            pass  # closed at once, which is an answer too


def request(rng: random.Random, stage: Stage) -> bytes:
    """A request for a page, of which something is wrong."""
    own = urlsplit(stage.url).path
    path = rng.choice(
        (
            own,
            "/",
            own + "../../etc/passwd",
            own + "%2e%2e/%2e%2e/x",
            "/x" * 3000,
            "\0",
            own + "%00",
            "//",
            "?" + own,
        )
    )
    host = rng.choice(
        (f"127.0.0.1:{stage.port}", "evil.example", "", "x" * 5000, "127.0.0.1:99999", "[::1", "é")
    )
    verb = rng.choice(("GET", "POST", "OPTIONS", "get", "X" * 500, ""))
    return f"{verb} {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n\r\n".encode()
