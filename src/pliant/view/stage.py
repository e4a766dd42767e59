"""The stage: a scene in the browser that can be grabbed."""

from __future__ import annotations

import logging
import threading
import time as clock
import webbrowser
from pathlib import Path
from typing import Any

import numpy as np

from pliant.io.scene import SceneFile
from pliant.scene import Scene, Stepper
from pliant.take import Take

from .engine import Engine
from .look import Look
from .panel import Panel
from .played import played
from .server import open_server, quiet

log = logging.getLogger("pliant")

#: Pictures per second that are sent at most.
FRAMES = 40.0
#: Times per second that text and curve are sent at most.
WORDS = 8.0
BRAND = (238, 132, 77)


class Stage:
    """A scene, live in the browser, until `stop`.

    Drag a body with the left button: the surface point under the pointer is taken in hand and
    follows it in the plane of the screen; let go and it rests in the asked time. The camera turns
    when the drag begins beside the body. Listens on `host` only, 127.0.0.1 by default; port 0 takes
    any that is free. Recordings and, if the scene's `file` is given, changed scenes go to `folder`.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        dt: float = 1 / 60,
        device: str = "cpu",
        stepper: Stepper | None = None,
        host: str = "127.0.0.1",
        port: int = 8080,
        folder: str | Path = ".",
        title: str = "pliant",
        file: SceneFile | None = None,
    ):
        self.engine = Engine(scene, dt=dt, device=device, stepper=stepper)
        self._folder, self._file = Path(folder), file
        self._server = open_server(host, port)
        self.host, self.port = host, int(self._server.get_port())
        try:
            self._server.gui.configure_theme(
                show_logo=False, show_share_button=False, brand_color=BRAND
            )
            self._server.gui.set_panel_label(title)
            self.look = Look(self._server, scene)
            save = None if file is None else self._save
            self.panel = Panel(self._server, self.engine, record=self._record, save=save)
            for index, handle in enumerate(self.look.bodies):
                self._make_grabbable(index, handle)
        except BaseException:
            self._server.stop()
            raise
        self._stopped = threading.Event()
        self._painter = threading.Thread(target=self._paint, name="pliant-painter", daemon=True)
        self.engine.start()
        self._painter.start()

    @property
    def url(self) -> str:
        """Where the page is."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "") else self.host
        return f"http://{name}:{self.port}"

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the simulation and close the page's server."""
        if not self._stopped.is_set():
            self._stopped.set()
            self.engine.stop()
            self._painter.join()
            with quiet():
                self._server.stop()

    def play(self, *, browser: bool = True) -> None:
        """Say where the page is, open it, and wait until `stop` is called or Ctrl-C is pressed."""
        try:
            print(f"{self.url}  (Ctrl-C ends it)", flush=True)
            if browser:
                webbrowser.open(self.url)
            while not self._stopped.wait(0.5):
                pass
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def _make_grabbable(self, index: int, handle: Any) -> None:
        # An async function, since viser runs those in the order of the events, others in any.
        async def drag(event: Any) -> None:
            if event.phase == "start":
                self.engine.grab(index, event.start_position, who=event.client_id)
            if event.phase != "end":
                to = self._aimed(event)
                self.engine.pull(to, who=event.client_id)
            else:
                self.engine.let_go(who=event.client_id)

        handle.on_drag("left")(drag)

    def _aimed(self, event: Any) -> np.ndarray:
        """Where the pointer is: in the plane of the screen, for plane bodies in that of the body."""
        to = np.array(event.end_position)
        if self.engine.act.scene.dim == 2:
            eye = np.array(event.client.camera.position)
            if abs(to[2] - eye[2]) > 1e-9:
                to = eye + (to - eye) * (-eye[2] / (to[2] - eye[2]))
        return to

    def _paint(self) -> None:
        """Send the newest state, never more often than FRAMES; what came between is left out."""
        painted, spoken = None, 0.0
        while not self._stopped.wait(1.0 / FRAMES):
            snapshot, now = self.engine.snapshot, clock.perf_counter()
            blends = snapshot.dt / snapshot.scale > 1.0 / FRAMES
            try:
                if snapshot is not painted or blends:
                    with self._server.atomic():
                        self.look.show(snapshot, now)
                if now - spoken > 1.0 / WORDS:
                    spoken = now
                    self.panel.show(snapshot)
            except Exception:  # one picture less, and nobody would know why all others are missing
                log.exception("the stage could not draw a frame")
            painted = snapshot

    def _record(self) -> None:
        self.engine.record(self._keep)

    def _keep(self, take: Take) -> None:
        path = _next_free(self._folder, "take-", ".zarr")
        # Writing must not hold up the simulation.
        threading.Thread(target=self._write, args=(take, path), daemon=True).start()

    def _write(self, take: Take, path: Path) -> None:
        try:
            take.save(path)
        except Exception as error:
            self.engine.say(f"{path.name} was not saved: {error}")
            return
        self.engine.say(f"saved {take.times[-1] - take.times[0]:.1f} s as {path}")

    def _save(self) -> None:
        assert self._file is not None
        stem = Path(self._file.source.name).stem
        path = _next_free(self._folder, f"{stem}-", ".toml")
        try:
            played(self._file, self.engine.act).save(path)
        except (ValueError, OSError) as error:
            self.engine.say(f"{path.name} was not saved: {error}")
            return
        self.engine.say(f"saved the scene as {path}")


def play(
    scene: Scene,
    *,
    dt: float = 1 / 60,
    device: str = "cpu",
    host: str = "127.0.0.1",
    port: int = 8080,
    browser: bool = True,
) -> None:
    """Open a scene on the stage and wait until Ctrl-C."""
    Stage(scene, dt=dt, device=device, host=host, port=port).play(browser=browser)


def _next_free(folder: Path, stem: str, suffix: str) -> Path:
    """The first of stem1, stem2, ... that does not exist yet."""
    number = 1
    while (folder / f"{stem}{number}{suffix}").exists():
        number += 1
    return folder / f"{stem}{number}{suffix}"
