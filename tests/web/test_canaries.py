"""Every secret contains a unique text, searched for in all that each role can fetch; drafts cost no extra work."""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from events.lists import locks
from events.rounds import actions as rounds_actions
from events.setup import actions as setup_actions
from events.web.page_cache import PageCache
from models.event import Event, EventState
from tests.chaos import broken
from tests.chaos.outcome import Outcome, write_evidence
from tests.kit.person import Person
from tests.kit.profiles import every_nth
from tests.kit.promises import ROOT
from tests.kit.secrets_planted import LISTS, PEOPLE, RUN, SOME, World, build, everything
from tests.kit.stage import Stage
from tests.kit.statements import fetched, rendered, sent


def walk(world: World, names: Iterable[str]) -> dict[tuple[str, str], TestResponse]:
    return {(name, address): world.people[name].ask("GET", address) for name in names for address in world.addresses}


def finds(world: World, answers: dict[tuple[str, str], TestResponse]) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {what: defaultdict(list) for what in world.secrets}
    for (name, address), answer in answers.items():
        shown = everything(answer)
        for what, (text, _) in world.secrets.items():
            if text in shown and text not in address:
                found[what][name].append(address)
    return found


@pytest.mark.proves(
    "G4", "attack 1", "attack 2", "attack 4", "attack 12", "attack 13", "attack 15", "ASVS 8.2.1", "ASVS 8.2.2",
    "ASVS 8.2.3", "ASVS 8.3.1", "ASVS 14.2.2", "ASVS 14.3.2", "ASVS 15.3.1", "ASVS 16.2.5",
)  # fmt: skip
@every_nth(9, 3)
def test_every_address_shows_each_person_only_what_they_may_read(
    app: Flask, stage: Stage, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest, step: int
) -> None:
    """Each ``step``-th of nine people; four more only with ``--chaos``, because others have the same rights."""
    names = set(PEOPLE if request.config.getoption("--chaos") else SOME[::step])
    caplog.set_level(logging.DEBUG)
    world = build(app, stage)
    caplog.clear()
    answers = walk(world, names)
    found = finds(world, answers)
    assert {what: set(who) for what, who in found.items()} == {
        what: readers & names for what, (_, readers) in world.secrets.items()
    }
    assert [text for text, _ in world.secrets.values() if text in caplog.text] == [], "the log has none either"
    shared = [
        address
        for (_, address), answer in answers.items()
        if not address.startswith(("/static", "/texts", "/worker.js"))
        and (answer.headers["Cache-Control"], "Cookie" in answer.headers["Vary"]) != ("private, no-store", True)
    ]
    assert shared == []
    if request.config.getoption("--chaos"):
        with broken.build("open_lists"):
            control = finds(world, walk(world, names))["a sealed list"]
        counts = {
            "people": len(names), "addresses": len(world.addresses), "requests": len(answers),
            "secrets": len(world.secrets), "found by whom they are for": sum(map(len, found.values())),
            "found by anybody else": 0,
        }  # fmt: skip
        missed = sorted(control.keys() - world.secrets["a sealed list"][1])
        write_evidence("canaries", "sqlite", 0, Outcome(Counter(counts)), {"open_lists": Outcome(wrong=missed)})
        assert len(missed) == len(names) - 5


@pytest.mark.sweep
@pytest.mark.proves("G4", "attack 54")
def test_unsubmitted_draft_stays_hidden_when_revealed(app: Flask, stage: Stage, request: pytest.FixtureRequest) -> None:
    """The same walk after the reveal and after the event, when everybody reads a submitted list.

    Without ``--chaos`` by one of each right to lists: what else the others may read is no other than before.
    """
    few = ("anybody", "self", "opponent", "scorekeeper", "list_checker")
    names = set(PEOPLE if request.config.getoption("--chaos") else few)
    world, event = build(app, stage), stage.one(Event, slug="iron-open")
    lists = {text: rule for text, rule in world.addresses.items() if re.search("force|list|players|/me", text)}
    drafts = ("a list not handed in", "a list sent back", "a note on a list")
    stage.do(event, locks.reveal)
    everywhere = world.addresses if request.config.getoption("--chaos") else lists
    for addresses in (everywhere, lists):
        found = finds(world, walk(replace(world, addresses=addresses), names))
        assert {what: set(found[what]) for what in drafts} == {what: world.secrets[what][1] & names for what in drafts}
        assert set(found["a sealed list"]) == names, "the control: everybody finds a submitted list"
        if stage.now(event).state != EventState.FINISHED:
            stage.do(event, rounds_actions.discard_draw, 2)
            stage.do(event, setup_actions.finish)


READERS = {"its player": "self", "list checker": "list_checker", "check-in": "check_in"}


@pytest.mark.proves("ASVS 8.1.2")
def test_roles_document_matches_who_reads_what(app: Flask, stage: Stage) -> None:
    lines = (ROOT / "docs/assurance/secrecy.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][1:]
    documented = {what: {READERS.get(one, one) for one in re.split(", (?:and )?", who)} for what, who, _ in rows}
    secrets = build(app, stage).secrets
    readers = {what: may for what, (_, may) in secrets.items()}
    readers["a list not handed in"] = readers["a list sent back"] = readers["a note on a list"] = LISTS | {"self"}
    readers["the scenario of a table not published"] = RUN | {"the club's organisers", "whose scenario it is"}
    readers["a password"] = readers["the key of a sign-in"] = readers["the push address of a device"] = {"nobody"}
    assert documented == readers | {"the title of a draft": {"its own staff"}}


PAGES = (
    "", "/rounds/1", "/rounds/2", "/standings", "/players/1", "/scenarios/hold-the-line", "/hall", "/hall/pairings",
    "/version", "/pack.pdf", "/plan.pdf", "/scenarios.pdf", "/standings.pdf", "/standings.csv", "/standings.trf",
    "/players.csv", "/lists", "/lists.csv", "/event.xlsx", "/rounds/2/pairings.json",
    "/rounds/2/round.csv", "/rounds/2/pairings.pdf",
)  # fmt: skip
SPARE = 100
"""Characters by which short columns may differ: a state, a number, a stamp."""


def work_for(app: Flask, address: str) -> tuple[tuple[int, list[str], list[str | None], int], int]:
    """The status, statements, templates and number of rows of one request, and the characters of the rows."""
    engine: Engine = app.extensions["overseer_engine"]
    app.extensions["overseer_page_cache"] = PageCache(app.extensions["overseer_clock"])
    with sent(engine) as statements, fetched(engine) as rows, rendered(app) as templates:
        status = Person(app).ask("GET", address).status_code
    return (status, statements, templates, len(rows)), sum(len(str(value)) for row in rows for value in row)


@pytest.mark.proves("attack 67")
def test_drawn_round_costs_visitors_the_same_work_as_none(app: Flask, stage: Stage) -> None:
    event = stage.event()
    stage.enter(event, *(f"Player {n}" for n in range(1, 11)))
    stage.play(event, 1)
    before = {}
    for page in PAGES:
        work_for(app, f"/e/iron-open{page}")  # warms up caches of the process
        before[page] = work_for(app, f"/e/iron-open{page}")
    stage.draw(event, 2)
    for page, (old, size) in before.items():
        new, new_size = work_for(app, f"/e/iron-open{page}")
        assert (new, abs(new_size - size) < SPARE) == (old, True), page
