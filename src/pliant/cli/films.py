"""How films look: the options of commands that make some."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.io import Camera, ColourBy

if TYPE_CHECKING:
    from pliant.take import Take

FilmCamera = Annotated[
    str | None,
    typer.Option(
        "--camera",
        help="Films from the front, back, left, right or top, or AZIMUTH,ELEVATION in degrees.",
        show_default="24,22",
    ),
]
FilmSize = Annotated[
    str | None, typer.Option("--size", help="Pixels of films.", show_default="1280x720")
]
Colour = Annotated[
    ColourBy | None,
    typer.Option(
        "--colour",
        help="Films in colours of the distance to rest, or each body in that of its material.",
        show_default="rest",
    ),
]


@dataclass(frozen=True)
class FilmLook:
    """What was asked of films; asked: the options, as they were written."""

    curve: bool
    slow: float
    camera: Camera | None
    size: tuple[int, int] | None
    colour: ColourBy
    asked: tuple[str, ...]

    @classmethod
    def of(
        cls,
        *,
        curve: bool,
        slow: float,
        camera: str | None,
        size: str | None,
        colour: ColourBy | None,
    ) -> FilmLook:
        """Read the options."""
        given = {
            "--curve": curve,
            "--slow": slow != 1.0,
            "--camera": camera is not None,
            "--size": size is not None,
            "--colour": colour is not None,
        }
        return cls(
            curve,
            slow,
            None if camera is None else Camera.read(camera),
            None if size is None else pixels(size),
            colour or ColourBy.rest,
            tuple(option for option, there in given.items() if there),
        )

    def film(self, take: Take, path: Path) -> None:
        """Make the film of a take."""
        from pliant.io import save_film

        save_film(
            take,
            path,
            size=self.size,
            curve=self.curve,
            slow=self.slow,
            camera=self.camera,
            colour=self.colour,
        )


def pixels(text: str) -> tuple[int, int]:
    """The size that WIDTHxHEIGHT says."""
    found = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text.strip())
    if found is None:
        raise ValueError(f"--size: got {text[:40]!r}; expected WIDTHxHEIGHT, e.g. 1920x1080")
    return int(found[1]), int(found[2])
