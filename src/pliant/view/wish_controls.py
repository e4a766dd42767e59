"""What each body is asked for: when it rests, and after how many bounces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pliant.control import Damping, Settle, Undamped

from .controls import Controls
from .engine import Engine

if TYPE_CHECKING:
    import viser

REST_IN = (0.1, 4.0, 0.05)  # [s]: least, most, step of the slider
SLIDER_BOUNCES = 8


@dataclass(frozen=True)
class PanelWish:
    """The controls as they stand for one body."""

    cued: bool
    rest_in: float
    bounces: int
    soft: bool

    @classmethod
    def of(cls, damping: Damping | None, others: Settle | None) -> PanelWish:
        """Those of a body's own damping; the numbers of `others` if it has no wish."""
        wish = damping if isinstance(damping, Settle) else others
        if wish is None:
            return cls(False, 1.0, 0, False)
        cued = isinstance(damping, Settle)
        return cls(cued, wish.rest_in, wish.bounces or 0, wish.bounces is not None)


class WishControls(Controls):
    """Sliders that show the wish of one body at a time, or act on every body."""

    def __init__(self, gui: viser.GuiApi, engine: Engine):
        super().__init__(engine)
        self._given = list(engine.act.given)
        wishes = [own for own in self._given if isinstance(own, Settle)]
        self._like = wishes[0] if wishes else None
        self._wishes = [PanelWish.of(own, self._like) for own in self._given]
        self._index = 0
        first = self._wishes[0]
        longest = max([REST_IN[1], *(wish.rest_in for wish in self._wishes)])
        shortest = min([REST_IN[0], *(wish.rest_in for wish in self._wishes)])
        most = max([SLIDER_BOUNCES, *(wish.bounces for wish in self._wishes)])
        self.cued: Any = gui.add_checkbox("on", first.cued, hint="Off: the body swings on")
        self.rest_in: Any = gui.add_slider(
            "rest in [s]", shortest, longest, REST_IN[2], first.rest_in,
            hint="At rest so long after it is let go",
        )  # fmt: skip
        self.bounces: Any = gui.add_slider("bounces", 0, most, 1, first.bounces)
        self.soft: Any = gui.add_checkbox(
            "soft start", first.soft, disabled=first.bounces > 0,
            hint="Without bounces: begin slowly, instead of at once",
        )  # fmt: skip
        self.alike = gui.add_checkbox(
            "for every body", False, visible=len(self._given) > 1,
            hint="On: what you change here is the wish of all bodies",
        )  # fmt: skip
        for box in (self.cued, self.soft):
            self._answers(box, self._settle)
        self._slides(self.rest_in, self._settle)
        self._slides(self.bounces, self._settle)

    def show(self, index: int) -> None:
        """Show the wish of another body."""
        if index == self._index:
            return
        self._index, wish = index, self._wishes[index]
        with self._set_by_us():
            self.cued.value, self.soft.value = wish.cued, wish.soft
            self.rest_in.value, self.bounces.value = wish.rest_in, wish.bounces
            self.soft.disabled = wish.bounces > 0

    def _settle(self) -> None:
        self.soft.disabled = self.bounces.value > 0
        asked = PanelWish(self.cued.value, self.rest_in.value, self.bounces.value, self.soft.value)
        every = self.alike.visible and self.alike.value
        chosen = range(len(self._wishes)) if every else [self._index]
        for index in chosen:
            self._engine.settle(self._damping(index, asked), index)
            self._wishes[index] = asked

    def _damping(self, index: int, asked: PanelWish) -> Damping | None:
        """What a body is to have; None: what the scene gives it."""
        own = self._given[index]
        if not asked.cued:
            return Undamped() if isinstance(own, Settle) else None
        like = own if isinstance(own, Settle) else self._like or Settle(1.0)
        bounces = asked.bounces or (0 if asked.soft else None)
        return Settle(
            asked.rest_in, bounces, within=like.within, law=like.law, swing=like.swing,
            slide=like.slide,
        )  # fmt: skip
