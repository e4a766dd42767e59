"""Environments of the peers, made on demand from the pins of the extra `[bench]`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ..child import ROOT

HOME = Path(__file__).parent / ".environments"


class NotInstalled(Exception):
    """A peer that this machine or its package index does not have."""


def pin(peer: str) -> str:
    """`peer==version`, as pyproject.toml pins it (which Python 3.10 cannot parse by itself)."""
    found = re.search(rf'"({re.escape(peer)}==[^"]+)"', (ROOT / "pyproject.toml").read_text())
    if found is None:
        raise NotInstalled(f"pyproject.toml pins no {peer} in the extra [bench]")
    return found.group(1)


def interpreter(peer: str) -> Path:
    """The Python in which the pinned peer can be imported; installs it at the first call."""
    wanted = pin(peer)
    place = HOME / wanted
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if (place / ".ready").exists():
        return python
    print(f"      making an environment with {wanted} ...", flush=True)
    shutil.rmtree(place, ignore_errors=True)
    for command in (
        [sys.executable, "-m", "venv", str(place)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(place, ignore_errors=True)
            said = [line for line in done.stderr.splitlines() if "ERROR" in line]
            raise NotInstalled((said or done.stderr.splitlines() or ["no reason given"])[-1])
    (place / ".ready").touch()
    return python
