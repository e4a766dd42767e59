"""A page for every notebook in `examples/notebooks/`: its words and code, and the file itself.

Tests run the notebooks; what they show of themselves needs a kernel, or the saved file.
"""

from __future__ import annotations

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTE = """\
!!! note "A notebook"
    These are the cells of [{name}.ipynb]({name}.ipynb). In Jupyter the mesh, the scene and the takes
    show themselves below their cells: pages to turn, scrub and play, which need no server and stay in
    the file.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and the notebooks."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        content = page(path.stem, json.loads(path.read_text(encoding="utf-8"))["cells"])
        files.append(File.generated(config, f"{path.stem}_notebook.md", content=content))
        files.append(File.generated(config, path.name, abs_src_path=str(path)))
    return files


def page(name: str, cells: list[dict[str, list[str] | str]]) -> str:
    """The cells as a page, with a note below the title."""
    texts = ["".join(cell["source"]) for cell in cells]
    parts = [
        text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
        for cell, text in zip(cells, texts, strict=True)
    ]
    return "\n\n".join([parts[0], NOTE.format(name=name), *parts[1:]]) + "\n"
