"""A page for every study in `studies/`: what it is, and the report that running it writes.

Running one takes up to some minutes, so `making` runs what is not kept (`kept`) in `build/docs/`, or
where PLIANT_DOCS_KEPT says. A page without a report says so.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from kept import KEPT, ROOT, is_current
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

#: The section of the navigation they belong to, and the page they stand before.
SECTION, BEFORE = "Background", "references.md"
LONGEST = "schmedding-2009"
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
    """Add the reports and the pages about them."""
    for name in names():
        report = folder(name) / f"{name}.html"
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


def folder(name: str) -> Path:
    """Where the report of a study is kept."""
    return KEPT / "studies" / name


def missing() -> list[tuple[str, Path]]:
    """The studies to run, each with its folder; the one that takes longest first."""
    longest_first = sorted(names(), key=lambda name: name != LONGEST)
    return [(name, folder(name)) for name in longest_first if not is_current(folder(name))]


def findings(name: str, report: str) -> str:
    """The words before the first heading and the tables of claims, as the report has them."""
    words = re.search(r'<p class="source">.*?</p>\n(.*?)<h2>', report, re.DOTALL)
    if words is None:
        raise PluginError(f"the report of {name} has no words where they are expected")
    tables = re.findall(r'<table class="claims">.*?</table>', report, re.DOTALL)
    heading = ["\n## Claims and findings\n"] if tables else []
    return "\n".join(["", words[1], *heading, *tables])
