"""A Python for pliant alone, made of the wheels that came with the add-on. Nothing is downloaded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bpy

from .child import clean_environment, no_window
from .failure import Failure

WHEELS = Path(__file__).parent / "wheels"


def bundled():
    """Whether the add-on was built with wheels."""
    return WHEELS.is_dir() and any(WHEELS.glob("pliant-*.whl"))


def home():
    """Where its environment is: in the folder that Blender gives each extension."""
    try:
        return Path(bpy.utils.extension_path_user(__package__, path="python", create=True))
    except (AttributeError, ValueError):  # installed the older way
        return Path(bpy.utils.user_resource("DATAFILES", path="pliant_rest/python", create=True))


def python():
    """The Python of its environment, or None if there is none yet."""
    found = home() / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return found if found.is_file() else None


def make():
    """Make the environment anew; Failure if that does not work. Takes up to a minute."""
    folder = home()
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(folder)])
    wheels = ["--no-index", "--no-cache-dir", "--find-links", str(WHEELS), "pliant[mesh]"]
    try:
        _run([str(python()), "-m", "pip", "install", "--quiet", *wheels])
    except Failure:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return python()


def _run(command):
    run = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=clean_environment(),
        **no_window(),
    )
    if run.returncode != 0:
        said = [line for line in run.stderr.splitlines() if line.strip()]
        why = said[-1].strip() if said else f"ended with {run.returncode}"
        raise Failure(f"The Python of the add-on could not be made: {why}")
