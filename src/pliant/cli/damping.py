"""`pliant damping SCENE`: the laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Dt, MeasuredBy, RestMeasure, SceneName, Seconds, Settings, changes


def damping(
    scene: SceneName,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The page.", show_default="SCENE-dampings.html"),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Try this damping only, by its name on the page; may be repeated."),
    ] = None,
    mesh: Annotated[
        bool, typer.Option("--mesh/--no-mesh", help="Also run on a finer mesh, the longest part.")
    ] = True,
    seconds: Seconds = None,
    dt: Dt = None,
    settings: Settings = None,
    measure: MeasuredBy = RestMeasure.rms,
) -> None:
    """Run every damping on a scene, and write one page that compares them."""
    from dataclasses import replace

    from pliant.errors import require_matplotlib
    from pliant.lab import Case, Interrupted, compare, report

    require_matplotlib("pages of the laboratory")  # before minutes of simulation
    case = Case.of(str(scene), changes(settings, seconds=seconds, dt=dt))
    case = replace(case, refines=case.refines and mesh, measure=measure.value)
    target = Path(f"{scene.stem}-dampings.html") if out is None else out
    if target.suffix.lower() != ".html":
        raise ValueError(f"damping: got --out {target}; expected a page, such as dampings.html")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"damping: there is no folder {str(target.parent)!r} to write to")
    stopped = False
    try:
        found = compare(case, only=only)
    except Interrupted as stop:
        found, stopped = stop.found, True
        if not found.findings:
            typer.echo("stopped  before a damping was done; nothing is written", err=True)
            raise typer.Exit(130) from None
    width = max(len(f"{f.body}: {f.name}") for f in found.findings)
    for f in found.findings:
        typer.echo(f"{f'{f.body}: {f.name}':<{width}}  {_told(f.rest_time, f.trouble)}")
    target.write_text(report(found), encoding="utf-8")
    typer.echo(f"written  {target}")
    if stopped:
        typer.echo("stopped  the page has only the dampings above", err=True)
        raise typer.Exit(130)


def _told(rest_time: float, trouble: str) -> str:
    if trouble:
        return trouble.split(". ")[0]
    if rest_time != rest_time:
        return "its pins or loads change until the end"
    if rest_time == float("inf"):
        return "does not rest within the run"
    return f"rests after {rest_time:.3g} s"
