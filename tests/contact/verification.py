"""All cases of contact with known answers, each many times with noise of 1e-6 m, as one table (Linux).

    python -m tests.contact.verification --jobs 16
    python -m tests.contact.verification --small --rows hertz mat --seeds 3
    python -m tests.contact.verification --small --jobs 16 --seconds 300 --out table

Each run is a process of its own, with a time limit; the rows that take least go first. `--small`:
meshes and times for two cores. `--out`: a folder for `runs.csv`, a line a run, and `table.md`, which
is written anew after each. Leaves with 1 if a run fails.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from tests.contact.rows import ROWS

HEAD = """| case | passed | not run | measured | from | to | processor time of a run [s] |
|---|---|---|---|---|---|---|"""


@dataclass(frozen=True)
class Run:
    """A run of a row: what it measured, or why it failed, and its processor time [s]."""

    name: str
    seed: int
    found: float | str
    seconds: float


def main() -> int:
    args = _arguments()
    if args.case is not None:
        name, seed = args.case.rsplit(":", 1)
        found = float(ROWS[name].run(int(seed), args.small))
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(json.dumps([found, used.ru_utime + used.ru_stime]))
        return 0
    rows = sorted(args.rows or ROWS, key=lambda name: ROWS[name].seconds)
    runs: list[Run] = []
    for run in _runs(rows, args):
        runs.append(run)
        print(f"{run.name}, seed {run.seed}: {run.found} ({run.seconds:.0f} s)", file=sys.stderr)
        if args.out is not None:
            _write(args.out, runs, rows, args.seeds)
    print(_table(runs, rows, args.seeds))
    return int(any(isinstance(run.found, str) for run in runs))


def _runs(rows: list[str], args: argparse.Namespace) -> Iterator[Run]:
    """All runs, in the order in which they end; none begins after `args.seconds`."""
    cores: SimpleQueue[set[int]] = SimpleQueue()
    free = sorted(os.sched_getaffinity(0))
    for k in range(args.jobs):  # a core of its own for each job, if there are as many
        cores.put({free[k]} if 1 < args.jobs <= len(free) else set(free))
    end = time.monotonic() + args.seconds
    with ThreadPoolExecutor(args.jobs) as pool:
        submitted = [
            pool.submit(_run, name, seed, end, args, cores)
            for name in rows
            for seed in range(args.seeds)
        ]
        for done in as_completed(submitted):
            run = done.result()
            if run is not None:
                yield run


def _run(
    name: str, seed: int, end: float, args: argparse.Namespace, cores: SimpleQueue[set[int]]
) -> Run | None:
    """A run in a process of its own; None if it is too late to begin one."""
    if time.monotonic() > end:
        return None
    own = cores.get()
    call = [sys.executable, "-m", "tests.contact.verification", "--case", f"{name}:{seed}"]
    try:
        done = subprocess.run(
            call + ["--small"] * args.small,
            capture_output=True,
            text=True,
            timeout=args.timeout,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            preexec_fn=partial(os.sched_setaffinity, 0, own),
        )
    except subprocess.TimeoutExpired:
        return Run(name, seed, f"not done after {args.timeout:.0f} s", args.timeout)
    finally:
        cores.put(own)
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        said = [line.strip() for line in lines if line.strip(" ^~")]
        # The statement that failed, and the error.
        return Run(name, seed, ": ".join(said[-2:]) or f"ended with {done.returncode}", math.nan)
    return Run(name, seed, *json.loads(done.stdout.splitlines()[-1]))


def _write(folder: Path, runs: list[Run], rows: list[str], seeds: int) -> None:
    """The line of the last run, and the table of all so far."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "runs.csv").open("w" if len(runs) == 1 else "a", newline="") as file:
        last = runs[-1]
        csv.writer(file).writerow([last.name, last.seed, last.found, f"{last.seconds:.1f}"])
    (folder / "table.md").write_text(_table(runs, rows, seeds) + "\n")


def _table(runs: list[Run], rows: list[str], seeds: int) -> str:
    lines = [HEAD]
    for name in rows:
        own = [run for run in runs if run.name == name]
        good = [run for run in own if isinstance(run.found, float)]
        found = [run.found for run in good]
        ends = f"{min(found):.6g} | {max(found):.6g}" if good else "- | -"
        cost = f"{sum(run.seconds for run in good) / len(good):.0f}" if good else "-"
        passed = f"{len(good)} of {len(own)} | {seeds - len(own)}"
        lines.append(f"| {name} | {passed} | {ROWS[name].measures} | {ends} | {cost} |")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rows", nargs="*", choices=list(ROWS))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--timeout", type=float, help="of a run [s], 3600 or with --small 240")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="after which none begins"
    )
    parser.add_argument("--out", type=Path, help="folder of the table and of a line for each run")
    parser.add_argument("--case", help="one run, as row:seed")
    args = parser.parse_args()
    if args.timeout is None:
        args.timeout = 240.0 if args.small else 3600.0
    return args


if __name__ == "__main__":
    sys.exit(main())
