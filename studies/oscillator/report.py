"""How a report looks."""

from pliant.lab.claims import Claim, Verdict, holds_if, power
from pliant.lab.drawing import STYLE
from pliant.lab.page import claims_html, figure_html, page, table_html

__all__ = [
    "STYLE",
    "Claim",
    "Verdict",
    "claims_html",
    "figure_html",
    "holds_if",
    "page",
    "power",
    "table_html",
]
