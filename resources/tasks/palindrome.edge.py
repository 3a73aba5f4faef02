import pytest

from solution import is_palindrome


@pytest.mark.parametrize("text", ["", " ", ".,!", "a", "Z"])
def test_nothing_or_one_is_a_palindrome(text):
    assert is_palindrome(text) is True


def test_a_digit_is_no_letter():
    assert is_palindrome("0P") is False


def test_letters_beyond_ascii():
    assert is_palindrome("Été") is True
    assert is_palindrome("été!a") is False


def test_a_long_text():
    assert is_palindrome("ab" * 50_000 + "a") is True
