"""`pliant study NAME`: run one paper's figures and tables."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from pliant.errors import require_matplotlib

OUT = Path("out")


def study(
    name: Annotated[str, typer.Argument(help="Author and year, e.g. young-2007.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for what the study writes.", show_default="out/NAME")
    ] = None,
) -> None:
    """Run a study: one paper's figures and tables, compared with what it prints."""
    folder = find_study(name)
    require_matplotlib("studies")
    out = OUT / name if out is None else out
    out.mkdir(parents=True, exist_ok=True)
    # Studies are packages, so that their files can import each other; a hyphen in the name keeps
    # them from colliding with any other module.
    sys.path.insert(0, str(folder.parent))
    try:
        importlib.import_module(f"{name}.study").main(out)
    finally:
        sys.path.remove(str(folder.parent))
    typer.echo(f"results  {out}")


def find_study(name: str) -> Path:
    """The folder of a study, in the checkout or in the installed package."""
    places = study_places()
    for place in places:
        if (place / name / "study.py").is_file() and Path(name).name == name:
            return place / name
    known = sorted({f.parent.name for place in places for f in place.glob("*/study.py")})
    raise FileNotFoundError(
        f"study: there is no study {name!r}; expected one of: {', '.join(known) or 'none found'}"
    )


def study_places() -> list[Path]:
    """Where studies are looked for: `studies/` beside `src/`, then inside the package."""
    package = Path(__file__).parents[1]
    return [package.parents[1] / "studies", package / "_studies"]
