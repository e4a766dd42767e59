"""Another package adds a material, a damping and an exporter by entry points."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import pliant as pl

PLUGIN = Path(__file__).parents[1] / "plugin"
SOURCE = Path(pl.__file__).parents[1]


def installed(folder: Path, package: str, version: str, groups: dict[str, dict[str, str]]) -> None:
    """Write the metadata that an installer writes into the folder of installed packages."""
    about = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    lines = [f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"]
    (about / "METADATA").write_text("".join(lines), encoding="utf-8")
    text = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in groups.items()
    )
    (about / "entry_points.txt").write_text(text, encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages that has the plugin, by its own pyproject.toml."""
    folder = tmp_path / "site"
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed(folder, project["name"], project["version"], project["entry-points"])
    shutil.copytree(PLUGIN / "soft_plugin", folder / "soft_plugin")
    return folder


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, which finds the packages of a folder."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(SOURCE), str(site)])}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=site
    )


def test_a_scene_file_uses_all_three(site: Path) -> None:
    scene = str(PLUGIN / "scene.toml")
    ran = run(site, "-m", "pliant", "run", scene, "-o", "block.heights")
    assert ran.returncode == 0, ran.stderr
    heights = [float(line) for line in (site / "block.heights").read_text().splitlines()]
    assert len(heights) == 11 and heights[0] == pytest.approx(0.5)
    # It is 1000 kg/m^3 g / 2 over young, 5 cm, that the top of such a column goes down at rest.
    assert 0.001 < heights[0] - heights[-1] < 0.05
    code = (
        "from pliant import scenefile as scene\n"
        f"body = scene.read({scene!r}).build().bodies['block']\n"
        "print(body.material)\nprint(body.damping)"
    )
    ran = run(site, "-c", code)
    assert ran.stdout.splitlines() == [
        "Foam(young=100000.0, poisson=0.4, pressure=30000.0)",
        "Honey(viscosity=2.5, size=0.01)",
    ], ran.stderr


LISTED = """
import json
from pathlib import Path
from pliant.io import check_suffix, scene
from pliant.lab.candidates import candidates
from pliant.lab.wish import Wish

def said(call, *given):
    try:
        call(*given)
    except ValueError as error:
        return str(error)

text = Path({scene!r}).read_text(encoding="utf-8")
print(json.dumps({{
    "schema": scene.json_schema(),
    "laboratory": [c.name for c in candidates([Wish(1.0)])],
    "model": said(scene.parse, text.replace('"Foam"', '"Foan"')),
    "range": said(scene.parse, text.replace("viscosity = 2.5", "viscosity = 2e4")),
    "suffix": said(check_suffix, "block.heigths"),
}}))
"""


def test_they_are_in_the_schema_the_laboratory_and_the_lists_of_errors(site: Path) -> None:
    ran = run(site, "-c", LISTED.format(scene=str(PLUGIN / "scene.toml")))
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    tables = json.loads(found["schema"])["$defs"]
    pressure = tables["FoamTable"]["properties"]["pressure"]
    assert pressure["description"] == "of the gas in its pores [Pa]" and pressure["default"] == 0.0
    assert tables["HoneyTable"]["required"] == ["model", "viscosity"]
    assert "Honey" in found["laboratory"]
    assert "'Foam'" in found["model"] and "'Linear'" in found["model"]
    expected = "body.block.damping.viscosity: got 20000.0; expected 0 < viscosity <= 10000 [Pa s]"
    assert expected in found["range"]
    assert ".heights" in found["suffix"] and ".npz" in found["suffix"]


BROKEN = {
    "is not there": ("nowhere.at_all:Broken", "ModuleNotFoundError: No module named 'nowhere'"),
    "is no class of ours": ("json:dumps", "it is no pliant.materials.Material"),
    "fails when it is imported": ("broken_plugin:Broken", "RuntimeError: two lines of trouble"),
    "leaves the program": ("leaving_plugin:Broken", "SystemExit: 3"),
}


def own(text: str) -> str:
    """The scene of the plugin without what the plugin adds."""
    text = text.replace('"Honey", viscosity = 2.5', '"none"').replace(", pressure = 3e4", "")
    return text.replace('"Foam"', '"Linear"')


READ = """
from pathlib import Path
from pliant import scenefile as scene

text = Path({scene!r}).read_text(encoding="utf-8")
print(type(scene.parse(text).build().bodies["block"].material).__name__)
try:
    scene.parse(text.replace('"Linear"', '"Broken"'), name="named.toml")
except scene.SceneError as error:
    print(error)
schema = scene.json_schema()
print('"LinearTable"' in schema, '"BrokenTable"' in schema)
"""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_one_line_and_breaks_nothing_else(tmp_path: Path, name: str) -> None:
    value, why = BROKEN[name]
    installed(tmp_path, "broken-plugin", "1.0", {"pliant.materials": {"Broken": value}})
    (tmp_path / "broken_plugin.py").write_text("raise RuntimeError('two lines\\nof trouble')\n")
    (tmp_path / "leaving_plugin.py").write_text("raise SystemExit(3)\n")
    path = tmp_path / "own.toml"
    path.write_text(own((PLUGIN / "scene.toml").read_text(encoding="utf-8")), encoding="utf-8")
    ran = run(tmp_path, "-c", READ.format(scene=str(path)))
    material, line, listed = ran.stdout.splitlines()
    assert material == "Linear" and listed == "True False"
    assert line.startswith("named.toml:10: body.block.material.model: the material 'Broken' of the")
    assert f"the package broken-plugin 1.0 cannot be used: {why}" in line
    # Where all are listed it is left out, and told.
    (told,) = ran.stderr.splitlines()
    assert why in told


def test_a_broken_exporter_is_one_line(tmp_path: Path) -> None:
    installed(tmp_path, "broken-plugin", "1.0", {"pliant.exporters": {"broken": "json"}})
    text = (PLUGIN / "scene.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(own(text), encoding="utf-8")
    ran = run(tmp_path, "-m", "pliant", "run", "own.toml", "-o", "own.broken")
    assert ran.returncode == 2 and len(ran.stderr.splitlines()) == 1
    assert 'it has no function with @writes(".broken")' in ran.stderr


def test_importing_looks_up_no_entry_points() -> None:
    code = (
        "import pliant as pl, pliant.kinds\n"  # not of importlib, where pydantic looks for its own
        "def refuse(group): raise AssertionError('looked up')\n"
        "pliant.kinds.plugins = refuse\n"
        "pl.Linear, pl.Settle, pl.Body\n"
        "from pliant import scenefile as scene\n"
        "scene.parse('[body.a]\\nmesh = { box = {} }\\nmaterial = { young = 1e5 }')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
    )
    assert ran.returncode == 0, ran.stderr
