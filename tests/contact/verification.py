"""All cases of contact with known answers, each many times with noise of 1e-6 m, as one table (Linux).

    python -m tests.contact.verification --jobs 16
    python -m tests.contact.verification --small --rows hertz mat --seeds 3

Each run is a process of its own, with a time limit. `--small`: meshes and times for two cores. Leaves
with 1 if a run fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from queue import SimpleQueue

from tests.contact.rows import ROWS


def main() -> int:
    args = _arguments()
    if args.case is not None:
        name, seed = args.case.rsplit(":", 1)
        print(json.dumps(float(ROWS[name].run(int(seed), args.small))))
        return 0
    cases = [(name, seed) for seed, name in product(range(args.seeds), args.rows or ROWS)]
    results, cores = {}, SimpleQueue()
    for k in range(args.jobs):  # a core of its own for each job, if there are as many
        free = sorted(os.sched_getaffinity(0))
        cores.put({free[k]} if 1 < args.jobs <= len(free) else set(free))
    with ThreadPoolExecutor(args.jobs) as pool:
        running = [pool.submit(_run, name, seed, args, cores) for name, seed in cases]
        for (name, seed), run in zip(cases, running, strict=True):
            results[name, seed] = run.result()
            found, seconds = results[name, seed]
            print(f"{name}, seed {seed}: {found} ({seconds:.0f} s)", file=sys.stderr, flush=True)
    print("| case | passed | measured | from | to | s a run |\n|---|---|---|---|---|---|")
    for name in args.rows or ROWS:
        own = [results[name, seed] for seed in range(args.seeds)]
        good, mean = [f for f, _ in own if isinstance(f, float)], sum(s for _, s in own) / len(own)
        ends = f"{min(good):.6g} | {max(good):.6g}" if good else "- | -"
        print(
            f"| {name} | {len(good)} of {len(own)} | {ROWS[name].measures} | {ends} | {mean:.0f} |"
        )
    return int(any(isinstance(found, str) for found, _ in results.values()))


def _run(
    name: str, seed: int, args: argparse.Namespace, cores: SimpleQueue[set[int]]
) -> tuple[float | str, float]:
    """What a case measured, or why it failed; and how long it took [s]."""
    own = cores.get()
    call = [sys.executable, "-m", "tests.contact.verification", "--case", f"{name}:{seed}"]
    began = time.monotonic()
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
        return f"not done after {args.timeout:.0f} s", args.timeout
    finally:
        cores.put(own)
    seconds, said = time.monotonic() - began, (done.stdout + done.stderr).strip().splitlines()
    if done.returncode:
        return said[-1] if said else f"ended with {done.returncode}", seconds
    return json.loads(done.stdout.splitlines()[-1]), seconds


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rows", nargs="*", choices=list(ROWS))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--timeout", type=float, default=3600.0, help="of a run [s]")
    parser.add_argument("--case", help="one run, as row:seed")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
