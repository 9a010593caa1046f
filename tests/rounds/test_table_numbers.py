"""Table numbers as people write them."""

import pytest

from events.play.parsing import as_text, code_typed, grouped, numbers_in


@pytest.mark.parametrize(
    ("typed", "numbers", "shown"),
    [
        ("", (), ""),
        ("3", (3,), "3"),
        ("3, 7-9", (3, 7, 8, 9), "3, 7-9"),
        ("9 7;8,3 – 4, 3", (3, 4, 7, 8, 9), "3, 4, 7-9"),
        ("1000", (1000,), "1000"),
        (" 5 - 5 ,", (5,), "5"),
    ],
)
def test_numbers_and_ranges_are_read_and_written(typed: str, numbers: tuple[int, ...], shown: str) -> None:
    assert numbers_in(typed) == numbers
    assert as_text(numbers) == shown
    assert numbers_in(shown) == numbers


@pytest.mark.parametrize("typed", ["three", "0", "1001", "9-7", "3-", "-3", "1.5", "٣", "1-2-3", "99999999", "²"])
def test_anything_else_is_told(typed: str) -> None:
    with pytest.raises(ValueError, match=r"no table|tables are numbered from 1 to 1000"):
        numbers_in(typed)


@pytest.mark.parametrize("code", ["ABCDEFGHJK", "ABCDEFGH", ""])
def test_grouped_code_is_read_as_the_code(code: str) -> None:
    assert grouped("ABCDEFGHJK") == "ABCDE-FGHJK"
    assert code_typed(grouped(code)) == code
