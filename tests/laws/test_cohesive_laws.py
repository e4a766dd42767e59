"""Laws of faces that come apart."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies import CohesiveEnergy, CohesiveLaw, Energy, Tearing
from pliant.energies.assembly import Assembly
from pliant.mesh import SharedFaces, face_areas, open_faces
from tests.laws.test_spring_laws import dense, differences

LAW = CohesiveLaw(strength=3.0, energy=0.6, yields=0.02)  # parts at 0.4
MESHES = {
    "tri": lambda: pl.meshes.rectangle((2, 1), (2, 1)),
    "quad": lambda: pl.meshes.rectangle((2, 1), (2, 1), kind="quad"),
    "sheet": lambda: _in_space(pl.meshes.rectangle((2, 1), (2, 1))),
    "tet": lambda: pl.meshes.box((1, 1, 1), (1, 1, 1)),
    "hex": lambda: pl.meshes.box((2, 1, 1), (2, 1, 1), kind="hex"),
}
kinds = pytest.mark.parametrize("kind", MESHES)


def _in_space(mesh):
    return pl.Mesh(np.insert(mesh.points, 2, 0.0, axis=1), mesh.cells)


def opened(kind, most=None):
    """A mesh that is open at all faces, its assembly, and a function of how far faces are apart."""
    mesh = MESHES[kind]()
    faces = SharedFaces.of(mesh)
    every = np.ones(len(faces), dtype=bool)
    apart = open_faces(mesh, faces, every).mesh
    corners = faces.points(apart)
    tearing = Tearing(every, np.zeros(corners[:, 0].shape) if most is None else most(corners))
    energy = CohesiveEnergy(
        apart.points,
        corners,
        np.asarray(apart.cells[faces.kind])[faces.cells],
        face_areas(apart.points, corners[:, 0]),
        LAW,
        tearing,
    )
    return energy, Assembly(len(apart), mesh.dim, [energy]), apart.points, corners


def moved(points, far, seed=0):
    return points + far * np.random.default_rng(seed).uniform(-1, 1, points.shape)


#: Held, softening, and free at some corners: at random, a fraction is pressed together.
@kinds
@pytest.mark.parametrize("far", [0.005, 0.1, 0.2])
def test_gradient_and_hessian_match_finite_differences(kind, far):
    energy, assembly, points, _ = opened(kind)
    assert isinstance(energy, Energy)
    x = moved(points, far)
    energy.hold(assembly.array(x))
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Differences at h = 1e-7 of a law whose third derivatives are some 1e5: h^2 is below rounding,
    # 1e-16/h = 1e-9 of the sum, with room.
    assert np.abs(g).max() > 0.05 and np.abs(H).max() > 0.5
    assert np.abs(g.ravel() - differences(assembly.value, x, 1e-7)[0]).max() <= 1e-6
    assert np.abs(H - differences(assembly.gradient, x, 1e-7)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())


@kinds
def test_the_projected_hessian_resists_and_is_exact_where_nothing_softens(kind):
    _, assembly, points, _ = opened(kind)
    softening = dense(assembly, moved(points, 0.1), project=False)
    assert np.linalg.eigvalsh(softening).min() < -0.1
    projected = np.linalg.eigvalsh(dense(assembly, moved(points, 0.1), project=True))
    assert projected.min() > -1e-12 * projected.max()
    x = moved(points, 0.005)
    exact, stands_in = (dense(assembly, x, project=p) for p in (False, True))
    np.testing.assert_array_equal(exact, stands_in)


@kinds
def test_forces_have_no_sum_and_no_torque_while_faces_open(kind):
    energy, assembly, points, _ = opened(kind)
    x = moved(points, 0.1)
    g = assembly.gradient(x)  # no normals are held: nothing is pressed
    assert np.abs(g).max() > 0.05
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-14 * len(g))
    torque = np.einsum("ni,nj->ij", x, g)
    np.testing.assert_allclose(torque, torque.T, atol=1e-13 * len(g))
    energy.hold(assembly.array(x))
    g = assembly.gradient(x)
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-13 * np.abs(g).max() * len(g))


def split(far, most=0.0):
    """Two squares, one moved away to the right by `far`, and the energy between them."""
    mesh = pl.meshes.rectangle((2, 1), (2, 1), kind="quad")
    faces = SharedFaces.of(mesh)
    every = np.ones(len(faces), dtype=bool)
    apart = open_faces(mesh, faces, every).mesh
    corners = faces.points(apart)
    x = apart.points.copy()
    x[apart.cells["quad4"][np.argmax(x[apart.cells["quad4"], 0].mean(axis=1))], 0] += far
    tearing = Tearing(every, np.full(corners[:, 0].shape, most))
    areas = face_areas(apart.points, corners[:, 0])
    cells = np.asarray(apart.cells["quad4"])[faces.cells]
    energy = CohesiveEnergy(apart.points, corners, cells, areas, LAW, tearing)
    return energy, Assembly(len(apart), 2, [energy]), x


@pytest.mark.parametrize(
    "far, traction",
    [(0.01, 1.5), (0.02, 3.0), (0.21, 1.5), (0.4, 0.0), (7.0, 0.0), (-0.01, -1.5), (-0.1, -15.0)],
)
def test_the_traction_is_that_of_the_law(far, traction):
    energy, assembly, x = split(far)
    energy.hold(assembly.array(x))
    g = assembly.gradient(x)
    pulled = np.abs(g[:, 0]).sum() / 2.0  # on an edge of 1 m
    assert pulled == pytest.approx(abs(traction), abs=1e-13)


def test_to_part_costs_the_energy_and_the_way_there_does_not_matter():
    _, assembly, x = split(0.5)
    assert assembly.value(x) == pytest.approx(LAW.energy, rel=1e-14)
    spent = 0.0
    energy, assembly, _ = split(0.0)
    for far in (0.01, 0.1, 0.05, 0.2, 0.39, 0.0, 0.45):
        here = split(far)[2]
        before = energy._flow
        work = assembly.value(here)
        after = energy.after_flow(assembly.array(here))
        energy.take_flow(after)
        lost = LAW.lost(after.most).mean() - LAW.lost(before.most).mean()
        assert work - assembly.value(here) == pytest.approx(lost, abs=1e-14)
        spent += lost
    assert spent == pytest.approx(LAW.energy, rel=1e-13)
    assert assembly.value(split(0.3)[2]) == 0.0


def test_what_is_torn_stays_torn():
    energy, assembly, x = split(0.1, most=0.21)
    g = assembly.gradient(x)
    # Half of the strength is left at 0.21 m; the line from there to zero passes 0.1 m at 1.5/2.1.
    assert np.abs(g[:, 0]).sum() / 2.0 == pytest.approx(1.5 * 0.1 / 0.21, rel=1e-13)
    assert energy.after_flow(assembly.array(x)) is energy._flow
