"""What a step that fails can be taken out of again."""

from __future__ import annotations

from typing import Any


class Undoable:
    """An object whose attributes steps replace, and never change in place.

    `keep` before a step, `put_back` after one that failed or was interrupted: then it is as it was
    to the last bit. What was made from it meanwhile does not count.
    """

    def keep(self) -> Any:
        """What `put_back` needs: references only."""
        return vars(self).copy()

    def put_back(self, kept: Any) -> None:
        """Be as when `keep` was called."""
        self.__dict__ = dict(kept)
