"""Programs that talk to a stage as its page does, or as a stranger would."""

import http.client
import time
from urllib.parse import urlsplit

import msgspec
import viser
from websockets.sync.client import connect

CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": [1.0, 0.0, 0.0, 0.0],
    "position": [0.0, 0.0, 5.0],
    "fov": 0.7,
    "near": 0.01,
    "far": 100.0,
    "image_height": 400,
    "image_width": 600,
    "look_at": [0.0, 0.0, 0.0],
    "up_direction": [0.0, 1.0, 0.0],
}


def wait_for(condition, seconds=30.0):
    until = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    assert met


def get(stage, *, path=None, **headers):
    """The answer to one request for the page, under any Host: (status, text)."""
    line = http.client.HTTPConnection("127.0.0.1", stage.port, timeout=10)
    try:
        line.putrequest("GET", path or urlsplit(stage.url).path, skip_host=True)
        for name, value in ({"Host": f"127.0.0.1:{stage.port}"} | headers).items():
            if value is not None:
                line.putheader(name, value)
        line.endheaders()
        answer = line.getresponse()
        return answer.status, answer.read(2000).decode(errors="replace")
    finally:
        line.close()


def open_socket(stage, *, origin=None, path=None, host=None):
    """A websocket, as viser's page opens it; it sent a camera, from when on it is heard."""
    socket = connect(
        f"ws://{host or '127.0.0.1'}:{stage.port}{path or urlsplit(stage.url).path.rstrip('/')}",
        sock=None if host is None else _to(stage),
        origin=origin,
        subprotocols=[f"viser-v{viser.__version__}"],
        max_size=None,
        proxy=None,
    )
    send(socket, CAMERA)
    return socket


def _to(stage):
    import socket

    return socket.create_connection(("127.0.0.1", stage.port), timeout=10)


def send(socket, message):
    socket.send(msgspec.msgpack.encode(message))


def turn(socket, control, value):
    """Set a control of the panel."""
    send(
        socket,
        {"type": "GuiUpdateMessage", "uuid": control._impl.uuid, "updates": {"value": value}},
    )


def drag(socket, phase, to, *, name="/body 0"):
    send(
        socket,
        {
            "type": "SceneNodeDragMessage",
            "phase": phase,
            "name": name,
            "instance_index": None,
            "start_position": [2.0, 0.5, 0.25],
            "start_screen_pos": [0.5, 0.5],
            "end_position": list(to),
            "end_screen_pos": [0.5, 0.5],
            "button": "left",
            "modifier": None,
            "owner": "",
        },
    )
