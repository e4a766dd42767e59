"""A take in the browser: one self-contained page in a temporary file."""

from __future__ import annotations

import base64
import html
import io
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pliant.take import Take

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>pliant: {title}</title>
<style>
  body {{ margin: 2rem auto; max-width: 72rem; font: 16px/1.5 sans-serif; color: #22303c }}
  img {{ width: 100% }}
</style>
<h1>{title}</h1>
<img alt="{title}: frames, and distance to rest over time" src="data:image/png;base64,{image}">
<p>{facts}</p>
</html>
"""


def show(take: Take) -> Path:
    """Write the picture of a take into a page, open it and print where it is."""
    page = Path(tempfile.mkdtemp(prefix="pliant-")) / "take.html"
    page.write_text(_render(take), encoding="utf-8")
    print(page)
    webbrowser.open(page.as_uri())
    return page


def _render(take: Take) -> str:
    from .png import picture

    image = io.BytesIO()
    picture(take).savefig(image, format="png", dpi=150)
    facts = f"{len(take)} frames, {take.times[-1] - take.times[0]:.3g} s, dt = {take.dt:.4g} s. "
    facts += " ".join(f"{b['name']}: {b['damping']}." for b in take.about["bodies"])
    return _PAGE.format(
        title=html.escape(", ".join(track.name for track in take.tracks)),
        image=base64.b64encode(image.getvalue()).decode("ascii"),
        facts=html.escape(facts),
    )
