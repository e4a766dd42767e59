"""What cannot be an example, or a setting of a body that has some, is refused."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.test_example_based import MATERIAL, bar, body, screwed


def refused(match, error=ValueError, **given):
    with pytest.raises(error, match=match):
        body(**given)


def test_examples_that_cannot_serve_are_refused():
    mesh = bar()
    pose, inverted = screwed(mesh), mesh.points * [1, 1, -1]
    refused("no examples", examples=[])
    refused(r"example 0 has the shape \(3,\)", examples=pose)
    refused(r"example 1 has the shape \(27, 3\)", examples=[pose, pose[:-1]])
    refused("a list of positions", examples=["pose.obj"])
    refused("example 0 is not finite at points", examples=[np.full_like(pose, np.nan)])
    refused("example 0 has 6 cells inside out", examples=[inverted])
    refused("example 0 is the rest shape", examples=[mesh.points @ np.diag([-1, -1, 1]) + 2.0])
    refused("example 1 has the strains of example 0", examples=[pose, pose + 1.0])
    stretched = [mesh.points * s for s in ([1.2, 1, 1], [1, 1.1, 1], [1.3, 1.2, 1])]
    E = [0.5 * (np.array(s) ** 2 - 1) for s in ([1.2, 1, 1], [1, 1.1, 1])]
    third = mesh.points * np.sqrt(2 * (E[0] + E[1]) + 1)
    refused("example 2 has the strains of a blend", examples=[*stretched[:2], third])


def test_examples_are_told_apart_by_the_strain_that_is_blended():
    """Twice the stretch is twice the Biot strain; Green's strains of the two are not parallel."""
    mesh = bar()
    once, twice, back = (mesh.points * (1.0 + a * np.array([0.2, -0.1, 0])) for a in (1, 2, -1))
    refused("example 1 has the strains of example 0, larger", examples=[once, twice])
    refused("example 1 has the strains of example 0, larger", examples=[once, twice], bounds=(0, 1))
    refused(r"example 0, turned round.*bounds=\(0, 1\)", examples=[once, back])


def test_opposites_within_bounds():
    """Both ways are free of energy as far as shown, and not beyond."""
    mesh = bar()
    way = mesh.points * [0.2, -0.1, 0]
    it = body(mesh, examples=[mesh.points + way, mesh.points - way], bounds=(0, 1))
    for a, weights in ((0.3, [0.7, 0.3, 0]), (-0.6, [0.4, 0, 0.6]), (-1.5, [0, 0, 1])):
        # Weights of opposites are told apart at a cost of 1e-9.
        assert it.weights(mesh.points + a * way) == pytest.approx(weights, abs=1e-8)
    inside, beyond = (it.misfit(mesh.points + a * way) for a in (-0.6, -1.5))
    assert inside <= 1e-12 * beyond and beyond > 1.0


def test_other_bad_input_is_refused():
    for strength in (0.0, -1.0, np.nan, "much"):
        refused("strength", strength=strength)
    for bounds in ((0.2, 1.0), (0.0, 0.5), 3.0, (0, 1, 2)):
        refused("bounds", bounds=bounds)
    refused("regions", regions=[0, 1])
    refused("regions", regions=0.5 * np.arange(6))
    with pytest.raises(TypeError, match="pl.Mesh"):
        pl.ExampleBased("bar.msh", MATERIAL, examples=[1])
    it = body()
    for weights in ([0.5, 0.5], "half", [np.nan]):
        with pytest.raises(ValueError, match="expected 1 numbers"):
            it.blend(weights)
    with pytest.raises(ValueError, match="weights: got shape"):
        it.weights([0.0, 1.0])
    with pytest.raises(ValueError, match="misfit: got shape"):
        it.misfit(it.positions[1:])


def test_cells_of_several_kinds_are_refused():
    points = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0.5]]
    mesh = pl.Mesh(np.array(points, float), {"quad": [[0, 1, 2, 3]], "tri": [[1, 4, 2]]})
    with pytest.raises(ValueError, match="quad4, tri3"):
        pl.ExampleBased(mesh, MATERIAL, examples=[mesh.points * [1.1, 1.0]])
