"""What came of a case.

| kind | what it means |
|---|---|
| ok | the input was used, and what came of it is sound |
| refused | a documented exception, or exit code 1, 2 or 130, with one line in our words |
| finding | anything else; `what` names it and `place` is where |
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """ok, refused or a finding: what is wrong, where, and what was said."""

    kind: str
    what: str = ""
    place: str = ""
    said: str = ""
    did: str = ""  # what the case changed and called

    @property
    def found(self) -> bool:
        """Whether it is a finding."""
        return self.kind == "finding"

    @property
    def group(self) -> str:
        """Findings of one cause share this."""
        return f"{self.what} at {self.place or 'an unknown place'}"

    def about(self, did: str) -> Verdict:
        """The same verdict with what the case did."""
        return replace(self, did=did)

    def as_json(self) -> dict[str, Any]:
        """For the pipe between a worker and its watcher."""
        return asdict(self)


OK = Verdict("ok")


def finding(what: str, place: str, said: str) -> Verdict:
    """A verdict that something is wrong."""
    return Verdict("finding", what, place, said[:2000])
