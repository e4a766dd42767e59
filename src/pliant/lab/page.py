"""One self-contained HTML page: text, tables, and figures as embedded SVG."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")


def page(title: str, source: str, body: Iterable[str]) -> str:
    """The whole document."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
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
