"""The programs that our users open our files with: Blender and a browser.

Blender runs in its own environment (`make` builds it), Chromium comes from the system (`make
browser`). Without them these tests are skipped; in CI they then fail.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BLENDER = Path(__file__).parents[2] / ".blender" / "bin" / "python"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL in software
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
#: Runs `work(given)` of a script and prints what it returns after this mark.
_MARK = "<<answer>>"
_RUN = """
import json, runpy, sys
work = runpy.run_path(sys.argv[1])["work"]
print({mark!r} + json.dumps(work(json.loads(sys.argv[2]))))
"""


def _require(found: bool, what: str) -> None:
    if not found:
        reason = f"{what} is not here"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


@pytest.fixture(scope="session")
def blender() -> Callable[..., Any]:
    """Calls `work(given)` of a Python file inside Blender: `blender(script, path=...)`."""
    _require(BLENDER.exists(), "Blender (make .blender/.ready)")

    def call(script: Path, **given: Any) -> Any:
        run = subprocess.run(
            [BLENDER, "-c", _RUN.format(mark=_MARK), script, json.dumps(given, default=str)],
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
        return json.loads(run.stdout.rsplit(_MARK, 1)[1])

    return call


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    _require(CHROMIUM is not None, "Chromium (make browser)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A fresh page; what it logs as an error is in `page.errors`, what it asks for in `page.asked`."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.errors, opened.asked = [], []
    opened.on("console", lambda m: m.type == "error" and opened.errors.append(m.text))
    opened.on("pageerror", lambda e: opened.errors.append(str(e)))
    opened.on("request", lambda r: opened.asked.append(r.url))
    yield opened
    context.close()
