"""Files: takes are written by suffix, and each format is one module that registers itself.

A format is a function with `@writes(".suffix")` or `@reads`. It reads a take frame by frame, and
what it writes appears whole or not at all (`atomic`). A folder is a take that can be continued
(`folder`, `checkpoint`). Pictures and films are formats too. Scene files are in `scenefile`.
"""

from . import (
    film as film,
    folder as folder,
    glb as glb,
    html as html,
    mdd as mdd,
    npz as npz,
    obj as obj,
    pc2 as pc2,
    png as png,
    usd as usd,
    vtkhdf as vtkhdf,
    vtu as vtu,
)
from .atomic import atomic_write as atomic_write
from .browser import show as show
from .cache import Cache as Cache
from .camera import Camera as Camera
from .colours import ColourBy as ColourBy
from .drawing import (
    INK as INK,
    QUIET as QUIET,
    draw_bodies as draw_bodies,
    draw_outline as draw_outline,
    frame_picture as frame_picture,
)
from .facets import Facets as Facets
from .film import save_film as save_film
from .folder import TakeFolder as TakeFolder, store_at as store_at
from .folder_reader import count_frames as count_frames
from .html import save_html as save_html
from .inline import inline as inline, inline_mesh as inline_mesh, inline_scene as inline_scene
from .lock import Lock as Lock
from .mosaic import save_filmstrip as save_filmstrip, save_mosaic as save_mosaic
from .plain_files import DamagedError as DamagedError
from .png import quiet_axes as quiet_axes
from .point_cache import MDD as MDD, PC2 as PC2, read_point_cache as read_point_cache
from .registry import (
    check_suffix as check_suffix,
    check_target as check_target,
    in_words as in_words,
    known_suffixes as known_suffixes,
    load as load,
    reads as reads,
    save as save,
    shows_energies as shows_energies,
    write_files as write_files,
    writes as writes,
)
from .shown import (
    Rested as Rested,
    outcome as outcome,
    rested as rested,
    when_at_rest as when_at_rest,
)
from .shown_contacts import LONGEST as LONGEST, lines_of as lines_of
from .shown_obstacles import (
    ShownObstacle as ShownObstacle,
    floor_of as floor_of,
    obstacles_near as obstacles_near,
)
from .stored import archive_arrays as archive_arrays, read_text as read_text
from .usd import save_usd as save_usd
