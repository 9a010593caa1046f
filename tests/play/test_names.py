"""Names of people, clubs and events: what is taken, and what counts as the same."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.play.parsing import forbidden_character, look_alike_key, mixed_scripts, name_key, slug_of, tidy, visible


def test_names_have_one_key_if_they_read_the_same() -> None:
    for one, other in (
        ("Ada", "ADA"), ("straße", "STRASSE"), ("Zoe\u0308", "Zoë"), ("Ａｄａ", "Ada"), ("A\u200bda", "Ada"),
        ("A\u00adda", "Ada"), ("Ada\ufe0f", "Ada"), ("Ada \u2800Bo", "Ada Bo"), ("ﬁnn", "finn"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"), (" Ada \u00a0 Bo ", "Ada Bo"),
    ):  # fmt: skip
        assert name_key(one) == name_key(other), one
    for one, other in (("Ada", "Adá"), ("Ada B", "AdaB"), ("Jan", "Ján"), ("李", "季"), ("1", "2")):
        assert name_key(one) != name_key(other), one
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
    for one, other in (
        ("Anna", "Аnna"), ("Anna", "ΑΝΝΑ"), ("Peter Schock", "Реtеr Ѕсhосk"), ("Boris", "Вoris"), ("Ａnna", "Anna"),
        ("Otto", "0tto"), ("Bill", "Bi11"), ("Bill", "BiIl"), ("Ali", "AIi"), ("Arno", "Amo"), ("Vivien", "Vivien"),
        ("Zoë Müller", "Zoe Muller"), ("Łukasz", "Lukasz"), ("O’Brien", "O'Brien"), ("Anna-Lena", "Anna‑Lena"),
        ("Olga", "Оlga"),
    ):  # fmt: skip
        assert look_alike_key(one) == look_alike_key(other), (one, other)
    assert len({look_alike_key(name) for name in ("Ann Test", "Ann Test.", "Ann\u3164Test", "AnnTest")}) == 1
    for one, other in (
        ("Anna", "Hanna"), ("Anna", "Anne"), ("Jan", "Ian"), ("Анна", "Anna"), ("かな", "がな"), ("ハハ", "パパ"),
        ("田中", "中田"), ("राम", "रमा"), ("किरण", "करण"), ("דנה", "דינה"), ("محمد", "محمود"), ("김민수", "김민주"),
        ("Player 1", "Player 7"), ("Player 10", "Player 11"), ("李", "季"), ("ไทย", "ไท"),
    ):  # fmt: skip
        assert look_alike_key(one) != look_alike_key(other), (one, other)


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
