"""`pliant check SCENE`: what a scene file means, and whether it can run, before it does."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pliant.resources import in_bytes

from .failures import print_line
from .options import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from .check_cost import Cost
    from .check_report import BodyReport


def check(
    scene: Annotated[
        Path | None, typer.Argument(help="A scene file, e.g. beam.toml.", show_default=False)
    ] = None,
    settings: Settings = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of scene files.")
    ] = False,
) -> None:
    """Validate a scene; report meshes, natural periods, the longest dt, the wish and the cost."""
    from pliant import scenefile as scene_files
    from pliant.errors import in_scene

    if schema:
        typer.echo(scene_files.json_schema(), nl=False)
        return
    if scene is None:
        raise ValueError("check: got no scene; expected e.g. pliant check beam.toml")
    from rich.console import Console
    from rich.text import Text

    from .check_body import report_body
    from .check_cost import measure_cost

    console = Console(width=None if sys.stdout.isatty() else 96, highlight=False)
    try:
        file = scene_files.read(scene, settings or ())
        setup = file.build()
    except scene_files.SceneError as error:
        fail(error.mistakes)
    reports = [report_body(body, setup) for body in setup.scene.bodies]
    for report in reports:
        print_body(console, report)
    problems = []
    for report in reports:
        for name, problem in report.problems:
            path = name.split(".") if "." in name else ("body", report.name, name)
            problems.append(f"{file.source.locate(tuple(path))}: {problem}")
    cost: Cost | None = None
    if not problems:
        try:
            cost = measure_cost(setup)
        except (ValueError, RuntimeError) as error:
            problems.append(f"{scene.name}: {in_scene(error)}")
    if cost is not None:
        print_cost(console, cost)
    if problems:
        fail(problems)
    console.print(Text.assemble(("ready", "green"), f"  pliant run {scene}"), soft_wrap=True)


def fail(problems: list[str]) -> NoReturn:
    """Print each problem in one line and leave with 2."""
    for problem in problems:
        print_line("error", "bold red", problem)
    raise typer.Exit(2)


def print_body(console: Console, report: BodyReport) -> None:
    """One body as a table of facts."""
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(report.name), title_justify="left", title_style="bold", show_header=False
    )
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, fact in report.facts.items():
        table.add_row(name, Text(fact))
    console.print(table)
    for remark in report.remarks:
        note = Text.assemble(("note", "yellow"), f"   {report.name}: {remark}")
        console.print(note, soft_wrap=True)


def print_cost(console: Console, cost: Cost) -> None:
    """The time and memory that a run will take."""
    console.print(
        f"cost   {cost.steps} steps of {cost.dt:.4g} s, {seconds(cost.step)} each: about "
        f"{seconds(cost.start + cost.steps * cost.step)} on {cost.device}; "
        f"{cost.frames} frames, {in_bytes(cost.bytes)} as .zarr"
        + ("" if cost.quiet else " (judged by the first steps; driven points may cost more later)"),
        soft_wrap=True,
    )


def seconds(value: float) -> str:
    """A duration for people."""
    if value < 1.0:
        return f"{1e3 * value:.2g} ms" if value < 0.1 else f"{1e3 * value:.0f} ms"
    if value < 120.0:
        return f"{value:.1f} s" if value < 10.0 else f"{value:.0f} s"
    return f"{value / 60.0:.0f} min" if value < 7200.0 else f"{value / 3600.0:.1f} h"
