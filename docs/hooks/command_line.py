"""The page of commands, from the functions that are the commands."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from typer.models import ArgumentInfo, OptionInfo

HEAD = """\
# Command line

`pliant COMMAND --help` prints the same. A failure is one line on standard error;
`pliant -v COMMAND` adds the traceback.

| exit code | |
|---|---|
| 0 | done |
| 1 | a step could not be solved; the frames before it are kept |
| 2 | a mistake in what was asked: the line names the file, the field and the fix |
| 130 | stopped by Ctrl-C; the frames so far are kept |
| 143 | stopped by `kill` (SIGTERM), also in the background, where Ctrl-C is ignored; likewise |
"""
WORDS = {Path: "path", str: "text", float: "number", int: "whole number"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, "command-line.md", content=page()))
    return files


def page() -> str:
    """All commands in the order in which the program lists them."""
    from pliant.cli.app import app

    commands = [
        (c.name, c.callback) for c in app.registered_commands if c.callback and not c.hidden
    ]
    rows = [f"| [`{name}`](#{name}) | {first_line(call)} |" for name, call in commands]
    parts = [HEAD, "| command | |\n|---|---|\n" + "\n".join(rows)]
    return "\n\n".join([*parts, *(section(str(name), call) for name, call in commands)]) + "\n"


def section(name: str, call: Callable[..., Any]) -> str:
    """One command: what it does, how it is called, what may be given."""
    given = list(parameters(call))
    arguments = [p for p in given if isinstance(p[1], ArgumentInfo)]
    usage = " ".join(["pliant", name, *(argument(*p) for p in arguments)])
    if len(arguments) < len(given):
        usage += " [OPTIONS]"
    rows = [row(*p) for p in given]
    table = "| | | |\n|---|---|---|\n" + "\n".join(rows) if rows else ""
    return f"## {name}\n\n{inspect.getdoc(call)}\n\n```sh\n{usage}\n```\n\n{table}"


def parameters(call: Callable[..., Any]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Name, what typer knows of it, type and default of every parameter."""
    hints = get_type_hints(call, include_extras=True)
    for name, parameter in inspect.signature(call).parameters.items():
        hint = hints[name]
        if get_origin(hint) is Annotated:
            kind, *notes = get_args(hint)
            about = next(n for n in notes if isinstance(n, (ArgumentInfo, OptionInfo)))
            yield name, about, kind, parameter.default


def argument(name: str, about: ArgumentInfo, kind: Any, default: Any) -> str:
    """An argument as it stands in the usage line."""
    word = name.upper() + ("..." if get_origin(bare(kind)) is list else "")
    return word if default is inspect.Parameter.empty else f"[{word}]"


def row(name: str, about: Any, kind: Any, default: Any) -> str:
    """One line of the table."""
    kind = bare(kind)
    several, kind = get_origin(kind) is list, get_args(kind)[0] if get_args(kind) else kind
    if isinstance(about, ArgumentInfo):
        shown = f"`{name.upper()}`"
    else:
        shown = ", ".join(f"`{option}`" for option in spellings(name, about, kind))
    word = "" if kind is bool else choices(kind) + (", repeatable" if several else "")
    said = (about.help or "").rstrip(".").replace("|", "\\|")
    usual = standard(about, default)
    return f"| {shown} | {word} | {said}{f' (default: {usual})' if usual else ''} |"


def spellings(name: str, about: OptionInfo, kind: Any) -> list[str]:
    """How an option is written; in an annotation its first spelling stands where a default would."""
    given = [about.default, *(about.param_decls or ())]
    written = [w for w in given if isinstance(w, str) and w.startswith("-")]
    long = name.replace("_", "-")
    return written or ([f"--{long}", f"--no-{long}"] if kind is bool else [f"--{long}"])


def standard(about: Any, default: Any) -> str:
    """What is taken if nothing is given."""
    if isinstance(about.show_default, str):
        return f"`{about.show_default}`"
    if isinstance(default, bool) or default in (None, inspect.Parameter.empty):
        return ""
    return f"`{default.value if isinstance(default, Enum) else default}`"


def choices(kind: Any) -> str:
    """What a value may be."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{member.value}`" for member in kind)
    return WORDS.get(kind, getattr(kind, "__name__", str(kind)))


def bare(kind: Any) -> Any:
    """A type without its None."""
    if get_origin(kind) in (Union, types.UnionType):
        return next(a for a in get_args(kind) if a is not type(None))
    return kind


def first_line(call: Callable[..., Any]) -> str:
    """The first sentence about a command."""
    return (inspect.getdoc(call) or "").splitlines()[0]
