"""Names of people, clubs and events: what is taken, and what counts as the same."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.play.names import forbidden_character, look_alike_key, mixed_scripts, name_key, slug_of, tidy, visible


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("straße", "STRASSE"),
        ("Zoe\u0308", "Zoë"),
        ("Ａｄａ", "Ada"),
        ("A\u200bda", "Ada"),
        ("A\u00adda", "Ada"),
        ("Ada\ufe0f", "Ada"),
        ("Ada \u2800Bo", "Ada Bo"),
        ("ﬁnn", "finn"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        (" Ada \u00a0 Bo ", "Ada Bo"),
    ],
)
def test_names_that_read_the_same_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Adá"), ("Ada B", "AdaB"), ("Jan", "Ján"), ("李", "季"), ("1", "2")]
)
def test_names_that_read_differently_have_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u3164", "\u2800 \u2800", "\u202e", "\U000e0041", "\ufe0f"])
def test_a_name_must_be_seen(name: str) -> None:
    assert not visible(name)


@pytest.mark.parametrize("name", ["A", "李", "🤖", "ى", "1", "!", "Z̸̢̛", "\u200bA"])
def test_any_letter_sign_or_picture_can_be_seen(name: str) -> None:
    assert visible(name)


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x7f", "\x9f", "\ud800", "\udfff", "\u202e", "\u2029"])
def test_characters_that_are_taken_from_nobody(character: str) -> None:
    assert forbidden_character(f"Ada{character}Bo") == character
    assert forbidden_character(f"Ada{character}Bo", lines=True) == character


def test_line_ends_are_taken_where_lines_are() -> None:
    assert forbidden_character("a\nb") == "\n"
    assert forbidden_character("a\r\n\tb", lines=True) is None


@pytest.mark.parametrize("name", ["Zoë O’Brien-Łęcka", "李小龍", "שלום", "👩‍🚀", "Đặng", "ไทย", "Ада"])
def test_names_of_the_world_are_taken_as_they_are(name: str) -> None:
    assert forbidden_character(name) is None
    assert tidy(name) == unicodedata.normalize("NFC", name)


@given(st.text(max_size=200))
def test_tidying_twice_is_tidying_once(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)


@given(st.text(max_size=200))
@example("0\u20280")  # a line of its own in Unicode, and a blank to tidy()
def test_a_key_is_stable_and_fits_its_column(text: str) -> None:
    key = name_key(text)
    assert len(key) <= 160
    assert name_key(key) == key
    assert name_key(tidy(text)) == key


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Iron Open 2026!", "iron-open-2026"),
        ("Wasteland — Öffentlich", "wasteland-offentlich"),
        ("戦場", "event"),
        ("--", "event"),
        ("a" * 60, "a" * 50),
        ("a" * 49 + " b", "a" * 49),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_an_address_is_readable(name: str, slug: str) -> None:
    assert slug_of(name) == slug


def test_a_key_is_cut_where_its_column_ends() -> None:
    assert name_key("x" * 200) == "x" * 160


@given(st.text(max_size=100))
def test_every_name_gives_an_address(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?", slug_of(text))


# ---- names that look alike


@pytest.mark.proves("attack 68")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Аnna"),  # Cyrillic A
        ("Anna", "ΑΝΝΑ"),  # Greek capitals
        ("Peter Schock", "Реtеr Ѕсhосk"),
        ("Boris", "Вoris"),
        ("Ａnna", "Anna"),
        ("Otto", "0tto"),
        ("Bill", "Bi11"),
        ("Bill", "BiIl"),
        ("Ali", "AIi"),
        ("Arno", "Amo"),
        ("Vivien", "Vivien"),
        ("Zoë Müller", "Zoe Muller"),
        ("Łukasz", "Lukasz"),
        ("O’Brien", "O'Brien"),
        ("Anna-Lena", "Anna‑Lena"),
        ("Olga", "Оlga"),
    ],
)
def test_names_that_look_alike_have_one_look_alike_key(one: str, other: str) -> None:
    assert look_alike_key(one) == look_alike_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Hanna"), ("Anna", "Anne"), ("Jan", "Ian"), ("Анна", "Anna"), ("かな", "がな"), ("ハハ", "パパ"),
        ("田中", "中田"), ("राम", "रमा"), ("किरण", "करण"), ("דנה", "דינה"), ("محمد", "محمود"), ("김민수", "김민주"),
        ("Player 1", "Player 7"), ("Player 10", "Player 11"), ("李", "季"), ("ไทย", "ไท"),
    ],
)  # fmt: skip
def test_different_names_have_different_look_alike_keys(one: str, other: str) -> None:
    assert look_alike_key(one) != look_alike_key(other)


@given(st.text(max_size=200))
def test_look_alike_key_of_a_look_alike_key_is_itself(name: str) -> None:
    key = look_alike_key(name)
    assert look_alike_key(key) == key
    assert len(key) <= 160


@given(st.text(max_size=60))
def test_equal_names_have_equal_look_alike_keys(name: str) -> None:
    for same in (tidy(name), name_key(name), unicodedata.normalize("NFD", name), f" {name} "):
        assert look_alike_key(same) == look_alike_key(name)


@pytest.mark.proves("attack 68")
@pytest.mark.parametrize(
    ("name", "scripts"),
    [
        ("Аnna", ("Cyrillic", "Latin")),
        ("Anna Pеtrova", ("Latin", "Cyrillic")),
        ("Ioαnna", ("Latin", "Greek")),
        ("Jo\u0301\u043en", ("Latin", "Cyrillic")),
    ],
)
def test_a_word_of_two_scripts_is_seen(name: str, scripts: tuple[str, ...]) -> None:
    assert mixed_scripts(name) == scripts


@pytest.mark.parametrize(
    "name",
    ["Анна Петрова", "Анна Smith", "Ωμέγα O’Brien", "田中 たろう", "山田ハナ子", "李小龍", "שלום", "محمد", "राम कुमार",
     "김민수", "ไทย", "Zoë", "Tanaka田中", "Иван-John", "R2D2", "👩‍🚀 Ada", "Đặng", "", "Ⅷ Иван", "Νίκος"],
)  # fmt: skip
def test_names_of_the_world_mix_no_scripts(name: str) -> None:
    assert mixed_scripts(name) == ()


def test_names_that_differ_in_blanks_and_dots_look_alike() -> None:
    assert len({look_alike_key(name) for name in ("Ann Test", "Ann Test.", "Ann\u3164Test", "AnnTest")}) == 1
