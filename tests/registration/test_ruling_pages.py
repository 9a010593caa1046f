"""The pages of penalties and cards, of players and of teams: given at the desk, with reasons that few may read."""

from collections.abc import Callable

from flask import Flask

from events.pairing.certificate import read_pairings, redrawn
from models.award import Ruling, TeamRuling
from models.event import Event
from models.play import Player
from models.staff import Role
from models.team import Team
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.team_events import decide_all, enter_teams, team_event

DESK = "/e/iron-open/desk/rulings"
EVENT = "/e/iron-open"
CANARY = "was seen moving a marker twice"


def played(stage: Stage) -> Event:
    """Two teams of two have played a round."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    return event


def test_reason_is_shown_only_to_the_player_and_staff(
    olga: Person, visitor: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    stage.play(event, 1)
    olga.open(DESK)
    page = olga.press("Give", player="Ada", points="-2", reason=CANARY, round_number="1", card="yellow")
    assert page.flashes == "Stored for Ada, who reads it with its reason."
    assert page.rows("table")[0][1] == "Yellow card −2 tournament points, round 1"
    mine = ada.open(f"{EVENT}/me").part("#rulings")
    assert CANARY in mine and "−2 tournament points" in mine
    public = ("standings", "players/1", "hall", "")
    for person, pages in ((bo, ("me", "me/journal", *public)), (visitor, public)):
        for address in pages:
            assert CANARY not in person.open(f"{EVENT}/{address}".rstrip("/")).text, address
    assert "−2 penalty = 1" in visitor.open(f"{EVENT}/standings").text


def test_lost_game_and_disqualification_are_public(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    olga.open(DESK)
    page = olga.press("Give", player="Ada", card="red", reason="shouts")
    assert (page.status, page.value("reason")) == (422, "shouts")
    assert "costs the game or the event" in page.error_at("follows")
    olga.press("Give", follows="game_lost", round_number="1")
    assert "lost by a card" in visitor.open(f"{EVENT}/rounds/1").text
    assert visitor.open(f"{EVENT}/standings").rows("table")[0][1].startswith("Bo")
    olga.press("Take back")
    assert stage.one(Ruling).taken_back_by == "owner Olga"
    assert olga.page.rows("table")[0][-1] == "taken back by owner Olga"
    assert "Take back" not in [button.text for button in olga.page.soup.find_all("button")]
    olga.press("Give", player="Bo", card="red", follows="disqualified", reason="x")
    rows = visitor.open(f"{EVENT}/standings").rows("table")
    assert (rows[-1][0], rows[-1][1]) == ("–", "Bo Disqualified")


def test_round_drawn_after_a_penalty_is_redrawn_from_its_file(
    visitor: Person, olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    olga.open(DESK)
    olga.press("Give", player="Ada", points="-3", reason="x")
    stage.publish(event, 2)
    olga.open(DESK)
    olga.press("Give", player="Bo", points="5", reason="x")
    file = read_pairings(visitor.ask("GET", f"{EVENT}/rounds/2/pairings.json").data)
    ada = str(stage.one(Player, name="Ada").id)
    assert next(seat.points for seat in file.inputs.seats if seat.id == ada) == 0, "won once, fined 3"
    assert redrawn(file).differences == ()


def test_reason_of_a_team_is_shown_only_to_its_players_and_staff(
    app: Flask, olga: Person, visitor: Person, link_of: Callable[[Player], str], stage: Stage
) -> None:
    event = played(stage)
    red, blue = Person(app), Person(app)
    red.open(link_of(stage.one(Player, name="Reds 2")))
    blue.open(link_of(stage.one(Player, name="Blues 1")))
    reds = stage.one(Team, name="Reds")
    about = f"{EVENT}/teams/{reds.id}"
    olga.open(f"{EVENT}/desk/teams/{reds.id}")
    assert olga.page.soup.select(f"a[href='{DESK}?player=t{reds.id}']")
    olga.open(f"{DESK}?player=t{reds.id}")
    page = olga.press("Give", points="-2", reason=CANARY, round_number="1")
    assert page.flashes == "Stored for Reds, whose players read it with its reason."
    assert page.rows("table")[0][:2] == ["Reds", "−2 tournament points, round 1"]
    for person, pages in ((red, (about, f"{EVENT}/me", f"{EVENT}/me/journal")), (olga, (about, DESK))):
        for address in pages:
            assert CANARY in person.open(address).text, address
    assert "Your team: −2 tournament points, round 1" in red.open(f"{EVENT}/me").part("#rulings")
    public = (about, f"{EVENT}/standings", f"{EVENT}/standings/teams", f"{EVENT}/hall", EVENT)
    for person, more in ((blue, (f"{EVENT}/me", f"{EVENT}/me/journal")), (visitor, ())):
        for address in (*public, *more):
            assert CANARY not in person.open(address).text, address
    assert "−2 penalty = 1" in visitor.open(f"{EVENT}/standings/teams").text
    jo, kim = (
        let_in(app, stage.hire(event, name, role)) for name, role in (("Jo", Role.JUDGE), ("Kim", Role.CHECK_IN))
    )
    assert [CANARY in person.open(about).text for person in (jo, kim)] == [True, False]
    token = str(kim.open(f"{EVENT}/desk/players").value("csrf_token"))
    back = f"{DESK}/of-teams/{stage.one(TeamRuling).id}/take-back"
    assert kim.ask("POST", back, {"csrf_token": token}).status_code == 403
    assert stage.one(TeamRuling).taken_back_at is None
    jo.open(DESK)
    jo.press("Take back")
    assert stage.one(TeamRuling).taken_back_by == "judge Jo"
