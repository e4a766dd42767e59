"""`pliant play SCENE`: a scene file on the stage, live in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Device, Dt, SceneName, Settings, changes


def play(
    scene: SceneName,
    dt: Dt = None,
    device: Device = None,
    settings: Settings = None,
    host: Annotated[
        str,
        typer.Option(help="Where to listen; 0.0.0.0 lets in whoever has the address it prints."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The first port to try.", min=0, max=65535)] = 8080,
    folder: Annotated[
        Path, typer.Option(help="Where recordings and saved scenes go.", file_okay=False)
    ] = Path("."),
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
) -> None:
    """Play with a scene in the browser: grab a body, pull, let go, and watch it rest on cue."""
    from pliant import scenefile as scene_files
    from pliant.view import Stage

    file = scene_files.read(scene, overrides=changes(settings, dt=dt, device=device))
    setup = file.build()
    stage = Stage(
        setup.scene,
        dt=setup.dt,
        device=setup.device,
        stepper=setup.stepper,
        host=host,
        port=port,
        folder=folder,
        title=file.title or scene.stem,
        file=file,
        scenes=sorted(scene.parent.glob("*.toml")),
    )
    stage.play(browser=browser)
