"""The desk's search: parts of names, accents, initials, clubs, tables, codes."""

from datetime import UTC, datetime

from events.play.parsing import search_key
from events.registration.search import Findable, find
from models.play import Player, PlayerState

PEOPLE = (
    "Søren O’Brien-Łukasz", "Anna Bauer", "Anouk Rossi", "Bea Ångström", "Юлия Nowak", "太郎 Hughes", "Zoë Yılmaz",
    "İnci Weiß", "Ada & Bo",
)  # fmt: skip
SØREN, ANNA, ANOUK, BEA, ЮЛИЯ, TARO, ZOË, İNCI, _ = PEOPLE
MATCHES = {
    "an": [ANNA, ANOUK, BEA], "AN": [ANNA, ANOUK, BEA], "ann": [ANNA], "bau": [ANNA], "bau an": [ANNA],
    "a b": ["Ada & Bo", ANNA, BEA], "angs": [BEA], "ång": [BEA], "A\u030angstrom": [BEA], "soren": [SØREN],
    "lukasz": [SØREN], "brien": [SØREN], "o'brien": [SØREN], "zoe yilm": [ZOË], "inci weiss": [İNCI], "юл": [ЮЛИЯ],
    "太": [TARO],
    "郎": [TARO],  # inside a word, as no word begins with it
    "ar": [ANOUK],  # initials, as no name begins with it
    "ba": [ANNA],  # a name that begins with it goes before initials
    "lodz": [ANNA], "anna lodz": [ANNA], "wurfel": [ANNA], "12": [ANNA], "table 2": [ANOUK], "t2": [ANOUK],
    "7kq2 mm34": [ANNA], "7kq2-MM34": [ANNA],
    "13": [], "": [], "  ": [], "-'’.": [], "nobody": [], "%": [], "x" * 5000: [], "\u200b": [],
}  # fmt: skip


def found(typed: str) -> list[str]:
    rows = [Findable(person(name)) for name in PEOPLE]
    rows[1] = Findable(person(ANNA, club="Łódź Dice"), team="Die Würfel", table=12, code="7KQ2MM34")
    rows[2] = Findable(person(ANOUK, club="Table Six"), table=2, code="99999999")
    return [player.name for player in find(typed, rows)]


def person(name: str, club: str = "") -> Player:
    return Player(
        id=1, event_id=1, name=name, name_key=search_key(name), club=club, state=PlayerState.REGISTERED,
        registered_at=datetime(2026, 12, 5, tzinfo=UTC),
    )  # fmt: skip


def test_search_finds_names_initials_clubs_tables_and_codes() -> None:
    assert {typed: found(typed) for typed in MATCHES} == MATCHES


def test_every_part_of_a_name_finds_it_in_either_case() -> None:
    for name in PEOPLE:
        for word in name.replace("’", " ").replace("-", " ").replace("&", " ").split():
            for typed in (word, word.upper(), word.casefold(), word[:2]):
                assert name in found(typed), (name, typed)
