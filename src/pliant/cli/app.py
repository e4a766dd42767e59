"""The commands, and the options that come before them."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from . import check, convert, damping, demo, doctor, new, play, run, show, study

app = typer.Typer(
    help="Soft bodies that come to rest on cue.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("new")(new.new)
app.command("check")(check.check)
app.command("run")(run.run)
app.command("play")(play.play)
app.command("show")(show.show)
app.command("convert")(convert.convert)
app.command("damping")(damping.damping)
app.command("study")(study.study)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)


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
