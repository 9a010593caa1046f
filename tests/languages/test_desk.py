"""The desk's pages in the pretend language: no English sentence, and at most one primary button."""

import re

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from models.people import Account
from tests.kit.every_page import addresses, made
from tests.kit.people import let_in
from tests.kit.person import NO_TEXT, Page, Person
from tests.kit.profiles import every_nth
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Event, Stage

WORDED = re.compile(r"⟦[^⟦⟧]*⟧")
"""A text that was worded; those inside are taken out first."""
ENGLISH = re.compile(r"\b(?:the|is|are|has|have|was|to|of|for|and|not|no|with|by|this|from|in)\b")
OF_PEOPLE = "bdi, code, pre, textarea, option, title, .letter, .ready-who"
"""Names and texts of people, and codes."""
NAMES = re.compile(r"^· |^: \w|http://hall.lan|^The event’s date is |^No list: ")
LEFT_ENGLISH = {
    "edition.editions_page": "names of factions, as printed",
    "results_desk.decide": "doubts about figures, not worded yet",
    "restriction.change_restrictions": "names of units and weapons, as printed",
}
"""Endpoints with sentences in English, each with the reason."""


def sentences(page: Page) -> list[str]:
    """The sentences of a page that no catalogue was asked for."""
    for tag in page.soup.select(OF_PEOPLE):
        tag.decompose()
    text = NO_TEXT.sub("\n", str(page.soup))
    while WORDED.search(text):
        text = WORDED.sub("", text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line.count(" ") > 2 and ENGLISH.search(line) and not NAMES.search(line)]


AWAY = "details:not([open]) > :not(summary), [hidden], dialog:not([open])"
"""What is not visible when the page opens."""


def primaries(page: BeautifulSoup) -> list[str]:
    """The labels of the visible primary buttons of a page's main part, which tell what to do first."""
    for away in page.select(AWAY):
        away.decompose()
    return [" ".join(tag.get_text(" ").split()) for tag in page.select("main .button.primary")]


@pytest.mark.slow
@every_nth(27, 3)
def test_every_desk_page_is_worded_and_has_at_most_one_primary_button(
    app: Flask, stage: Stage, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Of each event and endpoint the words of one page are read. Only pages that name two buttons are searched."""
    events = made(stage)
    offer_pseudo(monkeypatch)
    owner = let_in(app, stage.one(Account, name="owner"))
    owner.post("/language", language=CODE, back="/")
    many, english, shown, files = dict[str, list[str]](), dict[str, str](), 0, set[str]()
    read: set[tuple[str, str]] = set()
    for endpoint, address in [*addresses(app, stage, events)][::step]:
        if "/desk" not in address or endpoint in files:
            continue
        answer = owner.ask("GET", address)
        if answer.mimetype != "text/html":
            files.add(endpoint)
            continue
        assert answer.status_code < 500, address
        shown += answer.status_code == 200
        page = answer.get_data(as_text=True)
        if page.count("primary") > 1 and len(found := primaries(BeautifulSoup(page, "html.parser"))) > 1:
            many[address] = found
        event = address.split("/")[2] if address.startswith("/e/") else ""
        if answer.status_code == 200 and (endpoint, event) not in read and endpoint not in LEFT_ENGLISH:
            read.add((endpoint, event))
            english |= dict.fromkeys(sentences(Page(answer)), endpoint)
    assert (shown > 300 // step, len(read) > min(40, 360 // step)) == (True, True)
    assert many == {}
    assert english == {}


def test_desk_is_whole_in_english_where_a_language_lacks_it(olga: Person, event: Event) -> None:
    for code, at_the_desk in (("fr", "en"), ("de", "de")):
        olga.post("/language", language=code, back="/")
        for address, spoken in ((f"/e/{event.slug}", code), (f"/e/{event.slug}/desk", at_the_desk)):
            assert olga.open(address).soup.html["lang"] == spoken, address  # type: ignore[index]


def test_desk_is_in_the_staffs_language_whatever_the_events_is(olga: Person, stage: Stage, event: Event) -> None:
    olga.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    stage.set(event, language="fr")
    page = olga.open(f"/e/{event.slug}/desk")
    assert page.soup.html["lang"] == "de"  # type: ignore[index]
    offered = [tag["value"] for tag in page.soup.select("footer button[name=language]")]
    assert offered == ["en"], "only what the desk is written in"
    assert [tag["lang"] for tag in page.soup.select("footer span[lang]")] == ["es", "fr", "it", "pl"]
    assert not olga.open(f"/e/{event.slug}").soup.select("footer span[lang]"), "whole in every language"
    olga.post("/language", language="fr", back="/")
    assert olga.open(f"/e/{event.slug}/desk").soup.html["lang"] == "en"  # type: ignore[index]


def test_player_turned_away_from_the_desk_reads_why_in_their_own_language(visitor: Person, event: Event) -> None:
    visitor.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = "fr"
    page = visitor.open(f"/e/{event.slug}/desk")
    assert (page.status, page.part("h1"), page.soup.html["lang"]) == (403, "Pas d’accès", "fr")  # type: ignore[index]


def test_explained_figures_have_a_colon_of_the_readers_language(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    visitor.http.environ_base["HTTP_ACCEPT_LANGUAGE"] = "fr"
    row = visitor.open(f"/e/{event.slug}/standings").soup.select(".std details")[0]
    assert "Points\N{NO-BREAK SPACE}: 1 victoire" in row.get_text()
