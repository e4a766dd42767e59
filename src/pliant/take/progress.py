"""A progress bar on a terminal or in a notebook, and none in a pipe. It also reports compilations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pliant.backend import compilation
from pliant.errors import shown
from pliant.given import asked, flag

from .notebook_bar import NotebookBar, in_notebook

#: True or False; None: a bar on a terminal or in a notebook; or a function that is told (done, total)
#: each time.
Show = bool | None | Callable[[int, int], None]


@contextmanager
def progress_bar(total: int, what: str, show: Show = None) -> Iterator[Callable[[], None]]:
    """Yield a function that advances the bar by one."""
    if callable(show):
        yield _Counter(total, show)
        return
    if show is not False and in_notebook():
        drawn = NotebookBar(total, what)

        def go_on() -> None:
            compilation.over()
            drawn.advance()

        yield go_on
        return
    visible = sys.stderr.isatty() if show is None else flag("run", "progress", show)
    if not visible:
        yield compilation.over  # what the first step compiled is told when it is done
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance() -> None:
            compilation.over()
            bar.advance(task)

        yield advance


class _Counter:
    def __init__(self, total: int, tell: Callable[[int, int], None]):
        self._done, self._total, self._tell = 0, total, tell

    def __call__(self) -> None:
        compilation.over()
        self._done += 1
        refusal = (
            f"run: got progress={shown(self._tell)}; expected True, False or a function of two whole "
            "numbers (steps done, steps), e.g. progress=print"
        )
        asked(self._tell, self._done, self._total, refusal=refusal)
