"""The error that a scene file is refused with."""

from __future__ import annotations

from collections.abc import Sequence


class SceneError(ValueError):
    """A mistake in a scene file, in one line: `beam.toml:7: body.beam.density: got -1; expected ...`.

    `mistakes` has one such line for each that was found; the message is the first.
    """

    def __init__(self, mistakes: Sequence[str]):
        self.mistakes = list(mistakes)
        more = len(mistakes) - 1
        super().__init__(mistakes[0] + (f" (and {more} more)" if more else ""))
