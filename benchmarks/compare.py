"""An old commit beside the working tree, in turn on the same machine.

`python -m benchmarks.compare COMMIT [pairs] [case ...]`: for every case three processes, old, new and
old again, take turns of a few steps. The table has the medians of new/old and of old/old over all turns;
the second is what noise does. A ratio up to 1.03 plus that spread is no loss.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from .turns import CASES, STEPS

ROOT = Path(__file__).resolve().parents[1]


class Racer:
    """One version on one case."""

    def __init__(self, source: Path, case: str):
        environment = os.environ | {"PYTHONPATH": str(source), "OPENBLAS_NUM_THREADS": "1"}
        self._child = subprocess.Popen(
            [sys.executable, str(ROOT / "benchmarks" / "turns.py"), case],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        self.setup = self._said()

    def turn(self) -> float:
        """Seconds of the next steps."""
        assert self._child.stdin is not None
        self._child.stdin.write("\n")
        self._child.stdin.flush()
        return self._said()

    def end(self) -> None:
        """Let it go."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.wait()

    def _said(self) -> float:
        assert self._child.stdout is not None
        return float(self._child.stdout.readline())


def race(old: Path, new: Path, case: str, pairs: int) -> str:
    """A row of the table: ms a step of old and new, ratios of steps and of set-up."""
    racers = [Racer(source, case) for source in (old, new, old)]
    turns = [[racer.turn() for racer in racers] for _ in range(pairs)]
    for racer in racers:
        racer.end()
    ratio = statistics.median(b / a for a, b, _ in turns)
    noise = statistics.median(c / a for a, _, c in turns)
    before, after = (1e3 * statistics.median(t[i] for t in turns) / STEPS for i in (0, 1))
    setup = racers[1].setup / racers[0].setup
    verdict = "" if ratio <= 1.03 + abs(noise - 1.0) else "slower"
    shown = (f"{before:.2f}", f"{after:.2f}", f"{ratio:.3f}", f"{noise:.3f}", f"{setup:.2f}")
    return " | ".join((f"| {case}", *shown, verdict)) + " |"


def main() -> None:
    """Compare."""
    if len(sys.argv) < 2:
        sys.exit("expected a commit: python -m benchmarks.compare HEAD~10 [pairs] [case ...]")
    commit, words = sys.argv[1], sys.argv[2:]
    pairs = int(words.pop(0)) if words and words[0].isdigit() else 15
    folder = Path(tempfile.mkdtemp(prefix="pliant-old-"))
    subprocess.run(
        ["git", "worktree", "add", "--detach", folder / "old", commit], check=True, cwd=ROOT
    )
    try:
        print("| case | old [ms] | new [ms] | new/old | old/old | set-up new/old | |")
        print("|---|---|---|---|---|---|---|")
        for case in words or CASES:
            print(race(folder / "old" / "src", ROOT / "src", case, pairs), flush=True)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", folder / "old"], cwd=ROOT)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
