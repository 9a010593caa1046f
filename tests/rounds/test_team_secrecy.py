"""A captain's secret order of boards: at every address, only the captain's team can tell one choice from another."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.play.queries import players_of
from events.play.team_queries import captain_of
from models.event import BoardsMatched, Event
from models.play import Player
from models.team import Team
from tests.kit.people import browser
from tests.kit.person import Person
from tests.kit.secrecy import addresses, read_by
from tests.kit.stage import Stage
from tests.kit.team_events import choose, enter_teams, matches_in, of_team, team_event

Links = Callable[[Player], str]


@pytest.fixture
def chosen(stage: Stage) -> Event:
    """Two teams of two and one with the bye; round 1 is published and captains choose their boards."""
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    stage.publish(event, 1)
    return event


@pytest.mark.proves("G4", "ASVS 8.2.3")
def test_different_choices_look_the_same_outside_the_team(
    app: Flask, stage: Stage, olga: Person, visitor: Person, link_of: Links, chosen: Event
) -> None:
    match = next(one for one in matches_in(stage, chosen, 1) if one.b_id is not None)
    ours, theirs = (of_team(stage, chosen, stage.one(Team, id=one)) for one in (match.a_id, match.b_id or 0))
    outside = [visitor, olga, browser(app, link_of, theirs[0])]
    mate = browser(app, link_of, ours[1])
    first, second = (player.id for player in ours)
    for _ in range(10):  # until the desk's list of recent changes shows nothing else
        choose(stage, chosen, match, match.a_id, [second, first])
    asked = addresses(app, stage, chosen, **{"<int:player_id>": str(first), "<int:team_id>": str(match.a_id)})
    answers, mates = [], []
    for order in ([first, second], [second, first]):
        choose(stage, chosen, match, match.a_id, [*order])
        seen = [(person, one) for person in outside for one in asked if person is olga or "/desk" not in one]
        answers.append([(address, read_by(person, address)) for person, address in seen])
        mates.append(read_by(mate, f"/e/{chosen.slug}/me/boards"))
    assert [one[0] for one, other in zip(*answers, strict=True) if one != other] == []
    assert len([one for one in answers[0] if one[1][0] == 200]) > 60, "the control: there is something to read"
    assert mates[0] != mates[1], "the control: the team itself reads the order"
    page = olga.open(f"/e/{chosen.slug}/desk/journal").text
    assert "changed their boards for round 1" in page


def test_only_the_captain_can_choose(app: Flask, stage: Stage, olga: Person, link_of: Links, chosen: Event) -> None:
    match = next(one for one in matches_in(stage, chosen, 1) if one.b_id is not None)
    ours = of_team(stage, chosen, stage.one(Team, id=match.a_id))
    captain = captain_of(players_of(stage.s, chosen), stage.one(Team, id=match.a_id))
    assert captain is not None
    assert captain.id == ours[0].id
    address = f"/e/{chosen.slug}/me/boards"
    mate = browser(app, link_of, ours[1])
    page = mate.open(address)
    assert page.soup.select_one("form select") is None, "a team mate reads"
    token = str(mate.open("/sign-in").value("csrf_token"))
    before = stage.digest()
    sent = {"csrf_token": token} | {f"board{n}": str(p.id) for n, p in enumerate(ours, start=1)}
    assert mate.ask("POST", address, sent).status_code == 403
    assert olga.ask("GET", address).status_code == 403, "organisers cannot read it either"
    bye = next(p for p in stage.all(Player) if p.team_id == matches_in(stage, chosen, 1)[-1].a_id)
    assert browser(app, link_of, bye).ask("GET", address).status_code == 404
    assert stage.digest() == before
