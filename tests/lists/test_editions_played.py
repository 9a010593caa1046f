"""An event that is played with an edition of the club's own: chosen, confirmed, judged by, kept."""

from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from events.lists.editions import add_edition, edition_uses, remove_edition, understand
from events.lists.locks import settle
from events.play import queries as play_queries
from events.play.errors import Refused
from models.edition import OwnEdition
from models.event import Event
from models.play import ForceList, ListSeal
from tests.conftest import Clock
from tests.kit.lists import DEADLINE, MINE, PIPER, Enter, store_force
from tests.kit.own_editions import FILES, GONE, ID, NAME, SYSTEM, club_document, data_of
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators.editions import EditionTitle

SETTINGS = "/e/iron-open/desk/settings"
DOG: dict[str, Any] = PIPER | {"models": [{"name": GONE, "leader": True}]}
GIRL: dict[str, Any] = PIPER | {"models": [{"name": "Nuka-Girl", "leader": True, "items": [{"name": "Nuka-Cola"}]}]}
"""A force with a query: what she may carry is in dispute."""
SETTLER: dict[str, Any] = PIPER | {"models": [{"name": "Settler", "leader": True}]}


def keep(stage: Stage, **changed: Any) -> OwnEdition:
    """Store the club's edition behind the pages."""
    understood = understand(FILES, [("club.json", data_of(club_document() | changed))], EditionTitle())
    with stage.changing() as s:
        return add_edition(s, "battle_mode", understood, "organiser Olga", stage.clock())


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event at which Piper's force of 166 Caps just fits."""
    return stage.event(size=170)


def test_lists_that_become_illegal_are_confirmed_and_carried_over(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo, _ = enter(event, "Ada", "Bo", "Cy")
    for name, document in (("Ada", PIPER), ("Bo", DOG), ("Cy", SETTLER)):
        store_force(stage, name, document)
    keep(stage)
    olga.open(SETTINGS)
    before = stage.digest()
    page = olga.press("Save", edition=NAME)
    assert stage.digest() == before, "nothing is saved before it is confirmed"
    assert page.rows("#affected table") == [
        ["Ada", "Legal 166 Caps", "Illegal 173 Caps bm.size"],
        ["Bo", "Legal 104 Caps", "Illegal 0 Caps bm.cost"],
    ]
    assert f"by “{NAME}”" in page.part("#affected")
    assert "Saved." in olga.press("Save and change these lists").flashes
    assert stage.now(event).edition == ID
    forces = {stage.name(one.player_id): one for one in stage.all(ForceList)}
    assert {name: one.document["edition"] for name, one in forces.items()} == {"Ada": ID, "Bo": ID, "Cy": ID}
    assert [one.submitted_at is None for one in forces.values()] == [True, True, False]
    carried = SYSTEM.forces.read(PIPER | {"edition": ID}, FILES.read(data_of(club_document())))
    assert forces["Ada"].document["models"] == carried["models"], "carried over by name"
    page = ada.open(MINE)
    assert page.part(".tally-value") == "173 of 170 Caps"
    assert f"is now played at 170 Caps by “{NAME}”" in page.text
    assert GONE in bo.open(MINE).part("#verdict")
    assert not ada.page.soup.find("option", value=GONE), "the builder offers what the edition has"
    page = ada.press("Save", inside="#builder", m0__heroic=False)
    assert page.part(".tally-value") == "113 of 170 Caps"


def test_legal_lists_are_confirmed_if_their_total_or_queries_change(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event()
    enter(event, "Ada", "Bo", "Cy")
    for name, document in (("Ada", PIPER), ("Bo", GIRL), ("Cy", SETTLER)):
        store_force(stage, name, document)
    keep(stage, disputed=[])
    olga.open(SETTINGS)
    page = olga.press("Save", edition=NAME)
    changed = [["Ada", "Legal 166 Caps", "Legal 173 Caps"], ["Bo", "Query 90 Caps bm.carry", "Legal 90 Caps"]]
    assert page.rows("#affected table") == changed, "the settler costs the same"
    assert page.part("#affected h2") == "Not saved yet: this changes lists, but none becomes illegal"
    assert page.part("#affected ul").startswith("2 lists stay legal or illegal")
    stage.enter(event, "Di")
    store_force(stage, "Di", DOG)
    store_force(stage, "Ada", PIPER | {"models": [{"name": "Piper", "leader": True}]})
    before = stage.digest()
    page = olga.press("Save and change these lists")
    assert stage.digest() == before, "other lists than those that were shown"
    assert page.rows("#affected table")[0] == ["Di", "Legal 104 Caps", "Illegal 0 Caps bm.cost"], "illegal ones first"
    assert page.part("#affected li").startswith("1 list becomes illegal.")
    assert "Saved." in olga.press("Save and change these lists").flashes
    submitted = {stage.name(one.player_id): one.submitted_at is not None for one in stage.all(ForceList)}
    assert submitted == {"Ada": True, "Bo": True, "Cy": True, "Di": False}


def test_edition_must_have_what_the_event_bans(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/restrictions")
    assert "Saved." in olga.press("Save", banned=GONE).flashes
    keep(stage)
    form = olga.open(SETTINGS)
    page = olga.press("Save", edition=NAME)
    assert page.status == 422
    assert "do not fit this edition" in page.error_at("edition") and GONE in page.error_at("edition")
    with stage.changing() as s:
        remove_edition(s, "battle_mode", ID)
    olga.page = form
    page = olga.press("Save", edition=NAME)
    assert (page.status, bool(page.error_at("edition"))) == (422, True), "removed since the form was opened"
    assert stage.now(event).edition == "2018-08"


@pytest.mark.both_at_length
def test_sealed_list_keeps_its_edition(stage: Stage, clock: Clock) -> None:
    row = keep(stage)
    event = stage.event(edition=ID)
    (ada,) = stage.enter(event, "Ada")
    stage.enter(stage.event("Rust Cup"), "Bo")
    info = FILES.read(row.text.encode())
    stage.force(event, ada, SYSTEM.forces.read(PIPER | {"edition": ID, "name": '"edition":"2018-08"'}, info))
    clock.now = DEADLINE.replace(hour=23)
    with stage.changing(event) as s:
        settle(s, event, clock())
        event.edition = "2018-08"
    assert stage.one(ListSeal)
    with stage.changing() as s:
        for force in stage.all(ForceList):
            s.delete(force)
    assert [one.slug for one in edition_uses(stage.s, "battle_mode", ID)] == ["iron-open"]
    assert [one.slug for one in edition_uses(stage.s, "battle_mode", "2021-01")] == []
    with pytest.raises(Refused, match="Iron Open uses it"), stage.changing() as s:
        remove_edition(s, "battle_mode", ID)


@pytest.mark.both_databases
def test_every_session_sees_the_edition_until_it_is_removed(stage: Stage, engine: Engine) -> None:
    row = keep(stage)
    with Session(engine) as other:
        found = play_queries.edition_by_id(other, SYSTEM, ID)
        assert found is not None
        assert found.lists == FILES.read(row.text.encode()).lists
        assert found is play_queries.edition_by_id(stage.s, SYSTEM, ID), "read once in a process"
        other.rollback()
        values = stage.one(OwnEdition).model_dump(exclude={"id"})
        with pytest.raises(IntegrityError, match=r"(?i)unique"), stage.changing() as s:
            s.add(OwnEdition(**values))
        with stage.changing() as s:
            remove_edition(s, "battle_mode", ID)
        assert play_queries.edition_by_id(other, SYSTEM, ID) is None
        assert ID not in play_queries.editions_of(other, SYSTEM)


def test_edition_is_offered_to_the_next_event(olga: Person, stage: Stage, clock: Clock) -> None:
    def new(name: str) -> tuple[str, str]:
        clock.advance(minutes=5)
        olga.open("/desk/new")
        said = olga.page.part("main")
        olga.press("Create event", name=name, place="Bar", starts_on="2027-05-01")
        return stage.one(Event, name=name).edition, said

    edition, said = new("First")
    assert edition == "2018-08" and "starts with" not in said
    keep(stage, id="part", name="Part", partial=True)
    assert new("Second")[0] == "2018-08", "a partial edition is nobody's default"
    clock.advance(minutes=5)
    keep(stage)
    edition, said = new("Third")
    assert edition == ID and f"Battle Mode starts with the lists “{NAME}”" in said
    third = stage.one(Event, name="Third")
    with stage.changing(third):
        third.edition = "part"
    assert new("Fourth")[0] == "part", "what the last event chose"


def test_partial_edition_says_so_on_the_event_page(stage: Stage, visitor: Person) -> None:
    keep(stage, partial=True)
    stage.event("Club Cup", edition=ID)
    stage.event("Iron Open")
    assert "which are partial" in visitor.open("/e/club-cup").text
    assert "partial" not in visitor.open("/e/iron-open").text
