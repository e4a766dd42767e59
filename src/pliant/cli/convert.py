"""`pliant convert TAKE OUT`: a take in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def convert(
    take: Annotated[Path, typer.Argument(help="A take: .zarr or .npz.")],
    out: Annotated[list[Path], typer.Argument(help="Where to write, by suffix.")],
    beside: Annotated[
        list[Path] | None,
        typer.Option("--beside", help="Another take, shown beside the first (.html only)."),
    ] = None,
    curve: Annotated[
        bool, typer.Option("--curve", help="Draw the distance to rest beside films (.mp4, .gif).")
    ] = False,
    slow: Annotated[float, typer.Option(help="Films this many times as long.")] = 1.0,
) -> None:
    """Write a take in other formats: .usdc .glb .pc2 .vtkhdf .mp4 .html and more."""
    from pliant import io
    from pliant.take import Take

    for target in out:
        io.check_target(target)  # before the take is read
        if beside and target.suffix.lower() != ".html":
            raise ValueError(
                f"--beside: got {target.name}; expected a .html file: it shows several"
            )
        if (curve or slow != 1.0) and target.suffix.lower() not in (".mp4", ".gif"):
            raise ValueError(f"--curve, --slow: got {target.name}; expected a film, .mp4 or .gif")
    found = Take.read(take)
    for target in out:
        files = [target]
        if beside:
            from pliant.io import save_html

            titles = [path.stem for path in (take, *beside)]
            save_html([found, *map(Take.read, beside)], target, titles=titles)
        elif target.suffix.lower() in (".mp4", ".gif"):
            from pliant.io import save_film

            save_film(found, target, curve=curve, slow=slow)
        else:
            files = io.write_files(found, target)
        typer.echo(f"written  {io.in_words(files)}")
