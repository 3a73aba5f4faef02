from solution import to_roman


def test_the_longest():
    assert to_roman(3888) == "MMMDCCCLXXXVIII"


def test_the_last():
    assert to_roman(3999) == "MMMCMXCIX"
