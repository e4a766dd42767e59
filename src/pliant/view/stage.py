"""The stage: a scene in the browser that can be grabbed."""

from __future__ import annotations

import logging
import socket
import threading
import time as clock
import webbrowser
from pathlib import Path
from typing import Any

import numpy as np

from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.scenefile import SceneFile
from pliant.take import Take

from .engine import Engine
from .guard import Guard, is_unspecified
from .look import Look
from .panel import Panel
from .played import played
from .server import open_server, quiet
from .shelf import Shelf

log = logging.getLogger("pliant")

#: Pictures per second that are sent at most.
PICTURES_PER_SECOND = 40.0
#: Times per second that text and curve are sent at most.
TEXTS_PER_SECOND = 8.0
BRAND = (238, 132, 77)


class Stage:
    """A scene, live in the browser, until `stop`.

    Drag a body with the left button: the surface point under the pointer is taken in hand and
    follows it in the plane of the screen; let go and it rests in the asked time. The camera turns
    when the drag begins beside the body. Listens on `host` only, 127.0.0.1 by default; port 0 takes
    any that is free. Who does not have the token in `url` is refused. Recordings and, if the scene's
    `file` is given, changed scenes go to `folder`.
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
        self._shelf, self._file = Shelf(Path(folder)), file
        self._writers: list[threading.Thread] = []
        self._guard = Guard(host)
        self._server = open_server(host, port, self._guard)
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
        """Where the page is, with the token that opens it."""
        if is_unspecified(self.host):
            return self._url("::1" if ":" in self.host else "127.0.0.1")
        return self._url(self.host)

    @property
    def url_elsewhere(self) -> str | None:
        """Where the page is for other machines, if the stage listens on all addresses."""
        return self._url(own_address()) if is_unspecified(self.host) else None

    def _url(self, host: str) -> str:
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.port}/{self._guard.token}/"

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
            for writer in self._writers:
                writer.join()

    def play(self, *, browser: bool = True) -> None:
        """Say where the page is, open it, and wait until `stop` is called or Ctrl-C is pressed."""
        try:
            print(f"{self.url}  (Ctrl-C ends it)", flush=True)
            if self.url_elsewhere is not None:
                print(f"{self.url_elsewhere}  from other machines", flush=True)
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
                self.engine.pull(self._aimed(event), who=event.client_id)
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
        """Send the newest state, at most PICTURES_PER_SECOND times; what came between is left out."""
        painted, spoken = None, 0.0
        while not self._stopped.wait(1.0 / PICTURES_PER_SECOND):
            snapshot, now = self.engine.snapshot, clock.perf_counter()
            blends = snapshot.dt / snapshot.scale > 1.0 / PICTURES_PER_SECOND
            try:
                if snapshot is not painted or blends:
                    with self._server.atomic():
                        self.look.show(snapshot, now)
                if now - spoken > 1.0 / TEXTS_PER_SECOND:
                    spoken = now
                    self.panel.show(snapshot, now)
            except Exception:  # one picture less, and nobody would know why all others are missing
                log.exception("the stage could not draw a frame")
            painted = snapshot

    def _record(self) -> None:
        self.engine.record(self._keep)

    def _keep(self, take: Take) -> None:
        path = self._shelf.free("take-", ".zarr")
        # Writing must not hold up the simulation; `stop` waits for it.
        writer = threading.Thread(target=self._write, args=(take, path), daemon=True)
        self._writers.append(writer)
        writer.start()

    def _write(self, take: Take, path: Path) -> None:
        try:
            take.save(path)
        except Exception as error:
            self.engine.say(f"{path.name} was not saved: {error}")
            return
        self.engine.say(f"saved {take.times[-1] - take.times[0]:.1f} s as {path}")

    def _save(self) -> None:
        assert self._file is not None
        path = self._shelf.free(f"{Path(self._file.source.name).stem}-", ".toml")
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


def own_address() -> str:
    """An address of this machine that others on its network know, or its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: asks which way such packets would go
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
