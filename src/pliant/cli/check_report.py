"""What is told of one body before a run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class BodyReport:
    """Facts for a table, remarks worth a line, and problems that forbid a run."""

    name: str
    facts: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)  # (field of the scene, what)
