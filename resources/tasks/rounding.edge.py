import pytest

from solution import nearest


@pytest.mark.parametrize("x, whole", [(0.5, 1), (2.5, 3), (-0.5, -1), (-2.5, -3)])
def test_every_half_goes_away_from_zero(x, whole):
    assert nearest(x) == whole


def test_it_is_an_int():
    assert isinstance(nearest(2.0), int)
