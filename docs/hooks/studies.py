"""The page of a study: what it is, and the report that running it writes.

Running it takes minutes, so the report is kept in `build/docs/` under a hash of the study and the
library; with PLIANT_DOCS_QUICK set, a page without a report says so.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "docs" / "studies"
NAME = "young-2007"
HEAD = """\
# Young 2007, run again

`pliant study young-2007` runs the two examples of the thesis that `Settle` grew from, [young2007], draws
its figures and tables, and holds every claim against what is measured. Verdicts are computed from the
measured numbers, so a change of the library that breaks a claim changes the report.

- **[The report](studies/young-2007.html)**: all figures, tables and claims on one page.
- `studies/young-2007/`: the code; the thesis's own minimiser is in `minimisers.py`.
"""
SKIPPED = """\
!!! note
    The study was not run when this page was built. `make docs` runs it, or `pliant study young-2007`.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Run the study if it is not kept, and add its report and the page about it."""
    report = KEPT / fingerprint() / f"{NAME}.html"
    skip = bool(os.environ.get("PLIANT_DOCS_QUICK"))
    if not report.exists() and not skip:
        run(report.parent)
    if report.exists():
        files.append(File.generated(config, f"studies/{NAME}.html", abs_src_path=str(report)))
        content = HEAD + findings(report.read_text(encoding="utf-8"))
    else:
        content = HEAD.replace("[The report](studies/young-2007.html)", "The report") + SKIPPED
    files.append(File.generated(config, f"{NAME}.md", content=content))
    return files


def run(folder: Path) -> None:
    """Run the study in a process of its own."""
    call = [sys.executable, "-m", "pliant", "study", NAME, "--out", str(folder)]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode:
        raise PluginError(f"study {NAME} failed\n{done.stderr}")


def findings(report: str) -> str:
    """The words before the figures and the tables of claims, as the report has them."""
    words = re.search(r'<p class="source">.*?</p>\n(.*?)<h2>', report, re.DOTALL)
    tables = re.findall(r'<table class="claims">.*?</table>', report, re.DOTALL)
    if words is None or not tables:
        raise PluginError(f"the report of {NAME} has no words or no claims where they are expected")
    return "\n".join(["", words[1], "\n## Claims and findings\n", *tables])


def fingerprint() -> str:
    """Of the study and of the library."""
    seen = hashlib.sha256()
    for path in sorted([*(ROOT / "studies" / NAME).glob("*.py"), *(ROOT / "src").rglob("*.py")]):
        seen.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return seen.hexdigest()[:16]
