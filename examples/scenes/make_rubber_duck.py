"""Makes rubber_duck.obj: the outline of a bath duck, from a few ellipsoids melted together.

A smooth union of ellipsoids is contoured, thinned and rounded; texture coordinates go once around
the upright axis, with a seam at the back. Needs pliant[view]. 0.12 m long, y is up, it looks along x.
"""

from pathlib import Path

import numpy as np
import pyvista as pv

SIZE = 0.12  # [m], from beak to tail
TRIANGLES = 3200
#: centre, half axes, degrees about z, how far it melts into the rest
PARTS = (
    ((0.0, 0.0, 0.0), (1.0, 0.62, 0.72), 6.0, 0.0),  # body
    ((-0.86, 0.36, 0.0), (0.44, 0.2, 0.3), -40.0, 0.22),  # tail
    ((0.5, 0.62, 0.0), (0.34, 0.42, 0.34), 0.0, 0.22),  # neck
    ((0.58, 1.02, 0.0), (0.5, 0.46, 0.45), 0.0, 0.1),  # head
    ((1.1, 0.93, 0.0), (0.34, 0.09, 0.25), -6.0, 0.07),  # beak
    ((1.05, 0.86, 0.0), (0.24, 0.07, 0.19), -14.0, 0.05),  # lower beak
    ((-0.12, 0.12, 0.66), (0.56, 0.3, 0.16), 14.0, 0.08),  # wings
    ((-0.12, 0.12, -0.66), (0.56, 0.3, 0.16), 14.0, 0.08),
    ((0.86, 1.14, 0.325), (0.1, 0.12, 0.08), 0.0, 0.03),  # eyes
    ((0.86, 1.14, -0.325), (0.1, 0.12, 0.08), 0.0, 0.03),
)
FLOOR = -0.5  # the duck stands on a flat base, cut off here


def distance(x: np.ndarray) -> np.ndarray:
    """About the distance to the duck, negative inside, for points (n, 3)."""
    whole = np.full(len(x), np.inf)
    for centre, axes, degrees, melt in PARTS:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        y = (x - centre) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        near = np.linalg.norm(y / axes, axis=1)
        steep = np.linalg.norm(y / np.square(axes), axis=1)
        part = near * (near - 1.0) / np.maximum(steep, 1e-9)
        if melt:
            h = np.clip(0.5 + 0.5 * (whole - part) / melt, 0.0, 1.0)
            part = whole * (1.0 - h) + part * h - melt * h * (1.0 - h)
        whole = np.minimum(part, whole) if melt else part
    return np.maximum(whole, FLOOR - x[:, 1])


def outline() -> pv.PolyData:
    """The closed surface of the duck, in metres, standing on y = 0."""
    steps, low = 0.028, np.array([-1.5, -0.75, -1.05])
    counts = tuple(int(n) for n in np.ceil((np.array([1.7, 1.7, 1.05]) - low) / steps))
    grid = pv.ImageData(dimensions=counts, spacing=(steps,) * 3, origin=low)
    grid["distance"] = distance(np.asarray(grid.points))
    surface = grid.contour([0.0], scalars="distance").triangulate().clean()
    surface = surface.smooth_taubin(n_iter=30, pass_band=0.08)
    surface = surface.decimate(1.0 - TRIANGLES / surface.n_cells, volume_preservation=True)
    surface = surface.compute_normals(consistent_normals=True, auto_orient_normals=True)
    points = np.asarray(surface.points, dtype=float)
    scale = SIZE / np.ptp(points[:, 0])
    surface.points = scale * (points - [points[:, 0].mean(), points[:, 1].min(), 0.0])
    return surface


def write(surface: pv.PolyData, path: Path) -> None:
    """Write points, texture coordinates, normals and triangles; uv belong to corners."""
    x, n = np.asarray(surface.points), np.asarray(surface.point_data["Normals"])
    faces = surface.regular_faces
    turn = np.arctan2(x[:, 2], x[:, 0]) / (2 * np.pi) + 0.5
    u = turn[faces]
    u = np.where((np.ptp(u, axis=1) > 0.5)[:, None] & (u < 0.5), u + 1.0, u)  # across the seam
    v = np.broadcast_to((x[:, 1] / x[:, 1].max())[faces], u.shape)
    uv, places = np.unique(
        np.round(np.stack([u.ravel(), v.ravel()], axis=1), 4), axis=0, return_inverse=True
    )
    places = places.reshape(faces.shape)
    lines = ["# A rubber duck, made by make_rubber_duck.py; metres, y is up"]
    lines += [f"v {a:.5f} {b:.5f} {c:.5f}" for a, b, c in x]
    lines += [f"vt {a:.4g} {b:.4g}" for a, b in uv]
    lines += [f"vn {a:.3f} {b:.3f} {c:.3f}" for a, b, c in n]
    for face, texture in zip(faces + 1, places + 1, strict=True):
        lines.append("f " + " ".join(f"{p}/{t}/{p}" for p, t in zip(face, texture, strict=True)))
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    duck = outline()
    write(duck, Path(__file__).with_name("rubber_duck.obj"))
    print(f"{duck.n_points} points, {duck.n_cells} triangles, open edges: {duck.n_open_edges}")
