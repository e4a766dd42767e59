"""A page for every study in `studies/`: what it is, and the report that running it writes.

Running one takes up to some minutes, so reports are kept in `build/docs/`, or where PLIANT_DOCS_KEPT
says, under a hash of the studies and the library; with PLIANT_DOCS_QUICK set, a page without a report
says so.
"""

from __future__ import annotations

import ast
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
KEPT = Path(os.environ.get("PLIANT_DOCS_KEPT", ROOT / "build" / "docs")) / "studies"
#: The section of the navigation they belong to, and the page they stand before.
SECTION, BEFORE = "Background", "references.md"
HEAD = """\
# {title}

{about}

`pliant study {name}` runs it, draws its figures and tables, and holds every claim against what is
measured. Verdicts are computed from the measured numbers, so a change of the library that breaks a claim
changes the report.

- **{report}**: all figures, tables and claims on one page.
- `studies/{name}/`: the code.
"""
SKIPPED = """
!!! note
    The study was not run when this page was built. `make docs` runs it, or `pliant study {name}`.
"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put studies that the navigation does not name into it."""
    section = next(part[SECTION] for part in config.nav or [] if SECTION in part)
    named = [next(iter(entry.values())) for entry in section if isinstance(entry, dict)]
    for name in names():
        if f"{name}.md" not in named:
            section.insert(named.index(BEFORE), {f"Study: {title(name)}": f"{name}.md"})
            named.insert(named.index(BEFORE), f"{name}.md")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Run the studies that are not kept, and add their reports and the pages about them."""
    for name in names():
        report = KEPT / fingerprint() / f"{name}.html"
        if not report.exists() and not os.environ.get("PLIANT_DOCS_QUICK"):
            run(name, report.parent)
        link = f"[The report](studies/{name}.html)" if report.exists() else "The report"
        content = HEAD.format(name=name, title=title(name), about=about(name), report=link)
        if report.exists():
            files.append(File.generated(config, f"studies/{name}.html", abs_src_path=str(report)))
            content += findings(name, report.read_text(encoding="utf-8"))
        else:
            content += SKIPPED.format(name=name)
        files.append(File.generated(config, f"{name}.md", content=content))
    return files


def names() -> list[str]:
    """The studies there are."""
    return sorted(path.parent.name for path in (ROOT / "studies").glob("*/study.py"))


def title(name: str) -> str:
    """As in the navigation: Young 2007."""
    return name.replace("-", " ").capitalize()


def about(name: str) -> str:
    """The first sentence of the study about itself."""
    text = (ROOT / "studies" / name / "study.py").read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(text))
    if said is None:
        raise PluginError(f"studies/{name}/study.py has no docstring to begin its page with")
    return said.split("\n\n")[0]


def run(name: str, folder: Path) -> None:
    """Run a study in a process of its own."""
    call = [sys.executable, "-m", "pliant", "study", name, "--out", str(folder)]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode:
        raise PluginError(f"study {name} failed\n{done.stderr}")
    if not (folder / f"{name}.html").exists():
        raise PluginError(f"study {name} left no {name}.html")


def findings(name: str, report: str) -> str:
    """The words before the first heading and the tables of claims, as the report has them."""
    words = re.search(r'<p class="source">.*?</p>\n(.*?)<h2>', report, re.DOTALL)
    if words is None:
        raise PluginError(f"the report of {name} has no words where they are expected")
    tables = re.findall(r'<table class="claims">.*?</table>', report, re.DOTALL)
    heading = ["\n## Claims and findings\n"] if tables else []
    return "\n".join(["", words[1], *heading, *tables])


def fingerprint() -> str:
    """Of the studies, which may share code, and of the library."""
    seen = hashlib.sha256()
    for path in sorted([*(ROOT / "studies").rglob("*.py"), *(ROOT / "src").rglob("*.py")]):
        seen.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return seen.hexdigest()[:16]
