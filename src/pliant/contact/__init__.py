"""Detection and response: what touches what, and what pushes it away.

A `ContactSurface` has the points, edges and triangles of several bodies and obstacles in one
numbering. `BarrierContact` is the energy that keeps them apart, and limits steps so that nothing passes
through anything; `BristleFriction` holds what touches. Pairs are found in trees of boxes (`candidates`,
`pair_search`), distances are in `closest`, laws in `barrier_kernels` and `bristle_kernels`, times of
impact in `impact`.

A `PairSource` gives the energies of contact of one body. Here candidates are found by hashing of boxes
(`hashing`, `neighbours`), distances are those of points, triangles and segments (`touching`), and a
penalty pushes apart what is too close. Exact signs (`orientation`) tell which points are in which cells
(`inside`) and which edges go through which facets (`piercing`); from these follow depths (`depth`).
Obstacles are declared in `boundary`.
"""

from typing import TYPE_CHECKING, Any

from pliant.errors import renamed

from .barrier import BarrierContact as BarrierContact, BarrierMemory as BarrierMemory
from .base import PairSource as PairSource
from .between_parts import PenaltyContact as PenaltyContact
from .bristles import (
    Bristles as Bristles,
    BristlesOfOne as BristlesOfOne,
    IslandBristles as IslandBristles,
)
from .carried import SurfaceMap as SurfaceMap
from .contact_keys import ContactKeys as ContactKeys
from .contact_points import (
    ContactPoints as ContactPoints,
    barrier_energy as barrier_energy,
    clearance as clearance,
    contact_points as contact_points,
    touching_themselves as touching_themselves,
)
from .crossings import crossing_bodies as crossing_bodies
from .frame_contacts import (
    FrameContacts as FrameContacts,
    contact_energies as contact_energies,
    contacts_at as contacts_at,
)
from .friction import BristleFriction as BristleFriction
from .hashing import overlapping as overlapping
from .inside import points_in_cells as points_in_cells
from .near_check import NearCheck as NearCheck
from .neighbours import Neighbours as Neighbours
from .obstacle_paths import ObstaclePaths as ObstaclePaths, ObstaclePlaces as ObstaclePlaces
from .obstacle_work import (
    obstacle_ways as obstacle_ways,
    obstacle_work as obstacle_work,
)
from .on_triangles import nearest_on_triangles as nearest_on_triangles
from .pair_penalty import PairPenalty as PairPenalty
from .refusal import refuse_contact as refuse_contact
from .rods import RodCollisions as RodCollisions, touching_at_rest as touching_at_rest
from .surface import ContactBody as ContactBody, ContactSurface as ContactSurface
from .touching_pairs import touching_pairs as touching_pairs


def _old(name: str) -> Any:
    if name != "Contact":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    renamed("pliant.contact.Contact", "pliant.contact.PairSource")
    return PairSource


if not TYPE_CHECKING:
    __getattr__ = _old
