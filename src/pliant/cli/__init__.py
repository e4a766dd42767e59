"""The command `pliant`; each command is one file, named in `app.py`.

A command reads its options, calls what Python users call, and prints what came of it. Errors become
one line and an exit status (`failures`). Nothing is computed here, and what a command needs is
imported when it runs, so that `pliant --help` stays quick.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

from .termination import INTERRUPTED, Termination


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line.

    Leaves with 0, 1 (a solver failed), 2 (a mistake in the request), 130 (interrupted) or 143
    (terminated).
    """
    with Termination() as ending:
        try:
            from .app import app
            from .failures import exit_code, show_warning

            with warnings.catch_warnings():
                warnings.showwarning = show_warning
                app(args=None if arguments is None else list(arguments), prog_name="pliant")
        except SystemExit as left:
            sys.exit(ending.code(left.code))
        except Exception as error:  # what is not a known failure keeps its traceback
            sys.exit(exit_code(error))
        except KeyboardInterrupt:
            sys.exit(ending.code(INTERRUPTED))
