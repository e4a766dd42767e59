"""What a run records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Obstacle, obstacle_of
from pliant.contact import FrameContacts
from pliant.errors import shown
from pliant.given import path_of

from .frames import Frames
from .measure import Measure, Ring
from .track import Track, require_growing


class Take:
    """What a run recorded: `take.times`, and per body positions, energies and solver reports.

    With one body `take.positions` and the rest are that body's; with several use `take[body]`, or
    the body's name. `tracks` has them in the order of the scene; `about` says what made the take:
    versions, settings, and the scene file if there was one.
    """

    def __init__(
        self,
        tracks: Sequence[Track],
        *,
        dt: float,
        about: dict[str, Any] | None = None,
        contacts: Sequence[FrameContacts] | None = None,
        motions: Sequence[Frames] = (),
    ):
        listed = isinstance(tracks, Sequence) and not isinstance(tracks, str)
        if not (listed and tracks and all(isinstance(t, Track) for t in tracks)):
            raise TypeError(f"Take: got tracks={shown(tracks)}; expected those of another take")
        if not (about is None or isinstance(about, dict)):
            raise TypeError(f"Take: got about={shown(about)}; expected a dict, or None")
        for name, given in (
            ("contacts", () if contacts is None else contacts),
            ("motions", motions),
        ):
            if not isinstance(given, Sequence) or isinstance(given, str):
                raise TypeError(f"Take: got {name}={shown(given)}; expected those of another take")
        self.tracks = list(tracks)
        self.times = tracks[0].times
        self.dt = dt
        self.about = about or {}
        self._contacts = contacts
        #: Where obstacles that move are in each frame: of those that deform points [m] (frames, n, d),
        #: of others the rigid motion [R | shift] (frames, d, d + 1).
        self.motions = list(motions)
        self.source: Path | None = None  # the folder from which frames are still read

    @classmethod
    def read(cls, path: str | Path, *, retime: float | None = None) -> Take:
        """Read a take that was saved as .zarr or .npz.

        retime: give its frames new times, so many per second; for a file whose times do not grow.
        """
        from pliant import io

        return io.load(path_of("Take.read", path), retime=retime)

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """The obstacles of the scene, also if the take was read from a file."""
        return tuple(obstacle_of(facts) for facts in self.about.get("obstacles", ()))

    @property
    def contacts(self) -> Sequence[FrameContacts]:
        """What touches in each frame: points, normals, forces [N], and the names of both sides."""
        if self._contacts is None:
            raise ValueError(
                "no contacts were recorded; expected a scene with contact=pl.Contact(), and not "
                "record=False"
            )
        return self._contacts

    @property
    def has_contacts(self) -> bool:
        """Whether contacts were recorded."""
        return self._contacts is not None

    @property
    def obstacle_motions(self) -> list[Frames | None]:
        """The frames of `motions` of each obstacle; None for those that stand still."""
        moving, known = iter(self.motions), self.about.get("obstacles", ())
        return [next(moving, None) if "motion" in facts else None for facts in known]

    @property
    def bodies(self) -> list[Deformable]:
        """The bodies of the scene; none if the take was read from a file."""
        return [t.body for t in self.tracks if t.body is not None]

    def __getitem__(self, body: Deformable | str) -> Track:
        named = isinstance(body, str)
        found = [t for t in self.tracks if body is t.body or (named and body == t.name)]
        names = [t.name for t in self.tracks]
        if len(found) > 1:
            raise KeyError(
                f"{len(found)} bodies are called {shown(body)}; use take.tracks, in {names}"
            )
        if found:
            return found[0]
        raise KeyError(f"{shown(body)} is not in this take; it has {names}")

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        seconds = self.times[-1] - self.times[0]
        bodies = "1 body" if len(self.tracks) == 1 else f"{len(self.tracks)} bodies"
        return f"<Take: {len(self)} frames, {seconds:.3g} s, {bodies}>"

    @property
    def positions(self) -> np.ndarray:
        """Positions [m], shape (frames, n, d)."""
        return self._only.positions

    @property
    def velocities(self) -> np.ndarray:
        """Velocities [m/s], shape (frames, n, d)."""
        return self._only.velocities

    @property
    def energies(self) -> np.ndarray:
        """Records of kinetic, elastic, external, contact and total energy [J]: see `Track.energies`."""
        return self._only.energies

    @property
    def plastic(self) -> np.ndarray | None:
        """The equivalent plastic strain of each cell in every frame, (frames, cells)."""
        return self._only.plastic

    @property
    def solver(self) -> np.ndarray:
        """Records of what the solver did, one per step."""
        return self._only.solver

    @property
    def rest(self) -> np.ndarray | None:
        """The shape that the damping aimed for, if it has one, (n, d)."""
        return self._only.rest

    def distance(self, rest: np.ndarray | None = None, *, measure: Measure = "rms") -> np.ndarray:
        """Distance to rest of every frame [m], rms by mass or of the farthest point."""
        return self._only.distance(rest, measure=measure)

    def rest_time(
        self,
        within: float | None = None,
        rest: np.ndarray | None = None,
        *,
        measure: Measure = "rms",
    ) -> float:
        """When the body came to rest [s]: see `Track.rest_time`."""
        return self._only.rest_time(within, rest, measure=measure)

    def rest_times(
        self,
        within: float | None = None,
        rest: np.ndarray | None = None,
        *,
        measure: Measure = "rms",
    ) -> np.ndarray:
        """When each connected part of the body came to rest [s], (parts,)."""
        return self._only.rest_times(within, rest, measure=measure)

    def ring(self, *, period: float | None = None) -> Ring:
        """The damped oscillation that fits the distance to rest."""
        return self._only.ring(period=period)

    def resampled(self, fps: float) -> Take:
        """The same motion with another number of frames per second, e.g. 24 for a film.

        Recorded frames stay as they are, and straight lines lie between them. Frames are made when they
        are asked for. Contacts are those of the nearest frame.
        """
        from .resample import resampled

        return resampled(self, fps)

    def save(self, path: str | Path) -> Path:
        """Write the take; the suffix chooses the format."""
        for track in self.tracks:  # whose arrays may have been changed since
            require_growing(track.times, track.name)
        from pliant import io

        return io.save(self, path_of("Take.save", path))

    def show(self) -> None:
        """Open the take in the browser."""
        from pliant import io

        io.show(self)

    def _repr_html_(self) -> str:
        """The page that plays it, for notebooks."""
        from pliant import io

        return io.inline(self)

    @property
    def _only(self) -> Track:
        if len(self.tracks) != 1:
            raise ValueError(f"this take has {len(self.tracks)} bodies; use take[body].positions")
        return self.tracks[0]
