"""Measurements in processes of their own, one after another, each with a time limit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: [s]
LIMIT = 300.0


def ask(
    module: str, *arguments: str, python: Path | None = None, limit: float = LIMIT
) -> dict[str, Any]:
    """The JSON line that `python -m module arguments` prints, or {"failed": why}.

    python: the interpreter of a peer's environment, which sees nothing of this one's; ours if None.
    Runs in an empty folder: MuJoCo leaves a log wherever it is when it has something to say.
    """
    paths = [str(ROOT)] if python else [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [str(python or sys.executable), "-m", module, *arguments],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                capture_output=True,
                text=True,
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return {"failed": f"over {limit / 60:.0f} min"}
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        return {"failed": said[-1][:100]}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}
