"""Which writer a suffix means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pliant.take import Take

Writer = Callable[["Take", Path], None]

_writers: dict[str, Writer] = {}
#: Named in the interface and not written yet; a writer that registers leaves this list by itself.
_PLANNED = (".usdc", ".glb", ".vtkhdf", ".html", ".mp4")


def writes(suffix: str) -> Callable[[Writer], Writer]:
    """Register a function as the writer of a suffix: `@writes(".npz")`."""

    def register(writer: Writer) -> Writer:
        _writers[suffix] = writer
        return writer

    return register


def known_suffixes() -> list[str]:
    """The suffixes that `save` writes."""
    return sorted(_writers)


def save(take: Take, path: str | Path) -> Path:
    """Write a take in the format of the suffix; folders on the way are made. Returns the path."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in _writers:
        known = ", ".join(known_suffixes())
        later = ", ".join(s for s in _PLANNED if s not in _writers)
        given = f"the suffix {path.suffix!r}" if path.suffix else f"no suffix in {path.name!r}"
        raise ValueError(
            f"save: got {given}; expected one of {known}"
            + (f" ({later} come in a later version)" if later else "")
            + f', e.g. take.save("{path.with_suffix(".npz").name}")'
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    _writers[suffix](take, path)
    return path
