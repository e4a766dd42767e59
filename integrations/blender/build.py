"""Packs the add-on as the zip that Blender installs: `python integrations/blender/build.py [FOLDER]`."""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ADDON = HERE / "pliant_rest"
#: Dates of its files, so that the same sources give the same zip; the earliest a zip can hold.
EPOCH = (1980, 1, 1, 0, 0, 0)


def build(folder: Path) -> Path:
    """Write pliant-blender-VERSION.zip, the version being pliant's own, and return its path."""
    package = (HERE.parents[1] / "src/pliant/__init__.py").read_text(encoding="utf-8")
    version = _find(r'^__version__ = "(.+)"', package)
    manifest = (ADDON / "blender_manifest.toml").read_text(encoding="utf-8")
    stated = _find(r'^version = "(.+)"', manifest)
    if stated != version:
        raise SystemExit(
            f"blender_manifest.toml has version {stated}; expected pliant's, {version}"
        )
    if f'"version": ({version.replace(".", ", ")})' not in (ADDON / "__init__.py").read_text():
        raise SystemExit(f"bl_info in __init__.py has another version than {version}")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"pliant-blender-{version}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(ADDON.rglob("*")):
            if file.suffix in (".py", ".toml"):
                name = (Path(ADDON.name) / file.relative_to(ADDON)).as_posix()
                entry = zipfile.ZipInfo(name, EPOCH)
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return path


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None, pattern
    return found[1]


if __name__ == "__main__":
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
