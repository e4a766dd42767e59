"""The study page has every figure and table that was asked for, and no outside request."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_young_2007_page(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pliant", "study", "young-2007", "--out", str(tmp_path)],
        check=True,
        timeout=900,
    )
    (page,) = tmp_path.glob("*.html")
    text = page.read_text()
    for name in ("2.1", "2.2", "4.1", "4.2", "4.3", "4.4"):
        assert re.search(rf"Figure {re.escape(name)}\b", text), name
    for name in ("Table 4.1", "Table 4.2"):
        assert name in text
    assert text.count("<svg") + text.count("data:image") >= 6
    assert not re.search(r'(src|href)="https?://', text)
