"""A progress bar in a notebook, where there is no terminal."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from typing import Any

#: Seconds between two pictures of the bar, so that a quick run is not slowed by it.
_PAUSE = 0.1


def in_notebook() -> bool:
    """Whether this runs in a kernel of Jupyter. IPython is not imported for it."""
    module: Any = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    return shell is not None and "IPKernelApp" in shell.config


class NotebookBar:
    """A bar under the cell, drawn by the browser; it stays with what it said last."""

    def __init__(self, total: int, what: str):
        from IPython.display import HTML, display

        self._html: Callable[[str], Any] = HTML
        self._total, self._what, self._done = total, what, 0
        self._began = self._drawn = time.perf_counter()
        self._handle: Any = display(HTML(self._text()), display_id=True)

    def advance(self) -> None:
        """Go on by one."""
        self._done += 1
        now = time.perf_counter()
        if self._done == self._total or now - self._drawn > _PAUSE:
            self._drawn = now
            self._handle.update(self._html(self._text()))

    def _text(self) -> str:
        passed = time.perf_counter() - self._began
        left = ""
        if 0 < self._done < self._total:
            left = f", {passed / self._done * (self._total - self._done):.0f} s left"
        elif self._done:
            left = f", {passed:.1f} s"
        what = html.escape(self._what)
        return (
            f'<progress value="{self._done}" max="{self._total}" style="width: 20em" '
            f'aria-label="{what}"></progress> {what}: {self._done} of {self._total}{left}'
        )
