"""Triangles turned so that neighbours agree on which side is out."""

from __future__ import annotations

import numpy as np

from .arrays import Floats, Indices
from .topology import connected


def agree(points: Floats, triangles: Indices) -> tuple[Indices, int, bool]:
    """Triangles (t, 3) turned where neighbours disagreed, how many were, and whether all agree now.

    Shells that agree within themselves stay as they are: one that points inward may be a cavity. The
    others are turned outward as a whole, by their volume. A one-sided surface, as a Moebius strip
    is, cannot be made to agree; it stays too.
    """
    count = len(triangles)
    tail, head = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    face = np.repeat(np.arange(count), 3)
    key = np.minimum(tail, head) * len(points) + np.maximum(tail, head)
    order = np.argsort(key, kind="stable")
    _, first, faces = np.unique(key[order], return_index=True, return_counts=True)
    a, b = order[first[faces == 2]], order[first[faces == 2] + 1]
    opposed = tail[a] == tail[b]  # both run the same way along their edge
    # Each triangle twice, as it is and turned; neighbours join those of their two that agree.
    f, g = face[a], face[b]
    left = np.concatenate([f, f + count])
    right = np.concatenate([np.where(opposed, g + count, g), np.where(opposed, g, g + count)])
    label = connected(left, right, 2 * count)
    one_sided = label[:count] == label[count:]
    shell = connected(f, g, count)
    wrong = np.zeros(int(shell.max()) + 1, dtype=bool)
    wrong[shell[f[opposed]]] = True
    # Of the two ways to turn a shell, that of its first triangle, and then by volume.
    _, start = np.unique(shell, return_index=True)
    turned = (label[:count] != label[start][shell]) & wrong[shell] & ~one_sided
    result = np.where(turned[:, None], triangles[:, ::-1], triangles)
    p, q, r = np.moveaxis(points[result] - points.mean(axis=0), 1, 0)
    volume = np.bincount(shell, np.einsum("ti,ti->t", p, np.cross(q, r)))
    inward = (volume < 0)[shell] & wrong[shell] & ~one_sided
    result = np.where(inward[:, None], result[:, ::-1], result)
    return result, int((turned ^ inward).sum()), not one_sided.any()
