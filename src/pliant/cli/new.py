"""`pliant new NAME`: a starter scene that runs as it is and shows every section."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new(
    name: Annotated[Path, typer.Argument(help="Name of the scene; NAME.toml is written.")],
) -> None:
    """Write a commented starter scene."""
    path = name if name.suffix == ".toml" else name.with_name(name.name + ".toml")
    if path.exists():
        raise ValueError(f"new: {str(path)!r} is there already; choose another name or remove it")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(starter(), encoding="utf-8")
    typer.echo(f"written  {path}\nnext     pliant check {path}\n         pliant run {path}")


def starter() -> str:
    """The text of the starter scene."""
    return Path(__file__).with_name("starter.toml").read_text(encoding="utf-8")
