"""`pliant play SCENE`: a scene file on the stage, live in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def play(
    scene: Annotated[Path, typer.Argument(help="A scene file, e.g. beam.toml.")],
    dt: Annotated[float | None, typer.Option(help="Time step in seconds.")] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a field, e.g. --set body.settle.rest_in=1.2"),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets other machines look and pull.")
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
    from pliant.io import scene as scene_files
    from pliant.view import Stage

    given = {"dt": dt, "device": device}
    changes = [f"run.{k}={v!r}" for k, v in given.items() if v is not None]
    file = scene_files.read(scene, overrides=[*(settings or []), *changes])
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
    )
    stage.play(browser=browser)
