"""Stored texts: each reader gets them in their language, and a damaged or hostile one does no harm."""

from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import pytest

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ranking import Row, ranking_rows
from events.tournament.tie_breaks import TIE_BREAKS
from languages.message import LONGEST, counted_message, joined, message, worded
from languages.words import gettext, minus, ngettext, signed, speaking

PLACE = message("Registered %(name)s", name="100 % %(x)s Ada")
DEEP: list[Any] = ["Undid: %(step)s", {}]
for _ in range(2000):
    DEEP = ["Undid: %(step)s", {"step": DEEP}]


def test_each_reader_reads_it_in_their_language() -> None:
    undone = message("Undid: %(step)s", step=PLACE)
    assert worded(undone) == "Undid: Registered 100 % %(x)s Ada"
    with speaking("de"):
        assert worded(undone) == "Rückgängig gemacht: 100 % %(x)s Ada angemeldet"


def test_figures_are_worded_too() -> None:
    day = message("Agreed on %(day)s for %(game)s", day=date(2026, 11, 8), game=joined(["Ada", "Bea", "Cy"], "and"))
    until = message("Opened all lists again, until %(time)s", time=datetime(2026, 11, 8, 9, 30, tzinfo=UTC))
    assert worded(day) == "Agreed on 8 November for Ada, Bea and Cy"
    assert worded(until) == "Opened all lists again, until 8 Nov 2026, 09:30"
    with speaking("de"):
        assert "8. November" in worded(day)
        assert "Ada, Bea und Cy" in worded(day)
        assert "8. Nov. 2026, 09:30" in worded(until)


def test_number_chooses_the_form() -> None:
    locked = [counted_message("Locked %(num)s list", "Locked %(num)s lists", number) for number in (1, 2, 5)]
    assert [worded(a_message) for a_message in locked] == ["Locked 1 list", "Locked 2 lists", "Locked 5 lists"]
    with speaking("pl"):
        assert (
            len(
                {
                    worded(a_message).replace(str(number), "")
                    for number, a_message in zip((1, 2, 5), locked, strict=True)
                }
            )
            == 3
        )


def test_text_that_the_language_lacks_is_english_as_a_whole() -> None:
    with speaking("de"):
        assert (
            worded(message("Undid: %(step)s", step=message("Nobody says %(this)s", this=3))) == "Undid: Nobody says 3"
        )


@pytest.mark.parametrize(
    "said",
    [
        None, 5 * [None], [], {}, ["%(x)s %s %(name)r %", {"name": "Ada"}], ["%(name)s", {}, {}], [1, {}], [["a"], {}],
        ["%(name)s", {"name": None}], {"day": "tomorrow"}, {"at": 7}, {"parts": "Ada", "by": 3}, DEEP,
        ["Locked %(num)s list", "Locked %(num)s lists", {"num": "many"}], {"parts": [1], "by": ", ", "form": "other"},
        ["a" * 100_000, {}], [*["%(num)s"] * 2, {"num": "a"}],
    ],
)  # fmt: skip
@pytest.mark.parametrize("code", ["en", "de"])
def test_stored_nonsense_is_no_text(said: Any, code: str) -> None:
    with speaking(code):
        assert len(worded(said)) <= LONGEST


def test_text_that_repeats_itself_stays_short() -> None:
    said: Any = "Ada"
    for _ in range(4):
        said = ["%(a)s" * 100, {"a": said}]
    assert len(worded(said)) <= LONGEST


def test_negative_figures_have_the_minus_sign() -> None:
    assert gettext("%(n)s points", n=-500) == "−500 points"
    assert ngettext("%(num)s point", "%(num)s points", -2) == "−2 points"
    assert worded(message("%(n)s points", n=-500)) == "−500 points"
    assert worded(message("%(n)s points", n=-0.5)) == "−0.5 points"
    assert (signed(5), signed(-5), signed(0)) == ("+5", "−5", "+0")
    assert minus("1d10-8 of a well-known gun") == "1d10−8 of a well-known gun"


def test_message_is_never_glued() -> None:
    """It would be worded for one reader where it is made."""
    read = message("Registered %(name)s", name="Ada")
    assert str(read) == "Registered Ada"
    for text in (read, joined([read, 3], " + ")):
        with pytest.raises(TypeError, match="where it is shown"):
            f"{text}, again"


def test_rows_of_figures_are_worded_with_the_signs_of_the_language() -> None:
    row = joined([joined(["Ada", Fraction(2, 3)], " "), joined([-2, message("bye")], "()")], " + ")
    assert str(row) == "Ada 0.667 + −2 (bye)"
    with speaking("de"):
        assert str(row) == "Ada 0,667 + −2 (Freilos)"


def test_ranking_is_in_no_language() -> None:
    """It is kept once for all readers: made for a German, it is French for a French reader."""
    games = [Result(1, "a", "b", 7, 4), Result(1, "c", None)]
    people = [Entrant(id_, id_.upper(), dropped_after=1 if id_ == "b" else None) for id_ in "abc"]
    scheme = Scheme(tie_breaks=tuple(TIE_BREAKS))

    def shown(rows: list[Row]) -> list[object]:
        with speaking("fr"):
            return [
                (str(row.gone), str(row.merit), {name: str(how) for name, how in row.how.items()},
                 [(str(figure.shown), figure.marked, str(figure.how)) for figure in row.figures])
                for row in rows
            ]  # fmt: skip

    made = {}
    for code in ("de", "fr"):
        with speaking(code):
            made[code] = ranking_rows(games, people, scheme)
    assert shown(made["de"]) == shown(made["fr"])
    assert "exempt" in str(shown(made["fr"])).lower()
