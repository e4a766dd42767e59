"""The process of a haptic loop: `python -m pliant.haptics.process FOLDER`."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .ticking import ticked


def prefer_real_time() -> None:
    """Ask for a real-time priority, where the system has one and allows it."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))


def main() -> None:
    """Do the job in a folder, and show the state in a file that the other process maps."""
    folder = Path(sys.argv[1])
    job: Any = pickle.loads((folder / "job").read_bytes())
    shared = np.memmap(folder / "shown", dtype=float, mode="r+")
    gc.collect()
    gc.disable()
    prefer_real_time()
    found = ticked(job, shared)
    (folder / "ticks").write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main()
