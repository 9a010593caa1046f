"""Whom the desk's search means: parts of names, accents, initials, clubs, tables, codes."""

from datetime import UTC, datetime

import pytest

from events.play.names import search_key
from events.registration.search import Findable, find
from models.play import Player, PlayerState

PEOPLE = (
    "Søren O’Brien-Łukasz", "Anna Bauer", "Anouk Rossi", "Bea Ångström", "Юлия Nowak", "太郎 Hughes", "Zoë Yılmaz",
    "İnci Weiß", "Ada & Bo",
)  # fmt: skip


def found(typed: str) -> list[str]:
    """The names meant by what is typed."""
    rows = [Findable(person(name)) for name in PEOPLE]
    rows[1] = Findable(person("Anna Bauer", club="Łódź Dice"), team="Die Würfel", table=12, code="7KQ2MM34")
    rows[2] = Findable(person("Anouk Rossi", club="Table Six"), table=2, code="99999999")
    return [player.name for player in find(typed, rows)]


def person(name: str, club: str = "") -> Player:
    return Player(
        id=1, event_id=1, name=name, name_key=search_key(name), club=club, state=PlayerState.REGISTERED,
        registered_at=datetime(2026, 12, 5, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("an", ["Anna Bauer", "Anouk Rossi", "Bea Ångström"]),
        ("AN", ["Anna Bauer", "Anouk Rossi", "Bea Ångström"]),
        ("ann", ["Anna Bauer"]),
        ("bau", ["Anna Bauer"]),
        ("bau an", ["Anna Bauer"]),
        ("a b", ["Ada & Bo", "Anna Bauer", "Bea Ångström"]),
        ("angs", ["Bea Ångström"]),
        ("ång", ["Bea Ångström"]),
        ("A\u030angstrom", ["Bea Ångström"]),
        ("soren", ["Søren O’Brien-Łukasz"]),
        ("lukasz", ["Søren O’Brien-Łukasz"]),
        ("brien", ["Søren O’Brien-Łukasz"]),
        ("o'brien", ["Søren O’Brien-Łukasz"]),
        ("zoe yilm", ["Zoë Yılmaz"]),
        ("inci weiss", ["İnci Weiß"]),
        ("юл", ["Юлия Nowak"]),
        ("太", ["太郎 Hughes"]),
        ("郎", ["太郎 Hughes"]),  # no word begins so, but a name holds it
        ("ar", ["Anouk Rossi"]),  # initials, where nobody's name begins so
        ("ba", ["Anna Bauer"]),  # a name that begins so goes before initials
        ("lodz", ["Anna Bauer"]),
        ("anna lodz", ["Anna Bauer"]),
        ("wurfel", ["Anna Bauer"]),
        ("12", ["Anna Bauer"]),
        ("table 2", ["Anouk Rossi"]),
        ("t2", ["Anouk Rossi"]),
        ("7kq2 mm34", ["Anna Bauer"]),
        ("7kq2-MM34", ["Anna Bauer"]),
        ("13", []),
        ("", []),
        ("  ", []),
        ("-'’.", []),
        ("nobody", []),
        ("%", []),
        ("x" * 5000, []),
        ("\u200b", []),
    ],
)
def test_whom_it_means(typed: str, names: list[str]) -> None:
    assert found(typed) == names


def test_every_part_of_a_name_finds_it_in_either_case() -> None:
    for name in PEOPLE:
        for word in name.replace("’", " ").replace("-", " ").replace("&", " ").split():
            for typed in (word, word.upper(), word.casefold(), word[:2]):
                assert name in found(typed), (name, typed)
