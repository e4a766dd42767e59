"""The commands, and the options that come before them."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from . import (
    check,
    convert,
    damping,
    demo,
    doctor,
    feel,
    fit,
    new,
    play,
    run,
    settle,
    shape,
    show,
    study,
    sweep,
    transfer,
)

app = typer.Typer(
    help="Soft bodies that come to rest on cue.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    *(new, check, run, sweep, fit, play, feel, show, convert, settle, transfer, shape),
    *(damping, study, demo, doctor),
)
for command in COMMANDS:
    name = command.__name__.rpartition(".")[2]
    app.command(name)(getattr(command, name))


def _print_version(wanted: bool) -> None:
    if wanted:
        from pliant import __version__

        typer.echo(f"pliant {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what is done, and tracebacks of errors.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Soft bodies that come to rest on cue."""
    # A second run in the same process (tests, notebooks) must not inherit the first one's handler.
    log = logging.getLogger("pliant")
    log.handlers = [h for h in log.handlers if getattr(h, "name", None) != "pliant-cli"]
    log.setLevel(logging.INFO if verbose else logging.WARNING)
    if verbose:
        from rich.console import Console
        from rich.logging import RichHandler

        handler = RichHandler(console=Console(stderr=True), show_path=False)
        handler.set_name("pliant-cli")
        log.addHandler(handler)
