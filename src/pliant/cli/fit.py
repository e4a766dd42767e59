"""`pliant fit SCENE`: the parameters with which bodies rest, or move, where they were seen to."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import SceneName, Settings
from .sweep import Scheduler

if TYPE_CHECKING:
    from pliant import many


class FitMethod(str, Enum):
    """How parameters are searched."""

    gauss_newton = "gauss-newton"
    l_bfgs = "l-bfgs"
    cma_es = "cma-es"
    annealing = "annealing"


def fit(
    scene: SceneName,
    target: Annotated[
        Path,
        typer.Option(
            help="A take (.zarr, .npz), point tracks (.csv, .pc2, .mdd), or a mesh of a body at rest."
        ),
    ],
    vary: Annotated[
        list[str],
        typer.Option(help="A field and its range, e.g. --vary body.material.young=1e3:1e6."),
    ],
    start: Annotated[
        list[str] | None,
        typer.Option(
            help="Where to begin, e.g. --start body.material.young=1e4; else in the middle."
        ),
    ] = None,
    method: Annotated[
        FitMethod, typer.Option(help="By derivatives, or by trying many.")
    ] = FitMethod.gauss_newton,
    at_rest: Annotated[
        bool, typer.Option("--at-rest", help="Where the take ended is where bodies rest.")
    ] = False,
    fps: Annotated[
        float | None, typer.Option(help="Frames per second of .pc2 files and of frames in a .csv.")
    ] = None,
    evaluations: Annotated[
        int, typer.Option(help="Of cma-es and annealing, at most.", min=1)
    ] = 300,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the scene with what was found.")
    ] = None,
    scheduler: Scheduler = None,
    settings: Settings = None,
) -> None:
    """Find the values of fields for which bodies are nearest to where a target has them."""
    from pliant import many, scenefile as scene_files

    file = scene_files.read(scene, overrides=settings or [])
    maker, ranges = many.SceneMaker.of(file), ranges_of(vary)
    for field, ends in ranges.items():
        for value in ends:
            maker.file(**{field: value})  # refused before the first is solved
    with many.client_at(scheduler) as client:
        found = many.fit(
            maker,
            many.read_target(target, fps=fps),
            vary=ranges,
            start=start_of(start or []),
            method=method_of(method, evaluations),
            at_rest=at_rest,
            dt=file.run.step,
            stepper=file.run.make_stepper(),
            client=client,
        )
    typer.echo(found.report())
    if out is not None:
        overrides = [f"{field}={value!r}" for field, value in found.values.items()]
        typer.echo(f"written  {file.override(overrides).save(out)}")


def ranges_of(vary: list[str]) -> dict[str, tuple[float, float]]:
    """The fields to vary, each with its range."""
    from pliant import many

    found = many.fields_of(vary, option="--vary")
    for field, ends in found.items():
        if not isinstance(ends, tuple):
            raise ValueError(
                f"--vary {field}: expected a range, e.g. --vary body.material.young=1e3:1e6"
            )
    return found


def start_of(start: list[str]) -> dict[str, float]:
    """Where each field begins."""
    from pliant import many

    found = many.fields_of(start, option="--start")
    for field, values in found.items():
        if isinstance(values, tuple) or len(values) != 1:
            raise ValueError(
                f"--start {field}: expected one number, e.g. --start body.material.young=1e4"
            )
    return {field: values[0] for field, values in found.items()}


def method_of(way: FitMethod, evaluations: int) -> many.Method:
    """The method of a word."""
    from pliant import many

    if way is FitMethod.cma_es:
        return many.CMAES(evaluations=evaluations)
    if way is FitMethod.annealing:
        return many.Annealing(evaluations=evaluations)
    return many.LBFGS() if way is FitMethod.l_bfgs else many.GaussNewton()
