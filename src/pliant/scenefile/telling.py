"""What a build says while it works."""

from __future__ import annotations

from collections.abc import Callable

#: Is told what is being done now, such as "filling duck.obj with tetrahedra".
Tell = Callable[[str], None]


def tell_nobody(_doing: str) -> None:
    """For those who do not ask."""
