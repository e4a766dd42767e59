"""`pliant convert TAKE OUT`: a take in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .films import Colour, FilmCamera, FilmLook, FilmSize

FILMS = (".mp4", ".gif")

Fps = Annotated[float | None, typer.Option(help="Frames per second of what is written, e.g. 24.")]
Retime = Annotated[
    float | None,
    typer.Option(help="New times of the frames, so many a second, if those do not grow."),
]
Deformable = Annotated[
    bool,
    typer.Option(
        "--deformable", help="Also what simulates the bodies: see the proposal (.usd only)."
    ),
]


def convert(
    take: Annotated[Path, typer.Argument(help="A take: .zarr or .npz.")],
    out: Annotated[
        list[Path] | None, typer.Argument(help="Where to write, by suffix.", show_default=False)
    ] = None,
    also: Annotated[
        list[Path] | None, typer.Option("--out", "-o", help="The same, as `pliant run` takes it.")
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option("--beside", help="Another take, shown beside the first (.html only)."),
    ] = None,
    fps: Fps = None,
    retime: Retime = None,
    deformable: Deformable = False,
    curve: Annotated[
        bool, typer.Option("--curve", help="Draw the distance to rest beside films (.mp4, .gif).")
    ] = False,
    slow: Annotated[float, typer.Option(help="Films this many times as long.")] = 1.0,
    camera: FilmCamera = None,
    size: FilmSize = None,
    colour: Colour = None,
) -> None:
    """Write a take in other formats: .usdc .glb .pc2 .vtkhdf .mp4 .html and more."""
    from pliant import io
    from pliant.take import Take

    targets = [*(out or []), *(also or [])]
    if not targets:
        raise ValueError("convert: got no file to write; expected one, e.g. -o take.usdc")
    look = FilmLook.of(curve=curve, slow=slow, camera=camera, size=size, colour=colour)
    for target in targets:
        io.check_target(target)  # before the take is read
        _require(not beside, "--beside", target, (".html",), "it shows several")
        _require(not look.asked, ", ".join(look.asked), target, FILMS, "they are of films")
        _require(not deformable, "--deformable", target, (".usdc", ".usda", ".usd"), "a USD schema")
    found = Take.read(take, retime=retime)
    others = [Take.read(path) for path in beside or []]
    if fps is not None:
        found, *others = (each.resampled(fps) for each in (found, *others))
    for target in targets:
        files = [target]
        if beside:
            titles = [path.stem for path in (take, *beside)]
            io.save_html([found, *others], target, titles=titles)
        elif target.suffix.lower() in FILMS:
            look.film(found, target)
        elif deformable:
            io.save_usd(found, target, deformable=True)
        else:
            files = io.write_files(found, target)
        typer.echo(f"written  {io.in_words(files)}")


def _require(unused: bool, option: str, target: Path, suffixes: tuple[str, ...], why: str) -> None:
    """Refuse an option of other files than the one to be written."""
    if not unused and target.suffix.lower() not in suffixes:
        raise ValueError(f"{option}: got {target.name}; expected {' or '.join(suffixes)}: {why}")
