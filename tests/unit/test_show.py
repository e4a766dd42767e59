"""`pliant show` and `take.show()` write a page and open it; they serve nothing."""

import stat
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit

from tests.moving import moving_take


def test_the_page_is_a_private_file(monkeypatch, tmp_path, capsys):
    opened = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", opened.append)
    moving_take().show()
    (address,) = opened
    assert urlsplit(address).scheme == "file"
    path = Path(capsys.readouterr().out.strip())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
