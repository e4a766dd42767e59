"""One self-contained HTML page: text, tables, and figures as embedded SVG."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS = """
:root { --ink: #22262b; --soft: #5c6670; --rule: #d9dde2; --paper: #fdfdfb; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 "Charter", "Bitstream Charter", "Georgia", "DejaVu Serif", serif; }
main { max-width: 47rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.3rem; margin: 2.8rem 0 .6rem; padding-top: .6rem;
  border-top: 1px solid var(--rule); }
p.source { color: var(--soft); margin-top: 0; }
figure { margin: 1.6rem 0; }
figure img { width: 100%; height: auto; display: block; }
figcaption { font-size: .88rem; color: var(--soft); margin-top: .3rem; }
figcaption b, caption b { color: var(--ink); }
table { border-collapse: collapse; width: 100%; margin: 1.4rem 0;
  font-size: .86rem; line-height: 1.42; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th { text-align: left; font-weight: 600; border-bottom: 1.5px solid var(--ink); }
td { border-bottom: 1px solid var(--rule); }
th, td { padding: .38rem .6rem .38rem 0; vertical-align: top; }
table.numbers th, table.numbers td { text-align: right; font-variant-numeric: tabular-nums; }
table.numbers th:first-child, table.numbers td:first-child { text-align: left; }
table.claims td:first-child { color: var(--soft); width: 5.2rem; }
table.claims td:nth-child(2) { width: 13rem; }
table.claims td:last-child { width: 5.6rem; }
.verdict { font-weight: 600; white-space: nowrap; }
.HOLDS { color: #2f7d4f; } .PARTLY { color: #a8660f; } .FAILS { color: #b3321b; }
.MISPRINT { color: #6a4b9c; }
sub, sup { line-height: 0; }
div.wide { overflow-x: auto; }
code { overflow-wrap: anywhere; }
table.words td:nth-child(2) { min-width: 13rem; }
@media (max-width: 40rem) { main { padding: 1.5rem 1rem 3rem; } body { font-size: 16px; } }
"""


def page(title: str, source: str, body: Iterable[str]) -> str:
    """The whole document."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f'<p class="source">{source}</p>\n' + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )


def typeset(text: str) -> str:
    """Keep a number with its unit and an equation on one line; curl apostrophes, but not in code."""
    unit = r"(?<=\d) (?=(?:s|ms|mm|m|%)(?:\W|$))"
    pieces = re.split(r"(<code>.*?</code>)", text)
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(rf"{unit}| (?==)|(?<==) ", "\u00a0", pieces[i]).replace("'", "’")
    return "".join(pieces)


def figure_html(figure: Figure, name: str, caption: str) -> str:
    """A figure as an SVG data URI with its caption."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    data = base64.b64encode(file.getvalue()).decode()
    return (
        f'<figure><img alt="Figure {name}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption><b>Figure {name}.</b> {typeset(caption)}</figcaption></figure>"
    )


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table of numbers; the first column is a label."""
    return _table("numbers", head, rows, caption)


def words_html(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table of words."""
    return _table("words", head, rows, caption)


def claims_html(claims: Sequence[Claim], caption: str, source: str = "the thesis") -> str:
    """The table of what a source claims and what we find."""
    rows = (
        (
            c.where,
            c.says,
            c.found,
            f'<span class="verdict {c.verdict.name}">{c.verdict.value}</span>',
        )
        for c in claims
    )
    return _table("claims", ("where", f"{source} says", "we find", ""), rows, caption)


def _table(kind: str, head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    cells = "".join(f"<th>{name}</th>" for name in head)
    lines = "\n".join(
        "<tr>" + "".join(f"<td>{typeset(c)}</td>" for c in row) + "</tr>" for row in rows
    )
    return (
        f'<div class="wide"><table class="{kind}"><caption>{typeset(caption)}</caption>'
        f"<thead><tr>{cells}</tr></thead><tbody>\n{lines}\n</tbody></table></div>"
    )
