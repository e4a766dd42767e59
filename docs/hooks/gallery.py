"""The gallery: every example's title, words, picture and code, made by running it.

What a run leaves is kept in `build/docs/` under a hash of the example and of the library, so that only
what changed is run again.
"""

from __future__ import annotations

import ast
import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "docs" / "gallery"
A_WEEK = 7 * 24 * 3600.0  # [s]
HEAD = """\
# Gallery

Every picture is made by the code below it when these pages are built. Colour is distance to rest: coral
far from it, blue at rest; the dashed outline is where the body will rest, the dashed line when it was
asked to.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Run what is not kept, and add the page and its pictures."""
    examples = sorted((ROOT / "examples").glob("*.py"))
    folders = {example: KEPT / fingerprint(example) for example in examples}
    run([(e, f) for e, f in folders.items() if not f.exists()])
    sections = []
    for example, folder in folders.items():
        plays = (folder / "player.html").exists()
        for kept, name in (("picture.png", ".png"), ("player.html", ".html")):
            if (folder / kept).exists():
                path = f"gallery/{example.stem}{name}"
                files.append(File.generated(config, path, abs_src_path=str(folder / kept)))
        printed = (folder / "printed.txt").read_text(encoding="utf-8").strip()
        sections.append(section(example, printed, plays))
    files.append(File.generated(config, "gallery.md", content="\n\n".join([HEAD, *sections])))
    return files


def section(example: Path, printed: str, plays: bool) -> str:
    """One example."""
    text = example.read_text(encoding="utf-8")
    title, _, words = (ast.get_docstring(ast.parse(text)) or example.stem).partition("\n")
    code = text.split('"""', 2)[2].strip()
    player = f"gallery/{example.stem}.html"
    link = (
        f'[Play it in the browser]({player}){{ .md-button target="_blank" }}\n\n' if plays else ""
    )
    output = f"```text\n{printed}\n```\n\n" if printed else ""
    fenced = "\n".join(f"    {line}".rstrip() for line in ["```python", *code.splitlines(), "```"])
    return (
        f"## {title.rstrip('.')}\n\n{words.strip()}\n\n"
        f"![{title}](gallery/{example.stem}.png){{ .picture }}\n\n{output}{link}"
        f'??? example "examples/{example.name}"\n\n{fenced}\n'
    )


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
    for path in (example, Path(__file__).with_name("run_examples.py"), *library):
        seen.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return f"{example.stem}-{seen.hexdigest()[:16]}"
