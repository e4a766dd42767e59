"""What all controls of the panel share: they leave wishes, and say what was wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .engine import Engine


class Controls:
    """Sliders, boxes and buttons that act on an engine; none of them waits for it."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._showing = False  # whether the program sets them, not the page

    @contextmanager
    def _set_by_us(self) -> Iterator[None]:
        """While this lasts nobody answers to controls that change: they only show what is."""
        self._showing = True
        try:
            yield
        finally:
            self._showing = False

    def _slides(self, slider: Any, act: Callable[[], None]) -> None:
        """Act on a slider; what is not on its scale is refused and the slider goes back."""
        kept = slider.value

        def moved() -> None:
            nonlocal kept
            value = slider.value
            if value == kept:
                return
            if not slider.min <= value <= slider.max:  # not a number, too
                self._engine.say(
                    f"{slider.label}: got {str(value)[:20]}; expected {slider.min:g} to "
                    f"{slider.max:g}"
                )
                slider.value = kept
                return
            kept = value
            if not self._showing:
                act()

        slider.on_update(self._safely(moved))

    def _answers(self, control: Any, act: Callable[[], None]) -> None:
        """Act on a box or a list."""
        control.on_update(self._safely(lambda: None if self._showing else act()))

    def _safely(self, act: Callable[[], None]) -> Callable[[Any], None]:
        """For viser, which would print a traceback: what goes wrong is said on the page."""

        def heard(_: Any) -> None:
            try:
                act()
            except Exception as error:
                self._engine.say(str(error) or type(error).__name__)

        return heard
