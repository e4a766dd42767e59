"""`results.csv`: a line for each variant of a sweep."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pliant.errors import shown
from pliant.io import atomic_write

from .folder import SweepFolder
from .outcome import Outcome, VariantState
from .variants import Variant

#: The file is written again after this time [s].
EVERY = 2.0


class ResultsTable:
    """What came of the variants of a sweep, written now and then, and when the block ends."""

    def __init__(self, folder: SweepFolder):
        self._folder, self._last = folder, time.monotonic()
        found = {v.name: folder.outcome(v) for v in folder.variants}
        self.outcomes = {name: outcome for name, outcome in found.items() if outcome is not None}

    def __enter__(self) -> ResultsTable:
        return self

    def __exit__(self, kind: type[BaseException] | None, *failure: object) -> None:
        with suppress(*(() if kind is None else (OSError,))):  # the failure is what is told
            self._write()

    def add(self, outcome: Outcome) -> None:
        """Note what came of a variant."""
        self.outcomes[outcome.name] = outcome
        if time.monotonic() - self._last > EVERY:
            self._write()

    def _write(self) -> None:
        rows = [(v, self.outcomes.get(v.name)) for v in self._folder.variants]
        write_results(self._folder.path / "results.csv", rows)
        self._last = time.monotonic()


def write_results(path: Path, rows: Sequence[tuple[Variant, Outcome | None]]) -> None:
    """Write `results.csv`: a line for each variant, with its fields and what came of it."""
    fields = list(dict.fromkeys(f for variant, _ in rows for f in variant.values))
    columns = list(dict.fromkeys(c for _, o in rows if o is not None for c in o.measured))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["variant", *fields, "state", *columns, "seconds", "trouble"])
    for variant, outcome in rows:
        found = outcome or Outcome(variant.name, VariantState.stopped)
        told = [variant.name, *(_cell(variant.values.get(f)) for f in fields)]
        told += ["" if outcome is None else found.state.value]
        told += [_cell(found.measured.get(c)) for c in columns]
        table.writerow([*told, "" if outcome is None else f"{found.seconds:.3f}", found.trouble])
    with atomic_write(path) as draft:
        draft.write_text(text.getvalue(), encoding="utf-8")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, default=shown)
