"""A client of the package that is typed strictly: py.typed is there, and the types say something."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pliant

CLIENTS = Path(__file__).parent / "typed"
#: Kept from run to run: without it mypy reads numpy and Warp again, which takes half a minute.
CACHE = Path(__file__).parents[2] / ".mypy_cache" / "clients"


def refused(tmp_path):
    """What `mypy --strict` refuses in the clients, as (file, line, kind).

    They are copied out of the checkout and pliant is looked for as an installed package is, so no
    setting of ours helps.
    """
    for client in CLIENTS.glob("*.py"):
        (tmp_path / client.name).write_text(client.read_text(encoding="utf-8"), encoding="utf-8")
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(CACHE)]
    environment = os.environ | {"PYTHONPATH": str(Path(pliant.__file__).parents[1])}
    done = subprocess.run(
        [*call, "right.py", "wrong.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert not done.stderr, done.stderr
    found = re.findall(r"^(.+\.py):(\d+): error: .*\[(.+)\]$", done.stdout, re.MULTILINE)
    return [(name, int(line), kind) for name, line, kind in found]


def test_a_strict_client_is_accepted_and_its_mistakes_are_found(tmp_path):
    lines = (CLIENTS / "wrong.py").read_text(encoding="utf-8").splitlines()
    marked = [
        ("wrong.py", number, line.split("  # ")[1])
        for number, line in enumerate(lines, 1)
        if "  # " in line
    ]
    assert len(marked) == 6
    assert refused(tmp_path) == marked
