"""An event that is played by an edition of the club's own: chosen, looked at first, judged by, kept."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from events.lists.edition_files import understand
from events.lists.editions import add_edition, edition_uses, remove_edition
from events.play import queries as play_queries
from events.play.errors import Refused
from models.edition import OwnEdition
from models.event import Event
from models.play import ForceList, ListSeal, Player
from tests.conftest import Clock
from tests.kit.lists import DEADLINE, MINE, PIPER, store_force
from tests.kit.own_editions import FILES, GONE, ID, NAME, SYSTEM, club_document, data_of
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators.editions import EditionTitle

Enter = Callable[..., list[Person]]
SETTINGS = "/e/iron-open/desk/settings"
DOG: dict[str, Any] = PIPER | {"models": [{"name": GONE, "leader": True}]}
GIRL: dict[str, Any] = PIPER | {"models": [{"name": "Nuka-Girl", "leader": True, "items": [{"name": "Nuka-Cola"}]}]}
"""What she may carry is in dispute."""


def keep(stage: Stage, **changed: Any) -> OwnEdition:
    """Store the club's edition behind the pages."""
    understood = understand(FILES, [("club.json", data_of(club_document() | changed))], EditionTitle())
    with stage.changing() as s:
        return add_edition(s, "battle_mode", understood, "organiser Olga", stage.clock())


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event at which Piper's force of 166 Caps just fits."""
    return stage.event(size=170)


def test_who_is_affected_is_told_before_the_edition_changes(
    enter: Enter, olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo, _ = enter(event, "Ada", "Bo", "Cy")
    store_force(stage, "Ada")
    store_force(stage, "Bo", DOG)
    store_force(stage, "Cy", PIPER | {"models": [{"name": "Settler", "leader": True}]})
    keep(stage)
    olga.open(SETTINGS)
    before = stage.digest()
    page = olga.press("Save", edition=NAME)
    assert stage.digest() == before, "looked at first"
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
    assert (
        forces["Ada"].document["models"]
        == play_queries.system_of(event).read_force(PIPER | {"edition": ID}, FILES.read(data_of(club_document())))[
            "models"
        ]
    ), "carried over by name"
    page = ada.open(MINE)
    assert page.part(".tally-value") == "173 of 170 Caps"
    assert f"is now played at 170 Caps by “{NAME}”" in page.text
    assert GONE in bo.open(MINE).part("#verdict")
    assert not ada.page.soup.find("option", value=GONE), "the builder offers what the edition has"
    page = ada.press("Save", inside="#builder", m0__heroic=False)
    assert page.part(".tally-value") == "113 of 170 Caps"


def test_a_list_that_stays_legal_is_shown_where_its_total_or_its_queries_change(
    enter: Enter, olga: Person, stage: Stage
) -> None:
    event = stage.event()
    enter(event, "Ada", "Bo", "Cy", "Di")
    store_force(stage, "Ada")
    store_force(stage, "Bo", GIRL)
    store_force(stage, "Cy", PIPER | {"models": [{"name": "Settler", "leader": True}]})
    store_force(stage, "Di", DOG)
    keep(stage, disputed=[])
    olga.open(SETTINGS)
    page = olga.press("Save", edition=NAME)
    assert page.rows("#affected table") == [
        ["Di", "Legal 104 Caps", "Illegal 0 Caps bm.cost"],
        ["Ada", "Legal 166 Caps", "Legal 173 Caps"],
        ["Bo", "Query 90 Caps bm.carry", "Legal 90 Caps"],
    ], "the one that becomes illegal first; the settler costs what it did"
    said = [item.get_text(" ", strip=True) for item in page.soup.select("#affected li")]
    assert said[0].startswith("1 list becomes illegal.")
    assert said[1].startswith("2 lists stay as legal as they are")
    store_force(stage, "Ada", PIPER | {"models": [{"name": "Piper", "leader": True}]})
    before = stage.digest()
    page = olga.press("Save and change these lists")
    assert stage.digest() == before, "Ada's total is not the one that was looked at"
    assert page.soup.select_one("#affected")
    assert "Saved." in olga.press("Save and change these lists").flashes
    handed_in = {stage.name(one.player_id): one.submitted_at is not None for one in stage.all(ForceList)}
    assert handed_in == {"Ada": True, "Bo": True, "Cy": True, "Di": False}


def test_a_change_that_makes_no_list_illegal_says_so(enter: Enter, olga: Person, stage: Stage) -> None:
    event = stage.event()
    enter(event, "Ada")
    store_force(stage, "Ada")
    keep(stage)
    olga.open(SETTINGS)
    page = olga.press("Save", edition=NAME)
    assert page.part("#affected h2") == "Not saved yet: this changes lists, but none becomes illegal"
    assert "becomes illegal." not in page.part("#affected ul")


def test_what_the_event_adds_must_be_in_the_edition(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/restrictions")
    assert "Saved." in olga.press("Save", banned=GONE).flashes
    keep(stage)
    olga.open(SETTINGS)
    page = olga.press("Save", edition=NAME)
    assert page.status == 422
    assert "does not fit this edition" in page.error_at("edition") and GONE in page.error_at("edition")
    assert stage.now(event).edition == "2018-08"


def test_an_edition_removed_since_the_form_was_opened_is_refused_at_its_field(
    olga: Person, stage: Stage, event: Event
) -> None:
    keep(stage)
    form = olga.open(SETTINGS)
    with stage.changing() as s:
        remove_edition(s, "battle_mode", ID)
    olga.page = form
    page = olga.press("Save", edition=NAME)
    assert page.status == 422
    assert page.error_at("edition")
    assert stage.now(event).edition == "2018-08"


@pytest.mark.both_databases
def test_what_was_sealed_by_an_edition_keeps_it(stage: Stage, clock: Clock, engine: Engine) -> None:
    """The event goes back to another edition; its seals still speak of this one."""
    row = keep(stage)
    event = stage.event(edition=ID)
    other = stage.event("Rust Cup")
    (ada,) = stage.enter(event, "Ada")
    stage.enter(other, "Bo")
    info = FILES.read(row.text.encode())
    stage.force(event, ada, SYSTEM.read_force(PIPER | {"edition": ID, "name": '"edition":"2018-08"'}, info))
    clock.now = DEADLINE.replace(hour=23)
    with stage.changing(event) as s:
        from events.lists.locks import settle

        settle(s, event, clock())
        event.edition = "2018-08"
    assert stage.one(ListSeal)
    with stage.changing() as s:
        for force_list in stage.all(ForceList):
            s.delete(force_list)
    assert [one.slug for one in edition_uses(stage.s, "battle_mode", ID)] == ["iron-open"]
    assert [one.slug for one in edition_uses(stage.s, "battle_mode", "2021-01")] == []
    with pytest.raises(Refused, match="Iron Open uses it"), stage.changing() as s:
        remove_edition(s, "battle_mode", ID)


@pytest.mark.both_databases
def test_two_sessions_see_the_same_edition_and_its_end(stage: Stage, engine: Engine) -> None:
    row = keep(stage)
    with Session(engine) as other:
        seen = play_queries.edition_by_id(other, SYSTEM, ID)
        assert seen is not None
        assert seen.lists == FILES.read(row.text.encode()).lists
        assert seen is play_queries.edition_by_id(stage.s, SYSTEM, ID), "read once in a process"
        other.rollback()
        with stage.changing() as s:
            remove_edition(s, "battle_mode", ID)
        assert play_queries.edition_by_id(other, SYSTEM, ID) is None
        assert ID not in play_queries.editions_of(other, SYSTEM)


@pytest.mark.both_databases
def test_the_same_id_twice_is_impossible_in_the_database(stage: Stage) -> None:
    from sqlalchemy.exc import IntegrityError

    keep(stage)
    values = stage.one(OwnEdition).model_dump(exclude={"id"})
    with pytest.raises(IntegrityError, match=r"(?i)unique"), stage.changing() as s:
        s.add(OwnEdition(**values))


@pytest.mark.parametrize("path", ["", "/lists", "/rounds/1", "/standings", "/pack.pdf"])
def test_every_page_of_the_event_stands(enter: Enter, stage: Stage, visitor: Person, path: str) -> None:
    keep(stage, name="Наши списки 2027 – 我們的")
    event = stage.event("Club Cup", edition=ID)
    stage.enter(event, "Ada", "Bo")
    for player in stage.all(Player):
        stage.force(event, player, SYSTEM.read_force(
            PIPER | {"edition": ID}, FILES.read(data_of(club_document()))))  # fmt: skip
    stage.publish(event, 1)
    stage.games(event, 1)
    assert visitor.open(f"/e/club-cup{path}").status == 200
