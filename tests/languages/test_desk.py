"""The desk's pages in the pretend language: no English sentence stands on them."""

import re

import pytest
from flask import Flask

from models.people import Account
from tests.kit.every_page import addresses, made
from tests.kit.people import let_in
from tests.kit.person import NO_TEXT, Page, Person
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
    for one in page.soup.select(OF_PEOPLE):
        one.decompose()
    text = NO_TEXT.sub("\n", str(page.soup))
    while WORDED.search(text):
        text = WORDED.sub("", text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line.count(" ") > 2 and ENGLISH.search(line) and not NAMES.search(line)]


@pytest.mark.slow
def test_desk_has_no_english_sentence(app: Flask, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    events = made(stage)
    offer_pseudo(monkeypatch)
    owner = let_in(app, stage.one(Account, name="owner"))
    owner.post("/language", language=CODE, back="/")
    found: dict[str, list[str]] = {}
    seen: set[tuple[str, str]] = set()
    for endpoint, address in [*addresses(app, stage, events)]:
        event = address.split("/")[2] if address.startswith("/e/") else ""
        if "/desk" not in address or (endpoint, event) in seen or endpoint in LEFT_ENGLISH:
            continue
        answer = owner.ask("GET", address)
        if answer.status_code != 200 or answer.mimetype != "text/html":
            continue
        seen.add((endpoint, event))
        for sentence in sentences(Page(answer)):
            found.setdefault(sentence, []).append(endpoint)
    assert len(seen) > 40
    assert {sentence: ends[0] for sentence, ends in found.items()} == {}


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
    offered = [one["value"] for one in page.soup.select("footer button[name=language]")]
    assert offered == ["en"], "only what the desk is written in"
    olga.post("/language", language="fr", back="/")
    assert olga.open(f"/e/{event.slug}/desk").soup.html["lang"] == "en"  # type: ignore[index]
