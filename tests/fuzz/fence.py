"""A scratch folder with neighbours that must not change, and a guard that sees every file opened.

    root/1/2/3/4/5/work       where a case puts its input and names its output
    root/1/2/3/4/5/precious   and a `precious.zarr`: nobody named them
    root/tmp, root/cache      for drafts and filled meshes

The guard is an audit hook of Python: it stops a write outside before it happens. What C libraries
write is found by comparing the neighbours afterwards.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
#: Events of Python that change files: which argument is a path, and which its folder's descriptor.
CHANGES = {
    "os.mkdir": {0: 2}, "os.rename": {0: 2, 1: 3}, "os.remove": {0: 1}, "os.rmdir": {0: 1},
    "os.symlink": {1: 2}, "os.link": {1: 3}, "os.truncate": {0: 9}, "os.chmod": {0: 2},
    "os.utime": {0: 3}, "shutil.rmtree": {0: 1},
}  # fmt: skip


class Trespass(BaseException):
    """A file that nobody named was about to be opened."""


class Fence:
    """Which files a case may touch. `begin` empties the work folder, `broken` says what was hurt."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        deep = self.root.joinpath(*"12345")
        self.work, self.precious = deep / "work", deep / "precious"
        for folder in (self.work, self.root / "tmp", self.root / "cache"):
            folder.mkdir(parents=True, exist_ok=True)
        _furnish(self.precious)
        _furnish(deep / "precious.zarr")
        self._before = _look(self.root, but=self._free)
        self.watched = False
        self.trespass = ""
        self._outputs: list[Path] = []
        self._take: Path | None = None
        sys.addaudithook(self._hear)

    @property
    def _free(self) -> tuple[Path, ...]:
        return self.work, self.root / "tmp", self.root / "cache"

    def begin(self) -> None:
        """Empty the work folder and go there; nothing is named yet."""
        self.watched, self.trespass, self._outputs, self._take = False, "", [], None
        for entry in os.scandir(self.work):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
        os.chdir(self.work)

    def names(self, *outputs: Path) -> None:
        """These files or folders may be written, and what stands beside them under their stem."""
        self._outputs += [path.absolute() for path in outputs]

    def closes(self, take: Path) -> None:
        """What is opened under this folder must not lie outside of it."""
        self._take = take.absolute()

    def broken(self) -> str:
        """What was hurt or opened that nobody named; empty if nothing was."""
        self.watched = False
        if self.trespass:
            return self.trespass
        now = _look(self.root, but=self._free)
        if now != self._before:
            changed = sorted(set(now.items()) ^ set(self._before.items()))
            for path in {name for name, _ in changed} - set(self._before):
                _remove(self.root / path)
            self._before = _look(self.root, but=self._free)
            return f"changed outside: {changed[0][0]}"
        return ""

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.watched:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, (str, bytes)):
                changing = bool(isinstance(flags, int) and flags & WRITING)
                self._check(os.fsdecode(path), changing, flags if isinstance(flags, int) else 0)
        elif event in CHANGES:
            for i, beside in CHANGES[event].items():
                if isinstance(arguments[i], (str, bytes, os.PathLike)):
                    folder = arguments[beside] if beside < len(arguments) else None
                    inside = isinstance(folder, int) and folder >= 0
                    base = os.readlink(f"/proc/self/fd/{folder}") if inside else ""
                    self._check(os.path.join(base, os.fsdecode(arguments[i])), True, 0)

    def _check(self, name: str, changing: bool, flags: int) -> None:
        path = os.path.abspath(name)
        if changing and not self._may_write(path):
            self._stop(f"wrote outside: {path}")
        elif not changing and self._take is not None and path.startswith(f"{self._take}{os.sep}"):
            self._check_read(path, flags)

    def _check_read(self, path: str, flags: int) -> None:
        last = path if flags & os.O_NOFOLLOW == 0 else os.path.dirname(path)
        real = os.path.realpath(last)
        if real != str(self._take) and not real.startswith(f"{self._take}{os.sep}"):
            self._stop(f"followed a link out of the take: {path} to {real}")
        if flags & os.O_NONBLOCK == 0 and os.path.exists(path):
            mode = os.stat(path).st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                self._stop(f"opened what is no regular file: {path}")

    def _may_write(self, path: str) -> bool:
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if real in ("/dev/null", "/dev/tty") or "__pycache__" in real:
            return True
        if any(f"{real}{os.sep}".startswith(f"{free}{os.sep}") for free in self._free[1:]):
            return True
        if f"{os.sep}.cache{os.sep}warp{os.sep}" in real:
            return True
        return any(_belongs(Path(real), output) for output in self._outputs)

    def _stop(self, said: str) -> None:
        self.trespass = self.trespass or said
        raise Trespass(said)


def _belongs(path: Path, output: Path) -> bool:
    """Whether a file is an output, in it, a folder on the way to it, or beside it by its stem."""
    if path == output or output in path.parents or path in output.parents:
        return True
    if output.parent not in path.parents:
        return False
    beside = path.relative_to(output.parent).parts[0]
    return beside.startswith((output.stem, ".writing-"))


def _furnish(folder: Path) -> None:
    (folder / "times").mkdir(parents=True, exist_ok=True)
    (folder / "secret.bin").write_bytes(bytes(range(256)) * 16)
    (folder / "times" / "0").write_bytes(b"\0" * 8)
    (folder / "times" / ".zarray").write_text("{}")


def _look(root: Path, but: tuple[Path, ...]) -> dict[str, tuple[int, ...]]:
    """Every file with what changes when it is written: the system keeps the time of that itself."""
    seen: dict[str, tuple[int, ...]] = {}
    hidden = {str(folder) for folder in but}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in hidden]
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            told = os.lstat(path)
            times = () if stat.S_ISDIR(told.st_mode) else (told.st_size, told.st_ctime_ns)
            seen[os.path.relpath(path, root)] = (told.st_mode, told.st_ino, *times)
    return seen


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
