"""Which writer and which reader a suffix means."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from pliant.errors import check_positive
from pliant.kinds import BrokenPluginError, broken, load as load_plugin, plugins
from pliant.take import Take

#: Returns the files if they are others than the path, the one to open first.
Writer = Callable[["Take", Path], "list[Path] | None"]

#: Of a path, and of the frames per second that replace the times of the file, or None.
Reader = Callable[["Path", "float | None"], "Take"]

log = logging.getLogger("pliant")
#: Entry points of other packages: the suffix without its dot, and a module that has its `@writes`.
EXPORTERS = "pliant.exporters"
_writers: dict[str, Writer] = {}
_readers: dict[str, Reader] = {}
_without_energies: set[str] = set()
#: What to use instead of formats that are asked for and not written.
_INSTEAD = {".abc": "use .usdc, which Blender, Houdini and Maya read"}


def writes(suffix: str, *, energies: bool = True) -> Callable[[Writer], Writer]:
    """Register a function as the writer of a suffix: `@writes(".npz")`.

    energies: False if it neither writes nor draws them. A run does not count them if no format does.
    """

    def register(writer: Writer) -> Writer:
        _writers[suffix] = writer
        if not energies:
            _without_energies.add(suffix)
        return writer

    return register


def reads(suffix: str) -> Callable[[Reader], Reader]:
    """Register a function as the reader of a suffix: `@reads(".npz")`."""

    def register(reader: Reader) -> Reader:
        _readers[suffix] = reader
        return reader

    return register


def load(path: Path, retime: float | None = None) -> Take:
    """Read a take from a file or folder that holds all of it; retime: see `Take.read`."""
    if retime is not None:
        check_positive("Take.read", "retime", retime, "1/s")
    if not path.exists():
        raise FileNotFoundError(f"there is no take {str(path)!r}")
    if path.suffix.lower() not in _readers:
        raise ValueError(
            f"cannot read a take from {str(path)!r}; expected one of {', '.join(sorted(_readers))}: "
            "the other formats leave out what a take knows"
        )
    return _readers[path.suffix.lower()](path, retime)


def known_suffixes() -> list[str]:
    """The suffixes that `save` writes; one of another package that is broken is told and left out."""
    for point in plugins(EXPORTERS):
        try:
            _add(f".{point.name}")
        except BrokenPluginError as error:
            log.warning("%s", error)
    return sorted(_writers)


def _add(suffix: str) -> None:
    """Load the module of another package that writes a suffix, if there is one."""
    for point in plugins(EXPORTERS):
        if suffix == f".{point.name}" and suffix not in _writers:
            what = f"the exporter of {suffix}"
            load_plugin(point, what)
            if suffix not in _writers:
                raise broken(point, what, f'it has no function with @writes("{suffix}")')


def check_suffix(path: str | Path) -> str:
    """The suffix of a path that `save` can write; refuses the others."""
    path = Path(path)
    suffix = path.suffix.lower()
    _add(suffix)
    if suffix in _writers:
        return suffix
    given = f"the suffix {path.suffix!r}" if path.suffix else f"no suffix in {path.name!r}"
    instead = _INSTEAD.get(suffix, f'e.g. take.save("{path.with_suffix(".npz").name}")')
    raise ValueError(f"save: got {given}; expected one of {', '.join(known_suffixes())}; {instead}")


def shows_energies(path: Path) -> bool:
    """Whether the format of a path writes or draws energies."""
    return path.suffix.lower() not in _without_energies


def check_target(path: str | Path) -> str:
    """The suffix of a path; refuses, before hours of simulation, what `save` could not write."""
    path = Path(path)
    suffix = check_suffix(path)
    if suffix != ".zarr" and path.is_dir():
        raise ValueError(
            f"save: {str(path)!r} is a folder; expected the name of a file, e.g. "
            f"{str(path / ('take' + path.suffix))!r}"
        )
    parent = next(p for p in path.absolute().parents if p.exists())
    if not parent.is_dir():
        raise ValueError(
            f"save: got {str(path)!r}, where {str(parent)!r} is a file; expected a folder"
        )
    if not os.access(parent, os.W_OK):
        raise PermissionError(
            f"save: got {str(path)!r}; nothing may be written to the folder {str(parent)!r}"
        )
    return suffix


def save(take: Take, path: str | Path) -> Path:
    """Write a take in the format of the suffix; folders on the way are made. Returns the path."""
    write_files(take, path)
    return Path(path)


def write_files(take: Take, path: str | Path) -> list[Path]:
    """As `save`. Returns all files that were written: some formats have one per frame or body."""
    path = Path(path)
    suffix = check_target(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return _writers[suffix](take, path) or [path]


def in_words(files: Sequence[Path]) -> str:
    """Files that were written, on one line."""
    if len(files) < 3:
        return ", ".join(map(str, files))
    return f"{files[0]} to {files[-1].name} ({len(files)} files)"
