"""Runs all examples and studies that are not kept, on all cores, before the pages are built.

With PLIANT_DOCS_QUICK set it runs the first example only.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gallery
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

import studies

#: Examples that one process runs, so that it loads the library once for them.
TOGETHER = 4


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make what is missing: studies first, since one of them takes longest."""
    quick, here = bool(os.environ.get("PLIANT_DOCS_QUICK")), Path(__file__).parent
    examples = gallery.missing()
    if quick:
        examples = [pair for pair in examples if pair[0] == gallery.examples()[0]]
    calls = [] if quick else [[here / "run_study.py", *pair] for pair in studies.missing()]
    for i in range(0, len(examples), TOGETHER):
        pairs = examples[i : i + TOGETHER]
        calls.append([here / "run_examples.py", *(path for pair in pairs for path in pair)])
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(_run, calls))
    return config


def _run(call: list[object]) -> None:
    words = [sys.executable, *map(str, call)]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # each has a core
    done = subprocess.run(words, capture_output=True, text=True, env=alone)
    if done.returncode:
        raise PluginError(f"{' '.join(words[1:])} failed\n{done.stderr}")
