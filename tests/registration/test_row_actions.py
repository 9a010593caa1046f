"""Actions on a player where the row is: the menus of the players' table, the results and the standings."""

import pytest
from flask import Flask

from tests.kit.accounts import join, link_for
from tests.kit.person import Person
from tests.kit.stage import Event, Player, PlayerState, Role, Stage
from tests.kit.statements import sent

pytestmark = pytest.mark.fast

DESK = "/e/iron-open/desk"
PAGES = (f"{DESK}/players", f"{DESK}/rounds/2/results", "/e/iron-open/standings")


@pytest.fixture
def running(stage: Stage, event: Event) -> Event:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.publish(event, 2)
    return event


@pytest.mark.parametrize("page", PAGES)
def test_row_drops_a_player_as_the_own_page_does_and_comes_back(
    olga: Person, stage: Stage, running: Event, page: str
) -> None:
    bo = stage.one(Player, name="Bo")
    questions = [b["data-confirm"] for b in olga.open(f"{DESK}/players/{bo.id}").soup.select("button.danger")][:2]
    menu = f"#acts-{bo.id}"
    assert [b["data-confirm"] for b in olga.open(page).soup.select(f"{menu} button.danger")] == questions
    assert "round 2 against" in str(questions[0])
    after = olga.press("Drop now : Bo", inside=menu)
    assert (after.path, stage.now(bo).state) == (page, PlayerState.DROPPED)
    assert after.flashes == "Bo is dropped. Results stay."
    again = olga.press("Bring back : Bo", inside=f"#acts-{bo.id}")
    assert (again.path, again.flashes, stage.now(bo).state) == (page, "Bo is back.", PlayerState.CHECKED_IN)


def test_menu_offers_only_what_its_reader_may_do(
    app: Flask, olga: Person, visitor: Person, stage: Stage, running: Event
) -> None:
    keeper, judge = (join(app, link_for(olga, role), role.value) for role in (Role.SCOREKEEPER, Role.JUDGE))
    for person, offered in ((visitor, ""), (keeper, ""), (judge, "Penalty or card")):
        menus = person.open(PAGES[2]).soup.select("[id^=acts-]")
        assert (offered in str(menus), bool(menus)) == (True, bool(offered))
        assert "Drop" not in str(menus)


def test_menus_of_more_players_take_no_more_statements(app: Flask, olga: Person, stage: Stage, running: Event) -> None:
    engine, counts = app.extensions["overseer_engine"], []
    for more in ((), tuple(f"Player {number}" for number in range(12))):
        stage.enter(running, *more)
        for page in PAGES:
            with sent(engine) as seen:
                assert olga.open(page).soup.select("[id^=acts-]")
            counts.append(len(seen))
    assert counts[:3] == counts[3:]
