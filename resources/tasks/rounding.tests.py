from solution import nearest


def test_down():
    assert nearest(1.2) == 1


def test_up():
    assert nearest(1.7) == 2


def test_negative():
    assert nearest(-1.2) == -1


def test_a_half():
    assert nearest(1.5) == 2


def test_a_whole_number_stays():
    assert nearest(3.0) == 3
