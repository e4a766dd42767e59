"""The command `pliant`; each command is one file, named in `app.py`."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line.

    Leaves with 0, 1 (a solver failed), 2 (a mistake in the request) or 130 (interrupted).
    """
    try:
        from .app import app
        from .failures import exit_code, show_warning

        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            app(args=None if arguments is None else list(arguments), prog_name="pliant")
    except Exception as error:  # what is not a known failure keeps its traceback
        sys.exit(exit_code(error))
    except KeyboardInterrupt:
        sys.exit(130)
