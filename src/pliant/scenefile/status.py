"""What a build says while it works."""

from __future__ import annotations

from collections.abc import Callable

#: A function that is called with what is being done now, such as "filling duck.obj with tetrahedra".
Status = Callable[[str], None]


def silent(_doing: str) -> None:
    """Says nothing."""
