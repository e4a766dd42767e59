"""Contacts of a take as dots and lines to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.contact import FrameContacts
from pliant.mesh import in_space
from pliant.take import Take

#: The longest line, over the size of the bodies; and which share of all forces is not cut to it.
LONGEST, USUAL = 0.2, 0.98
#: The most contacts that are shown of one frame: those with the largest forces.
MOST_SHOWN = 500


@dataclass(frozen=True)
class ShownContacts:
    """Dots (k, 3) of all frames one after the other, tips of lines along the forces, and the number of
    dots up to the end of each frame."""

    points: np.ndarray
    tips: np.ndarray
    ends: list[int]


def shown_contacts(take: Take, size: float) -> ShownContacts | None:
    """The contacts of a take of bodies of a size [m]; None if it has none."""
    if not take.has_contacts or not sum(map(len, take.contacts)):
        return None
    forces = np.concatenate([np.linalg.norm(c.forces, axis=1) for c in take.contacts])
    scale = LONGEST * size / max(float(np.quantile(forces, USUAL)), 1e-300)
    frames = [lines_of(c, scale, LONGEST * size) for c in take.contacts]
    points, tips = (np.concatenate(part) for part in zip(*frames, strict=True))
    return ShownContacts(points, tips, np.cumsum([len(p) for p, _ in frames]).tolist())


def lines_of(
    contacts: FrameContacts, scale: float, longest: float
) -> tuple[np.ndarray, np.ndarray]:
    """Where lines along the forces of a frame begin and end [m], (k, 3) each; scale [m/N]."""
    size = np.linalg.norm(contacts.forces, axis=1)
    first = np.argsort(-size, kind="stable")[:MOST_SHOWN]
    points, forces = in_space(contacts.points[first]), in_space(contacts.forces[first])
    lengths = np.maximum(size[first], 1e-300)
    ways = forces * (np.minimum(scale * lengths, longest) / lengths)[:, None]
    return points, points + ways
