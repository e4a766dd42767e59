"""Pages and passages that are kept once, outside `docs/`: README, CHANGELOG, CONTRIBUTING.

A page says `<!-- README: Heading -->` where it wants what stands under that heading. Where it wants a
measured table it has a link on a line of its own, which readers of the repository can follow:
`[measured](../benchmarks/results/dampings-solid.md)`.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
RESULTS = re.compile(r"^\[measured\]\(\.\./benchmarks/results/(.+?)\)$", re.MULTILINE)
PAGES = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are files of the repository."""
    for page, source in PAGES.items():
        files.append(File.generated(config, page, content=mend_links(read(source))))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put passages of the README and measured tables where a page names them."""
    markdown = RESULTS.sub(lambda m: results(m[1]), markdown)
    return re.sub(r"<!-- README: (.+?) -->", lambda m: passage(m[1]), markdown)


def results(name: str) -> str:
    """A measured table."""
    path = ROOT / "benchmarks" / "results" / name
    if not path.is_file():
        raise PluginError(f"there is no benchmarks/results/{name}; a page of docs/ asks for it")
    return path.read_text(encoding="utf-8").strip()


def passage(heading: str) -> str:
    """What stands under a heading of the README."""
    text = f"\n{read('README.md')}\n## "
    found = re.search(rf"\n## {re.escape(heading)}\n(.*?)(?=\n## )", text, re.DOTALL)
    if found is None:
        raise PluginError(f"README.md has no heading {heading!r}; a page of docs/ asks for it")
    return mend_links(found[1].strip())


def mend_links(text: str) -> str:
    """Links of the repository as links of the site."""
    text = re.sub(r"\[docs/(\w+)\.md\]", r"[\1]", text).replace("](docs/", "](")
    for page, source in PAGES.items():
        text = text.replace(f"]({source})", f"]({page})")
    text = text.replace("](examples)", "](gallery.md)")
    return re.sub(r"\[(\w+)\]\(LICENSE\)", r"\1", text)


def read(name: str) -> str:
    """A file at the root of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")
