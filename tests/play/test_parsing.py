"""Parsers of single values: the same verdict whatever the database under it would say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.play.errors import Refused
from events.play.parsing import (
    LARGEST,
    MOST_MARKS,
    as_text,
    number_or_none,
    numbers_in,
    one_line,
    unfit,
    whole_number,
)

NO_NUMBERS: tuple[object, ...] = (
    "", " ", "-", "--1", "+1", "1.0", "1e3", "NaN", "Infinity", "1e999", "0x10", "1_000", "\u0661", "\uff11", "\u00b2",
    "1 2", "\x001", "1" + "\x00" * 50, None, 1.0, b"1",
)  # fmt: skip
TOO_LARGE: tuple[str | int, ...] = ("9" * 400, "9" * 5000, str(LARGEST + 1), str(2**63), 2**63, 10**4000)


@pytest.mark.proves("attack 40", "ASVS 1.4.2")
def test_only_plain_digits_are_a_number() -> None:
    for value in NO_NUMBERS:
        assert number_or_none(value) is None, value
        with pytest.raises(ValueError, match="number that is offered"):
            whole_number(value)


@pytest.mark.proves("attack 40", "ASVS 1.4.2")
def test_number_that_no_row_can_have_is_cut_to_the_largest() -> None:
    for value in TOO_LARGE:
        assert number_or_none(value) is None
        assert whole_number(value) == LARGEST
        assert whole_number(f"-{value}" if isinstance(value, str) else -value) == -LARGEST
    assert [whole_number(one) for one in ("00000000012", "000000000012", "-00000000012")] == [12, LARGEST, -12]
    assert [number_or_none(one) for one in ("0000000012", "00000000012", str(LARGEST))] == [12, None, LARGEST]


@given(st.integers(0, LARGEST))
def test_every_number_that_a_column_holds_is_read(number: int) -> None:
    assert number_or_none(str(number)) == number
    assert whole_number(str(number)) == whole_number(f" {number} ") == whole_number(number) == number
    assert whole_number(f"-{number}") == -number


@given(st.text(max_size=30) | st.text("0123456789-+. eEx_", max_size=30))
def test_any_text_is_a_number_in_bounds_or_none(text: str) -> None:
    found = number_or_none(text)
    assert found is None or 0 <= found <= LARGEST


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
def test_text_that_no_page_can_show_is_refused() -> None:
    for text in ("a\x00", "\x1b[1m", "a\x7f", "\ud800", "a\udfffb", "\u202eeca", "e" + "\u0301" * (MOST_MARKS + 1),
                 "Z" + "\u0336" * 200, "\u20dd" * 20):  # fmt: skip
        assert unfit(text), text
        with pytest.raises(Refused, match=r"The reason: it (contains|holds)"):
            one_line(text + "!", 500, "The reason")


def test_accents_of_every_language_are_accepted_up_to_a_number_for_each_letter() -> None:
    most = "\u0301" * MOST_MARKS
    assert unfit(most) == unfit("e" + most) == unfit(f"e{most}o{most}") == ""
    assert unfit(most + "\u20dd") and unfit("e" + most + "\u0301")
    for selector in ("\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef"):
        assert unfit("\u845b" + selector * (MOST_MARKS + 1)) == "", "a variation selector is no accent"
    for name in ("Zoë", "Đặng Thị Ngọc", "Z̸̢̛͖̼a̷͉l̶̡g̵o", "שָׁלוֹם", "नमस्ते", "བསྒྲུབས", "ที่นี่", "👩‍👩‍👧‍👦",
                 "❤️🏴\U000e0067\U000e0062\U000e007f"):  # fmt: skip
        assert unfit(name) == "", name


def test_one_line_is_tidy_and_refused_if_it_is_too_long() -> None:
    assert one_line("  two\n words\t", 9, "The reason") == "two words"
    assert one_line(" \n ", 9, "The reason") == ""
    for text in ("two  words!", "x" * 10_000_000):
        with pytest.raises(Refused, match="The reason: at most 9 characters"):
            one_line(text, 9, "The reason")


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
