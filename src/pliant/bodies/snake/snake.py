"""A snake: a curve that looks for a contour in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import Flag, Quantity, accept, accept_each
from pliant.energies import BalloonEnergy, Energy, JetEnergy, PictureEnergy
from pliant.errors import shown
from pliant.forms import PlaneDerivative

from ..deformable import Deformable
from ..forms.cells import CellTerms, cell_terms
from ..forms.chains import bends
from .picture import accept_contour, accept_picture, edges_of

#: How firmly one point of a closed snake keeps its place along it, as a share of the picture's hold
#: across an edge: the picture itself hardly holds it there.
HOLD_ALONG = 0.1


class Snake(Deformable):
    """A curve of the plane that is drawn to the edges in a picture, and stays smooth.

        W = 1/2 integral elasticity |x'|^2 + rigidity |x''|^2 ds  +  attraction integral P(x) ds
            - pressure A,       P = -|grad I| / max |grad I|,   I the picture, blurred

    contour (n, 2): where it starts, point by point, as (x, y) = (column, row) * pixel; s: length
    along it there. picture: grey values (rows, columns). blur: standard deviation of the Gaussian
    filter [m]: edges are felt about twice as far, and details smaller than it are lost. pixel [m]: its
    size; with the default all lengths are in pixels. elasticity [N] and rigidity [N m^2]: one for
    all or one per point; no rigidity leaves a corner. attraction [N]; pressure [N/m] of closed
    snakes: above 0 blows it up, below 0 lets it shrink; density [kg/m].

        turn = np.linspace(0, 2 * np.pi, 80, endpoint=False)
        circle = np.stack([60 + 40 * np.cos(turn), 50 + 40 * np.sin(turn)], axis=1)
        snake = pl.Snake(circle, picture, blur=4.0)
        found = pl.Scene([snake]).equilibrium().positions[0]

    Source: [kass1988]; pressure: [cohen1991]. It finds the edge it is nearest to, not the best one.
    From far off begin with much blur and lower it (`snake.blur = 2.0`) where the snake rests: as in
    [kass1988]. Elasticity draws it in and rigidity cuts corners, by about the force over the
    steepness of P, 1/blur^2; but with an elasticity below about half of `attraction` points creep
    along a noisy contour, and rests are hard to find. To be blown up from a radius R it takes a
    pressure above elasticity/R; then begin anew with pl.Snake(snake.positions, picture), which is
    not stretched. Attraction counts by the length at the start: above 0.6 attraction/blur, over how
    many times longer it has become, a pressure blows it over every edge and out of the picture. The
    picture holds it, so it has no rigid motion of its own.
    """

    def __init__(
        self,
        contour: Any,
        picture: Any,
        *,
        blur: Annotated[float, Quantity("standard deviation of the filter", "m", above=0.0)] = 2.0,
        elasticity: Annotated[
            Any, Quantity("resistance to stretching", "N", at_least=0.0, per="point")
        ] = 1.0,
        rigidity: Annotated[
            Any, Quantity("resistance to bending", "N m^2", at_least=0.0, per="point")
        ] = 1.0,
        attraction: Annotated[float, Quantity("pull of the edges", "N", above=0.0)] = 1.0,
        pressure: Annotated[float, Quantity("of closed snakes, outward", "N/m")] = 0.0,
        pixel: Annotated[float, Quantity("size of a pixel", "m", above=0.0)] = 1.0,
        closed: Annotated[bool, Flag("whether the last point is joined to the first")] = True,
        density: Annotated[float, Quantity("mass over length", "kg/m", above=0.0)] = 1.0,
        damping: Damping | None = None,
        name: str = "snake",
    ):
        self._attraction, self._pixel, density, self._closed = accept(
            self, attraction=attraction, pixel=pixel, density=density, closed=closed
        )
        self._picture = accept_picture(picture)
        mesh = accept_contour(contour, self._picture, self._pixel, self._closed)
        self._elasticity, self._rigidity = accept_each(
            self, len(mesh), elasticity=elasticity, rigidity=rigidity
        )
        if not (self._elasticity.any() or self._rigidity.any()):
            raise ValueError(
                "Snake: got elasticity and rigidity of 0, so nothing holds its points together; "
                "expected one of them above 0"
            )
        self._pressure = self._accept_pressure(pressure)
        self._lines, self._bends = cell_terms(mesh, "line2"), bends(mesh)
        lengths = np.zeros(len(mesh))
        np.add.at(lengths, self._lines.stencils, self._lines.sizes[:, None] / 2.0)
        self._lengths, self._blur = lengths, self._accept_blur(blur)
        super().__init__(mesh, density * lengths, damping=damping, name=name)

    @property
    def touches_itself(self) -> bool:
        """A contour in a picture may cross itself."""
        return False

    @property
    def components(self) -> np.ndarray:
        """No point is in a part that could move rigidly: the picture holds all."""
        return np.full(len(self), -1)

    @property
    def blur(self) -> float:
        """Standard deviation of the filter [m]; may be set, and the snake goes on from where it is."""
        return self._blur

    @blur.setter
    def blur(self, value: float) -> None:
        self._blur = self._accept_blur(value)
        self._anew()

    @property
    def pressure(self) -> float:
        """What blows it up [N/m]; may be set."""
        return self._pressure

    @pressure.setter
    def pressure(self, value: float) -> None:
        self._pressure = self._accept_pressure(value)
        self._anew()

    @property
    def potential(self) -> np.ndarray:
        """P of each pixel, from -1 on the strongest edge to 0, (rows, columns)."""
        return -edges_of(self._picture, self._blur / self._pixel)

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Smoothness, the picture, and pressure."""
        X = self.mesh.points
        picture = PictureEnergy(
            np.arange(len(X)),
            self.potential,
            weights=self._attraction * self._lengths,
            pixel=self._pixel,
            reach=0.5 * self._blur,
            device=device,
        )
        found: list[Energy] = [picture]
        lines, bends = self._lines, self._bends
        for terms, order, weights in (
            (lines, 0, self._elasticity[lines.stencils].mean(axis=1)),
            (bends, 1, self._rigidity[bends.stencils[:, 1]]),
        ):
            if weights.any():
                found.append(self._smooth(terms, order, weights, device))
        if self._closed:
            found.append(self._hold(device))
        if self._pressure:
            # Positive is outward, whichever way round the contour was given.
            a, b = X[lines.stencils[:, 0]], X[lines.stencils[:, 1]]
            sense = np.sign((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
            how = {"pressure": sense * self._pressure, "device": device}
            found.append(BalloonEnergy(X, lines.stencils, **how))
        return found

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return {
            "elasticity": [float(self._elasticity.min()), float(self._elasticity.max())],
            "rigidity": [float(self._rigidity.min()), float(self._rigidity.max())],
            "attraction": self._attraction,
            "pressure": self._pressure,
            "blur": self._blur,
            "pixel": self._pixel,
            "picture": list(self._picture.shape),
        }

    def _smooth(self, terms: CellTerms, order: int, weights: np.ndarray, device: str) -> JetEnergy:
        return JetEnergy(
            PlaneDerivative,
            self.mesh.points,
            terms.stencils,
            operators=terms.operators[:, order : order + 1],
            stiffness=(weights * terms.sizes)[:, None, None] * np.eye(2),
            rest=np.zeros(2),
            device=device,
        )

    def _hold(self, device: str) -> JetEnergy:
        """Keeps the first point near the line across the start, or all could creep along for ever."""
        X = self.mesh.points
        along = X[1] - X[-1]
        along /= np.linalg.norm(along)
        stiffness = HOLD_ALONG * self._attraction * self._lengths[0] / self._blur**2
        return JetEnergy(
            PlaneDerivative,
            X,
            np.zeros((1, 1)),
            operators=np.ones((1, 1)),
            stiffness=stiffness * np.outer(along, along),
            rest=X[0],
            device=device,
        )

    def _accept_blur(self, value: Any) -> float:
        (blur,) = accept(self, blur=value)
        most = self._pixel * max(self._picture.shape)
        if blur > most:
            raise ValueError(
                f"Snake: got blur={blur:g}; expected at most {most:g} m, the size of the picture"
            )
        return float(blur)

    def _accept_pressure(self, value: Any) -> float:
        (pressure,) = accept(self, pressure=value)
        if pressure and not self._closed:
            raise ValueError(
                f"Snake: got pressure={shown(value)} for an open snake, which has no inside; expected 0"
            )
        return float(pressure)

    def _anew(self) -> None:
        self._system = None
        self._changed()
