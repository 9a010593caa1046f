"""The report page counts losses model by model, from the forces that the reporter may see."""

import pytest

from events.lists import actions as lists_actions
from models.event import Event, ListsShown
from models.play import Game, Player, Report
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage
from tests.kit.tables import MINE, OUTBOX, Enter, form_of
from validators import SYSTEMS

SYSTEM = SYSTEMS["fallout_warfare"]
EDITION = SYSTEM.editions[0]
LEADS = {"name": "Squire", "rank": "squadleader"}
GRUNTS = {"name": "Squire", "count": 5, "weapon": "Rifle"}
ARMY = SYSTEM.forces.read(
    {
        "system": "fallout_warfare",
        "edition": EDITION.id,
        "faction": "Brotherhood of Steel",
        "squads": [{"models": [LEADS, GRUNTS]}, {"models": [LEADS, GRUNTS]}],
    },
    EDITION,
)
"""Two squads: 6 and five of 11 each, 122 in all."""


def typed(page: Page, name: str) -> str:
    (found,) = page.soup.select(f'input[name="{name}"]')
    return str(found["value"])


@pytest.fixture
def event(stage: Stage) -> Event:
    """A Fallout: Warfare event whose round 1 plays the Skirmish."""
    return stage.event(game=SYSTEM.id, rounds=3, scenarios=("skirmish", "", ""))


def seat_armies(event: Event, enter: Enter, stage: Stage) -> Person:
    """Publish round 1 of two players with this army. Returns player A."""
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    for player in stage.all(Player):
        stage.force(event, player, ARMY)
    stage.publish(event, 1)
    return people[stage.name(stage.one(Game).a_id)]


def test_counted_figures_are_added_up(event: Event, enter: Enter, stage: Stage) -> None:
    side_a = seat_armies(event, enter, stage)
    page = side_a.open(MINE)
    assert typed(page, "a.fielded") == "122"
    page = side_a.press("Send the result", **{"count__a__dead__0-1": "3", "count__a__strayed__0-1": "3"})
    assert (page.status, "You counted 6, but there are only 5." in page.text) == (422, True)
    assert typed(page, "count.a.dead.0-1") == "3"
    assert stage.all(Report) == []
    counts = {"count__a__dead__0-1": "3", "count__a__dead__1-0": "1", "count__a__retreated__1-1": "2"}
    page = side_a.press("Send the result", **counts, **{"count__a__strayed__0-1": ""}, b__dead="50")
    if "Please check" in page.text:
        page = side_a.press("Yes, send it")
    answers = stage.one(Report).answers
    assert (answers["a.dead"], answers["a.retreated"], answers["b.dead"]) == (3 * 11 + 6, 22, 50)
    assert (answers["a.fielded"], answers["b.fielded"]) == (122, 122)


def test_repeated_submission_is_answered_after_the_force_changed(event: Event, enter: Enter, stage: Stage) -> None:
    """The same counts would be rejected now, but the stored answer is returned."""
    side_a = seat_armies(event, enter, stage)
    body = form_of(side_a) | {"count.a.dead.0-1": "5", "sure": "y", "do": "report"}
    first = side_a.http.post(MINE, data=body, headers=OUTBOX)
    assert first.get_json()["state"] == "saved"
    smaller = [{"models": [LEADS, GRUNTS | {"count": 3}]}, ARMY["squads"][1]]
    a = stage.one(Player, id=stage.one(Game).a_id)
    with stage.changing(event) as s:
        force = SYSTEM.forces.read(ARMY | {"squads": smaller}, EDITION)
        lists_actions.save_force(s, event, a, force, BY, stage.clock(), by_organiser=True)
    again = side_a.http.post(MINE, data=body, headers=OUTBOX)
    assert (again.status_code, again.get_json()) == (first.status_code, first.get_json())
    other = side_a.http.post(MINE, data=body | {"key": "another-key-of-a-form"}, headers=OUTBOX)
    assert other.status_code == 422, "the control"


def test_hidden_army_cannot_be_counted(event: Event, enter: Enter, stage: Stage, visitor: Person) -> None:
    with stage.changing(event):
        event.lists_shown = ListsShown.AFTER_EVENT
    side_a = seat_armies(event, enter, stage)
    page = side_a.open(MINE)
    assert page.soup.find("input", attrs={"name": "count.a.dead.0-1"})
    assert not page.soup.find("input", attrs={"name": "count.b.dead.0-1"})
    assert typed(page, "b.fielded") == "0"
    sheet = visitor.open(f"/g/{stage.one(Game).code}?side=a")
    assert sheet.status == 200
    assert not sheet.soup.select("input[name^='count.']")
