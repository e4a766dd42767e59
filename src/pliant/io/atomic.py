"""Files that are either whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a path beside `path`, of the same suffix, that takes its place when all went well."""
    draft = _draft(path)
    try:
        yield draft
        draft.chmod(0o666 & ~current_umask())  # mkstemp's files are for their owner only
        draft.replace(path)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(draft)):
            raise
        # A full disk does not say which file, and the draft's name tells a user nothing.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        draft.unlink(missing_ok=True)


def _draft(path: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(prefix=".writing-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    return Path(name)


def current_umask() -> int:
    """Which permissions new files of this process do not get."""
    umask = os.umask(0)
    os.umask(umask)
    return umask
