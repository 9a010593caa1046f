"""Parsers of values and names: accepted values, on either database, and names that count as the same."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.store.errors import Refused
from events.web.parsing import (
    LARGEST,
    LONGEST_REASON,
    MOST_MARKS,
    as_text,
    forbidden_character,
    judges_reason,
    look_alike_key,
    mixed_scripts,
    name_key,
    number_or_none,
    numbers_in,
    slug_of,
    stem_of,
    tidy,
    unfit,
    visible,
    whole_number,
)

NO_NUMBERS: tuple[object, ...] = (
    "", " ", "-", "--1", "+1", "1.0", "1e3", "NaN", "Infinity", "0x10", "1_000", "\u0661", "\uff11", "\u00b2", "1 2",
    "\x001", None, 1.0, b"1",
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
    assert [whole_number(name) for name in ("00000000012", "000000000012", "-00000000012")] == [12, LARGEST, -12]
    assert [number_or_none(text) for text in ("0000000012", "00000000012", str(LARGEST))] == [12, None, LARGEST]


@given(st.integers(0, LARGEST))
def test_every_number_that_a_column_holds_is_read(number: int) -> None:
    assert number_or_none(str(number)) == whole_number(f" {number} ") == whole_number(number) == number
    assert whole_number(f"-{number}") == -number


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
def test_text_that_no_page_can_show_is_refused() -> None:
    for text in ("a\x00", "\x1b[1m", "a\x7f", "\ud800", "a\udfffb", "\u202eeca", "e" + "\u0301" * (MOST_MARKS + 1),
                 "Z" + "\u0336" * 200, "\u20dd" * 20):  # fmt: skip
        assert unfit(text), text
        with pytest.raises(Refused, match=r"The reason: it (contains|holds)"):
            judges_reason(text + "!")


def test_accents_of_every_language_are_accepted_up_to_a_number_for_each_letter() -> None:
    most = "\u0301" * MOST_MARKS
    assert unfit(most) == unfit("e" + most) == unfit(f"e{most}o{most}") == ""
    assert unfit(most + "\u20dd") and unfit("e" + most + "\u0301")
    for selector in ("\ufe00", "\ufe0f", "\U000e0100", "\U000e01ef"):
        assert unfit("\u845b" + selector * (MOST_MARKS + 1)) == "", "a variation selector is no accent"
    for name in ("Zoë", "Đặng Thị Ngọc", "Z̸̢̛͖̼a̷͉l̶̡g̵o", "שָׁלוֹם", "नमस्ते", "བསྒྲུབས", "ที่นี่", "👩‍👩‍👧‍👦",
                 "❤️🏴\U000e0067\U000e0062\U000e007f"):  # fmt: skip
        assert unfit(name) == "", name


def test_reason_is_tidy_and_refused_if_it_is_too_long() -> None:
    assert (judges_reason("  two\n words\t"), judges_reason(" \n ")) == ("two words", "")
    assert judges_reason("x" * LONGEST_REASON + "  ") == "x" * LONGEST_REASON
    for text in ("x" * (LONGEST_REASON + 1), "x" * 10_000_000):
        with pytest.raises(Refused, match="The reason: at most 500 characters"):
            judges_reason(text)


def test_numbers_and_ranges_are_read_and_written() -> None:
    for typed, numbers, shown in (
        ("", (), ""),
        ("1000", (1000,), "1000"),
        ("9 7;8,3 – 4, 3", (3, 4, 7, 8, 9), "3, 4, 7-9"),
        (" 5 - 5 ,", (5,), "5"),
    ):
        assert (numbers_in(typed), as_text(numbers), numbers_in(shown)) == (numbers, shown, numbers)
    for typed in ("three", "0", "1001", "9-7", "3-", "-3", "1.5", "٣", "1-2-3", "99999999"):
        with pytest.raises(ValueError, match=r"is not a table|enter numbers from 1 to 1000"):
            numbers_in(typed)


def test_names_have_one_key_if_they_read_the_same() -> None:
    for text, other in (
        ("Ada", "ADA"), ("straße", "STRASSE"), ("Zoe\u0308", "Zoë"), ("Ａｄａ", "Ada"), ("A\u200bda", "Ada"),
        ("A\u00adda", "Ada"), ("Ada\ufe0f", "Ada"), ("Ada \u2800Bo", "Ada Bo"), ("ﬁnn", "finn"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"), (" Ada \u00a0 Bo ", "Ada Bo"),
    ):  # fmt: skip
        assert name_key(text) == name_key(other), text
    for text, other in (("Ada", "Adá"), ("Ada B", "AdaB"), ("Jan", "Ján"), ("李", "季"), ("1", "2")):
        assert name_key(text) != name_key(other), text
    assert name_key("x" * 200) == "x" * 160, "as long as its column"


def test_name_needs_a_visible_character() -> None:
    for name in ("", " ", "\u200b", "\u3164", "\u2800 \u2800", "\u202e", "\U000e0041", "\ufe0f"):
        assert not visible(name), name
    for name in ("A", "李", "🤖", "ى", "1", "!", "Z̸̢̛", "\u200bA"):
        assert visible(name), name


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
def test_control_characters_are_forbidden_and_all_letters_of_the_world_are_not() -> None:
    for character in ("\x00", "\x1b", "\x7f", "\x9f", "\ud800", "\udfff", "\u202e", "\u2029"):
        assert forbidden_character(f"Ada{character}Bo") == character
        assert forbidden_character(f"Ada{character}Bo", lines=True) == character
    assert forbidden_character("a\nb") == "\n"
    assert forbidden_character("a\r\n\tb", lines=True) is None
    for name in ("Zoë O’Brien-Łęcka", "李小龍", "שלום", "👩‍🚀", "Đặng", "ไทย", "Ада"):
        assert forbidden_character(name) is None, name
        assert tidy(name) == unicodedata.normalize("NFC", name)
    assert tidy(" Zoe\u0308  B ") == "Zoë B"


@given(st.text(max_size=60))
@example("0\u20280")  # a line of its own in Unicode, and a blank to tidy()
@example("R?N")
def test_keys_of_a_name_are_stable_and_fit_their_column(name: str) -> None:
    key = name_key(name)
    assert name_key(key) == name_key(tidy(name)) == key
    alike = look_alike_key(name)
    for same in (alike, tidy(name), key, unicodedata.normalize("NFD", name), f" {name} "):
        assert look_alike_key(same) == alike
    assert max(len(name_key(name * 8)), len(look_alike_key(name * 8))) <= 160


def test_slug_is_readable() -> None:
    for name, slug in (
        ("Iron Open 2026!", "iron-open-2026"), ("Wasteland — Öffentlich", "wasteland-offentlich"), ("戦場", "event"),
        ("--", "event"), ("a" * 60, "a" * 50), ("a" * 49 + " b", "a" * 49), ("../../etc/passwd", "etc-passwd"),
    ):  # fmt: skip
        assert slug_of(name) == slug


@given(st.text(max_size=100))
def test_every_name_has_a_slug(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?", slug_of(text))


@pytest.mark.proves("attack 68")
def test_names_have_one_look_alike_key_if_they_look_alike() -> None:
    for text, other in (
        ("Anna", "Аnna"), ("Anna", "ΑΝΝΑ"), ("Peter Schock", "Реtеr Ѕсhосk"), ("Boris", "Вoris"), ("Ａnna", "Anna"),
        ("Otto", "0tto"), ("Bill", "Bi11"), ("Bill", "BiIl"), ("Ali", "AIi"), ("Arno", "Amo"), ("Vivien", "Vivien"),
        ("Zoë Müller", "Zoe Muller"), ("Łukasz", "Lukasz"), ("O’Brien", "O'Brien"), ("Anna-Lena", "Anna‑Lena"),
        ("Olga", "Оlga"),
    ):  # fmt: skip
        assert look_alike_key(text) == look_alike_key(other), (text, other)
    assert len({look_alike_key(name) for name in ("Ann Test", "Ann Test.", "Ann\u3164Test", "AnnTest")}) == 1
    assert look_alike_key("æ" * 90) == "ae" * 80, "it fits its column"
    for text, other in (
        ("Anna", "Hanna"), ("Anna", "Anne"), ("Jan", "Ian"), ("Анна", "Anna"), ("かな", "がな"), ("ハハ", "パパ"),
        ("田中", "中田"), ("राम", "रमा"), ("किरण", "करण"), ("דנה", "דינה"), ("محمد", "محمود"), ("김민수", "김민주"),
        ("Player 1", "Player 7"), ("Player 10", "Player 11"), ("李", "季"), ("ไทย", "ไท"),
    ):  # fmt: skip
        assert look_alike_key(text) != look_alike_key(other), (text, other)


@pytest.mark.proves("attack 68")
def test_word_of_two_scripts_is_found() -> None:
    for name, scripts in (("Аnna", ("Cyrillic", "Latin")), ("Anna Pеtrova", ("Latin", "Cyrillic")),
                          ("Ioαnna", ("Latin", "Greek")), ("Jo\u0301\u043en", ("Latin", "Cyrillic"))):  # fmt: skip
        assert mixed_scripts(name) == scripts, name
    for name in (
        "Анна Петрова", "Анна Smith", "Ωμέγα O’Brien", "田中 たろう", "山田ハナ子", "李小龍", "שלום", "محمد",
        "राम कुमार", "김민수", "ไทย", "Zoë", "Tanaka田中", "Иван-John", "R2D2", "👩‍🚀 Ada",
        "Đặng", "", "Ⅷ Иван", "Νίκος",
    ):  # fmt: skip
        assert mixed_scripts(name) == (), name


@pytest.mark.parametrize(
    ("name", "stem"),
    [("Søren  Nowak!", "søren-nowak"), ("Łukasz Đorđević", "łukasz-đorđević"), ("Юлия", "юлия"),
     ("山田 太郎", "山田-太郎"), ("¡!", "player"), ("A/../B", "a-b"), ("x" * 70, "x" * 50)],
)  # fmt: skip
def test_file_names_keep_the_letters_of_all_scripts(name: str, stem: str) -> None:
    assert stem_of(name) == stem
