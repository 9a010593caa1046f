"""The event pack: printed from the same data as the event's page and the checks, the same for everybody."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from models.event import Event, Round
from models.play import Player
from tests.conftest import PUBLIC
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.own_scenarios import write_scenario
from tests.kit.papers import codes, texts
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


def test_pack_prints_every_rule_and_what_the_event_adds(visitor: Person, olga: Person, event: Event) -> None:
    page = visitor.open(PACK)
    assert sorted(codes(page)) == [PUBLIC + "/e/iron-open", PUBLIC + "/rules/battle-mode"]
    assert page.response.headers["Content-Disposition"] == 'inline; filename="iron-open-pack.pdf"'
    pages = texts(page)
    for rule in GAME.checks.rules:
        for words in (rule.title, rule.text, rule.source):
            assert words in " ".join(pages), rule.id
    assert ids(pages) == {rule.id for rule in GAME.checks.rules}
    olga.open(f"{PAGE}/desk/restrictions")
    assert olga.press("Save", **EVERYTHING).status == 200
    pages = texts(visitor.open(PACK))
    assert ids(pages) == {rule.id for rule in (*GAME.checks.rules, *GAME.checks.event_rules)}
    sentences = visitor.open(PAGE).soup.select("dl.added dd")
    assert len(sentences) == len(GAME.checks.event_rules)
    for sentence in sentences:
        assert " ".join(sentence.get_text().split()) in " ".join(pages[:3])


def test_pack_has_the_sentences_of_the_events_page(visitor: Person, event: Event) -> None:
    first = " ".join(texts(visitor.open(PACK))[:2])
    facts = [" ".join(fact.get_text().split()) for fact in visitor.open(PAGE).soup.select("dl.facts > dd")][:-1]
    assert len(facts) >= 4
    for words in (*facts, "Iron Open", "Saturday 5 December 2026", "Town Hall", "750 Caps", "August 2018",
                  "3 rounds of 90 minutes", "Bring", "Your force", "(Europe/Berlin, 19:00 UTC)", "1. VP",
                  "Victory points over all rounds"):  # fmt: skip
        assert words in first, words


def test_cover_has_contact_what_to_bring_and_the_days_times(visitor: Person, stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        changed = s.get_one(Event, event.id)
        changed.description, changed.contact, changed.bring = "Doors at nine.", "Olga, 555 0101", "Two dice trays."
        changed.check_in_from = datetime(2026, 12, 5, 8, 0, tzinfo=UTC)
    cover, *_ = texts(visitor.open(PACK))
    for words in ("Contact Olga, 555 0101", "Two dice trays.", "09:00 Check-in", "Round 1", "Event page"):
        assert words in cover, words
    assert "Doors at nine." in cover and cover.count("555") == 1


def test_each_scenario_is_on_a_page_of_its_own(visitor: Person, olga: Person, stage: Stage, event: Event) -> None:
    write_scenario(olga)
    olga.open("/e/iron-open/desk/settings")
    pool = ["raiders", "scrapyard", "own-hold-the-bridge"]
    olga.press("Save", scenario_pool=pool, **{"scenarios-0": "Hold the Bridge", "scenarios-1": "Hold the Bridge"})
    first, *pages, reference, _ = texts(visitor.open(PACK))
    assert reference.startswith("Battle Mode, reference sheet")
    for line in ("Round 1", "Hold the Bridge, 90 minutes", "Round 2", "Round 3", "Drawn with the round, 90 minutes"):
        assert line in first
    assert [page.partition(" Iron Open")[0] for page in pages] == ["Hold the Bridge", "Raiders", "Scrapyard"]
    when = [("Rounds 1 and 2" in page, "May be drawn" in page) for page in pages]
    assert when == [(True, False), (False, True), (False, True)]
    for page, id_ in zip(pages[1:], ("raiders", "scrapyard"), strict=True):
        scenario = GAME.scenario(id_)
        steps = [f"{n}. {step}" for n, step in enumerate(scenario.setup, 1)]
        sentences = (*steps, *scenario.scoring, *scenario.readings)
        for words in (scenario.summary, *sentences, scenario.source):
            assert words in page, words
        places = [page.index(step) for step in steps]
        assert places == sorted(places)
        assert page.index("Set-up") < places[0] < page.index("Scoring") < page.index("What can be scored")
        assert "Black" in page.partition("Player A")[0]
        assert "Objective markers, in the game 0–5" in page
    assert "Game rounds 1 to 6 0–2" in pages[1]
    assert "Game rounds 2 to 6 no limit" in pages[2]
    assert "Call a judge if one player scores more than 6 VP in a game round." in pages[2]
    assert "both banks were taken at once" in pages[0]
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", **{f"scenarios-{n}": "Raiders" for n in range(3)})
    first, *pages, _, _ = texts(visitor.open(PACK))
    assert [page.partition(" Iron Open")[0] for page in pages] == ["Raiders"], "no pool without a round that draws"
    assert "Drawn with the round" not in first


def test_pack_holds_no_secret_and_is_the_same_bytes_for_everybody(
    visitor: Person, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    (ada, _) = enter(event, "Adalbert", "Boudica")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.draw(event, 1)
    drawn = stage.all(Round)[0].scenario
    assert drawn
    assert len({person.open(PACK).response.data for person in (visitor, ada, olga, visitor)}) == 1
    together = " ".join(texts(visitor.open(PACK)))
    for secret in ("Adalbert", "Boudica", "Piper", "Round 1 " + GAME.scenario(drawn).name):
        assert secret not in together
    assert "Drawn with the round, 90 minutes" in together
    for person, page in ((visitor, PAGE), (olga, f"{PAGE}/desk/print")):
        links = {str(a["href"]) for a in person.open(page).soup.select("main a[href*='open/pack.pdf']")}
        papers = ("a4", "letter") if page == PAGE else ("a4",)  # the print room has its own choice of paper
        assert links == {f"{PACK}?paper={paper}" for paper in papers}
