"""What was written, in few words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_NUMBERED = re.compile(r"(.*_)(\d{4,})\Z")


def in_few_words(paths: Sequence[Path]) -> list[str]:
    """One line for each file; of numbered ones, one for the whole series."""
    series: dict[tuple[Path, str, str], list[Path]] = {}
    for path in paths:
        numbered = _NUMBERED.match(path.stem)
        stem = numbered[1] if numbered else path.stem
        series.setdefault((path.parent, stem, path.suffix), []).append(path)
    return [
        str(files[0]) if len(files) == 1 else f"{files[0]} to {files[-1].name}, {len(files)} files"
        for files in series.values()
    ]
