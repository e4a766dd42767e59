"""Names that were changed still work, and say what they are called now."""

import pytest

import pliant as pl
import pliant.contact


def test_old_names_warn_and_work():
    net = pl.Springs(pl.meshes.rectangle((1, 1), (2, 2)), stiffness=10.0, mass=1.0)
    with pytest.warns(DeprecationWarning, match=r"body\.timed is now body\.time_dependent"):
        assert net.timed is net.time_dependent is False
    with pytest.warns(DeprecationWarning, match=r"is now pliant\.contact\.PairSource"):
        assert pliant.contact.Contact is pliant.contact.PairSource
    with pytest.raises(AttributeError):
        pliant.contact.Contakt  # noqa: B018
