"""Messages whose remedy is a call in Python and a field in a scene file."""

from __future__ import annotations


class Advice(str):
    """What an error says: as text to a Python user, by `in_scene` to the writer of a scene file.

    raise ValueError(Advice("it falls", "; hold it with body.fix(...)", '; hold it with fix = "..."'))
    """

    in_scene: str

    def __new__(cls, said: str, call: str = "", field: str = "") -> Advice:
        """`said` is for both; then comes the call or the field."""
        made = super().__new__(cls, said + call)
        made.in_scene = said + field
        return made


def in_scene(error: BaseException) -> str:
    """What an error says to the writer of a scene file."""
    said = error.args[0] if error.args else ""
    return said.in_scene if isinstance(said, Advice) else str(error)


def prefixed(before: str, error: BaseException) -> Advice:
    """What an error says, with something before it."""
    return Advice(before, str(error), in_scene(error))
