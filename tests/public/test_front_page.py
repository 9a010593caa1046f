"""The front page: how far running events are, and who won past ones."""

from datetime import UTC, timedelta

from flask import Flask

from events.public import clock
from events.setup.actions import finish
from events.setup.pairing_forms import set_season
from events.tournament.clock import ClockRules
from events.tournament.season import Season
from models.event import Event
from tests.kit.formats import NAMES
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import sent


def won(stage: Stage, name: str) -> Event:
    event = stage.event(name, rounds=1, players=("Ada", "Bo"))
    stage.play(event, 1)
    stage.do(event, finish)
    return event


def test_running_event_shows_its_round_and_the_way_to_the_tables(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo", "Cy", "Dee"))
    assert visitor.open("/").part(".lead .primary") == "Register"
    game, _ = stage.publish(event, 1)

    def fact() -> str:
        return visitor.open("/").part(".lead .lede")

    assert fact() == "Round 1 of 2 · not started"
    soon = stage.clock() + timedelta(minutes=30)
    stage.do(event, clock.set_times, ClockRules(), [soon, None])
    assert fact() == f"Round 1 of 2 · not started Planned for {soon.astimezone(UTC) + timedelta(hours=1):%H:%M}"
    links = [link["href"] for link in visitor.page.soup.select(".lead .button")]
    assert links == ["/e/iron-open/rounds/1#my-name", "/e/iron-open/rounds/1"]
    stage.do(event, clock.start_round_clock, 1)
    assert fact() == "Round 1 of 2 · 0 of 2 tables decided Ends at 11:30"
    stage.decide(event, game, 2, 1)
    stage.clock.advance(minutes=100)
    assert fact() == "Round 1 of 2 · 1 of 2 tables decided"


def test_event_of_today_leads_and_events_of_one_name_have_their_own_pictures(visitor: Person, stage: Stage) -> None:
    season = stage.event(rounds=2, players=NAMES[:4])
    stage.do(season, set_season, Season())
    stage.publish(season, 1)
    _, running = (stage.event(rounds=1, players=("Ada", "Bo")) for _ in range(2))
    stage.publish(running, 1)
    page = visitor.open("/")
    leads = [str(link["href"]) for link in page.soup.select(".lead h2 a")]
    assert leads == ["/e/iron-open-3"]
    assert [str(link["href"]) for link in page.soup.select(".events h3 a")] == ["/e/iron-open", "/e/iron-open-2"]
    assert len({str(tag) for tag in page.soup.select(".pic")}) == 3


def test_running_season_shows_its_results(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=NAMES[:4])
    stage.do(event, set_season, Season())
    game, _ = stage.publish(event, 1)
    stage.decide(event, game, 2, 1)
    assert visitor.open("/").part(".lead .lede") == "1 of 2 games decided"
    assert visitor.page.soup.select(".lead .button")[0]["href"] == "/e/iron-open/season"


def test_past_event_names_its_winner(visitor: Person, stage: Stage) -> None:
    won(stage, "Rust Cup")
    assert visitor.open("/").part(".past li").startswith("Rust Cup Won by Ada")


def test_more_events_send_no_more_statements(app: Flask, visitor: Person, stage: Stage) -> None:
    def opened() -> int:
        visitor.open("/")  # makes the standings of finished events, once
        with sent(app.extensions["overseer_engine"]) as said:
            visitor.open("/")
        return len(said)

    def run(name: str) -> None:
        stage.publish(stage.event(name, players=("Ada", "Bo")), 1)

    won(stage, "Cup 1")
    run("Open 1")
    few = opened()
    for number in (2, 3):
        won(stage, f"Cup {number}")
        run(f"Open {number}")
    assert opened() == few
