"""The reader of single values: the same verdict for everybody, whatever the database under it would have said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.play.errors import Refused
from events.play.parsing import LARGEST, MOST_MARKS, number_or_none, one_line, unfit, whole_number

NO_NUMBERS = (
    "", " ", "-", "--1", "+1", "1.0", "1e3", "NaN", "Infinity", "1e999", "0x10", "1_000", "\u0661", "\uff11", "\u00b2",
    "1 2", "\x001", "1" + "\x00" * 50, None, 1.0, b"1",
)  # fmt: skip
FAR = ("9" * 400, "9" * 5000, str(LARGEST + 1), str(2**63), 2**63, 10**4000)


@pytest.mark.proves("attack 40", "ASVS 1.4.2")
@pytest.mark.parametrize("typed", NO_NUMBERS, ids=lambda typed: repr(typed)[:12])
def test_what_is_no_number_of_ours(typed: object) -> None:
    assert number_or_none(typed) is None
    with pytest.raises(ValueError, match="no number"):
        whole_number(typed)


@pytest.mark.proves("attack 40", "ASVS 1.4.2")
@pytest.mark.parametrize("typed", FAR, ids=lambda typed: type(typed).__name__)
def test_a_number_that_no_row_can_have_is_nobody_s(typed: str | int) -> None:
    assert number_or_none(typed) is None
    assert whole_number(typed) == LARGEST
    assert whole_number(f"-{typed}" if isinstance(typed, str) else -typed) == -LARGEST


def test_a_number_has_eleven_figures_at_most_before_it_is_too_large() -> None:
    """With noughts before it, that is: read is what is written, up to there."""
    assert whole_number("00000000012") == 12
    assert whole_number("000000000012") == LARGEST
    assert whole_number("-00000000012") == -12


def test_an_id_has_ten_figures_at_most_noughts_before_it_too() -> None:
    assert number_or_none("0000000012") == 12
    assert number_or_none("00000000012") is None
    assert number_or_none(str(LARGEST)) == LARGEST


@pytest.mark.parametrize("chooser", ["\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef"])
def test_what_only_chooses_how_a_character_is_drawn_is_no_accent(chooser: str) -> None:
    assert unfit("\u845b" + chooser * (MOST_MARKS + 1)) == ""


@given(st.integers(0, LARGEST))
def test_every_number_that_a_column_holds_is_read(number: int) -> None:
    assert number_or_none(str(number)) == number
    assert whole_number(str(number)) == whole_number(f" {number} ") == whole_number(number) == number
    assert whole_number(f"-{number}") == -number


@given(st.text(max_size=30) | st.text("0123456789-+. eEx_", max_size=30))
def test_whatever_is_typed_is_a_number_in_bounds_or_none(typed: str) -> None:
    found = number_or_none(typed)
    assert found is None or 0 <= found <= LARGEST


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
@pytest.mark.parametrize("typed", ["a\x00", "\x1b[1m", "a\x7f", "\ud800", "a\udfffb", "\u202eeca",
                                   "e" + "\u0301" * (MOST_MARKS + 1), "Z" + "\u0336" * 200, "\u20dd" * 20])  # fmt: skip
def test_a_text_that_no_page_can_show_is_taken_from_nobody(typed: str) -> None:
    assert unfit(typed)
    with pytest.raises(Refused, match="The reason: it holds"):
        one_line(typed + "!", 500, "The reason")


def test_as_many_accents_as_are_taken_are_taken_at_the_beginning_too_and_on_each_letter_anew() -> None:
    most = "\u0301" * MOST_MARKS
    assert unfit(most) == unfit("e" + most) == unfit(f"e{most}o{most}") == ""
    assert unfit(most + "\u20dd") and unfit("e" + most + "\u0301")


@pytest.mark.parametrize(
    "name",
    ["Zoë", "Đặng Thị Ngọc", "Z̸̢̛͖̼a̷͉l̶̡g̵o", "שָׁלוֹם", "नमस्ते", "བསྒྲུབས", "ที่นี่", "👩‍👩‍👧‍👦", "❤️🏴\U000e0067\U000e0062\U000e007f"],
)
def test_accents_of_every_language_are_taken(name: str) -> None:
    assert unfit(name) == ""


def test_a_line_is_tidy_bounded_and_never_cut_in_silence() -> None:
    assert one_line("  two\n words\t", 9, "The reason") == "two words"
    assert one_line(" \n ", 9, "The reason") == ""
    with pytest.raises(Refused, match="The reason: at most 9 characters"):
        one_line("two  words!", 9, "The reason")
    with pytest.raises(Refused, match="at most"):
        one_line("x" * 10_000_000, 9, "The reason")
