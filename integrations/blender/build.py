"""Packs the add-on as the zip that Blender installs: `python integrations/blender/build.py [FOLDER]`.

With --wheels the zip has pliant and all it needs, for Blender's Python on one platform: this machine's,
or another of `PLATFORMS`. Wheels come from the package index that pip is set up for.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ADDON = HERE / "pliant_rest"
#: Dates of its files, so that the same sources give the same zip; the earliest a zip can hold.
EPOCH = (1980, 1, 1, 0, 0, 0)


#: Blender's names of platforms, and what pip calls them.
PLATFORMS = {
    "linux-x64": [f"manylinux_2_{n}_x86_64" for n in (17, 24, 26, 27, 28)]
    + ["manylinux2014_x86_64"],
    "windows-x64": ["win_amd64"],
    "macos-arm64": [f"macosx_{n}_0_arm64" for n in (11, 12, 13, 14)],
}
#: The Python of Blender 4.2 to 5.0.
PYTHON = "3.11"


def build(folder: Path, platform: str | None = None) -> Path:
    """Write pliant-blender-VERSION.zip, the version being pliant's own, and return its path.

    platform: with wheels for it, and its name in that of the zip.
    """
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
    path = folder / f"pliant-blender-{version}{'-' + platform if platform else ''}.zip"
    with zipfile.ZipFile(path, "w") as archive, tempfile.TemporaryDirectory() as wheels:
        for file in sorted(ADDON.rglob("*")):
            if file.suffix in (".py", ".toml"):
                name = (Path(ADDON.name) / file.relative_to(ADDON)).as_posix()
                entry = zipfile.ZipInfo(name, EPOCH)
                text = file.read_bytes()
                if platform and file.name == "blender_manifest.toml":
                    text = _for_platform(text, platform)
                archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
        for file in _wheels(Path(wheels), platform) if platform else ():
            entry = zipfile.ZipInfo(f"{ADDON.name}/wheels/{file.name}", EPOCH)
            archive.writestr(entry, file.read_bytes())  # packed already
    return path


def _wheels(folder: Path, platform: str) -> list[Path]:
    """pliant, built here, and what it needs, downloaded."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    root = HERE.parents[1]
    subprocess.run([*pip, "wheel", "--quiet", "--no-deps", "-w", folder, root], check=True)
    mine = next(folder.glob("pliant-*.whl"))
    tags = [word for tag in PLATFORMS[platform] for word in ("--platform", tag)]
    binary = ["--only-binary=:all:", "--python-version", PYTHON, *tags]
    subprocess.run(
        [*pip, "download", "--quiet", "-d", folder, *binary, f"{mine}[mesh]"], check=True
    )
    return sorted(folder.glob("*.whl"))


def _for_platform(manifest: bytes, platform: str) -> bytes:
    """The manifest of an extension for one platform."""
    line = f'platforms = ["{platform}"]\n'
    return manifest.replace(b"\n[permissions]", f"{line}\n[permissions]".encode(), 1)


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None, pattern
    return found[1]


def main() -> None:
    """The command."""
    here = {"win32": "windows-x64", "darwin": "macos-arm64"}.get(sys.platform, "linux-x64")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="dist")
    parser.add_argument("--wheels", nargs="?", const=here, choices=PLATFORMS, default=None)
    given = parser.parse_args()
    print(build(Path(given.folder), given.wheels))


if __name__ == "__main__":
    main()
