"""The page of references from `references.bib`, and links to it from every `[young2007]`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

BIB = Path(__file__).parents[2] / "references.bib"
#: What stands between a title and a year, in this order.
WHERE = ("journal", "booktitle", "school", "institution", "publisher", "howpublished", "note")
ACCENTS = {r"\"a": "ä", r"\"o": "ö", r"\"u": "ü", r"\'e": "é", r"\v c": "č", r"\ss": "ß"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, "references.md", content=page()))
    return files


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Link every source that a page names to its entry, code apart."""
    target = get_relative_url("references.html", page.url)
    name = re.compile(rf"\[({'|'.join(map(re.escape, entries()))})\]")
    parts = re.split(r"(<pre.*?</pre>|<code.*?</code>|<a .*?</a>)", html, flags=re.DOTALL)
    link = rf'<a href="{target}#\1">[\1]</a>'
    return "".join(p if i % 2 else name.sub(link, p) for i, p in enumerate(parts))


def page() -> str:
    """All entries by author, each with its key as an anchor."""
    rows = [f'<span id="{key}"></span>**{key}**  \n{told(e)}' for key, e in entries().items()]
    return "# References\n\nThe keys that docstrings and pages name.\n\n" + "\n\n".join(rows) + "\n"


def told(entry: dict[str, str]) -> str:
    """One entry as a sentence."""
    people = [" ".join(reversed(p.split(", "))) for p in entry["author"].split(" and ")]
    parts = [", ".join(people), f"*{entry['title']}*"]
    if "edition" in entry:
        parts.append(f"{entry['edition']} edition")
    parts += [entry[k] for k in WHERE if k in entry]
    if "volume" in entry:
        number = f"({entry['number']})" if "number" in entry else ""
        pages = f": {entry['pages'].replace('--', '–')}" if "pages" in entry else ""
        parts.append(f"{entry['volume']}{number}{pages}")
    return ", ".join(parts) + f", {entry['year']}."


@cache
def entries() -> dict[str, dict[str, str]]:
    """Key to fields, in the order of the keys."""
    found = {}
    for key, body in re.findall(r"@\w+\{(\S+),\n(.*?)\n\}", BIB.read_text("utf-8"), re.DOTALL):
        fields = re.findall(r"(\w+)\s*=\s*\{(.*?)\},?\s*(?:\n|$)", body, re.DOTALL)
        found[key] = {k.lower(): plain(v) for k, v in fields}
    return dict(sorted(found.items()))


def plain(text: str) -> str:
    """BibTeX without its braces, with accents as letters."""
    for written, letter in ACCENTS.items():
        text = text.replace(f"{{{written}}}", letter)
    return re.sub(r"[{}]", "", re.sub(r"\s+", " ", text))
