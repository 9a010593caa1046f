"""A new game is one folder and one entry in the list of systems: it then has lists, rounds, results and paper."""

from collections.abc import Callable, Iterator

import pytest

from models.play import ReportSide
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.validators.toy_game.game import EDITION, SYSTEM
from validators import SYSTEMS
from validators.contract import Document, Terms
from validators.restrictions import Restrictions


@pytest.fixture(autouse=True)
def sixth() -> Iterator[None]:
    SYSTEMS[SYSTEM.id] = SYSTEM
    yield
    del SYSTEMS[SYSTEM.id]


def pack(*rats: str) -> Document:
    return SYSTEM.forces.read(
        {"system": SYSTEM.id, "edition": "first", "faction": "Attic", "models": [{"name": name} for name in rats]},
        EDITION,
    )


def test_an_event_is_played_and_its_sheets_are_printed(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person
) -> None:
    event = stage.event("Of Rats", game=SYSTEM.id, rounds=2, scenarios=("race", "race"))
    players = stage.enter(event, "Ada", "Ben", "Cleo", "Dan")
    for seed, player in enumerate(players):
        faction = EDITION.factions[seed % 2]
        stage.force(event, player, SYSTEM.forces.sample(Terms(EDITION, 20), faction, seed))
    for number in (1, 2):
        for game in stage.publish(event, number):
            best = game.a_id < (game.b_id or 0)
            answers = {"a.cheese": 6 if best else 2, "b.cheese": 2 if best else 6}
            stage.report(event, game, ReportSide.ORGANISER, answers)
    rows = stage.standings(event)
    assert rows[0].name == "Ada"
    printed = " ".join(texts(olga.open(f"/e/of-rats/players/{players[0].id}/force.pdf?copy=sheets")))
    assert "Runner" in printed and "The pack" in printed
    assert "× Runner" in " ".join(texts(olga.open(f"/e/of-rats/players/{players[0].id}/force.pdf")))
    assert "Known rats" in olga.open(f"/rules/{SYSTEM.id}").text


def test_its_check_its_restrictions_and_its_fixes() -> None:
    too_many = pack(*["Runner"] * 4, "Pupp")
    verdict = SYSTEM.checks.check(too_many, Terms(EDITION, 10, Restrictions(banned=("Sneak",))))
    assert [(one.rule, one.fix) for one in verdict.problems] == [
        ("rr.size", "Take out 2."),
        ("rr.known", "Did you mean Pup?"),
    ]
    (first, *_) = SYSTEM.forces.fixes(pack(*["Runner"] * 4), Terms(EDITION, 10))
    assert SYSTEM.checks.check(first.document, Terms(EDITION, 10)).legal
    banned = SYSTEM.checks.check(pack("Sneak"), Terms(EDITION, 10, Restrictions(banned=("Sneak",))))
    assert [one.rule for one in banned.problems] == ["rr.event.ban"]


def test_its_builder_and_its_files() -> None:
    view = SYSTEM.forces.builder(pack("Pup"), Terms(EDITION, 10), {})
    assert (view.page.total, view.page.left, view.page.verdict.legal) == (1, 9, True)
    fields = {"m0.name": ["Pup"], "m0.count": ["2"], "add_model": ["Sneak"], "do": ["add-model"]}
    document = SYSTEM.forces.edit(pack("Pup"), fields, EDITION)
    assert [(line["name"], line["count"]) for line in document["models"]] == [("Pup", 2), ("Sneak", 1)]
    saved = SYSTEM.forces.files.export(document, EDITION, "json")
    assert SYSTEM.forces.files.import_("pack.json", saved, EDITION).document == document
    assert SYSTEM.forces.files.export(document, EDITION, "txt") == "2 × Pup\n1 × Sneak\n".encode()
