"""Many cases after each other, and a summary of what they found."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from .case import Case
from .verdict import Verdict
from .watching import Worker


@dataclass
class Tally:
    """What the cases so far came to."""

    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)  # (family, kind)
    groups: dict[str, list[tuple[Case, Verdict]]] = field(default_factory=dict)
    slowest: dict[str, tuple[float, Case]] = field(default_factory=dict)
    largest: dict[str, tuple[float, Case]] = field(default_factory=dict)

    def add(self, case: Case, verdict: Verdict, cost: dict[str, float]) -> None:
        """Count a case."""
        self.kinds[case.family, verdict.kind] += 1
        if verdict.found:
            self.groups.setdefault(f"{case.family}: {verdict.group}", []).append((case, verdict))
        for most, name in ((self.slowest, "cpu"), (self.largest, "memory")):
            if cost.get(name, 0.0) > most.get(case.family, (0.0, case))[0]:
                most[case.family] = cost[name], case

    @property
    def cases(self) -> int:
        """How many."""
        return sum(self.kinds.values())

    @property
    def findings(self) -> int:
        """How many of them found something."""
        return sum(map(len, self.groups.values()))

    def summary(self) -> str:
        """Counts by family, then each place with one case that shows it."""
        lines = [f"{self.cases} cases, {self.findings} findings at {len(self.groups)} places"]
        for family in sorted({family for family, _ in self.kinds}):
            counts = {k: self.kinds[family, k] for k in ("ok", "refused", "finding")}
            words = ", ".join(f"{n} {kind}" for kind, n in counts.items())
            slow, big = self.slowest.get(family), self.largest.get(family)
            at_most = f"; at most {slow[0]:.1f} s ({slow[1]})" if slow else ""
            at_most += f", {big[0] / 2**20:.0f} MB ({big[1]})" if big else ""
            lines.append(f"  {family}: {words}{at_most}")
        for group, found in sorted(self.groups.items(), key=lambda item: -len(item[1])):
            case, verdict = min(found, key=lambda pair: len(pair[1].did))
            lines += [f"\n{len(found):5d} x {group}", f"        {case.command}"]
            said = " ".join(verdict.said.split())[:300]
            lines += [f"        {verdict.did[:200]}", f"        {said}"]
        return "\n".join(lines)


def in_turn(seed: int, round_: Mapping[str, int], start: int = 0) -> Iterator[Case]:
    """The cases of families without end; round_: how many of each come after each other."""
    for n in itertools.count(start):
        for family, count in round_.items():
            yield from (Case(family, n * count + k, seed) for k in range(count))


def run(
    cases: Iterator[Case],
    *,
    until: float | None = None,
    jobs: int = 1,
    tell: Callable[[Tally], None] | None = None,
) -> Tally:
    """Run cases until there are no more, the time [s, of time.monotonic] is over, or Ctrl-C."""
    tally, lock, enough = Tally(), threading.Lock(), threading.Event()

    def work() -> None:
        with Worker() as worker:
            while not enough.is_set() and (until is None or time.monotonic() < until):
                with lock:
                    case = next(cases, None)
                if case is None:
                    return
                verdict, cost = worker.run(case, tally.groups)
                with lock:
                    tally.add(case, verdict, cost)
                    if tell is not None:
                        tell(tally)

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:  # what was found is still told
        enough.set()
        for thread in threads:
            thread.join()
    return tally
