"""Takes as films: MP4 (H.264) and GIF, drawn without a screen."""

from __future__ import annotations

import errno
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import is_finite, optional, shown
from pliant.take import Take, progress_bar

from .atomic import atomic_write
from .camera import Camera
from .colours import ColourBy
from .curve_panel import CurvePanel
from .png import has_curves
from .registry import writes
from .rendering import Renderer
from .surfaces import frame_rate, refuse_wild

_PANEL = 0.38  # share of the width that a curve takes
_PICTURES_AT_ONCE = 25  # pictures of a GIF that are in memory


@writes(".mp4", energies=False)
@writes(".gif", energies=False)
def _save(take: Take, path: Path) -> None:
    save_film(take, path)


def save_film(
    take: Take,
    path: str | Path,
    *,
    size: tuple[int, int] | None = None,
    curve: bool = False,
    slow: float = 1.0,
    camera: Camera | None = None,
    colour: ColourBy = ColourBy.rest,
) -> Path:
    """Film a take in real time, or `slow` times as long. Returns the path.

    size: pixels; (1280, 720), and (800, 450) for a GIF. curve: draw the distance to rest beside the
    bodies. camera: from where they are seen. colour: by the distance to rest, or each body in its own,
    without its rest shape. An MP4 has the take's frame rate, at most 60 per second,
    and a GIF at most 25; a take of another rate shows the frame nearest in time, none is made up.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in (".mp4", ".gif"):
        raise ValueError(f"save_film: got {path.name!r}; expected a name ending in .mp4 or .gif")
    if not (is_finite(slow) and slow > 0.0):
        raise ValueError(f"save_film: got slow={shown(slow)}; expected a number > 0, e.g. slow=4.0")
    width, height = size or ((1280, 720) if kind == ".mp4" else (800, 450))
    if min(width, height) < 32 or width % 2 or height % 2:
        raise ValueError(f"save_film: got size={size}; expected two even numbers of at least 32")
    refuse_wild(take)
    fps, chosen = film_frames(take, slow=slow, gif=kind == ".gif")
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = 2 * round(0.5 * _PANEL * width) if curve and has_curves(take) else 0
    with (
        Renderer(take, size=(width - beside, height), camera=camera, colour=colour) as renderer,
        progress_bar(len(chosen), path.name) as advance,
        atomic_write(path) as draft,
    ):
        panel = CurvePanel(take, (beside, height)) if beside else None

        def picture(frame: int) -> np.ndarray:
            stage = renderer.frame(frame)
            return stage if panel is None else np.hstack([stage, panel.at(frame)])

        def pictures() -> Iterator[np.ndarray]:
            for frame in chosen:
                yield picture(frame)
                advance()

        if kind == ".mp4":
            write_mp4(draft, pictures(), (width, height), fps)
        else:
            samples = [picture(chosen[i]) for i in np.linspace(0, len(chosen) - 1, 5).astype(int)]
            write_gif(draft, pictures(), np.concatenate(samples), fps)
    return path


def render(
    take: Take, frame: int, size: tuple[int, int] = (1280, 720), *, camera: Camera | None = None
) -> np.ndarray:
    """One frame of a take as a picture, (height, width, 3) bytes."""
    if not -len(take) <= frame < len(take):
        raise ValueError(f"render: got frame {frame}; this take has {len(take)} frames")
    with Renderer(take, size=size, camera=camera) as renderer:
        return renderer.frame(range(len(take))[frame])


def film_frames(take: Take, *, slow: float = 1.0, gif: bool = False) -> tuple[float, list[int]]:
    """Frames per second of a film, and which frame of the take each of its frames shows."""
    rate = frame_rate(take) / slow
    # A GIF counts hundredths of a second, and browsers slow down what is faster than two of them.
    fps = 100.0 / max(4, round(100.0 / rate)) if gif else min(rate, 60.0)
    seconds = float(take.times[-1] - take.times[0]) * slow
    shown = np.arange(round(seconds * fps) + 1) / fps
    return fps, [min(round(t * rate), len(take) - 1) for t in shown]


def write_mp4(
    path: Path, pictures: Iterator[np.ndarray], size: tuple[int, int], fps: float
) -> None:
    """Write all pictures as H.264."""
    ffmpeg = optional("imageio_ffmpeg", ".mp4 films", "view", "imageio-ffmpeg")
    writer = ffmpeg.write_frames(
        str(path),
        size,
        fps=fps,
        codec="libx264",
        pix_fmt_out="yuv420p",  # what every player and browser decodes
        macro_block_size=2,
        quality=None,
        output_params=[
            *("-crf", "18", "-preset", "medium", "-movflags", "+faststart"),
            *("-rc-lookahead", "10", "-threads", "2"),  # a hundred MB less than otherwise
        ],
    )
    writer.send(None)
    try:
        for picture in pictures:
            writer.send(np.ascontiguousarray(picture))
    except OSError:  # with the whole command line of ffmpeg in it
        raise OSError(errno.EIO, "ffmpeg cannot write the film; is the disk full?") from None
    finally:
        writer.close()


def write_gif(path: Path, pictures: Iterator[np.ndarray], samples: np.ndarray, fps: float) -> None:
    """Write all pictures in the 255 colours that serve the samples best."""
    from PIL import Image

    palette = Image.fromarray(samples).quantize(255, method=Image.Quantize.MEDIANCUT, kmeans=1)
    # Without dither: its noise would change from frame to frame and fill the file.
    frames = (
        Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
        for picture in pictures
    )
    with path.open("wb") as file:
        loop: dict[str, Any] = {"loop": 0}  # for ever; said once
        # Pillow holds all pictures of a film until it has the last one, so it gets some at a time.
        while some := list(itertools.islice(frames, _PICTURES_AT_ONCE)):
            part = io.BytesIO()
            some[0].save(
                part,
                format="GIF",
                save_all=True,
                append_images=some[1:],
                disposal=1,
                duration=round(1000.0 / fps),
                optimize=False,
                **loop,
            )
            # 13 bytes and the colours, which all parts share, come first; one byte ends the file.
            begin = 0 if loop else 13 + 3 * 2 ** (part.getvalue()[10] % 8 + 1)
            file.write(part.getvalue()[begin:-1])
            loop = {}
        file.write(b";")
