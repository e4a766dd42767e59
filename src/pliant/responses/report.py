"""What a table costs and how far it is from what it was recorded of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .entries import Entries

Array = np.ndarray
#: The last entries of a table, which the others are asked for.
ASKED = 0.2


@dataclass(frozen=True)
class ResponsesReport:
    """`table.report()`: errors and sizes, against the rank and the number of entries.

    ranks: (rank, error, bytes) with `error` what the SVD leaves out of positions and velocities, as a
    share. counts: (entries, nearest, blended, bytes): of positions after pushes that the table has not
    seen, over their root mean square: of the nearest entry alone, and with the free response of the
    difference. Asked are the last fifth of the entries, of the ones before them.
    """

    rank: int
    entries: int
    size: int
    ranks: tuple[tuple[int, float, int], ...]
    counts: tuple[tuple[int, float, float, int], ...]

    def __str__(self) -> str:
        rows = [f"{self.entries} entries of rank {self.rank}, {self.size / 1e6:.3g} MB"]
        rows += ["", "   rank   error of the SVD       MB"]
        rows += [f"{r:7d} {e:18.2g} {b / 1e6:8.3g}" for r, e, b in self.ranks]
        rows += ["", "entries   nearest   with the difference       MB"]
        rows += [f"{n:7d} {a:9.2g} {b:21.2g} {s / 1e6:8.3g}" for n, a, b, s in self.counts]
        return "\n".join(rows)


def report_of(entries: Entries, values: Array, rows: int) -> ResponsesReport:
    """The report of entries; values: singular ones as shares; rows: coordinates of all points."""
    frames, r = int(entries.after.shape[1]), entries.rank

    def size(count: int, rank: int) -> int:
        states: int = 2 * rank * count * (frames + 1)
        return 8 * (rows * rank + states + frames * (2 * rank) ** 2)

    left = np.sqrt(np.append(np.cumsum(values[::-1] ** 2)[::-1], 0.0))
    ranks = sorted({k for k in (1, 2, 4, 8, 16, 32, 64, 128) if k < r} | {r})
    known = max(1, int((1.0 - ASKED) * len(entries)))
    counts = sorted({k for k in (known // 16, known // 4, known) if k})
    asked = entries.some(slice(min(known, len(entries) - 1), None))
    return ResponsesReport(
        rank=r,
        entries=len(entries),
        size=size(len(entries), r),
        ranks=tuple((k, float(left[k]), size(len(entries), k)) for k in ranks),
        counts=tuple((k, *errors(entries.first(k), asked), size(k, r)) for k in counts),
    )


def errors(entries: Entries, asked: Entries) -> tuple[float, float]:
    """Errors of positions over their root mean square: of the nearest entry, and with the difference."""
    r, found = entries.rank, []
    there = set(entries.kinds.tolist())
    for kind, state, true in zip(asked.kinds, asked.before, asked.after, strict=True):
        if int(kind) in there:
            near = entries.after[entries.nearest(int(kind), state)]
            both = near, entries.response(int(kind), state), 0.0 * true
            found.append([float(((each - true)[:, :r] ** 2).mean()) for each in both])
    if not found:
        return float("nan"), float("nan")
    nearest, blended, all_of_it = np.sqrt(np.mean(found, axis=0))
    scale = all_of_it or 1.0
    return float(nearest / scale), float(blended / scale)
