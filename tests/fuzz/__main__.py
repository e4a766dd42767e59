"""`python -m tests.fuzz`: run cases and say what they found; leaves with 1 if they found something."""

from __future__ import annotations

import argparse
import sys
import time

from .campaign import Tally, in_turn, run
from .case import Case
from .families import FAMILIES, ROUND, available
from .watching import Worker


def main() -> int:
    """The command."""
    known = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    known.add_argument(
        "--seed", type=int, default=None, help="of the choices; the time if left out"
    )
    known.add_argument("--case", action="append", help="run this one again, e.g. takes:123")
    known.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    known.add_argument("--start", type=int, default=0, help="round to begin with")
    known.add_argument("--jobs", type=int, default=1, help="worker processes")
    known.add_argument("--family", action="append", choices=sorted(FAMILIES), help="only these")
    asked = known.parse_args()
    seed = int(time.time()) % 10**6 if asked.seed is None else asked.seed
    if asked.case:
        return again([Case.of(name, seed) for name in asked.case])
    print(f"seed {seed}, {asked.seconds:.0f} s", flush=True)
    began = time.monotonic()
    cases = in_turn(seed, {name: ROUND[name] for name in asked.family or available()}, asked.start)
    tally = run(cases, until=began + asked.seconds, jobs=asked.jobs, tell=Progress(began))
    print(tally.summary())
    return 1 if tally.findings else 0


def again(cases: list[Case]) -> int:
    """Run single cases and print all that is known of each."""
    found = False
    with Worker() as worker:
        for case in cases:
            verdict, cost = worker.run(case)
            found |= verdict.found
            print(f"{case}: {verdict.kind}  {verdict.group if verdict.found else ''}")
            print(f"did:  {verdict.did}\nsaid: {verdict.said}\ncost: {cost}")
    return 1 if found else 0


class Progress:
    """A line every few seconds."""

    def __init__(self, began: float, every: float = 10.0):
        self._began = self._told = began
        self._every = every
        self._known: set[str] = set()

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        for group in tally.groups.keys() - self._known:
            self._known.add(group)
            case, verdict = tally.groups[group][0]
            for line in (group, case.command, verdict.did[:200], verdict.said[-1500:]):
                print("       ", line, flush=True)
        if now - self._told > self._every:
            self._told = now
            rate = tally.cases / (now - self._began)
            print(
                f"{now - self._began:5.0f} s  {tally.cases} cases, {rate:.0f} per second, "
                f"{tally.findings} findings at {len(tally.groups)} places",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
