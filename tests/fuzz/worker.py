"""The process that runs cases: `python -m tests.fuzz.worker COMMANDS REPLIES ROOT`.

It reads a case per line from one descriptor and answers each with a line of JSON on another. Whatever
else it prints goes to the log that its watcher opened. SIGUSR1 prints where it is.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

#: No case needs files of this size; a write without bound ends here.
LARGEST_FILE = 512 * 2**20
#: Address space for data: far above the limit of a case, far below what would hurt the machine.
MOST_DATA = 8 * 2**30


def prepare_process(root: Path) -> None:
    """Limits, and folders of our own for what libraries keep."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA, MOST_DATA))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit is an OSError then
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=False)
    (root / "tmp").mkdir(parents=True, exist_ok=True)
    os.environ |= {"TMPDIR": str(root / "tmp"), "PLIANT_CACHE": str(root / "cache")}
    os.environ["MPLCONFIGDIR"] = str(root / "tmp")
    os.environ["NO_COLOR"], os.environ["COLUMNS"] = "1", "200"
    warnings.simplefilter("always")  # or the second case that a line warns of would say nothing


def main(commands: int, replies: int, root: Path) -> None:
    """Answer cases until the commands end."""
    prepare_process(root)
    # Imported here: the environment above is read when modules are loaded.
    from .calling import Caller
    from .case import Case
    from .families import FAMILIES
    from .families.faults import Faults
    from .fence import Fence
    from .memory import peak, reset_peak
    from .verdict import finding

    caller, known = Caller(Fence(root)), FAMILIES | {"faults": Faults}
    ready: dict[str, Any] = {}
    gc.freeze()  # what is loaded stays: collecting what a case left is quick then
    with os.fdopen(commands) as asked, os.fdopen(replies, "w") as answered:
        print(json.dumps({"ready": True}), file=answered, flush=True)
        for line in asked:
            seed, name = line.split()
            case = Case.of(name, int(seed))
            if case.family not in ready:
                caller.fence.begin()
                ready[case.family] = known[case.family](root.parent / "seeds" / case.family)
            print(json.dumps({"begun": True}), file=answered, flush=True)
            caller.fence.begin()
            reset_peak()
            began = time.process_time(), peak()
            try:
                family = ready[case.family]
                if isinstance(family, Faults):
                    verdict = family.at(case.number, caller)
                else:
                    verdict = family.run(case.random(), caller)
            except Exception as error:  # a mistake in the fuzzer itself is no silence either
                import traceback

                verdict = finding("the fuzzer failed", repr(error), traceback.format_exc()[-1500:])
            told = verdict.as_json() | {
                "cpu": time.process_time() - began[0], "memory": peak() - began[1]
            }  # fmt: skip
            print(json.dumps(told), file=answered, flush=True)
            gc.collect()  # what a case left must not do its last things in the next one


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
