"""Which Python has pliant: Blender's own need not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import environment
from .child import clean_environment, no_window
from .failure import Failure

_ASK = """
import importlib.util as u, sys
if u.find_spec("pliant") is None:
    sys.exit("no pliant in it; install it there with: pip install 'pliant[mesh]'")
if u.find_spec("pytetwild") is None:
    sys.exit("no mesher in it; install it there with: pip install 'pliant[mesh]'")
import pliant
print(pliant.__version__, "%d.%d" % sys.version_info[:2])
"""


def candidates():
    """Pythons in which pliant may be, the likeliest first."""
    tool = shutil.which("pliant")
    beside = (
        [] if tool is None else [Path(tool).resolve().parent / n for n in ("python", "python.exe")]
    )
    found = [os.environ.get("PLIANT_PYTHON"), environment.python(), *beside]
    found += [shutil.which(name) for name in ("python3", "python")] + [sys.executable]
    seen = []
    for path in found:
        if path and Path(path).is_file() and str(path) not in seen:
            seen.append(str(path))
    return seen


def examine(path):
    """What pliant this Python has, such as "pliant 0.1.0, Python 3.11"; Failure says what is wrong."""
    if not Path(path).is_file():
        raise Failure(f"No file {path}: choose the python or python.exe that has pliant")
    try:
        run = subprocess.run(
            [path, "-c", _ASK],
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
            env=clean_environment(),
            **no_window(),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(f"{path} does not run as a Python: {error}") from None
    if run.returncode != 0:
        said = [line for line in run.stderr.splitlines() if line.strip()]
        raise Failure(f"{path}: {said[-1].strip() if said else f'ended with {run.returncode}'}")
    version, python = run.stdout.split()[-2:]
    return f"pliant {version}, Python {python}"


def find(chosen):
    """The chosen Python, or the first that has pliant; with what it has."""
    if chosen:
        return chosen, examine(chosen)
    if (
        environment.bundled()
        and environment.python() is None
        and not os.environ.get("PLIANT_PYTHON")
    ):
        environment.make()  # once, when it is needed for the first time
    reasons = []
    for path in candidates():
        try:
            return path, examine(path)
        except Failure as failure:
            reasons.append(str(failure))
    raise Failure(
        "No Python with pliant found; name one in the add-on's preferences (Python with pliant). "
        + "; ".join(reasons[:1])
    )
