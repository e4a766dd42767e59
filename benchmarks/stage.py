"""How often a page of the stage gets a new pose, and how old that is when it arrives."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec
import numpy as np
import viser
import zstandard
from websockets.sync.client import ClientConnection, connect

import pliant as pl
from pliant.view import Stage

from .cantilever import DENSITY, POISSON, SIZES

YOUNG = 3e6
#: Seconds that a beam is let swing before, and while, its poses are counted.
WARM, COUNTED = 3.0, 10.0
#: What a page says when it opens: where it looks from.
CAMERA = {
    "type": "ViewerCameraMessage", "wxyz": [1.0, 0.0, 0.0, 0.0], "position": [2.0, 0.5, 9.0],
    "fov": 0.7, "near": 0.01, "far": 100.0, "image_height": 700, "image_width": 900,
    "look_at": [2.0, 0.5, 0.0], "up_direction": [0.0, 1.0, 0.0],
}  # fmt: skip


@dataclass(frozen=True)
class Poses:
    """Poses that arrived in a second, steps that were made in one, and milliseconds.

    delay: from the end of a step to its arrival; longest_gap: between two poses; work: processor time
    of all threads for a pose, that of the page's side of the socket included.
    """

    per_second: float
    steps: float
    delay: float
    longest_gap: float
    work: float


def main(sizes: Iterable[str]) -> None:
    """Print a row for each size of the beam."""
    print(
        "| tetrahedra | points | poses per second | steps per second | step to page [ms] | gap [ms] "
        "| work [ms] |"
    )
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        mesh = pl.meshes.box((4, 1, 1), SIZES[size])
        seen = measured(mesh)
        counts = f"{len(mesh.cells['tet4'])} | {len(mesh)}"
        rates = f"{seen.per_second:.1f} | {seen.steps:.1f}"
        times = f"{seen.delay:.1f} | {seen.longest_gap:.0f} | {seen.work:.1f}"
        print(f"| {counts} | {rates} | {times} |", flush=True)


def measured(mesh: pl.Mesh, seconds: float = COUNTED) -> Poses:
    """What a page gets of a beam that swings after it was pulled up."""
    body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(60.0, bounces=20)
    body.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    with Stage(pl.Scene(body, gravity=(0, -9.81, 0)), port=0) as stage, opened(stage) as page:
        until = time.perf_counter() + WARM
        while time.perf_counter() < until or stage.engine.snapshot.steps < 3:
            page.recv()
        began, first = time.perf_counter(), stage.engine.snapshot.steps
        times, delays, worked = [began], [], time.process_time()
        while times[-1] < began + seconds:
            if b"/body 0" in unpacked(page.recv()):
                times.append(time.perf_counter())
                delays.append(times[-1] - stage.engine.snapshot.made)
        passed = times[-1] - began
        steps, worked = stage.engine.snapshot.steps - first, time.process_time() - worked
    return Poses(
        per_second=len(delays) / passed,
        steps=steps / passed,
        delay=1e3 * float(np.median(delays)),
        longest_gap=1e3 * float(np.diff(times).max()),
        work=1e3 * worked / len(delays),
    )


def opened(stage: Stage) -> ClientConnection:
    """A connection as the stage's own page makes it."""
    found = urlsplit(stage.url)
    page = connect(
        f"ws://{found.netloc}{found.path.rstrip('/')}",
        subprotocols=[f"viser-v{viser.__version__}"],  # type: ignore[list-item]
        max_size=None, proxy=None,
    )  # fmt: skip
    page.send(msgspec.msgpack.encode(CAMERA))
    return page


def unpacked(packet: str | bytes) -> bytes:
    """What a packet holds; viser may have compressed it."""
    assert isinstance(packet, bytes)
    at = packet.find(b"\x28\xb5\x2f\xfd")  # a frame of zstandard begins so
    if at < 0:
        return packet
    return zstandard.ZstdDecompressor().decompressobj().decompress(packet[at:])
