"""What pages call complete, last and closed, in seasons and elsewhere."""

import pytest

from events.setup.actions import finish
from tests.kit.formats import NAMES, decide_all, drop
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage
from tests.seasons.season import all_games, season_of
from tests.seasons.test_seasons import Begin, begin

__all__ = ["begin"]


@pytest.mark.proves("attack 88")
def test_season_with_open_games_is_not_complete(stage: Stage, begin: Begin, visitor: Person) -> None:
    event, people = begin(NAMES[:4])
    last_round = stage.games(event, 3)
    decide_all(stage, event, last_round)
    said = visitor.open("/e/iron-open").part("[data-poll-part=now]")
    assert "The season is being played" in said and "2 of 6 games decided." in said
    assert "complete" not in said and "close" not in said
    hall = visitor.open("/e/iron-open/hall").text
    assert "Standings" in hall and "after round" not in hall
    stage.clock.advance(seconds=15)
    hall = visitor.open("/e/iron-open/hall").text
    assert "2 of 6 games decided" in hall and "last round" not in hall and "complete" not in hall
    decide_all(stage, event, [game for _, game in all_games(stage, event)][:3])
    idle = next(name for name, person in people.items() if "open game" in person.open("/e/iron-open/me").part("h1"))
    own = people[idle].page.part("[data-poll-part=now]")
    assert "You have no open game" in own and "Games of others are still open." in own
    assert "last round" not in own and "next round" not in own
    decide_all(stage, event, [game for _, game in all_games(stage, event)][3:4])
    said = visitor.open("/e/iron-open").part("[data-poll-part=now]")
    assert "No game is open" in said and "6 of 6 games decided. The organiser will close the event." in said
    assert "All games are decided. The organiser closes the event next." in people[idle].open("/e/iron-open/me").part(
        "[data-poll-part=now]"
    )


def test_closing_names_what_is_still_open(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4])
    refused = stage.refuse("open", event, finish)
    assert str(refused.message).startswith("6 games are still open: ")
    assert "Ada against " in refused.message or " against Ada" in refused.message
    assert refused.message.endswith("and 3 more. Decide them first.")


def test_leader_who_left_after_the_last_round_is_a_question_at_the_desk(stage: Stage, olga: Person) -> None:
    event = stage.event(players=NAMES[:4], rounds=1)
    first, second = stage.publish(event, 1)
    stage.decide(event, first, 5, 0)
    stage.decide(event, second, 3, 1)
    leader = stage.name(int(stage.standings(event)[0].id))
    assert "has left" not in olga.open("/e/iron-open/desk").text
    drop(stage, event, leader)
    said = olga.open("/e/iron-open/desk").text
    assert f"{leader} leads and has left: awards go to those who stayed." in said
    page = olga.open(str(olga.page.soup.find("a", string=f"See {leader}")["href"]))  # type: ignore[index]
    assert page.status == 200 and "Bring back" in page.text


@pytest.mark.proves("attack 88")
def test_rounds_before_a_knockout_are_not_the_last(stage: Stage, enter: Enter, visitor: Person) -> None:
    event = stage.event(rounds=1)
    enter(event, *NAMES[:4])
    stage.set(event, cut=2)
    stage.play(event, 1)
    said = visitor.open("/e/iron-open").part("[data-poll-part=now]")
    assert "Round 1 is complete" in said and "The next round appears here." in said
