"""The gallery: title, words, picture and code of every example and scene file, made by running it.

What a run leaves is kept (`kept`) in `build/docs/`, or where PLIANT_DOCS_KEPT says, and `making` runs
what is not. An example that was not run is shown without a picture. A page that says
`<!-- films: NAME NAME -->` gets the films of these examples; of scene files the name ends in _scene.
"""

from __future__ import annotations

import ast
import html
import re
from pathlib import Path

from kept import KEPT, ROOT, is_current
from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

LEFT = {"picture.png": ".png", "player.html": ".html", "film.mp4": ".mp4", "film.jpg": ".jpg"}
HEAD = """\
# Gallery

Every picture is made by the code below it when these pages are built. Colour is distance to rest: coral
far from it, blue at rest; the dashed outline is where the body will rest, the dashed line when it was
asked to. The first part is Python, the second [scene files](scenes.md).
"""


def examples() -> list[Path]:
    """All of them, those in Python first."""
    scenes = sorted((ROOT / "examples" / "scenes").glob("*.toml"))
    return [*sorted((ROOT / "examples").glob("*.py")), *scenes]


def folder(example: Path) -> Path:
    """Where what an example leaves is kept."""
    return KEPT / "gallery" / name(example)


def missing() -> list[tuple[Path, Path]]:
    """The examples to run, each with its folder."""
    pairs = [(example, folder(example)) for example in examples()]
    return [pair for pair in pairs if not is_current(pair[1])]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page, its pictures and films."""
    for example in examples():
        for kept, suffix in LEFT.items():
            if (folder(example) / kept).exists():
                path = f"gallery/{name(example)}{suffix}"
                source = str(folder(example) / kept)
                files.append(File.generated(config, path, abs_src_path=source))
    parts = [HEAD, tiles(examples(), "#{anchor}"), *map(section, examples())]
    files.append(File.generated(config, "gallery.md", content="\n\n".join(parts)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put films where a page asks for them, each linked to its place in the gallery."""
    known = {name(example): example for example in examples()}

    def films(found: re.Match[str]) -> str:
        chosen = [known[word] for word in found[1].split()]
        return tiles(chosen, "gallery.html#{anchor}", "films large")

    return re.sub(r"<!-- films: ([\w ]+?) -->", films, markdown)


def tiles(chosen: list[Path], link: str, style: str = "films") -> str:
    """A grid of films that play by themselves; without any, nothing."""
    made = [tile(example, link) for example in chosen if (folder(example) / "film.mp4").exists()]
    return f'<div class="{style}" markdown="0">\n{"".join(made)}</div>' if made else ""


def tile(example: Path, link: str) -> str:
    """One small film with its title."""
    title = html.escape(told(example)[0].rstrip("."))
    place, target = f"gallery/{name(example)}", link.format(anchor=anchor(example))
    return (
        f'<a class="film" href="{target}"><video src="{place}.mp4" poster="{place}.jpg" muted loop '
        f'playsinline preload="none" aria-label="{title}"></video><span>{title}</span></a>\n'
    )


def anchor(example: Path) -> str:
    """Of its heading."""
    return slugify(told(example)[0].rstrip("."), "-")


def name(example: Path) -> str:
    """Of its files: a scene may be called as the example in Python is that shows the same."""
    return example.stem if example.suffix == ".py" else f"{example.stem}_scene"


def section(example: Path) -> str:
    """One example."""
    title, words, code = told(example)
    parts, kept = [f"## {title.rstrip('.')} {{ #{anchor(example)} }}", words], folder(example)
    if (kept / "picture.png").exists():
        parts.append(f"![{title}](gallery/{name(example)}.png){{ .picture }}")
        printed = (kept / "printed.txt").read_text(encoding="utf-8").strip()
        parts += [f"```text\n{printed}\n```"] if printed else []
    if (kept / "player.html").exists():
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
