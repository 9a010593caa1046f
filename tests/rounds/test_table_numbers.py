"""Table numbers and sheet codes as people type them."""

import pytest

from events.play.parsing import as_text, numbers_in


def test_numbers_and_ranges_are_read_and_written() -> None:
    for typed, numbers, shown in (
        ("", (), ""),
        ("3", (3,), "3"),
        ("3, 7-9", (3, 7, 8, 9), "3, 7-9"),
        ("9 7;8,3 – 4, 3", (3, 4, 7, 8, 9), "3, 4, 7-9"),
        ("1000", (1000,), "1000"),
        (" 5 - 5 ,", (5,), "5"),
    ):
        assert (numbers_in(typed), as_text(numbers), numbers_in(shown)) == (numbers, shown, numbers)
    for typed in ("three", "0", "1001", "9-7", "3-", "-3", "1.5", "٣", "1-2-3", "99999999", "²"):
        with pytest.raises(ValueError, match=r"is not a table|tables are numbered from 1 to 1000"):
            numbers_in(typed)
