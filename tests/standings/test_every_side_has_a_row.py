"""Standings have a row for every side with a place, and pages open, in every kind of event."""

from collections.abc import Callable

import pytest

from events.registration.forms import Follows, Given
from events.registration.leaving import drop
from events.registration.ruling_views import give_ruling
from events.setup import actions as setup_actions
from models.award import Card
from tests.kit.formats import decide_all, knockout_of
from tests.kit.person import PREVIEW, Enter, Person
from tests.kit.stage import Absent, Event, Game, Player, Stage
from tests.kit.team_events import decide_all as decide_matches
from tests.kit.team_events import enter_teams, team_event

HOME = "/e/iron-open"
PUBLIC = ("", "/standings", "/rounds/1", "/bracket", "/hall", "/hall/standings", "/hall/podium", "/event.xlsx")
DESK = ("", "/players", "/undo", "/ways-back", "/rounds/1", "/awards")
Act = Callable[[Stage, Event, Game, Player], None]


def leaves(stage: Stage, event: Event, game: Game, player: Player) -> None:
    stage.do(event, drop, player)


def does_not_come(stage: Stage, event: Event, game: Game, player: Player) -> None:
    stage.no_show(event, game, Absent.A if game.a_id == player.id else Absent.B)
    stage.do(event, drop, player)


def is_disqualified(stage: Stage, event: Event, game: Game, player: Player) -> None:
    stage.do(event, give_ruling, player, Given("shouts", card=Card.RED, follows=Follows.DISQUALIFIED))


@pytest.mark.parametrize("doubles", [False, True])
@pytest.mark.parametrize("act", [leaves, does_not_come, is_disqualified])
def test_every_seed_of_a_bracket_has_a_row(
    act: Act, doubles: bool, enter: Enter, olga: Person, visitor: Person, stage: Stage
) -> None:
    event = knockout_of(stage, 0)
    stage.set(event, doubles=doubles)
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di")
    semis = stage.publish(event, 1)
    decide_all(stage, event, semis)
    loser = stage.one(Player, id=max(semis[0].a_id, semis[0].b_id or 0))
    act(stage, event, semis[0], loser)
    assert {row.name for row in stage.standings(event)} == {"Ada", "Bo", "Cy", "Di"}
    assert [ada.open(f"{HOME}/me").status, *opened(visitor, olga)] == [200] * (1 + len(PUBLIC + DESK))
    lower, side = max((semis[1].a_id, "a"), (semis[1].b_id or 0, "b"))
    olga.open(f"{HOME}/desk/games/{semis[1].id}")
    preview = olga.press(PREVIEW, **{f"{side}__objectives": "5"}).part("#look")
    assert f"{stage.name(lower)} goes through then" in preview
    (final,) = stage.publish(event, 2)
    decide_all(stage, event, [final])
    act(stage, event, final, stage.one(Player, name=stage.standings(event)[0].name))
    stage.do(event, setup_actions.finish)
    assert [ada.open(f"{HOME}/me").status, *opened(visitor, olga)] == [200] * (1 + len(PUBLIC + DESK))
    assert {row.name for row in stage.standings(event)} == {"Ada", "Bo", "Cy", "Di"}


def opened(visitor: Person, olga: Person) -> list[int]:
    return [visitor.open(HOME + text).status for text in PUBLIC] + [
        olga.open(f"{HOME}/desk{text}").status for text in DESK
    ]


def test_projector_shows_the_standings_of_teams(visitor: Person, olga: Person, stage: Stage) -> None:
    event = team_event(stage, 2)
    enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    decide_matches(stage, event, 1)
    (first, *_) = visitor.open(f"{HOME}/hall/standings").soup.select(".hall-list > li .hall-name")
    assert first.text.strip() == "Reds"
    stage.do(event, setup_actions.finish)
    assert visitor.open(f"{HOME}/hall/podium").soup.select(".hall-podium li")
    assert set(opened(visitor, olga)) <= {200, 404}
