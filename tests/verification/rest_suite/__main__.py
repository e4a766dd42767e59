"""Runs the suite: python -m tests.verification.rest_suite --seed 1 --count 300 --jobs 2."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .measuring import Tried, tried
from .report import filled, missing, text


def main() -> int:
    """Print what was found; 1 if a scene is outside of the bars."""
    parser = argparse.ArgumentParser(prog="rest_suite", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the number of the first scene")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="scenes such as 1:17, in detail")
    parser.add_argument("--docs", type=Path, help="the page of the docs to fill")
    given = parser.parse_args()
    if given.only:
        seeds = [(int(a), int(b)) for a, b in (one.split(":") for one in given.only)]
    else:
        seeds = [(given.seed, given.first + k) for k in range(given.count)]
    done = run(seeds, given.jobs)
    if given.only:
        for t in done:
            print(t.said, *t.outside, t.refused, t.failed, f"({t.seconds:.1f} s)")
            print(*(f"  {r}" for r in t.results), sep="\n")
    print(text(done))
    if given.docs:
        given.docs.write_text(
            filled(given.docs.read_text(encoding="utf-8"), done), encoding="utf-8"
        )
    return int(any(t.failed or not all(r.passes for r in t.inside) for t in done))


def run(seeds: list[tuple[int, int]], jobs: int = 1) -> list[Tried]:
    """Try scenes, several at a time."""
    if jobs == 1:
        return [_told(t) for t in map(tried, seeds)]
    with ProcessPoolExecutor(jobs) as pool:
        return [_told(t) for t in pool.map(tried, seeds)]


def _told(t: Tried) -> Tried:
    """Say at once what misses: a suite takes minutes."""
    for line in missing(t):
        print(line, file=sys.stderr, flush=True)
    return t


if __name__ == "__main__":
    sys.exit(main())
