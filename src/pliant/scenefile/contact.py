"""`[contact]`: how bodies touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from pliant.boundary import Contact
from pliant.scene import Scene

from .source import Here
from .tables import ClassTable, table_of

if TYPE_CHECKING:
    ContactBase = ClassTable
else:
    ContactBase = table_of(Contact)


class ContactTable(ContactBase):
    """How bodies touch each other, themselves and obstacles."""

    makes = Contact
    bodies: bool = Field(True, description="false: they touch obstacles only")

    def rule(self) -> Contact | bool:
        """What `scene.contact` is set to."""
        return Contact(**self.arguments()) if self.bodies else False

    def check_names(self, scene: Scene, here: Here) -> None:
        """Refuse names that nothing in the scene has."""
        rule = self.rule()
        pairs = rule.ignore if isinstance(rule, Contact) else ()
        known = [body.name for body in scene.bodies] + [o.name for o in scene.obstacles]
        for name in (name for pair in pairs for name in pair):
            if name not in known:
                named = ", ".join(map(repr, dict.fromkeys(known)))
                raise (here / "ignore").error(f"got the name {name!r}; expected one of {named}")
