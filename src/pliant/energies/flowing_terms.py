"""Terms that flow: springs, conditions and measures whose force ends, nearly, at yield."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from .protocol import Flowed, Flowing
from .terms import TermEnergy

#: A limit that nothing reaches.
NEVER = 1e300


@dataclass(frozen=True, eq=False)
class TermFlow(Flowed):
    """What has flowed so far in terms, on a device.

    offset: how far rest has moved, in the measure of the energy; limit: how far a term may now depart
    from there before it flows; gone: the sum of all flow, in the same measure; unit: that, of a plastic
    strain of one.
    """

    offset: Any
    limit: Any
    gone: Any
    unit: Any

    @property
    def plastic(self) -> np.ndarray:
        """The equivalent plastic strain of each term, (terms,)."""
        return np.asarray(self.gone.numpy() / self.unit.numpy())

    def only(self, which: np.ndarray) -> TermFlow:
        """That of some terms; which: a mask."""
        kept = (self.offset, self.limit, self.gone, self.unit)
        return TermFlow(*(wp.array(a.numpy()[which], dtype=a.dtype, device=a.device) for a in kept))


class FlowingTerms(TermEnergy, Flowing[TermFlow]):
    """Terms k/2 n^2, n being how far a measure is from rest, which flow beyond n = limit.

        w(n) = k/2 limit^2 + k (limit + h/2 (n - limit)) (n - limit),    n > limit
        force k (limit + h (n - limit)),   rest moves by (1 - h)(n - limit),   h = `HARDENING`

    It is the least energy that a spring with linear hardening has by flowing; so a force beyond yield
    grows by a hundredth of the stiffness, and every load has an equilibrium.
    Source: [ortiz1999], in one dimension.
    """

    _virgin: TermFlow

    def flow_from(self, offset: Any, limit: np.ndarray, unit: np.ndarray) -> None:
        """Begin without flow: offset, an array of zeros; limit, unit: (terms,)."""
        device, kind = offset.device, self._constants["limit"].dtype
        given = (limit, np.zeros_like(limit), unit)
        most, none, one = (self._array(a, kind, device) for a in given)
        self._virgin = self._flow = TermFlow(offset, most, none, one)
        self._take({"offset": offset, "limit": self._virgin.limit})

    @staticmethod
    def _array(values: np.ndarray, dtype: Any, device: Any) -> Any:
        return wp.array(values, dtype=dtype, device=device)

    def virgin(self) -> TermFlow:
        """Nothing has flowed."""
        return self._virgin

    def take_flow(self, flow: TermFlow) -> None:
        """Deform from what has flowed so far."""
        if flow is self._flow:
            return
        if flow.offset.device != self._virgin.offset.device:
            names = ("offset", "limit", "gone", "unit")
            flow = self.unpacked_flow({name: getattr(flow, name).numpy() for name in names})
        self._flow = flow
        self._take({"offset": flow.offset, "limit": flow.limit})

    def after_flow(self, x: Any) -> TermFlow:
        """What will have flowed when the body has come to x; the same object if nothing flows."""
        now = self._flow
        offset, limit, gone = (wp.empty_like(a) for a in (now.offset, now.limit, now.gone))
        self._launch(self._run.flow, x, now.gone, offset, limit, gone)
        if np.array_equal(gone.numpy(), now.gone.numpy()):
            return now
        return replace(now, offset=offset, limit=limit, gone=gone)

    def annealed(self, x: Any) -> TermFlow:
        """What will have flowed if the body at x has no stress, and has forgotten its flow."""
        return replace(self._virgin, offset=self._departure(x))

    def unpacked_flow(self, arrays: Mapping[str, np.ndarray]) -> TermFlow:
        """What has flowed, from the arrays of its fields."""
        made: dict[str, Any] = {}
        for name, array in arrays.items():
            like = getattr(self._virgin, name)
            if array.shape != like.numpy().shape:
                raise ValueError("flow of another body")
            made[name] = wp.array(array, dtype=like.dtype, device=like.device).reshape(like.shape)
        return TermFlow(**made)

    def _departure(self, x: Any) -> Any:
        """How far each term at x is from rest without flow, as a new array."""
        out: Any = wp.empty_like(self._virgin.offset)
        self._launch(self._run.departure, x, out)
        return out
