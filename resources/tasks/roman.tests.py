import pytest

from solution import to_roman


@pytest.mark.parametrize("number, numeral", [(1, "I"), (3, "III"), (6, "VI"), (27, "XXVII")])
def test_adding(number, numeral):
    assert to_roman(number) == numeral


@pytest.mark.parametrize("number, numeral", [(4, "IV"), (9, "IX"), (90, "XC"), (1994, "MCMXCIV")])
def test_subtracting(number, numeral):
    assert to_roman(number) == numeral


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_out_of_range(number):
    with pytest.raises(ValueError):
        to_roman(number)
