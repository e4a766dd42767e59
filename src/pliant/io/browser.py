"""Takes in the browser: their page in a temporary file. Nothing is served."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from pliant.take import Take

from .html import save_html


def show(takes: Take | Sequence[Take], *, titles: Sequence[str] | None = None) -> Path:
    """Write the page of a take, or of several side by side, open it and print where it is."""
    folder = Path(tempfile.mkdtemp(prefix="pliant-"))
    path = save_html(takes, folder / "take.html", titles=titles)
    path.chmod(0o600)  # the folder is for its owner only, too
    print(path)
    webbrowser.open(path.as_uri())
    return path
