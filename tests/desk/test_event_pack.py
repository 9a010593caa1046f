"""The event pack: made of the same data as the event's page and the checks, for everybody who may see the event."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from models.event import Event, Round
from models.play import Player
from tests.desk.test_printed import codes, texts
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.own_scenarios import write_scenario
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS

GAME = SYSTEMS["battle_mode"]
PACK, PAGE = "/e/iron-open/pack.pdf", "/e/iron-open"
EVERYTHING: dict[str, Any] = {
    "banned": "Pipe Pistol\nCommander", "most_copies": "2 Sneak", "same_model": "3", "factions": ["Survivors"],
    "faction_locked": True, "roster_size": "1000", "painted": True, "on_time_points": "1", "error_free_points": "2",
    "late_points": "3",
}  # fmt: skip


def ids(pages: list[str]) -> set[str]:
    """Every rule id on the paper."""
    return set(re.findall(r"\bbm\.[a-z.-]*[a-z]", " ".join(pages)))


def test_every_rule_of_the_game_is_printed_with_its_text_and_source(visitor: Person, event: Event) -> None:
    pages = texts(visitor.open(PACK))
    together = " ".join(pages)
    for rule in GAME.rules:
        for words in (rule.title, rule.text, rule.source):
            assert words in together, rule.id
    assert ids(pages) == {rule.id for rule in GAME.rules}


def test_what_the_event_adds_is_printed_as_its_page_says_it_and_nothing_else(
    visitor: Person, olga: Person, event: Event
) -> None:
    olga.open("/e/iron-open/desk/restrictions")
    assert olga.press("Save", painted=True, banned="Pipe Pistol").status == 200
    assert ids(texts(visitor.open(PACK))) - {rule.id for rule in GAME.rules} == {"bm.event.painted", "bm.event.ban"}
    olga.open("/e/iron-open/desk/restrictions")
    assert olga.press("Save", **EVERYTHING).status == 200
    pages = texts(visitor.open(PACK))
    assert ids(pages) == {rule.id for rule in (*GAME.rules, *GAME.event_rules)}
    said = visitor.open(PAGE).soup.select("dl.added dd")
    assert len(said) == len(GAME.event_rules)
    for sentence in said:
        assert " ".join(sentence.get_text().split()) in pages[0] + pages[1]


def test_the_rules_of_the_event_are_the_sentences_of_its_page(visitor: Person, event: Event) -> None:
    (first, *_) = texts(visitor.open(PACK))
    facts = visitor.open(PAGE).soup.select("dl.facts > dd")
    told = [" ".join(fact.get_text().split()) for fact in facts][:-1]
    assert len(told) >= 4
    for sentence in told:
        assert sentence in first
    for words in ("Iron Open", "Saturday 5 December 2026", "Town Hall", "750 Caps", "August 2018 (2018-08-20)",
                  "3 of 90 minutes", "(Europe/Berlin, 19:00 UTC)", "1. VP",
                  "Victory points over all rounds"):  # fmt: skip
        assert words in first, words


def test_each_scenario_is_on_a_page_of_its_own(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    write_scenario(olga)
    olga.open("/e/iron-open/desk/settings")
    pool = ["raiders", "scrapyard", "own-hold-the-bridge"]
    olga.press("Save", scenario_pool=pool, **{"scenarios-0": "Hold the Bridge", "scenarios-1": "Hold the Bridge"})
    first, _, *pages = texts(visitor.open(PACK))
    for line in ("Round 1 Hold the Bridge 90 minutes", "Round 2 Hold the Bridge", "Round 3 Drawn with the round"):
        assert line in first
    assert [page.partition(" Iron Open")[0] for page in pages] == ["Hold the Bridge", "Raiders", "Scrapyard"]
    assert [("Rounds 1 and 2" in page, "May be drawn" in page) for page in pages] == [(True, False)] + [
        (False, True)
    ] * 2
    for page, id_ in zip(pages[1:], ("raiders", "scrapyard"), strict=True):
        scenario = GAME.scenario(id_)
        steps = [f"{n}. {step}" for n, step in enumerate(scenario.setup, 1)]
        for words in (
            scenario.summary,
            *steps,
            *scenario.scoring,
            *scenario.readings,
            *scenario.queries,
            scenario.source,
        ):
            assert words in page, words
        places = [page.index(step) for step in steps]
        assert places == sorted(places)
        assert page.index("Set-up") < places[0] < page.index("Scoring") < page.index("What can be scored")
        assert "Black" in page.partition("Player A")[0]
        assert "Objective markers, in the game 0–5 0–5" in page
    assert "Game rounds 1 to 6 0–2 0–2" in pages[1]
    assert "Game rounds 2 to 6 no limit no limit" in pages[2]
    assert "More than 6 VP for one player is put to the organiser." in pages[2]
    assert "both banks were taken at once" in pages[0]


def test_no_pool_is_printed_that_no_round_is_drawn_from(visitor: Person, olga: Person, event: Event) -> None:
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", **{f"scenarios-{n}": "Raiders" for n in range(3)})
    first, _, *pages = texts(visitor.open(PACK))
    assert [page.partition(" Iron Open")[0] for page in pages] == ["Raiders"]
    assert "Drawn with the round" not in first


def test_the_code_leads_to_the_event(visitor: Person, event: Event) -> None:
    page = visitor.open(PACK)
    assert codes(page) == ["http://localhost/e/iron-open"]
    assert page.response.headers["Content-Disposition"] == 'inline; filename="iron-open-pack.pdf"'


def test_a_drafts_pack_is_the_organisers(
    visitor: Person, olga: Person, enter: Callable[..., list[Person]], stage: Stage
) -> None:
    stage.event("Iron Open", draft=True)
    (cy,) = enter(stage.event("Rust Cup"), "Cy")
    for person in (visitor, cy):
        assert person.open(PACK).status == 404
        assert person.open("/e/nowhere/pack.pdf").status == 404
    assert "Iron Open" in texts(olga.open(PACK))[0]


def test_nothing_secret_is_on_it_whoever_prints_it(
    visitor: Person, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    (ada, _) = enter(event, "Adalbert", "Boudica")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.draw(event, 1)
    drawn = stage.all(Round)[0].scenario
    assert drawn
    packs = {
        person: visitor_page.response.data for person in (visitor, ada, olga) if (visitor_page := person.open(PACK))
    }
    assert len(set(packs.values())) == 1, "the same paper for everybody"
    together = " ".join(texts(visitor.open(PACK)))
    for secret in ("Adalbert", "Boudica", "Piper", "Round 1 " + GAME.scenario(drawn).name):
        assert secret not in together
    assert "Round 1 Drawn with the round" in together


def test_the_page_and_the_print_room_lead_to_it(visitor: Person, olga: Person, event: Event) -> None:
    for person, page in ((visitor, PAGE), (olga, "/e/iron-open/desk/print")):
        links = {str(a["href"]) for a in person.open(page).soup.select("main a[href*='pack.pdf']")}
        papers = ("a4", "letter") if page == PAGE else ("a4",)  # the print room's choice stands at its top
        assert links == {f"{PACK}?paper={paper}" for paper in papers}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_same_event_is_the_same_bytes(visitor: Person, event: Event, stage: Stage, paper: str) -> None:
    first = visitor.open(f"{PACK}?paper={paper}").response.data
    assert visitor.open(f"{PACK}?paper={paper}").response.data == first
