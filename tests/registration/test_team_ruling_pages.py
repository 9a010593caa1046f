"""A team's penalties over the pages: given at the desk, read with their reasons by its own players and the staff."""

from collections.abc import Callable

import pytest
from flask import Flask

from models.award import TeamRuling
from models.event import Event
from models.play import Player
from models.staff import Role
from models.team import Team
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage
from tests.kit.team_events import decide_all, enter_teams, team_event

Links = Callable[[Player], str]
DESK = "/e/iron-open/desk/rulings"
CANARY = "left their tables in a mess"


def signed_in(app: Flask, name: str) -> Person:
    person = Person(app)
    person.open("/sign-in")
    person.press("Sign in", name=name, password=PASSWORD)
    return person


@pytest.fixture
def played(stage: Stage) -> Event:
    """Two teams of two have played a round."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    return event


def test_the_reason_is_the_team_s_and_the_staff_s_alone(
    app: Flask, olga: Person, visitor: Person, link_of: Links, stage: Stage, played: Event
) -> None:
    red, blue = Person(app), Person(app)
    red.open(link_of(stage.one(Player, name="Reds 2")))
    blue.open(link_of(stage.one(Player, name="Blues 1")))
    reds = stage.one(Team, name="Reds")
    about = f"/e/iron-open/teams/{reds.id}"
    olga.open(f"/e/iron-open/desk/teams/{reds.id}")
    assert olga.page.soup.select(f"a[href='{DESK}?player=t{reds.id}']")
    olga.open(f"{DESK}?player=t{reds.id}")
    page = olga.press("Give it", points="-2", reason=CANARY, round_number="1")
    assert page.flashes == "Stored for Reds, whose players read it with its reason."
    assert page.rows("table")[0][:2] == ["Reds", "−2 tournament points, round 1"]
    for person, pages in ((red, (about, "/e/iron-open/me", "/e/iron-open/me/journal")), (olga, (about, DESK))):
        for address in pages:
            assert CANARY in person.open(address).text, address
    assert "Your team: −2 tournament points, round 1" in red.open("/e/iron-open/me").part("#rulings")
    everybody = (about, "/e/iron-open/standings", "/e/iron-open/standings/teams", "/e/iron-open/hall", "/e/iron-open")
    for person, more in ((blue, ("/e/iron-open/me", "/e/iron-open/me/journal")), (visitor, ())):
        for address in (*everybody, *more):
            assert CANARY not in person.open(address).text, address
    assert "−2 penalty = 1" in visitor.open("/e/iron-open/standings/teams").text


def test_a_card_for_a_team_is_refused_in_words_and_one_is_taken_back(olga: Person, stage: Stage, played: Event) -> None:
    olga.open(DESK)
    team = f"t{stage.one(Team, name='Blues').id}"
    page = olga.press("Give it", player=team, card="yellow", points="-1", reason="shouting")
    assert (page.status, page.value("reason"), page.value("player")) == (422, "shouting", team)
    assert page.error_at("card") == "A card is shown to a player: choose who of the team."
    olga.press("Give it", card="")
    olga.press("Take back")
    assert stage.one(TeamRuling).taken_back_by == "owner Olga"
    assert olga.page.rows("table")[0][-1] == "taken back by owner Olga"
    assert "Take back" not in [button.text for button in olga.page.soup.find_all("button")]


def test_who_may_give_no_penalty_takes_none_back_and_reads_no_reason(
    app: Flask, olga: Person, stage: Stage, played: Event
) -> None:
    reds = stage.one(Team, name="Reds")
    olga.open(f"{DESK}?player=t{reds.id}")
    olga.press("Give it", points="-2", reason=CANARY)
    stage.hire(played, "Jo", Role.JUDGE)
    stage.hire(played, "Kim", Role.CHECK_IN)
    jo, kim = signed_in(app, "Jo"), signed_in(app, "Kim")
    about, back = f"/e/iron-open/teams/{reds.id}", f"{DESK}/of-teams/{stage.one(TeamRuling).id}/take-back"
    assert CANARY not in kim.open(about).text
    token = str(kim.open("/e/iron-open/desk/players").value("csrf_token"))
    assert kim.ask("POST", back, {"csrf_token": token}).status_code == 403
    assert stage.one(TeamRuling).taken_back_at is None
    assert CANARY in jo.open(about).text
    jo.open(DESK)
    jo.press("Take back")
    assert stage.one(TeamRuling).taken_back_by == "judge Jo"
