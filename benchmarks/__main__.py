"""Run all benchmarks and print their tables; names on the command line choose some of them."""

from __future__ import annotations

import sys

from . import beam, thesis

BENCHMARKS = {"thesis": thesis.main, "beam": beam.main}


def main() -> None:
    """Run the chosen benchmarks, all by default."""
    chosen = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"unknown benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    for name in chosen:
        BENCHMARKS[name]()


main()
