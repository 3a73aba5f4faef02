from solution import is_palindrome


def test_a_plain_palindrome():
    assert is_palindrome("level") is True


def test_no_palindrome():
    assert is_palindrome("levels") is False


def test_case_does_not_matter():
    assert is_palindrome("Level") is True


def test_spaces_and_punctuation_do_not_matter():
    assert is_palindrome("A man, a plan, a canal: Panama!") is True


def test_digits_count():
    assert is_palindrome("12 21") is True
    assert is_palindrome("12 22") is False
