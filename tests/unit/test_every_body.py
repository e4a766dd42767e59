"""What every body does alike: the same mistakes get the same answers, whatever it is made of."""

import cloudpickle
import numpy as np
import pytest
from every_body import BODIES, DENSE, OF_MESH

import pliant as pl


@pytest.mark.parametrize("body", OF_MESH)
def test_what_is_no_mesh_is_refused(body):
    with pytest.raises(TypeError, match=f"{body}: got mesh of type list; expected pl.Mesh"):
        OF_MESH[body](mesh=[1, 2])


@pytest.mark.parametrize("body", sorted(DENSE))
@pytest.mark.parametrize("density", [0.0, -1.0, float("nan"), "heavy"])
def test_a_density_is_more_than_zero(body, density):
    with pytest.raises(ValueError, match=rf"{body}: got density=.*; expected more than 0 \[kg/m"):
        BODIES[body](density=density)


@pytest.mark.parametrize("body", sorted(DENSE))
def test_an_array_is_refused_on_one_line(body):
    with pytest.raises(ValueError) as caught:
        BODIES[body](density=np.ones((50, 3)))
    assert str(caught.value).startswith(
        f"{body}: got density=an array of shape (50, 3); expected one"
    )
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("body", BODIES)
def test_names_and_dampings_are_what_they_should_be(body):
    assert BODIES[body](name="mine").name == "mine"
    with pytest.raises(TypeError, match="got name=3; expected text"):
        BODIES[body](name=3)
    with pytest.raises(TypeError, match="damping: got float; expected"):
        BODIES[body](damping=0.5)


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_held_altogether_is_refused(body):
    made = BODIES[body]()
    made.fix(np.ones(len(made), dtype=bool))
    with pytest.raises(ValueError, match="all points are fixed; release some"):
        pl.Scene(made).run(seconds=0.1)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("load", ["traction", "volume", "wind"])
def test_a_load_acts_or_is_refused_with_what_to_do_instead(body, load):
    made = BODIES[body]()
    way = np.array([0.0, 3.0, 0.0])[: made.dim]
    try:
        force = made.push(**{load: way}).forces(made.mesh.points, 0.0)
    except ValueError as error:
        assert "; expected" in str(error) and "force=" in str(error)
    else:
        # Of closed surfaces wind and traction have no resultant, but forces.
        assert np.abs(force).max() > 0.0


@pytest.mark.parametrize("body", BODIES)
def test_it_travels_to_another_process_as_it_is(body):
    """As workers get it: what was prepared is left behind."""
    made = BODIES[body]()
    if made.static:
        made.fix(made.mesh.points[:, 0] < 1e-9)
    made.velocity = np.eye(made.dim)[-1] * ~made.pinned[:, None]
    scene = pl.Scene(made)
    scene.step(1e-3)
    copy = cloudpickle.loads(cloudpickle.dumps(scene))
    (other,) = copy.bodies
    assert np.array_equal(other.positions, made.positions)
    assert np.array_equal(other.velocity, made.velocity)
    made.restart_clock()
    for one in (scene, copy):
        one.step(1e-3)
    # Solvers of the first have been used before: that is seen in last digits only.
    np.testing.assert_allclose(other.positions, made.positions, rtol=0.0, atol=1e-9)
