"""`pliant feel SCENE`: a simulated hand feels a body of a scene at 1 kHz, and the loop is measured."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import SceneName, Settings, changes


def feel(
    scene: SceneName,
    seconds: Annotated[float, typer.Option(help="How long, in seconds.", min=0.1)] = 10.0,
    body: Annotated[
        str | None, typer.Option(help="Which body; the first that can be felt by default.")
    ] = None,
    coupling: Annotated[
        float, typer.Option(help="The spring between hand and body, in N/m.")
    ] = 2000.0,
    depth: Annotated[
        float, typer.Option(help="How deep the hand pokes, as a share of the body's size.")
    ] = 0.01,
    settings: Settings = None,
) -> None:
    """Poke a body once a second, and print how well a loop of 1 kHz keeps its time on this machine.

    The body moves in few coordinates or is one of boundary elements; others are touched as if they had
    no motion of their own. Numbers mean something on an idle machine only.
    """
    from pliant import scenefile as scene_files
    from pliant.bodies import BoundaryElements, Deformable, Modal
    from pliant.haptics import Loop, Simulated, poking
    from pliant.touch import Probe

    setup = scene_files.read(scene, overrides=changes(settings)).build()
    found = [one for one in setup.scene.bodies if body in (None, one.name)]
    if not found:
        names = ", ".join(one.name for one in setup.scene.bodies)
        raise ValueError(f"feel: got body {body!r}; expected one of {names}")
    moving = (Modal, BoundaryElements)  # by a law that takes less than a tick
    felt = next((one for one in found if isinstance(one, moving)), found[0])
    size, gravity = felt.mesh.size, setup.scene.gravity
    felt.place(felt.rest_shape(gravity))
    hand = Simulated(poking(felt, depth=depth * size, seconds=seconds))
    given: Deformable | Probe = felt
    if not isinstance(felt, moving):
        given = Probe(felt, radius=0.05 * size, gravity=gravity)
    loop = Loop(given, device=hand, coupling=coupling, radius=0.05 * size, gravity=gravity)
    typer.echo(f"{felt.name}: poked {1e3 * depth * size:.3g} mm deep, once a second")
    typer.echo(str(loop.run(seconds=seconds)))
