"""`pliant show TAKE`: play a take in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def show(
    take: Annotated[list[Path], typer.Argument(help="A take; several are shown side by side.")],
) -> None:
    """Open a page that plays a take."""
    from pliant import io
    from pliant.take import Take

    io.show([Take.read(path) for path in take], titles=[path.stem for path in take])
