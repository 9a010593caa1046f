"""The journal in the languages of its readers: of a whole history, no line and no figure is an English sentence."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from events.journal import undo
from events.journal.queries import PLAYERS_READ
from events.registration import leaving, payments, ruling_views
from events.registration.forms import Given
from events.store.journal import entry_words
from events.store.visitor import PLAYER, VISITOR, WORDS
from languages.catalogues import translated
from languages.message import worded
from languages.words import capital, gettext, speaking
from models.award import Card
from models.journal import JournalEntry
from tests.kit.every_page import made
from tests.kit.person import Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.raffles import hold_raffle
from tests.kit.stage import Stage

WORDED = re.compile(r"⟦[^⟦⟧]*⟧")
ENGLISH = re.compile(r"\b(?:the|is|are|has|have|was|to|of|for|and|not|no|with|by|from|round|table)\b", re.IGNORECASE)
TYPED = {"text", "reason", "subject", "name", "names", "team", "other"}
"""Figures that people wrote."""


@pytest.fixture
def history(stage: Stage) -> Sequence[JournalEntry]:
    """The journals of events in every state, with a ruling, a drop, its undo, payments and a raffle."""
    running = made(stage)[3]
    stage.set(running, fee="10 €")
    ada, bo = running.players[:2]
    stage.do(running, ruling_views.give_ruling, ada, Given("Ein Grund", points=-1, card=Card.YELLOW))
    stage.do(running, payments.mark_paid, [ada, bo])
    hold_raffle(stage, running, "Farbset", "Würfel")
    stage.do(running, leaving.drop, bo)
    stage.do(running, undo.undo, undo.last_steps(stage.s, running)[-1].id)
    return stage.all(JournalEntry)


def typed_figures(said: Any, name: str = "") -> Iterator[str]:
    if isinstance(said, str):
        yield from () if name in TYPED else (said,)
    elif isinstance(said, dict):
        for one in said.get("parts", ()):
            yield from typed_figures(one, name)
    elif isinstance(said, list):
        for key, one in said[-1].items():
            yield from typed_figures(one, key)


@pytest.mark.slow
def test_no_line_and_no_figure_of_a_whole_history_is_english(
    history: Sequence[JournalEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    offer_pseudo(monkeypatch)
    assert len({entry.verb for entry in history}) > 20
    with speaking(CODE):
        lines = {entry.text: entry_words(entry) for entry in history}
    for text, line in lines.items():
        while WORDED.search(line):
            line = WORDED.sub("", line)
        assert line == "", text
    figures = [figure for entry in history for figure in typed_figures(entry.details["said"])]
    assert "−1" in figures, "the ruling was looked at"
    assert [figure for figure in figures if ENGLISH.search(figure)] == []


@pytest.mark.slow
def test_each_language_has_all_of_its_messages(history: Sequence[JournalEntry]) -> None:
    """German those of the desk, too; the others those that players read of themselves."""
    for code in translated():
        read = [entry for entry in history if code == "de" or entry.verb in PLAYERS_READ]
        assert len(read) > 25
        with speaking(code):
            assert [entry.text for entry in read if not worded(entry.details["said"], "")] == [], code


def test_pages_of_the_journal_and_its_downloads_speak_the_readers_language(olga: Person, stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo"))
    stage.play(event, 1)
    bo = event.players[1]
    stage.do(event, leaving.drop, bo)
    olga.post("/language", language="de", back="/")
    desk = f"/e/{event.slug}/desk"
    said = "Bo nach Runde 1 ausgestiegen"
    for page in ("journal", "undo", "ways-back", "journal.csv"):
        text = olga.ask("GET", f"{desk}/{page}").text
        assert said in text, page
        assert "Dropped Bo" not in text, page


def test_filter_of_the_journal_offers_its_choices_in_the_readers_language(olga: Person, stage: Stage) -> None:
    event = stage.event(players=("Ada", "Bo"))
    stage.play(event, 1)
    stage.do(event, leaving.drop, event.players[1])
    olga.post("/language", language="de", back="/")
    page = olga.open(f"/e/{event.slug}/desk/journal")
    kinds, roles, people = (
        {str(tag["value"]): tag.get_text() for tag in page.soup.select(f"select[name={name}] option")}
        for name in ("kind", "role", "by")
    )
    assert kinds["drops"] == "Ausstiege und Nichterschienene"
    assert {*kinds} >= {"", "results", "rounds", "entries"}
    with speaking("de"):
        words = {gettext("All"), *(capital(gettext(word)) for word in (*WORDS.values(), PLAYER, VISITOR))}
    assert {*roles.values()} <= words
    assert not any(person.startswith(("organiser ", "player ")) for person in people.values())
