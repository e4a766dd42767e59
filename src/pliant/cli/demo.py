"""`pliant demo`: one beam, several wishes, and what came of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

if TYPE_CHECKING:
    from rich.table import Table

    from pliant.bodies import Body
    from pliant.take import Take

BEAM_LENGTH = 4.0  # [m]
WISHES = ((0.5, 0), (1.0, 0), (2.0, 0))  # (rest_in [s], bounces): the same motion, three durations
BOUNCING_WISHES = ((2.0, 0), (2.0, 1), (2.0, 3))  # the same duration, three motions

NOTES = """\
rest    the distance stays below 1 % of its largest; with bounces, its fitted envelope
period  twice the mean time between sign changes of the bend
"""


@dataclass(frozen=True)
class Result:
    """A wish, the take that it gave, and what was measured on it."""

    rest_in: float
    bounces: int
    take: Take
    distance: np.ndarray  # to rest, as a share of the start, (frames,)
    amplitude: np.ndarray  # signed share of the start shape, (frames,)
    rest_time: float  # [s]: of the distance, or with bounces of the fitted envelope
    period: float | None  # [s]: twice the mean time between sign changes up to rest_in


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the picture and the take.")] = Path("out"),
    quick: Annotated[
        bool, typer.Option("--quick", help="A coarse beam, for a first look.")
    ] = False,
) -> None:
    """Ask one beam to rest in 0.5, 1 and 2 s, then to bounce 0, 1 and 3 times; measure and draw."""
    from rich.console import Console

    from pliant.errors import require_matplotlib

    from .demo_picture import demo_picture

    require_matplotlib("pictures")  # before the simulations
    out.mkdir(parents=True, exist_ok=True)
    body = beam((6, 2, 2) if quick else (16, 4, 4))
    results: dict[tuple[float, int], Result] = {}
    status = Console(stderr=True)
    with status.status("simulating") as line:
        for wish in dict.fromkeys((*WISHES, *BOUNCING_WISHES)):
            results[wish] = measure(body, *wish)
            line.update(f"{len(results)} beams simulated")
        line.update("drawing")
        picture = out / "demo.png"
        durations = [results[w] for w in WISHES]
        motions = [results[w] for w in BOUNCING_WISHES]
        demo_picture(durations, motions).savefig(picture, dpi=160)
        file = motions[-1].take.save(out / "demo.npz")
    console = Console(width=None if sys.stdout.isatty() else 96, markup=False)
    console.print(table(list(results.values())))
    console.print(NOTES, style="dim", highlight=False)
    console.print(f"picture  {picture}", f"take     {file}", sep="\n", soft_wrap=True)


def beam(cells: tuple[int, int, int]) -> Body:
    """A soft beam clamped at its left end."""
    import pliant as pl

    mesh = pl.meshes.box(size=(BEAM_LENGTH, 1, 1), cells=cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), density=1000.0, name="beam")
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def bent(points: np.ndarray, degrees: float) -> np.ndarray:
    """The beam rolled along an arc, its middle line unstretched."""
    radius = BEAM_LENGTH / np.radians(degrees)
    turn, arm = points[:, 0] / radius, radius - (points[:, 1] - 0.5)
    return np.stack([arm * np.sin(turn), 0.5 + radius - arm * np.cos(turn), points[:, 2]], axis=1)


def measure(body: Body, rest_in: float, bounces: int) -> Result:
    """Release the bent beam with a wish, and measure what it does."""
    import pliant as pl
    from pliant.take import crossings

    dt = 1 / 60
    body.reset()
    body.place(bent(body.mesh.points, degrees=70.0))
    body.damping = pl.Settle(rest_in=rest_in, bounces=bounces)
    # The status line above is the terminal's; a second bar would fight for it.
    take = pl.Scene([body]).run(seconds=2.5, dt=dt, progress=False)
    distance = take.distance()
    share = take[body].amplitude()
    rest_time, period = take.rest_time(), None
    if bounces:
        turns = crossings(take.times, share)
        period = 2.0 * float(np.diff(turns[turns <= rest_in]).mean())
    return Result(rest_in, bounces, take, distance / distance[0], share, rest_time, period)


def table(results: list[Result]) -> Table:
    """A table of what was asked and what was measured."""
    from rich.table import Table

    rows = Table(title="A bent beam, asked and measured", title_justify="left", title_style="bold")
    for head in ("bounces", "rest asked", "measured", "of asked", "period asked", "measured"):
        rows.add_column(head, justify="right")
    for r in results:
        row = [f"{r.bounces}", f"{r.rest_in:.3f} s", f"{r.rest_time:.3f} s"]
        row.append(f"{r.rest_time / r.rest_in:.1%}")
        if r.period is not None:
            row += [f"{r.rest_in / r.bounces:.3f} s", f"{r.period:.3f} s"]
        rows.add_row(*row)
    return rows
