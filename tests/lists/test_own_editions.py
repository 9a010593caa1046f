"""The club's own editions behind the pages: concurrent changes, uses, limits; and an event that is played with one."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from events.lists.locks import apply_due_locks
from events.lists.own import add_edition, edition_uses, remove_edition
from events.setup.actions import change_settings, settings_of
from events.store import editions
from events.store.act import Act
from events.store.errors import Refused
from models.own import OwnEdition
from models.play import ForceList, ListSeal
from tests.kit.lists import DEADLINE, MINE, PIPER, store_force
from tests.kit.own_editions import FILES, GONE, ID, NAME, SYSTEM, club_document, data_of
from tests.kit.person import Enter, Person
from tests.kit.stage import BY, Event, Stage
from tests.kit.two_at_once import another_waits
from validators.contract import UnreadableEdition
from validators.editions import EditionTitle
from validators.faults import Fault, quoted
from validators.game_system import Understood, understand
from validators.strict_json import sha256_of

SETTINGS = "/e/iron-open/desk/settings"
DOG: dict[str, Any] = PIPER | {"models": [{"name": GONE, "leader": True}]}
GIRL: dict[str, Any] = PIPER | {"models": [{"name": "Nuka-Girl", "leader": True, "items": [{"name": "Nuka-Cola"}]}]}
"""A force with a query: the items she may carry are in dispute."""
SETTLER: dict[str, Any] = PIPER | {"models": [{"name": "Settler", "leader": True}]}


def club(**changed: object) -> Understood:
    return understand(FILES, data_of(club_document() | changed), EditionTitle())


def add(stage: Stage, **changed: object) -> OwnEdition:
    with stage.changing() as s:
        return add_edition(s, SYSTEM, club(**changed), BY, stage.clock())


def remove(stage: Stage) -> None:
    with stage.changing() as s:
        remove_edition(s, SYSTEM.id, ID)


@pytest.mark.both_databases
def test_edition_is_not_removed_while_an_event_chooses_it(stage: Stage) -> None:
    add(stage)
    event = stage.event()
    with another_waits(stage, event, remove) as (s, results):
        change_settings(Act(s, event, BY, stage.clock()), settings_of(event).model_copy(update={"edition": ID}))
    assert [str(one) for one in results] == ["It cannot be removed: Iron Open uses it."]


@pytest.mark.both_databases
def test_of_two_concurrent_editions_with_one_id_one_is_kept(stage: Stage) -> None:
    another = {"heroic_caps": 61, "name": "Another"}
    with another_waits(stage, None, lambda other: add(other, **another)) as (s, results):
        add_edition(s, SYSTEM, club(), BY, stage.clock())
    assert isinstance(results[0], Refused | IntegrityError)
    assert stage.one(OwnEdition).name == NAME


def test_new_edition_needs_room_a_faction_and_a_new_name(stage: Stage) -> None:
    factions = [faction | {"fielded": False} for faction in club_document()["factions"]]
    stage.refuse_to("No faction of this edition may be fielded", add, stage, factions=factions)
    add(stage)
    for name in (NAME.upper(), SYSTEM.edition("2018-08").name.lower()):
        assert stage.refuse_to("Enter another name", add, stage, id="other", name=name).field == "name"
    values = stage.one(OwnEdition).model_dump(exclude={"id", "edition", "name"})
    with stage.changing() as s:
        for number in range(editions.MOST_KEPT - 1):
            s.add(OwnEdition(edition=f"more-{number}", name=f"More {number}", **values))
    stage.refuse_to("already 50 editions", add, stage, id="one-more", name="One more")
    add(stage)
    assert len(stage.all(OwnEdition)) == editions.MOST_KEPT, "the same one again is not added twice"


@pytest.mark.both_at_length
def test_stored_edition_is_read_again_after_a_restart(stage: Stage) -> None:
    row = add(stage)
    assert row.text.encode() == FILES.write(FILES.read(data_of(club_document())))
    assert (row.sha256, row.by, row.at) == (sha256_of(row.text), BY, stage.clock())
    editions.kept_editions.cache_clear()
    info = editions.own_edition(stage.s, SYSTEM, ID)
    assert info is not None
    assert info.lists == FILES.read(data_of(club_document())).lists
    stage.s.connection().execute(text("UPDATE own_edition SET text = 'spoilt'"))
    assert editions.own_edition(stage.s, SYSTEM, ID) is info, "read once in a process"
    editions.kept_editions.cache_clear()
    with pytest.raises(UnreadableEdition):
        editions.own_edition(stage.s, SYSTEM, ID)


def test_fault_quotes_its_line() -> None:
    for number, column, data, line in (
        (2, 0, b'{\n  "date": 1\n}', '"date": 1'),
        (3, 1, b"{\n\n  oops", "oops"),
        (9, 0, b"{}", ""),
        (0, 0, b"{}", ""),
        (0, 0, b"\xff", ""),
        (1, 0, b'"' + b"x" * 300 + b'"', '"' + "x" * 119 + "…"),
        (1, 200, b"a" * 199 + b"!" + b"b" * 300, "…" + "a" * 59 + "!" + "b" * 60 + "…"),
        (1, 0, b"a\x00\x1b[31mb\xe2\x80\xae\r\n", "a\ufffd\ufffd[31mb\ufffd"),
        (1, 0, b"PK\x03\x04", ""),
    ):
        assert quoted(Fault((), "is wrong", number, column), data) == line, number


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event at which Piper's force of 166 Caps just fits."""
    return stage.event(size=170)


def test_lists_that_become_illegal_are_confirmed_first(enter: Enter, olga: Person, stage: Stage, event: Event) -> None:
    ada, bo, _ = enter(event, "Ada", "Bo", "Cy")
    for name, document in (("Ada", PIPER), ("Bo", DOG), ("Cy", SETTLER)):
        store_force(stage, name, document)
    add(stage)
    olga.open(f"{SETTINGS}/lists")
    with stage.unchanged():  # nothing is saved before it is confirmed
        page = olga.press("Save", edition=NAME)
    assert page.rows("#affected table") == [
        ["Ada", "Legal 166 Caps", "Illegal 173 Caps bm.size"],
        ["Bo", "Legal 104 Caps", "Illegal 0 Caps bm.cost"],
    ]
    assert f"by “{NAME}”" in page.part("#affected")
    assert "Saved." in olga.press("Save and change these lists").flashes
    assert stage.now(event).edition == ID
    forces = {stage.name(force_list.player_id): force_list for force_list in stage.all(ForceList)}
    assert {name: force_list.document["edition"] for name, force_list in forces.items()} == {
        "Ada": ID,
        "Bo": ID,
        "Cy": ID,
    }
    assert [force.submitted_at is None for force in forces.values()] == [True, True, False]
    carried = SYSTEM.forces.read(PIPER | {"edition": ID}, FILES.read(data_of(club_document())))
    assert forces["Ada"].document["models"] == carried["models"], "carried over by name"
    page = ada.open(MINE)
    assert page.part(".tally-value") == "173 of 170 Caps"
    assert f"is now played at 170 Caps by “{NAME}”" in page.text
    assert GONE in bo.open(MINE).part("#verdict")
    assert not ada.page.soup.find("option", value=GONE), "the builder offers what the edition has"
    assert ada.press("Save", inside="#builder", m0__heroic=False).part(".tally-value") == "113 of 170 Caps"


def test_legal_lists_are_confirmed_if_their_total_or_queries_change(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event()
    enter(event, "Ada", "Bo", "Cy")
    for name, document in (("Ada", PIPER), ("Bo", GIRL), ("Cy", SETTLER)):
        store_force(stage, name, document)
    add(stage, disputed=[])
    page = olga.press("Save", at=f"{SETTINGS}/lists", edition=NAME)
    changed = [
        ["Ada", "Legal 166 Caps", "Legal 173 Caps"],
        ["Bo", "Legal, with questions 90 Caps bm.carry", "Legal 90 Caps"],
    ]
    assert page.rows("#affected table") == changed, "the settler costs the same"
    assert page.part("#affected h2") == "Not saved yet: this changes lists, but none becomes illegal"
    assert page.part("#affected ul").startswith("2 lists stay legal or illegal")
    stage.enter(event, "Di")
    store_force(stage, "Di", DOG)
    store_force(stage, "Ada", PIPER | {"models": [{"name": "Piper", "leader": True}]})
    with stage.unchanged():  # other lists than those that were shown
        page = olga.press("Save and change these lists")
    assert page.rows("#affected table")[0] == ["Di", "Legal 104 Caps", "Illegal 0 Caps bm.cost"], "illegal ones first"
    assert page.part("#affected li").startswith("1 list becomes illegal.")
    assert "Saved." in olga.press("Save and change these lists").flashes
    submitted = {
        stage.name(force_list.player_id): force_list.submitted_at is not None for force_list in stage.all(ForceList)
    }
    assert submitted == {"Ada": True, "Bo": True, "Cy": True, "Di": False}


def test_edition_must_have_what_the_event_bans(olga: Person, stage: Stage, event: Event) -> None:
    assert "Saved." in olga.press("Save", at="/e/iron-open/desk/restrictions", banned=GONE).flashes
    add(stage)
    form = olga.open(f"{SETTINGS}/lists")
    page = olga.press("Save", edition=NAME)
    assert page.status == 422
    assert "do not fit this edition" in page.error_at("edition") and GONE in page.error_at("edition")
    remove(stage)
    olga.page = form
    page = olga.press("Save", edition=NAME)
    assert (page.status, bool(page.error_at("edition"))) == (422, True), "removed since the form was opened"
    assert stage.now(event).edition == "2018-08"


@pytest.mark.both_at_length
def test_sealed_list_keeps_its_edition(stage: Stage) -> None:
    row = add(stage)
    event = stage.event(edition=ID)
    (ada,) = stage.enter(event, "Ada")
    stage.enter(stage.event("Rust Cup"), "Bo")
    info = FILES.read(row.text.encode())
    stage.force(event, ada, SYSTEM.forces.read(PIPER | {"edition": ID, "name": '"edition":"2018-08"'}, info))
    stage.clock.now = DEADLINE.replace(hour=23)
    with stage.changing(event) as s:
        apply_due_locks(s, event, stage.clock())
        event.edition = "2018-08"
    assert stage.one(ListSeal)
    with stage.changing() as s:
        for force in stage.all(ForceList):
            s.delete(force)
    assert [use.slug for use in edition_uses(stage.s, "battle_mode", ID)] == ["iron-open"]
    assert [use.slug for use in edition_uses(stage.s, "battle_mode", "2021-01")] == []
    stage.refuse_to("Iron Open uses it", remove, stage)


@pytest.mark.both_at_length
def test_every_session_sees_the_edition_until_it_is_removed(stage: Stage) -> None:
    row = add(stage)
    with Session(stage.engine) as other:
        found = editions.edition_by_id(other, SYSTEM, ID)
        assert found is not None
        assert found.lists == FILES.read(row.text.encode()).lists
        other.rollback()
        remove(stage)
        assert editions.edition_by_id(other, SYSTEM, ID) is None
        assert ID not in editions.editions_of(other, SYSTEM)


def test_edition_is_offered_to_the_next_event(olga: Person, stage: Stage) -> None:
    def new(name: str) -> tuple[str, str]:
        stage.clock.advance(minutes=5)
        olga.open("/desk/new")
        said = olga.page.part("main")
        olga.press("Create event", name=name, place="Bar", starts_on="2027-05-01")
        return stage.one(Event, name=name).edition, said

    edition, said = new("First")
    assert edition == "2024-community" and "starts with the lists" not in said
    add(stage, id="part", name="Part", partial=True)
    assert new("Second")[0] == "2024-community", "a partial edition is nobody's default"
    stage.clock.advance(minutes=5)
    add(stage)
    edition, said = new("Third")
    assert edition == ID and f"Battle Mode starts with the lists “{NAME}”" in said
    third = stage.one(Event, name="Third")
    stage.set(third, edition="part")
    assert new("Fourth")[0] == "part", "what the last event chose"
    assert "a part of the printed lists" in olga.open("/e/fourth").text
    assert "partial" not in olga.open("/e/first").text


def test_edition_that_ships_in_part_is_only_chosen_by_events_that_have_it(olga: Person, stage: Stage) -> None:
    def offered(event: Event) -> list[str]:
        page = olga.open(f"/e/{event.slug}/desk/settings/lists")
        return [str(option["value"]) for option in page.soup.select("#lists-edition option, [name=edition] option")]

    new, old = stage.event("New Open"), stage.event("Old Open", edition="2021-01")
    add(stage, id="part", name="Part", partial=True)
    assert offered(new) == ["2024-community", "2022-community", "2018-08", "part"]
    assert offered(old) == ["2024-community", "2022-community", "2018-08", "2021-01", "part"]
    assert olga.press("Save", at=f"/e/{old.slug}/desk/settings/lists", size="500").flashes == "Saved."
    assert stage.one(Event, name="Old Open").edition == "2021-01"
    olga.open("/desk/new")
    olga.press("Create event", name="Next", place="Bar", starts_on="2027-05-01")
    assert stage.one(Event, name="Next").edition == "2024-community"
