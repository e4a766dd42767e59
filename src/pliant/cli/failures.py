"""Failures in one line: what a user can mend needs no traceback."""

from __future__ import annotations

import logging
from typing import TextIO

from pliant.errors import MissingExtraError, SolverError, in_scene

MISTAKES = (ValueError, OSError, MemoryError, MissingExtraError)


def exit_code(error: Exception) -> int:
    """Print a known failure and return 1 for a solver's, 2 for a mistake; raise any other."""
    if isinstance(error, SolverError):
        code = 1
    elif isinstance(error, MISTAKES):
        code = 2
    else:
        raise error
    if logging.getLogger("pliant").isEnabledFor(logging.INFO):
        raise error  # --verbose: a developer is looking
    print_line("error", "bold red", in_words(error))
    return code


def print_line(label: str, style: str, message: str) -> None:
    """Print a message on one line of standard error, after a label in colour."""
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble((f"{label}: ", style), " ".join(message.split()))
    Console(stderr=True).print(line, soft_wrap=True)


def in_words(error: Exception) -> str:
    """The message of an error, in words also where Python or numpy have only numbers and shapes."""
    if isinstance(error, MemoryError):
        return f"not enough memory; expected fewer cells, bodies or frames: {error}"
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror.lower()}"
    return in_scene(error)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning in one line; where our code stands that gave it is of no use to a user."""
    print_line("warning", "bold yellow", str(message))
