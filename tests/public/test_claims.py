"""A claim on another club's result: it waits for staff, counts once they agree, and stays ended once they end it."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from events.accounts import own_pages
from events.setup.actions import finish
from events.setup.circuit_forms import set_circuit
from events.tournament.circuit import Circuit
from models.event import Event
from models.foreign import ForeignRow
from models.person import Person as Page
from models.play import Player
from service import backups, restore
from service.settings import Settings
from tests.kit.foreign import add_foreign
from tests.kit.person import Person
from tests.kit.postgres import client_programs
from tests.kit.stage import Stage
from tests.public.conftest import Opened, PageOf

DESK, SERIES, RANKING = "/e/home/desk/other-clubs", "/series/winter-circuit", "/api/v1/ranking/battle_mode"
ENDED = "The organisers ended your claim at Leeds Open. Ask them if you played there."
Claim = Callable[[Person, str], str]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, ratings=True)


@pytest.fixture
def home(stage: Stage) -> Event:
    """A series with an event here, which Ada won against Bo, and one in Leeds."""
    on = date(2026, 12, 5)
    event = stage.event("Home", players=("Ada", "Bo"), rounds=1, scenarios=("raiders",), starts_on=on, ends_on=on,
                        series="Winter Circuit")  # fmt: skip
    stage.play(event, 1)
    stage.do(event, set_circuit, Circuit((10, 6, 4, 2)))
    stage.do(event, finish)
    add_foreign(stage.s, stage.clock, "winter-circuit")
    stage.s.commit()
    return event


@pytest.fixture
def claim(stage: Stage) -> Claim:
    """Claims a row without its form, and returns what the page then says."""

    def make(person: Person, name: str) -> str:
        person.post("/me/results", row=str(stage.one(ForeignRow, name=name).id))
        return person.open("/me").flashes

    return make


def claimed_rows(stage: Stage) -> list[str]:
    return [row.name for row in stage.all(ForeignRow) if row.person_id is not None]


@pytest.mark.both_databases
def test_ended_claim_stays_ended_for_its_page_until_staff_allow_another(
    home: Event, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened, claim: Claim,
    database_url: str,
) -> None:  # fmt: skip
    ada = opened(page_of(stage.one(Player, name="Ada")))
    claim(ada, "Player 1")
    olga.press("End the claim", at=DESK)
    for row in ("Player 1", "Player 2"):
        assert ENDED in claim(ada, row)
    assert claimed_rows(stage) == []
    assert ENDED in ada.page.part("#other-clubs") and not ada.page.soup.select("select[name=row]")
    bo = opened(page_of(stage.one(Player, name="Bo")))
    assert "You claimed this result." in claim(bo, "Player 1"), "the row is free for others"
    assert "Ada : claim ended" in olga.open(DESK).text
    olga.press("Let Ada claim again", at=DESK)
    claim(ada, "Player 2")
    assert claimed_rows(stage) == ["Player 1", "Player 2"]


def ranked(visitor: Person) -> list[tuple[str, int]]:
    answer = visitor.http.get(RANKING)
    return (
        [(entry["name"], entry["games"]) for entry in answer.get_json()["items"]] if answer.status_code == 200 else []
    )


def test_claim_counts_nowhere_until_staff_agree(
    home: Event, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened, claim: Claim
) -> None:
    bo = opened(page_of(stage.one(Player, name="Bo"), alias="Bolt"))
    bo.press("Join the ranking")
    assert "It counts once the organisers agree." in claim(bo, "Player 1")
    assert "you are Player 1 , rank 1. It waits for the organisers." in bo.page.part("#other-clubs")
    points = [row[1:] for row in visitor.open(SERIES).rows("#circuit")]
    assert ["Bo", "6", "–", "6"] in points and ["Player 1 from Iron Club", "–", "10", "10"] in points
    assert ranked(visitor) == [("Bolt", 1)]
    assert "Claims on results of other clubs that wait for you: 1" in olga.open("/e/home/desk").text
    olga.press("Agree", at=DESK)
    assert "waits" not in olga.page.part("#foreign-1") and "that wait for you" not in olga.open("/e/home/desk").text
    assert stage.journal(home, "agree-claim") == ["Agreed to the claim on Player 1 of Leeds Open (from Iron Club)"]
    assert ["Bo also at Iron Club", "6", "10", "16"] in [row[1:] for row in visitor.open(SERIES).rows("#circuit")]
    assert ranked(visitor) == [("Bolt", 2)]
    assert "waits" not in bo.open("/me").part("#other-clubs")


def test_agreement_is_to_one_persons_claim(
    home: Event, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened, claim: Claim
) -> None:
    ada, bo = (opened(page_of(stage.one(Player, name=name))) for name in ("Ada", "Bo"))
    claim(ada, "Player 1")
    olga.open(DESK)
    ada.press("Not me", at="/me")
    claim(bo, "Player 1")
    olga.press("Agree")
    assert "This claim has changed meanwhile." in olga.page.flashes
    assert "Player 1 from Iron Club" in visitor.open(SERIES).text
    olga.press("Agree", at=DESK)
    assert "Player 1" not in visitor.open(SERIES).text
    bo.press("Delete this page", at="/me/settings")
    claim(ada, "Player 1")
    assert "Player 1 from Iron Club" in visitor.open(SERIES).text, "what was agreed to was another claim"


@pytest.mark.parametrize("main", ["Ada", "Bo"])
def test_ended_claim_counts_for_pages_that_are_put_together(
    main: str, home: Event, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened, claim: Claim
) -> None:
    pages = {name: page_of(stage.one(Player, name=name)) for name in ("Ada", "Bo")}
    claim(opened(pages["Ada"]), "Player 1")
    olga.press("End the claim", at=DESK)
    claim(opened(pages["Bo"]), "Player 1")
    olga.press("Agree", at=DESK)
    (other,) = pages.keys() - {main}
    with stage.changing() as s:
        own_pages.put_together(s, s.get_one(Page, pages[main].id), s.get_one(Page, pages[other].id))
    person = opened(pages[main])
    assert ENDED in person.page.part("#other-clubs") and ENDED in claim(person, "Player 2")
    assert "Player 1 from Iron Club" in visitor.open(SERIES).text
    with stage.changing() as s:
        own_pages.separate(s, s.get_one(Page, pages[main].id), pages[other].id)
    assert "Player 1" not in visitor.open(SERIES).text, "the claim of the other page is as before"


@pytest.mark.proves("attack 93")
@pytest.mark.both_databases
@pytest.mark.parametrize("copied", ["before the claim", "with the claim", "with its agreement"])
def test_ended_claim_stays_ended_after_a_restore(
    copied: str, home: Event, olga: Person, stage: Stage, page_of: PageOf, opened: Opened, claim: Claim,
    settings: Settings, database_url: str, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    page = page_of(stage.one(Player, name="Ada"))
    ada, number = opened(page), page.id
    copies = {"before the claim": copy(stage, settings)}
    claim(ada, "Player 1")
    copies["with the claim"] = copy(stage, settings)
    olga.press("Agree", at=DESK)
    copies["with its agreement"] = copy(stage, settings)
    olga.press("End the claim", at=DESK)
    stage.s.close()
    stage.engine.dispose()
    assert restore.restore(settings, copies[copied].path, stage.clock).broken == []
    assert claimed_rows(stage) == []
    assert ENDED in claim(opened(stage.s.get_one(Page, number)), "Player 1")


def copy(stage: Stage, settings: Settings) -> backups.Backup:
    stage.s.rollback()
    return backups.back_up(stage.engine, backups.folder_of(settings.data), "asked", stage.clock())
