"""Several takes beside each other on one clock: a film of tiles, and a filmstrip for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from pliant.errors import require_matplotlib
from pliant.take import Take, progress_bar

from .atomic import atomic_write
from .camera import FRONT, Camera
from .drawing import INK, frame_picture
from .extent import Extent
from .film import write_gif, write_mp4
from .png import draw_frame, framed_points, shares_of
from .rendering import Renderer, extent_of
from .surfaces import frame_rate, refuse_wild

#: Tiles of a film, each of which is a window that nobody sees.
MOST_TILES = 64
#: Most frames per second of a film, and of a GIF, whose browsers slow down what is faster.
_FASTEST = {".mp4": 60.0, ".gif": 25.0}
#: Instants of a filmstrip.
INSTANTS = 5


def save_mosaic(
    takes: Sequence[Take],
    path: str | Path,
    *,
    titles: Sequence[str],
    size: tuple[int, int] = (1280, 720),
    camera: Camera | None = None,
) -> Path:
    """Film takes beside each other in real time, seen by one camera; ended ones stand still.

    size: pixels of the whole, about; each take has a tile under its title. Takes of about one size have
    one scale; if one is more than twice as large as another, each fills its tile.
    """
    path = Path(path)
    _check(takes, titles)
    if len(takes) > MOST_TILES:
        raise ValueError(f"mosaic: got {len(takes)} takes; expected at most {MOST_TILES}")
    kind = path.suffix.lower()
    columns, tile = _tiles(len(takes), size)
    rows = math.ceil(len(takes) / columns)
    fps = min(max(map(frame_rate, takes)), _FASTEST[kind])
    if kind == ".gif":
        fps = 100.0 / max(4, round(100.0 / fps))  # it counts hundredths of a second
    clocks = [take.times - take.times[0] for take in takes]
    times = np.arange(round(max(float(c[-1]) for c in clocks) * fps) + 1) / fps
    extents = Extent.side_by_side([extent_of(take, tile, camera) for take in takes])
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        ExitStack() as stack,
        progress_bar(len(times), path.name) as advance,
        atomic_write(path) as draft,
    ):
        renderers = [
            stack.enter_context(
                Renderer(take, title=title, size=tile, camera=camera, extent=extent)
            )
            for take, title, extent in zip(takes, titles, extents, strict=True)
        ]

        def picture(now: float) -> np.ndarray:
            whole = np.full((rows * tile[1], columns * tile[0], 3), 255, np.uint8)
            for k, (renderer, clock) in enumerate(zip(renderers, clocks, strict=True)):
                y, x = k // columns * tile[1], k % columns * tile[0]
                frame = int(np.abs(clock - now).argmin())
                whole[y : y + tile[1], x : x + tile[0]] = renderer.frame(frame)
            return whole

        def pictures() -> Iterator[np.ndarray]:
            for now in times:
                yield picture(float(now))
                advance()

        if kind == ".mp4":
            write_mp4(draft, pictures(), (columns * tile[0], rows * tile[1]), fps)
        else:
            samples = [picture(float(times[i])) for i in (0, len(times) // 2, -1)]
            write_gif(draft, pictures(), np.concatenate(samples), fps)
    return path


def save_filmstrip(takes: Sequence[Take], path: str | Path, *, titles: Sequence[str]) -> Path:
    """Draw a row for each take: the same instants of all, in pictures of one scale."""
    require_matplotlib("pictures")
    from matplotlib.figure import Figure

    path = Path(path)
    _check(takes, titles)
    end = max(float(take.times[-1] - take.times[0]) for take in takes)
    instants = np.linspace(0.0, end, INSTANTS) if end > 0.0 else np.zeros(1)
    around = np.concatenate([framed_points(take, _nearest(take, instants)) for take in takes])
    wide, high = np.ptp(FRONT.project(around), axis=0)
    tall = min(max(2.3 * high / max(wide, 1e-300), 0.8), 3.0)
    figure = Figure(figsize=(2.4 * len(instants), (tall + 0.35) * len(takes)), layout="constrained")
    grid = figure.subplots(len(takes), len(instants), squeeze=False)
    for row, take, title in zip(grid, takes, titles, strict=True):
        frames = _nearest(take, instants)
        shares = shares_of(take, frames)
        for column, (ax, frame) in enumerate(zip(row, frames, strict=True)):
            draw_frame(ax, take, frame, [share[column] for share in shares])
            frame_picture(ax, around)
            words = f"{instants[column]:.2f} s" if column else f"{title}\n{instants[0]:.2f} s"
            where = "center" if column else "left"
            ax.set_title(words, fontsize=9, color=INK, loc=where)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as draft:
        figure.savefig(draft, format="png", dpi=110)
    return path


def _tiles(count: int, size: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """Columns, and even pixels of a tile, so that tiles have about the shape of the whole."""
    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns)
    tall = size[1] // max(rows, columns - 1)
    return columns, (max(32, 2 * (size[0] // columns // 2)), max(32, 2 * (tall // 2)))


def _nearest(take: Take, instants: np.ndarray) -> list[int]:
    clock = take.times - take.times[0]
    return [int(np.abs(clock - t).argmin()) for t in instants]


def _check(takes: Sequence[Take], titles: Sequence[str]) -> None:
    if not takes or len(titles) != len(takes):
        raise ValueError(f"got {len(titles)} titles for {len(takes)} takes; expected one for each")
    for take in takes:
        refuse_wild(take)
