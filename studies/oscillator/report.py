"""How a report looks, as the study of Young (2007) has it."""

from __future__ import annotations

from importlib import import_module

# That folder has a hyphen, so it can be imported by name only.
_page, _claims = (import_module(f"young-2007.{name}") for name in ("page", "claims"))
page, figure_html = _page.page, _page.figure_html
table_html, claims_html = _page.table_html, _page.claims_html
Claim, Verdict, holds_if, power = _claims.Claim, _claims.Verdict, _claims.holds_if, _claims.power
STYLE = import_module("young-2007.figures").STYLE
