"""Changes of meshes, as arrays and words that a file can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from pliant.mesh import Mesh, MeshChange

Timed = tuple[float, MeshChange]


def changes_tree(changes: Sequence[Timed]) -> dict[str, Any]:
    """Times [s] and changes as a tree of numbers, words and arrays."""
    return {str(i): _tree(*timed) for i, timed in enumerate(changes)}


def changes_of(tree: Mapping[str, Any], mesh: Mesh) -> list[Timed]:
    """The times and changes that a tree holds; mesh: any, which makes the meshes."""
    return [_change(tree[str(i)], mesh) for i in range(len(tree))]


def _tree(time: float, change: MeshChange) -> dict[str, Any]:
    mesh, points = change.mesh, change.points
    return {
        "time": time,
        "places": mesh.points,
        "cells": dict(mesh.cells),
        "names": list(mesh.groups),
        "groups": {str(i): members for i, members in enumerate(mesh.groups.values())},
        "weights": points.data,
        "columns": points.indices,
        "starts": points.indptr,
        "old": points.shape[1],
        "parents": change.cells,
    }


def _change(tree: Mapping[str, Any], mesh: Mesh) -> Timed:
    groups = {name: tree["groups"][str(i)] for i, name in enumerate(tree["names"])}
    made = mesh.with_parts(tree["places"], tree["cells"], groups)
    entries = (tree["weights"], tree["columns"], tree["starts"])
    points = csr_array(entries, shape=(len(made), int(tree["old"])))
    return float(tree["time"]), MeshChange(made, points, np.asarray(tree["parents"]))
