"""Failures in one line: what a user can mend needs no traceback."""

from __future__ import annotations

import logging

from pliant.errors import MissingExtraError, SolverError

MISTAKES = (
    ValueError,
    FileNotFoundError,
    NotADirectoryError,
    PermissionError,
    MissingExtraError,
)


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
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(("error: ", "bold red"), " ".join(str(error).split()))
    Console(stderr=True).print(line, soft_wrap=True)
    return code
