"""The stage: a scene in the browser that can be grabbed."""

from __future__ import annotations

import logging
import threading
import time as clock
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.problem import Stepper
from pliant.scene import Scene
from pliant.scenefile import SceneFile

from .address import own_address
from .camera import fit_beside_panel, keep_above, not_moved
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
    `file` is given, changed scenes go to `folder`; `scenes` are files that the page may choose from.
    waits: whether nothing moves before the first page is open.
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
        scenes: Sequence[Path] = (),
        waits: bool = True,
    ):
        engine = Engine(scene, dt=dt, device=device, stepper=stepper)
        self._shelf = Shelf(Path(folder))
        self._scenes, self._waits = tuple(scenes), waits
        self._guard = Guard(host)
        self._server = open_server(host, port, self._guard)
        self.host, self.port = host, int(self._server.get_port())
        self._changing = threading.Lock()  # another scene is put on the stage
        try:
            self._server.gui.configure_theme(
                show_logo=False, show_share_button=False, brand_color=BRAND
            )
            self._put_on(engine, title, file)
        except BaseException:
            self._server.stop()
            raise
        self._stopped = threading.Event()
        self._painter = threading.Thread(target=self._paint, name="pliant-painter", daemon=True)
        self._server.on_client_connect(self._welcome)
        self.engine.start(waiting=waits and not self._server.get_clients())
        self._painter.start()

    def _put_on(self, engine: Engine, title: str, file: SceneFile | None) -> None:
        """Draw a scene, with its panel."""
        self.engine, self._file = engine, file
        self._server.gui.set_panel_label(title)
        self.look = Look(self._server, engine.act.scene)
        self.panel = Panel(
            self._server, engine, record=self._record, save=None if file is None else self._save,
            scenes=self._scenes, opens=self.open, now=self._among(file),
        )  # fmt: skip
        for index, handle in enumerate(self.look.bodies):
            self._make_grabbable(index, handle)

    def _among(self, file: SceneFile | None) -> Path | None:
        """Which of the scenes of the list a file is."""
        name = None if file is None else Path(file.source.name).name
        return next((path for path in self._scenes if path.name == name), None)

    def open(self, path: Path) -> None:
        """Show another scene file in place of this scene."""
        from pliant import scenefile as scene_files

        file = scene_files.read(path)
        setup = file.build()
        engine = Engine(setup.scene, dt=setup.dt, device=setup.device, stepper=setup.stepper)
        with self._changing:
            if self._stopped.is_set():
                return
            self.engine.stop()
            with self._server.atomic():
                self._server.gui.reset()
                self._server.scene.reset()
                self._put_on(engine, file.title or path.stem, file)
                for client in self._server.get_clients().values():
                    self._aim(client.camera)
            engine.start()

    def _aim(self, camera: Any) -> None:
        fit_beside_panel(camera, self._server.initial_camera, self.look.around)

    def _welcome(self, client: Any) -> None:
        """A page has been opened: what waited for it begins, and its camera stays above the ground."""

        def moved(camera: Any) -> None:
            if not_moved(camera, self._server.initial_camera):
                self._aim(camera)
            keep_above(camera, self.look.ground.height)

        self._aim(client.camera)
        client.camera.on_update(moved)
        self.engine.begin()

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
            with self._changing:
                self.engine.stop()
            self._painter.join()
            with quiet():
                self._server.stop()
            self._shelf.close()

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
            self.engine.pull(self._aimed(event), who=event.client_id)
            if event.phase == "end":
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
            with self._changing:
                past = self.panel.replay.moment()
                snapshot, now = self.engine.snapshot, clock.perf_counter()
                shown = snapshot if past is None else past
                blends = past is None and snapshot.dt / snapshot.scale > 1.0 / PICTURES_PER_SECOND
                try:
                    if shown is not painted or blends:
                        with self._server.atomic():
                            self.look.show(shown, now)
                    if now - spoken > 1.0 / TEXTS_PER_SECOND:
                        spoken = now
                        self.panel.show(snapshot, now)
                except Exception:  # one picture less, and nobody would know why others are missing
                    log.exception("the stage could not draw a frame")
                painted = shown

    def _record(self, suffix: str) -> None:
        self.engine.record(lambda take: self._shelf.keep(take, suffix, self.engine.say))

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
