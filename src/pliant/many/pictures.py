"""The takes of a sweep beside each other: a page, a filmstrip, a film."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pliant.io import check_target, save_filmstrip, save_html, save_mosaic

if TYPE_CHECKING:
    from .sweep import VariantResult

log = logging.getLogger("pliant")
PAGE = "index.html"
#: Takes on one page or in one film: more are too small to be seen.
MOST_ON_A_PAGE = 64
_KINDS = (".html", ".png", ".mp4", ".gif")


def check_picture(path: Path) -> None:
    """Refuse, before the sweep, a file that takes cannot be drawn into."""
    if path.suffix.lower() not in _KINDS:
        raise ValueError(
            f"-o: got {path.name}; expected the folder of a sweep, e.g. beam.sweep, or one of "
            f"{', '.join(_KINDS)}"
        )
    check_target(path)


def draw(results: Sequence[VariantResult], path: Path) -> Path:
    """Draw all takes that there are into one file, by its suffix."""
    whole = [result for result in results if result.outcome.frames]
    if not whole:
        raise ValueError(f"{path}: no variant has a frame that could be shown")
    shown = whole[:MOST_ON_A_PAGE]
    if len(shown) < len(whole):
        log.warning("%s shows the first %d of %d takes", path, len(shown), len(whole))
    takes, titles = [result.take for result in shown], [result.variant.name for result in shown]
    suffix = path.suffix.lower()
    if suffix == ".html":
        return save_html(takes, path, titles=titles)
    if suffix == ".png":
        return save_filmstrip(takes, path, titles=titles)
    return save_mosaic(takes, path, titles=titles)
