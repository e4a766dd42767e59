"""The gallery: title, words, picture and code of every example and scene file, made by running it.

What a run leaves is kept in `build/docs/`, or where PLIANT_DOCS_KEPT says, under a hash of the example
and of the library, so that only what changed is run again. With PLIANT_DOCS_QUICK set, only the first
example is run, and others that are not kept are shown without a picture.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
KEPT = Path(os.environ.get("PLIANT_DOCS_KEPT", ROOT / "build" / "docs")) / "gallery"
A_WEEK = 7 * 24 * 3600.0  # [s]
HEAD = """\
# Gallery

Every picture is made by the code below it when these pages are built. Colour is distance to rest: coral
far from it, blue at rest; the dashed outline is where the body will rest, the dashed line when it was
asked to. The first part is Python, the second [scene files](scenes.md).
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Run what is not kept, and add the page and its pictures."""
    scenes = sorted((ROOT / "examples" / "scenes").glob("*.toml"))
    examples = [*sorted((ROOT / "examples").glob("*.py")), *scenes]
    folders = {example: KEPT / fingerprint(example) for example in examples}
    quick = bool(os.environ.get("PLIANT_DOCS_QUICK"))
    missing = [(e, f) for e, f in folders.items() if not f.exists()]
    run([(e, f) for e, f in missing if e is examples[0] or not quick])
    for example, folder in folders.items():
        for kept, suffix in (("picture.png", ".png"), ("player.html", ".html")):
            if (folder / kept).exists():
                path = f"gallery/{name(example)}{suffix}"
                files.append(File.generated(config, path, abs_src_path=str(folder / kept)))
    sections = [section(example, folder) for example, folder in folders.items()]
    files.append(File.generated(config, "gallery.md", content="\n\n".join([HEAD, *sections])))
    return files


def name(example: Path) -> str:
    """Of its files: a scene may be called as the example in Python is that shows the same."""
    return example.stem if example.suffix == ".py" else f"{example.stem}_scene"


def section(example: Path, folder: Path) -> str:
    """One example."""
    title, words, code = told(example)
    parts = [f"## {title.rstrip('.')}", words]
    if (folder / "picture.png").exists():
        parts.append(f"![{title}](gallery/{name(example)}.png){{ .picture }}")
        printed = (folder / "printed.txt").read_text(encoding="utf-8").strip()
        parts += [f"```text\n{printed}\n```"] if printed else []
    if (folder / "player.html").exists():
        button = '{ .md-button target="_blank" }'
        parts.append(f"[Play it in the browser](gallery/{name(example)}.html){button}")
    language = {".py": "python", ".toml": "toml"}[example.suffix]
    lines = [f"```{language}", *code.splitlines(), "```"]
    parts.append(f'??? example "{example.relative_to(ROOT).as_posix()}"')
    parts.append("\n".join(f"    {line}".rstrip() for line in lines))
    return "\n\n".join(parts) + "\n"


def told(example: Path) -> tuple[str, str, str]:
    """Title, words and code: of a docstring, or of a title and the comment above it."""
    text = example.read_text(encoding="utf-8")
    if example.suffix == ".py":
        title, _, words = (ast.get_docstring(ast.parse(text)) or example.stem).partition("\n")
        return title, words.strip(), text.split('"""', 2)[2].strip()
    found = re.match(r'(?P<comment>(?:#.*\n)*)title = "(?P<title>.*)"\n', text)
    if found is None:
        raise PluginError(f"{example.name}: expected a comment and a title at its beginning")
    words = re.sub(r"^# ?", "", found["comment"], flags=re.MULTILINE)
    return found["title"], words.strip(), text[found.end("comment") :].strip()


def run(missing: list[tuple[Path, Path]]) -> None:
    """Run examples in a process of their own."""
    if not missing:
        return
    KEPT.mkdir(parents=True, exist_ok=True)
    pairs = [str(path) for pair in missing for path in pair]
    call = [sys.executable, str(Path(__file__).with_name("run_examples.py")), *pairs]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode:
        raise PluginError(f"gallery: an example failed\n{done.stderr}")
    for old in KEPT.iterdir():
        if time.time() - old.stat().st_mtime > A_WEEK:
            shutil.rmtree(old)


def fingerprint(example: Path) -> str:
    """Of an example and all that its picture may depend on."""
    seen = hashlib.sha256()
    library = sorted(p for p in (ROOT / "src").rglob("*.*") if p.suffix in (".py", ".js", ".css"))
    meshes = sorted(example.parent.glob("*.obj"))
    for path in (example, Path(__file__).with_name("run_examples.py"), *meshes, *library):
        seen.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return f"{example.stem}-{seen.hexdigest()[:16]}"
