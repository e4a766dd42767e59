"""`[contact]`: how bodies touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from pliant.boundary import Contact

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
