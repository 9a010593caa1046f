"""A draft of a round is its staff's alone: no phone of a player or of a visitor reads its pages anew for it."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask

from events.actions import draft, places, published, rounds, swaps, team_draft
from events.actions.events import change_settings, settings_of
from events.actions.format_settings import FormatSettings, set_format
from events.finished import Shelf
from events.result_history import history_of
from events.scenario_reading import scenario_by_id
from events.snapshots import Snapshots
from models.event import Event, EventFormat, Round, RoundState
from models.play import Player, Report, ReportSide
from tests.actions.stage import BY, Stage
from tests.actions.team_events import COLOURS, enter_teams, matches_in, team_event
from tests.conftest import Clock
from tests.views.person import Person

Change = Callable[[Stage, Event], object]
PAGES = ("", "/rounds/1", "/standings", "/lists", "/hall", "/version")
OWN = ("/me", "/me/journal", "/rounds/1", "/version")
EACH_TIME_ANOTHER = re.compile(r'<input[^>]*name="(?:csrf_token|key)"[^>]*>')


def swapped(stage: Stage, event: Event) -> None:
    first, second = stage.games(event, 2)[:2]
    with stage.changing(event) as s:
        swaps.swap(s, event, 2, first.a_id, second.a_id, BY, stage.clock())


def moved(stage: Stage, event: Event) -> None:
    game = stage.games(event, 2)[0]
    with stage.changing(event) as s:
        swaps.set_table(s, event, 2, game.a_id, 2, BY, stage.clock())


def given_a_scenario(stage: Stage, event: Event) -> None:
    game, other = stage.games(event, 2)[0], event.scenario_pool[-1]
    with stage.changing(event) as s:
        places.set_scenario(s, event, 2, game.a_id, other, BY, stage.clock())


def locked(stage: Stage, event: Event) -> None:
    game = stage.games(event, 2)[0]
    with stage.changing(event) as s:
        draft.lock(s, event, 2, game.a_id, game.b_id, BY, stage.clock(), locked=True)


def taken_back(stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        draft.undo(s, event, 2, BY, stage.clock())


def thrown_away(stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        rounds.discard_draw(s, event, 2, BY, stage.clock())


UNSEEN: dict[str, Change] = {
    "a draw": lambda stage, event: stage.draw(event, 2),
    "two who change places": swapped,
    "another table": moved,
    "another scenario for a table": given_a_scenario,
    "a pair that stays together": locked,
    "a step taken back": taken_back,
    "another draw": lambda stage, event: stage.draw(event, 2, seed=2),
    "no draw": thrown_away,
}


def chosen(stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        wanted = settings_of(s, event)
        scenarios = (*wanted.scenarios[:1], event.scenario_pool[-1], *wanted.scenarios[2:])
        change_settings(s, event, replace(wanted, scenarios=scenarios), BY, stage.clock())


def shown(stage: Stage, event: Event) -> None:
    stage.draw(event, 2)
    with stage.changing(event) as s:
        rounds.publish_round(s, event, 2, BY, stage.clock())


def hidden(stage: Stage, event: Event) -> None:
    stage.publish(event, 2)
    with stage.changing(event) as s:
        published.unpublish(s, event, 2, BY, stage.clock())


def hidden_by_a_disk(stage: Stage, event: Event) -> None:
    """A row that says that it is published, and never was, is put right."""
    stage.draw(event, 2)
    second = stage.one(Round, event_id=event.id, number=2)
    with stage.changing(event):
        second.state = RoundState.PUBLISHED
    with stage.changing(event):
        second.state = RoundState.DRAWN


def at_another_table(stage: Stage, event: Event) -> None:
    game = stage.games(event, 1)[0]
    with stage.changing(event):
        game.table_number = 7


def planned(stage: Stage, event: Event) -> None:
    second = stage.one(Round, event_id=event.id, number=2)
    with stage.changing(event):
        second.planned_at = stage.clock()


def one_more(stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        s.add(Round(event_id=event.id, number=4))


def told_of_a_draft(stage: Stage, event: Event) -> None:
    """No action does this: what is not known to be a draft's alone is seen."""
    game = stage.draw(event, 2)[0]
    with stage.changing(event) as s:
        s.add(Report(game_id=game.id, side=ReportSide.A, answers={}, by=BY, at=stage.clock()))


def hold(stage: Stage, event: Event) -> None:
    with stage.changing(event):
        pass


SEEN: dict[str, Change] = {
    "a press that changes nothing": hold,
    "a chosen scenario": chosen,
    "a published round": shown,
    "a round taken back": hidden,
    "a round that was not published": hidden_by_a_disk,
    "somebody who comes late": lambda stage, event: stage.enter(event, "Eve"),
    "another table in a published round": at_another_table,
    "a planned start": planned,
    "one more round": one_more,
    "a row of another table": told_of_a_draft,
    "a correction": lambda stage, event: stage.decide(event, stage.games(event, 1)[0], 0, 4),
}


@pytest.fixture
def ada(stage: Stage, event: Event, enter: Callable[..., list[Person]]) -> Person:
    """One of four who have played a round."""
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    return ada


def pages(app: Flask, stage: Stage, who: Person, paths: tuple[str, ...]) -> dict[str, str]:
    """What these pages say when nothing of them is kept."""
    app.extensions["overseer_shelf"] = Shelf(rest=0)
    app.extensions["overseer_snapshots"] = Snapshots(stage.engine)
    return {path: EACH_TIME_ANOTHER.sub("", who.http.get(f"/e/iron-open{path}").text) for path in paths}


def test_nothing_that_players_and_visitors_have_says_anything_of_a_draft(
    app: Flask, stage: Stage, event: Event, ada: Person, visitor: Person, clock: Clock
) -> None:
    clock.advance(seconds=15)  # by now the hall shows another page than it did at the last change
    before = pages(app, stage, ada, OWN), pages(app, stage, visitor, PAGES)
    stamp, public = stage.now(event).stamp, event.public_stamp
    for name, change in UNSEEN.items():
        change(stage, event)
        assert stage.now(event).stamp != stamp, name
        assert event.public_stamp == public, name
        assert (pages(app, stage, ada, OWN), pages(app, stage, visitor, PAGES)) == before, name
        stamp = event.stamp
    stage.publish(event, 2)
    assert event.public_stamp != public
    after = pages(app, stage, ada, OWN), pages(app, stage, visitor, PAGES)
    assert all(after[0][path] != before[0][path] for path in OWN if path not in ("/me/journal", "/rounds/1"))


@pytest.mark.parametrize("name", SEEN)
def test_every_other_change_is_seen(stage: Stage, event: Event, ada: Person, name: str) -> None:
    public = stage.now(event).public_stamp
    SEEN[name](stage, event)
    assert stage.now(event).public_stamp not in (public, "")
    assert event.public_stamp == event.stamp


def test_the_staff_see_a_draft_at_once(
    app: Flask, stage: Stage, event: Event, ada: Person, visitor: Person, olga: Person
) -> None:
    news = "/e/iron-open/version"
    marks = {who: who.http.get(news).headers["ETag"] for who in (ada, visitor, olga)}
    stage.draw(event, 2)
    told = {who: who.http.get(news, headers={"If-None-Match": mark}).status_code for who, mark in marks.items()}
    assert told == {ada: 304, visitor: 304, olga: 200}


def test_the_round_of_a_bracket_is_seen_when_it_is_drawn(stage: Stage, event: Event) -> None:
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(EventFormat.KNOCKOUT), BY, stage.clock())
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.draw(event, 1)
    public = stage.now(event).public_stamp
    stage.draw(event, 1, seed=2)
    assert stage.one(Round, event_id=event.id, number=1).state == RoundState.DRAWN
    assert stage.now(event).public_stamp == event.stamp != public


def test_nor_is_a_draft_of_teams_seen(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, *COLOURS)
    stage.draw(event, 1)
    public, (one, other, *_) = stage.now(event).public_stamp, matches_in(stage, event, 1)
    with stage.changing(event) as s:
        team_draft.swap_teams(s, event, 1, one.a_id, other.a_id, BY, stage.clock())
    stage.draw(event, 1, seed=2)
    assert stage.now(event).public_stamp == public != event.stamp


def test_a_name_that_is_changed_beside_a_draft_is_seen(stage: Stage, event: Event, ada: Person) -> None:
    stage.draw(event, 2)
    public, bo = stage.now(event).public_stamp, stage.one(Player, name="Bo")
    game = stage.games(event, 2)[0]
    with stage.changing(event):
        game.table_number, bo.name = 7, "Beau"
    assert stage.now(event).public_stamp == event.stamp != public


def test_a_report_that_left_with_its_round_stays_its_players_own(
    app: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    """SQLite gives the number of a game that is gone to the next one."""
    people = dict(zip(("Ada", "Bo", "Cy", "Di"), enter(event, "Ada", "Bo", "Cy", "Di"), strict=True))
    game = stage.publish(event, 1)[0]
    theirs = {stage.name(game.a_id), stage.name(game.b_id)}
    stage.decide(event, game, 2, 1)
    with stage.changing(event) as s:
        published.unpublish(s, event, 1, BY, stage.clock(), with_results=True)
    for seed in range(2, 12):
        stage.publish(event, 1, seed)
        read = {
            name for name, who in people.items() if "table 1: the result is" in who.open("/e/iron-open/me/journal").text
        }
        assert read == theirs
        (drawn,) = stage.all(Round, event_id=event.id, number=1)
        first, scenario = stage.games(event, 1)[0], scenario_by_id(stage.s, event.system, drawn.scenario or "")
        assert history_of(stage.s, event, first, scenario, {"a": "Ada", "b": "Bo"}) == []
        if {stage.name(one) for one in (stage.games(event, 1)[0].a_id, stage.games(event, 1)[0].b_id)} != theirs:
            return
        with stage.changing(event) as s:
            published.unpublish(s, event, 1, BY, stage.clock())
    pytest.fail("no draw put others at the first table")
