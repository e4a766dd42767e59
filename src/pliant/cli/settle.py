"""`pliant settle CACHE --from A --rest-at B -o OUT`: a cached motion that comes to rest on cue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np

    from pliant.bodies import Deformable
    from pliant.io import Cache
    from pliant.take import Take


def settle(
    cache: Annotated[Path, typer.Argument(help="What moves: .usd, .usdc, .pc2 or .mdd.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write, by suffix.")],
    start: Annotated[float, typer.Option("--from", help="The first frame that is simulated.")],
    rest_at: Annotated[float, typer.Option("--rest-at", help="The frame at which it rests.")],
    bounces: Annotated[int, typer.Option(help="How often it swings until then.")] = 0,
    until: Annotated[
        float | None, typer.Option(help="The last frame; by default that of the rest.")
    ] = None,
    rest: Annotated[
        float | None,
        typer.Option(
            "--rest", help="The frame whose shape is the rest shape; the first by default."
        ),
    ] = None,
    fix: Annotated[
        str | None,
        typer.Option(help='What is held, as "y > 0.99"; by default what stands still so far.'),
    ] = None,
    fps: Annotated[
        float | None, typer.Option(help="Frames a second of a .pc2; 24 by default.")
    ] = None,
    prim: Annotated[str | None, typer.Option(help="The mesh in a USD file with several.")] = None,
    faces: Annotated[
        Path | None, typer.Option(help="A surface file with the faces, of .pc2 and .mdd.")
    ] = None,
) -> None:
    """Keep a cached motion up to a frame, and let it come to rest by another."""
    from pliant import io
    from pliant.control import Settle
    from pliant.mesh import Surface
    from pliant.scene import Scene

    io.check_target(out)  # before anything is made
    surface = None if faces is None else Surface.read(faces)
    motion = io.Cache.read(cache, fps=fps, prim=prim, surface=surface)
    rate = (motion.frames[-1] - motion.frames[0]) / motion.times[-1]
    end = rest_at if until is None else until
    if not start < rest_at <= end:
        raise ValueError(
            f"--from {start:g} --rest-at {rest_at:g} --until {end:g}: expected each after the one before"
        )
    body = _body(motion, rest)
    _hold(body, motion, start, rest, fix)
    body.damping = Settle(rest_in=(rest_at - start) / rate, bounces=bounces)
    motion.start(body, frame=start)
    take = Scene(body, contact=False).run(seconds=(end - start) / rate, dt=1.0 / rate)
    files = io.write_files(motion.continued(take, frame=start), out)
    typer.echo(f"frames {motion.frames[0]:g} to {end:g}, simulated from {start:g}")
    typer.echo(f"held     {int(body.pinned.sum())} of {len(body)} points")
    typer.echo(f"left     {100.0 * _left(take):.2f} % of the way to rest")
    typer.echo(f"written  {io.in_words(files)}")


def _hold(
    body: Deformable, motion: Cache, start: float, rest: float | None, fix: str | None
) -> None:
    """Hold what was asked for, or what stands still up to the start."""
    held = motion.still(start) if fix is None else _held(motion, rest, fix)
    if not held.any():
        raise ValueError(
            f"{motion.name}: no point to hold was found, and its motion as a whole goes on; expected "
            'what to hold, as in --fix "y > 0.99"'
        )
    body.fix(held if len(held) == len(body) else _carriers(body, held))


def _body(motion: Cache, rest: float | None) -> Deformable:
    """A solid in a closed surface, a shell on an open one."""
    from pliant import Body, Shell
    from pliant.materials import StableNeoHookean
    from pliant.mesh import generators

    faces = motion.faces(rest)
    if not faces.report().closed:
        mesh = motion.mesh(rest)
        return Shell(mesh, young=1e6, thickness=mesh.size / 200.0, density=1000.0)
    body = Body(generators.tetrahedralise(faces), StableNeoHookean(young=1e5, poisson=0.4))
    body.wear(faces)
    return body


def _held(motion: Cache, rest: float | None, text: str) -> np.ndarray:
    """The points of the cache that a condition selects in the rest shape."""
    import numpy as np

    from pliant.scenefile import evaluate

    mesh = motion.mesh(rest)
    mask = np.zeros(len(mesh), dtype=bool)
    mask[:] = evaluate(text, mesh)
    return mask


def _carriers(body: Deformable, held: np.ndarray) -> np.ndarray:
    """The points of a body that carry the shown points of a mask."""
    import numpy as np

    found = np.zeros(len(body), dtype=bool)
    found[body.skin.nodes[held].ravel()] = True
    return found


def _left(take: Take) -> float:
    """The share of the way to rest that is left in the last frame."""
    distance = take.tracks[0].distance()
    return float(distance[-1] / max(float(distance[0]), 1e-300))
