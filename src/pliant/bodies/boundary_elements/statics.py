"""Statics of boundary elements: which of displacement and traction is known, and the other found."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.linalg as la

from .collocation import Collocation, collocate
from .elements import SurfaceElements

Array = np.ndarray


class SurfaceStatics:
    """H u = G p with u known on triangles that are held, and p on the others.

    held, (t,): which triangles. Without any all tractions are known, and displacements are those without
    a mean rigid motion. The matrix is factored once.
    """

    def __init__(
        self, elements: SurfaceElements, held: Array, *, young: float, poisson: float, device: str
    ):
        self.elements, self.held = elements, held
        self._young, self._poisson = young, poisson
        self.shear = young / (2.0 * (1.0 + poisson))
        self.of: Collocation = collocate(
            elements, held, shear=self.shear, poisson=poisson, device=device
        )
        corners = elements.spread.T @ np.repeat(held.astype(float), 3)
        self.known = np.asarray(corners) > 0.0  # displacements of nodes, (n,)

    @cached_property
    def _unknown(self) -> Array:
        return np.repeat(~self.known, 3)

    @cached_property
    def _scale(self) -> float:
        """What tractions are divided by, so that unknowns are of one size [Pa/m]."""
        return self._young / float(np.linalg.norm(np.ptp(self.elements.points, axis=0)))

    @cached_property
    def _rigid(self) -> Array:
        """Rigid motions of the nodes, orthonormal, (3 n, 6)."""
        x = self.elements.nodes - self.elements.nodes.mean(axis=0)
        turns = [np.cross(axis, x).ravel() for axis in np.eye(3)]
        return np.linalg.qr(np.column_stack([np.tile(np.eye(3), (len(x), 1)), *turns]))[0]

    @cached_property
    def _factor(self) -> tuple[Array, Array]:
        free = self._unknown
        matrix = np.where(free[None, :], self.of.H, -self._scale * self.of.held)
        if free.all():
            R = self._rigid
            matrix = matrix + np.abs(np.diagonal(matrix)).mean() * R @ R.T
        factor: tuple[Array, Array] = la.lu_factor(matrix, overwrite_a=True, check_finite=False)
        return factor

    def _solve(self, right: Array) -> Array:
        """Displacements of free nodes, and scaled tractions of held ones: (3 n, ...)."""
        out: Array = la.lu_solve(self._factor, right, check_finite=False)
        if self._unknown.all():
            out = out - self._rigid @ (self._rigid.T @ out)
        return out

    def answer(self, u: Array, tractions: Array, weight: Array) -> tuple[Array, Array]:
        """Displacements of nodes [m], (n, 3), and tractions of triangles [Pa], (t, 3).

        u: of the held nodes; tractions: of the free triangles; weight: force per volume [N/m^3], (3,).
        """
        right = self.of.faces @ np.where(self.held[:, None], 0.0, tractions).ravel()
        right -= self.of.H[:, ~self._unknown] @ u.ravel()[~self._unknown]
        own, stress = self._under(weight)
        right += self.of.H @ own.ravel() - self.of.faces @ stress.ravel()
        found = self._solve(right).reshape(-1, 3)
        moved = np.where(self.known[:, None], u, found)
        nodal = np.where(self.known[:, None], self._scale * found, 0.0)
        corners = (self.elements.spread @ nodal).reshape(-1, 3, 3).mean(axis=1)
        return moved, np.where(self.held[:, None], corners, tractions)

    def _under(self, weight: Array) -> tuple[Array, Array]:
        """One way in which the matter can bear its weight: displacements and tractions.

            u = -b s^2 e (1 - 2 nu)/(4 mu (1 - nu)),     weight b e per volume, s along e

        The rest of the answer needs no weight. Displacements of nodes, tractions of triangles.
        """
        size = float(np.linalg.norm(weight))
        nodes, faces = self.elements.nodes, self.elements
        if size == 0.0:
            return np.zeros_like(nodes), np.zeros_like(faces.centres)
        e, mu, nu = weight / size, self.shear, self._poisson
        soft = (1.0 - 2.0 * nu) / (1.0 - nu)  # 2 mu/(lambda + 2 mu)
        middle = nodes.mean(axis=0)
        s = (nodes - middle) @ e
        n, bears = faces.normals, -size * ((faces.centres - middle) @ e)
        along = soft * (n @ e)[:, None] * e
        stress = bears[:, None] * (nu / (1.0 - nu) * n + along)
        return -size * soft / (4.0 * mu) * (s**2)[:, None] * e, stress

    @cached_property
    def compliance(self) -> Array:
        """What nodes move by for unit forces on nodes [m/N], (n, 3, n, 3); zero of those held.

        A force is spread over the free triangles of its node as its shape function is. As collocation
        gives it: not symmetric.
        """
        n = len(self.known)
        areas = np.repeat(np.where(self.known, 1.0, self.elements.node_areas(~self.held)), 3)
        free = self._unknown
        C = np.zeros((3 * n, 3 * n))
        found = self._solve(self.of.free[:, free] / areas[free])
        C[np.ix_(free, free)] = found[free]
        return C.reshape(n, 3, n, 3)

    @cached_property
    def symmetric(self) -> Array:
        """The symmetric part of `compliance`, which no closed path gains work from."""
        C = self.compliance
        return np.asarray(0.5 * (C + C.transpose(2, 3, 0, 1)))
