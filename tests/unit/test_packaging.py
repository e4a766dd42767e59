"""What a release says about itself: one version, whole metadata, the same Pythons everywhere."""

import re
import sys
from pathlib import Path

import yaml

import pliant as pl

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_version_is_the_package_s():
    addon = "integrations/blender/pliant_rest"
    said = {
        "CITATION.cff": str(yaml.safe_load(text("CITATION.cff"))["version"]),
        "CHANGELOG.md": re.search(r"^## (\S+)", text("CHANGELOG.md"), re.MULTILINE)[1],
        "manifest": tomllib.loads(text(f"{addon}/blender_manifest.toml"))["version"],
        "bl_info": ".".join(
            re.search(r'"version": \((\d+), (\d+), (\d+)\)', text(f"{addon}/__init__.py")).groups()
        ),
    }
    assert said == dict.fromkeys(said, pl.__version__)


def test_the_build_takes_the_version_from_the_package():
    assert "version" not in PROJECT["project"] and "version" in PROJECT["project"]["dynamic"]
    path = PROJECT["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{pl.__version__}"' in text(path)


def test_metadata_is_whole():
    project = PROJECT["project"]
    assert project["license"] == "Apache-2.0" and "LICENSE" in project["license-files"]
    assert project["authors"] == [{"name": "the pliant developers"}]
    assert project["keywords"] == sorted(project["keywords"])
    assert project["classifiers"] == sorted(project["classifiers"], key=_natural)
    assert "Typing :: Typed" in project["classifiers"]
    assert (Path(pl.__file__).parent / "py.typed").is_file()


def test_pythons_are_the_same_everywhere():
    """The oldest in requires-python, ruff and mypy; all of them in classifiers and the workflow."""
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    oldest = named[0]
    assert PROJECT["project"]["requires-python"] == f">={oldest}"
    assert PROJECT["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")
    assert PROJECT["tool"]["mypy"]["python_version"] == oldest
    job = yaml.safe_load(text(".github/workflows/tests.yml"))["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == named


def test_every_optional_package_is_in_one_extra_and_in_doctor():
    from pliant.cli.doctor import NEEDED, OPTIONAL

    extras = PROJECT["project"]["optional-dependencies"]
    for package, extra, _ in OPTIONAL:
        assert any(re.match(rf"{package}\b", r) for r in extras[extra]), (package, extra)
    needed = " ".join(PROJECT["project"]["dependencies"])
    assert all(re.search(rf"(^| ){package}\b", needed) for package in NEEDED)
    assert "matplotlib" not in needed
    for extra in {extra for _, extra, _ in OPTIONAL}:
        assert re.search(rf"[\[,]{extra}[,\]]", extras["all"][0]), extra


def _natural(words):
    return [int(w) if w.isdigit() else w for w in re.split(r"(\d+)", words)]
