"""Takes as one web page that needs nothing else: play, scrub, orbit, compare.

The page is put together from the files in `page/`; three.js is among them. Everything that a user
may have named reaches the page as JSON and is shown as text, never as markup.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pliant.take import AT_REST, LazyFrames, Take

from .atomic import atomic_write
from .facets import Facets
from .packed import Packed, pack, pack_indices, pack_positions
from .registry import writes
from .shown import Shown, up_axis
from .shown_contacts import shown_contacts
from .shown_obstacles import ShownObstacle, floor_of, shown_obstacles
from .surfaces import refuse_wild, unique_names

_FOLDER = Path(__file__).parent / "page"
_SCRIPTS = (
    *("data.js", "palette.js", "silhouette.js", "body.js", "still.js"),
    *("contacts.js", "ground.js", "stage.js", "curve.js", "main.js"),
)


@writes(".html")
def _save(take: Take, path: Path) -> None:
    save_html(take, path)


def save_html(
    takes: Take | Sequence[Take], path: str | Path, *, titles: Sequence[str] | None = None
) -> Path:
    """Write the page of a take, or of several side by side. Returns the path."""
    path = Path(path)
    shown, titles = _titled(takes, titles)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as draft, draft.open("w", encoding="utf-8") as file:
        file.writelines(_pieces(shown, titles, str(path.parent)))
    return path


def page(takes: Take | Sequence[Take], *, titles: Sequence[str] | None = None) -> str:
    """The page of a take, or of several side by side with one clock.

    titles: one for each take; by default the names of its bodies. Positions are within 1e-5 of a
    body's size of the take's, or in float32.
    """
    return "".join(_pieces(*_titled(takes, titles)))


def _titled(
    takes: Take | Sequence[Take], titles: Sequence[str] | None
) -> tuple[list[Take], Sequence[str]]:
    """Takes as a list, each with its title."""
    shown = [takes] if isinstance(takes, Take) else list(takes)
    if not shown:
        raise ValueError("page: got no takes; expected at least one, e.g. page([take])")
    if titles is None:
        titles = [", ".join(dict.fromkeys(track.name for track in take.tracks)) for take in shown]
    if len(titles) != len(shown):
        raise ValueError(f"page: got {len(titles)} titles for {len(shown)} takes")
    return shown, titles


def _pieces(
    takes: Sequence[Take], titles: Sequence[str], folder: str | None = None
) -> Iterator[str]:
    """The text of the page, piece by piece; what waits for its turn is in files in `folder`."""
    facts = [_take(take, title) for take, title in zip(takes, titles, strict=True)]
    heading = " | ".join(titles)
    parts: dict[str, Iterable[str]] = {
        "title": [html.escape(heading)],
        "style": [_text("style.css")],
        # Its licence goes wherever three.js goes.
        "three": [f"/*\n{_text('vendor/three-LICENSE.txt')}*/\n{_text('vendor/three.min.js')}"],
        "facts": _json(facts, folder),
        "script": ["\n".join(_text(name) for name in _SCRIPTS)],
    }
    # One pass over the template, so that nothing inside a part is taken for a place.
    for i, text in enumerate(re.split(r"\{\{(\w+)\}\}", _text("template.html"))):
        yield from parts[text] if i % 2 else [text]


def _json(value: Any, folder: str | None) -> Iterator[str]:
    """A value as JSON that can stand in a page, piece by piece."""
    if isinstance(value, Packed):
        yield '"'
        yield from value.pieces(folder)
        yield '"'
    elif isinstance(value, dict):
        for i, (key, inner) in enumerate(value.items()):
            yield f"{',' if i else '{'}{json.dumps(key)}:"
            yield from _json(inner, folder)
        yield "}" if value else "{}"
    elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        for i, inner in enumerate(value):
            yield "," if i else "["
            yield from _json(inner, folder)
        yield "]"
    else:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
        yield text.replace("<", "\\u003c")


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _take(take: Take, title: str) -> dict[str, Any]:
    refuse_wild(take)
    names = unique_names([track.name for track in take.tracks])
    pairs = zip(take.tracks, names, strict=True)
    bodies = [replace(Shown.of(track), name=name) for track, name in pairs]
    known = [b.distance is not None for b in bodies]
    around = shown_obstacles(take)
    return {
        "title": title,
        "times": (take.times - take.times[0]).tolist(),
        "up": "xyz"[up_axis(take)],
        "bodies": [_body(b) for b in bodies],
        "obstacles": [_obstacle(s, len(take)) for s in around],
        "contacts": _contacts(take, max(b.size for b in bodies)),
        "floor": floor_of([s for s in around if not s.moves], up_axis(take)),
        "curves": _distances(bodies) if any(known) else _energies(take, names),
        "quantity": "distance to rest [m]" if any(known) else "energy [J]",
        "note": AT_REST if any(known) else "",
    }


def _body(body: Shown) -> dict[str, Any]:
    facets = body.facets
    facts: dict[str, Any] = {
        "name": body.name,
        "words": body.words,
        "plane": body.plane,
        "positions": pack_positions(body.positions, body.size),
        "vertices": pack_indices(facets.vertices),
        "triangles": pack_indices(facets.triangles),
        "edges": pack_indices(facets.edges),
        "outlines": [
            {"first": first, "creases": pack_indices(pairs)} for first, pairs in body.outlines
        ],
    }
    if body.shares is not None:
        facts["shares"] = pack(_bytes(body.shares))
    if body.ghosts is not None:
        facts["ghosts"] = pack_positions(body.ghosts, body.size)
    return facts


def _bytes(shares: LazyFrames) -> LazyFrames:
    """Shares from 0 to 1 as whole numbers up to 255."""
    return LazyFrames(
        shares.shape, lambda k: np.rint(255.0 * shares[k]).astype(np.uint8), dtype=np.uint8
    )


def _obstacle(obstacle: ShownObstacle, frames: int) -> dict[str, Any]:
    facets, x = Facets.of(obstacle.surface), obstacle.surface.points
    vertex = np.zeros(len(x), dtype=np.int64)
    vertex[facets.vertices] = np.arange(len(facets.vertices))
    shape = (frames if obstacle.moves else 1, len(facets.vertices), 3)

    def normals(frame: int) -> np.ndarray:
        return facets.normals(obstacle.points_at(frame))

    return {
        "name": obstacle.name,
        "flat": obstacle.flat,
        "wall": obstacle.wall,
        "points": pack(LazyFrames(shape, lambda k: obstacle.points_at(k)[facets.vertices])),
        "normals": pack(LazyFrames(shape, normals)),
        "triangles": pack_indices(facets.triangles),
        "rim": pack_indices(vertex[facets.creases]),
        "framed": obstacle.framed.round(6).tolist(),
    }


def _contacts(take: Take, size: float) -> dict[str, Any] | None:
    found = shown_contacts(take, size)
    if found is None:
        return None
    return {"ends": found.ends, "points": pack(found.points[None]), "tips": pack(found.tips[None])}


def _distances(bodies: list[Shown]) -> list[dict[str, Any]]:
    """The curves of bodies that know their rest, each with its wish as a mark."""
    curves = []
    for i, b in enumerate(bodies):
        if b.distance is None:
            continue
        curve: dict[str, Any] = {"label": b.name, "body": i, "values": b.distance.tolist()}
        if b.asked:
            level = b.asked.get("within", 0.01) * b.largest
            curve["asked"] = {"time": b.since + b.asked["rest_in"], "value": level}
        if b.measured is not None and np.isfinite(b.measured):
            curve["measured"] = b.since + b.measured
        curves.append(curve)
    return curves


def _energies(take: Take, names: list[str]) -> list[dict[str, Any]]:
    if len(take) < 2 or any(track.count_energies is None for track in take.tracks):
        return []
    return [
        {"label": f"{names[i]}: {name}", "body": i, "values": track.energies[name].tolist()}
        for i, track in enumerate(take.tracks)
        for name in ("kinetic", "elastic", "total")
    ]
