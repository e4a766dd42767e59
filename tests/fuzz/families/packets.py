"""Packets to a stage: noise and wrong messages. A connection may end, the stage goes on."""

from __future__ import annotations

import contextlib
import io
import logging
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from websockets.exceptions import WebSocketException

from pliant import scenefile as scene_files
from pliant.view import Stage

from .. import mutation, nasty
from ..calling import Caller
from ..verdict import OK, Verdict, finding
from .stage_client import CAMERA, DRAG, open_socket, packed, raw, request

SCENE = """
[run]
gravity = [0, -9.81, 0]
[body.beam]
mesh = { box = { size = [2, 0.5, 0.5], cells = [2, 1, 1] } }
material = { young = 1e6, poisson = 0.4 }
fix = "x < 1e-6"
settle = { rest_in = 1.0, bounces = 2 }
"""
#: How long a stage may take to show that it lives [s].
PATIENCE = 10.0


class Packets:
    """One stage, and clients that misbehave."""

    def __init__(self, home: Path):
        home.mkdir(parents=True, exist_ok=True)
        self._home = home
        self._open()

    def _open(self) -> None:
        file = scene_files.parse(SCENE)
        self._stage = Stage(file.build().scene, port=0, folder=self._home, file=file)

    def run(self, rng: random.Random, caller: Caller) -> Verdict:
        """Send a few packets, then look whether the stage is well."""
        caller.fence.names(self._home)
        heard: list[str] = []
        said = io.StringIO()
        did: list[str] = []
        with _logged(heard), contextlib.redirect_stderr(said):
            verdict = caller.call(lambda: self._talk(rng, did))
            well = self._well()
        if not verdict.found:
            verdict = well
        if not verdict.found and (heard or "Traceback" in said.getvalue()):
            text = heard[0] if heard else said.getvalue()
            verdict = finding("a traceback in the log", _last_of_ours(text), text[-1500:])
        if well.found:
            self._stage.stop()
            self._open()
        return verdict.about("; ".join(did)[:400])

    def _talk(self, rng: random.Random, did: list[str]) -> None:
        if rng.random() < 0.1:
            data = (
                request(rng, self._stage)
                if rng.random() < 0.7
                else rng.randbytes(rng.choice((1, 50, 5000)))
            )
            did.append(f"{data[:60]!r}")
            raw(self._stage, data)
            return
        with (
            contextlib.suppress(WebSocketException, TimeoutError, OSError),
            open_socket(self._stage) as page,
        ):
            page.send(packed(CAMERA))
            for _ in range(rng.choice((1, 2, 5))):
                packet, words = self._packet(rng)
                did.append(words)
                page.send(packet)
            with contextlib.suppress(TimeoutError):
                page.recv(timeout=0.05)

    def _packet(self, rng: random.Random) -> tuple[bytes | str, str]:
        kind = rng.random()
        if kind < 0.1:
            return rng.randbytes(rng.choice((0, 1, 7, 100, 70_000))), "noise"
        if kind < 0.15:
            return nasty.text(rng), "text"
        if kind < 0.25:
            value = nasty.value(rng)
            return packed(value), f"{value!r:.60}"
        message = self._message(rng)
        how: list[str] = []
        if rng.random() < 0.7:
            message, how = mutation.change_tree(rng, message)
        data = packed(message)
        if rng.random() < 0.1:
            data, broken = mutation.change_bytes(rng, data)
            how.append(broken)
        return (
            data,
            f"{message.get('type', 'no type')!r:.40}: {'; '.join(how) or message.get('updates', '')}",
        )

    def _message(self, rng: random.Random) -> dict[str, Any]:
        kind = rng.random()
        if kind < 0.2:
            return dict(CAMERA)
        if kind < 0.45:
            return DRAG | {
                "phase": rng.choice(("start", "update", "end")),
                "end_position": [rng.uniform(-9, 9) for _ in range(3)],
            }
        controls = list(self._stage._server.gui._gui_input_handle_from_uuid.items())
        uuid, control = rng.choice(controls)
        value = control.value if rng.random() < 0.5 else nasty.value(rng, 1)
        return {"type": "GuiUpdateMessage", "uuid": uuid, "updates": {"value": value}}

    def _well(self) -> Verdict:
        """Whether the clock runs, nothing failed and every number is finite; sliders are put back."""
        engine = self._stage.engine
        if engine.snapshot.failed:
            return finding("the stage failed", "view/engine.py", engine.snapshot.message)
        if not all(np.isfinite(x).all() for x in engine.snapshot.positions):
            return finding("a silent NaN", "the stage", engine.snapshot.message)
        engine.speed(1.0)
        engine.gravity((0.0, -9.81, 0.0))
        engine.reset()
        before, until = engine.snapshot, time.monotonic() + PATIENCE
        while engine.snapshot.steps <= before.steps:
            if time.monotonic() > until:
                return finding("the stage stands still", "view/engine.py", engine.snapshot.message)
            engine.pause(False)  # a packet that is still under way may be a click on Pause
            time.sleep(0.005)
        return OK


@contextlib.contextmanager
def _logged(heard: list[str]) -> Iterator[None]:
    """Collect log records that carry a traceback."""

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info:
                heard.append(logging.Formatter().format(record))

    listener, names = Listener(), ("", "pliant", "pliant.stage", "asyncio", "websockets")
    for name in names:
        logging.getLogger(name).addHandler(listener)
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).removeHandler(listener)


def _last_of_ours(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if "/pliant/" in line and "File" in line]
    return lines[-1].partition("/pliant/")[2].replace('"', "")[:80] if lines else "viser"
