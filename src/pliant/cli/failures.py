"""Failures in one line: what a user can mend needs no traceback."""

from __future__ import annotations

import logging

from pliant.errors import SolverError

MISTAKES = (ValueError, FileNotFoundError, NotADirectoryError, PermissionError)


def exit_code(error: Exception) -> int:
    """Print a known failure and return 1 for a solver's, 2 for a mistake; raise any other."""
    if isinstance(error, SolverError):
        code = 1
    elif isinstance(error, MISTAKES) or _lacks_an_extra(error):
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


def _lacks_an_extra(error: Exception) -> bool:
    """Whether an optional package is missing, and the error says how to get it."""
    return isinstance(error, ModuleNotFoundError) and "pip install" in str(error)
