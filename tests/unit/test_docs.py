"""The site is built strictly, is whole, asks no outside host, and its code does what it says."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import pliant

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]\d+)?")


PAGES = {
    "index": "What is promised, and what was measured",
    "quick-start": "pliant new",
    "animators": "there is no coefficient to tune",
    "gallery": "beam_rests_on_cue.py",
    "rest-on-cue": "What cannot be met",
    "plastic": "flows beyond yield",
    "cutting": "Cells are split along the cut",
    "tearing": "How fine a mesh must be",
    "reduced": "Boundary elements",
    "contact": "No frame has an intersection",
    "scenes": "rest_in",
    "shapes": "the same with dual quaternions",
    "stage": "pliant play",
    "blender": "Rest on cue",
    "takes": "body0/positions",
    "sweeps": "The take is the memory",
    "fitting": "What cannot be told",
    "command-line": "--set",
    "theory": "unison",
    "symbols": "kappa",
    "performance": "MuJoCo",
    "young-2007": "pliant study young-2007",
    "references": "Controllable, Non-Oscillatory Damping",
    "changelog": pliant.__version__,
    "contributing": "make test",
    "architecture": "scene.run",
}


def test_site(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One test, because two workers would build the site twice."""
    tmp_path, kept = (tmp_path_factory.mktemp(name) for name in ("site", "kept"))
    # Studies and examples take minutes, and have tests of their own.
    quick = {"PLIANT_DOCS_QUICK": "1", "NO_MKDOCS_2_WARNING": "1", "PLIANT_DOCS_KEPT": str(kept)}
    call = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(call, cwd=ROOT, env=os.environ | quick, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    site = {p.relative_to(tmp_path).as_posix(): p for p in tmp_path.rglob("*.*") if p.is_file()}
    # The pages that play takes have tests of their own.
    html = {
        name: path.read_text(encoding="utf-8")
        for name, path in site.items()
        if path.suffix == ".html" and path.parent.name not in ("gallery", "studies")
    }
    for page, words in PAGES.items():
        assert words in re.sub(r"<[^>]+>", "", html[f"{page}.html"]), page
    for study in (ROOT / "studies").glob("*/study.py"):
        name = study.parent.name
        assert (
            f"pliant study {name}" in html[f"{name}.html"]
            and f'href="{name}.html"' in html["theory.html"]
        )
    every_public_name_is_in_the_reference(html)
    every_command_is_in_the_reference(html["command-line.html"])
    # Examples have tests of their own; one shows that their pictures come here.
    examples = sorted((ROOT / "examples").glob("*.py"))
    assert f'src="gallery/{examples[0].stem}.png"' in html["gallery.html"]
    assert site[f"gallery/{examples[0].stem}.png"].read_bytes().startswith(b"\x89PNG")
    for example in examples:
        assert f"examples/{example.name}" in html["gallery.html"]
    films_play_beside_the_examples(site, html["gallery.html"], examples[0].stem)
    search_and_formulas_need_no_server(site, html)
    nothing_asks_an_outside_host(html)
    sheets = [p.read_text(encoding="utf-8") for n, p in site.items() if n.endswith(".css")]
    assert not any(re.search(r"(@import|url\()\s*['\"]?(https?:)?//", sheet) for sheet in sheets)


def films_play_beside_the_examples(site: dict[str, Path], gallery: str, first: str) -> None:
    assert f'<video src="gallery/{first}.mp4" poster="gallery/{first}.jpg" muted loop' in gallery
    assert site[f"gallery/{first}.jpg"].read_bytes().startswith(b"\xff\xd8")
    assert b"ftyp" in site[f"gallery/{first}.mp4"].read_bytes()[:12]
    anchor = re.search(r'<a class="film" href="#([\w-]+)"', gallery)
    assert anchor and f'id="{anchor[1]}"' in gallery


def search_and_formulas_need_no_server(site: dict[str, Path], html: dict[str, str]) -> None:
    assert 'src="assets/vendor/iframe-worker.js"' in html["theory.html"]
    assert site["search/search_index.js"].read_text("utf-8").startswith("var __index = {")
    assert html["theory.html"].count('class="arithmatex"') > 50
    fonts = re.findall(
        r"url\((fonts/[\w-]+\.woff2)\)", site["assets/katex/katex.min.css"].read_text()
    )
    assert len(fonts) == 20 and all(f"assets/katex/{font}" in site for font in fonts)


def every_public_name_is_in_the_reference(html: dict[str, str]) -> None:
    reference = "".join(text for name, text in html.items() if name.startswith("api/"))
    named = set(re.findall(r'id="(pliant\.[\w.]+)"', reference))
    ready = {f"pliant.mesh.generators.{name}" for name in pliant.meshes.__all__}
    modules = {"pliant.haptics", "pliant.meshes", "pliant.shape", "pliant.view"}
    public = {f"pliant.{name}" for name in pliant.__all__} - modules
    felt = {f"pliant.haptics.{name}" for name in ("Loop", "Device", "Simulated", "DeviceError")}
    shaped = {
        f"pliant.shape.{name}"
        for name, value in vars(pliant.shape).items()
        if getattr(value, "__module__", "").startswith("pliant.shape.") and callable(value)
    }
    missing = (public | ready | felt | shaped | {"pliant.view.play", "pliant.view.Stage"}) - named
    assert not missing, sorted(missing)


def every_command_is_in_the_reference(text: str) -> None:
    from pliant.cli.app import app

    for command in app.registered_commands:
        assert f'id="{command.name}"' in text


class Requests(HTMLParser):
    """Collects what a browser fetches by itself: not the links that a reader may follow."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        fetched = ["src", "srcset", "data", "poster"] + (["href"] if tag == "link" else [])
        self.asked += [given[name] or "" for name in fetched if name in given]


def nothing_asks_an_outside_host(html: dict[str, str]) -> None:
    assert len(html) > 20
    for page, text in html.items():
        parser = Requests()
        parser.feed(text)
        assert not [url for url in parser.asked if re.match(r"(https?:)?//", url)], page


def same(found: str, printed: str) -> bool:
    """Whether words are equal, and numbers up to one unit in the last digit that is shown."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", printed):
        return False
    for a, b in zip(NUMBER.findall(found), NUMBER.findall(printed), strict=True):
        digits, _, power = b.partition("e")
        unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
        if abs(float(a) - float(b)) > 1.01 * unit * ("." in digits):
            return False
    return True


RUN = "contact cutting fitting index plastic quick-start rest-on-cue shapes sweeps takes tearing"


@pytest.mark.parametrize("page", [*RUN.split(), pytest.param("reduced", marks=pytest.mark.slow)])
def test_code_on_pages_runs_and_prints_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    blocks = CODE.findall(text)
    assert len(blocks) == text.count("```python")
    names: dict[str, object] = {}  # a page is read from top to bottom, in one session
    for code, expected in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, f"docs/{page}.md", "exec"), names)
        assert same(said.getvalue(), expected), said.getvalue()


def test_commands_of_the_quick_start_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pliant.cli import main

    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "quick-start.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    # `show` opens a window, and `doctor` tests the machine.
    calls = [c for c in lines if re.match(r"pliant (new|run|convert) ", c)]
    assert len(calls) == 4
    for call in calls:
        with pytest.raises(SystemExit) as end:
            main(shlex.split(call, comments=True)[1:])
        assert not end.value.code, capsys.readouterr().err
    assert pliant.Take.read("quick.zarr").tracks[0].asked["rest_in"] == 0.4
    assert (tmp_path / "beam.usdc").stat().st_size > 100_000  # 121 frames of 300 points


def test_every_suffix_is_on_the_page_of_takes() -> None:
    from pliant import io as files

    text = (ROOT / "docs" / "takes.md").read_text(encoding="utf-8")
    assert set(files.known_suffixes()) <= set(re.findall(r"`(\.\w+)`", text))


def test_numbers_are_compared_by_their_last_digit() -> None:
    assert same("rested in 0.75 s", "rested in 0.76 s")
    assert not same("rested in 0.75 s", "rested in 0.77 s")
    assert not same("37 frames", "38 frames")
    assert not same("0.75 s", "0.75 m")


MARKDOWN = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_pages_name_is_there(page: Path) -> None:
    """Files in code type, and names of the package; nothing outside the repository is named."""
    text = page.read_text(encoding="utf-8")
    places = (ROOT, ROOT / "src" / "pliant", ROOT / "docs", page.parent)
    for name in re.findall(r"`([\w.-]+/[\w./-]+\.(?:py|md|toml|bib))`", text):
        assert any((place / name).exists() for place in places), f"there is no {name}"
    for name in re.findall(r"\bpl\.([A-Z]\w+)", text):
        assert name in pliant.__all__, f"there is no pl.{name}"
    assert not re.search(r"\b(issue \d+|shared/|ARCHITECTURE\.md|CONTROL\.md|STYLE\.md)", text)


def test_the_reference_names_everything_public() -> None:
    text = (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8")
    missing = [n for n in pliant.__all__ if not re.search(rf"\b{n}\b", text)]
    assert not missing, missing


def test_what_is_kept_is_made_again_when_a_file_that_it_loaded_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "hooks"))
    import kept

    (tmp_path / "src").mkdir()
    used, other = tmp_path / "src" / "used.py", tmp_path / "src" / "other.py"
    used.write_text("x = 1")
    other.write_text("x = 1")
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    folder = tmp_path / "kept"
    folder.mkdir()
    assert not kept.is_current(folder)
    kept.note(folder, [used])
    assert kept.is_current(folder)
    other.write_text("x = 2")
    assert kept.is_current(folder)
    used.write_text("x = 2, and longer")
    os.utime(used, (1, 1))
    assert not kept.is_current(folder)
    used.unlink()
    assert not kept.is_current(folder)
