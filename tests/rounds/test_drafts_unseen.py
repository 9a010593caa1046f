"""Only staff can see drafts: pages of players and visitors do not reload for them."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from events.play.queries import scenario_by_id
from events.results.queries import history_of
from events.rounds import actions as rounds_actions
from events.setup.pairing_actions import FormatSettings, set_format
from events.web.page_cache import PageCache
from models.event import Event, EventFormat, Round, RoundState
from models.play import Player
from tests.kit.people import Enter
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.kit.team_events import COLOURS, enter_teams, team_event

DESK = "/e/iron-open/desk/rounds"
PAGES = ("", "/rounds/1", "/standings", "/lists", "/hall", "/version")
OWN = ("/me", "/me/journal", "/rounds/1", "/version")
NEW_EACH_TIME = re.compile(r'<input[^>]*name="(?:csrf_token|key)"[^>]*>')


@pytest.fixture
def ada(stage: Stage, event: Event, enter: Enter) -> Person:
    """Ada, one of four players who have played one round."""
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    return ada


def pages(app: Flask, who: Person, paths: tuple[str, ...]) -> dict[str, str]:
    """The text of these pages, rendered without the page cache."""
    app.extensions["overseer_page_cache"] = PageCache(app.extensions["overseer_clock"])
    return {path: NEW_EACH_TIME.sub("", who.http.get(f"/e/iron-open{path}").text) for path in paths}


def drafting(olga: Person, stage: Stage, event: Event) -> dict[str, Callable[[], Page]]:
    """Every button that changes the draft of round 2, in an order that works."""

    def first_of(place: int) -> int:
        return stage.games(event, 2)[place].a_id

    def both() -> str:
        game = stage.games(event, 2)[0]
        return f"{stage.name(game.a_id)} and {stage.name(game.b_id or 0)}"

    def other_scenario() -> Page:
        drawn = stage.one(Round, event_id=event.id, number=2).scenario
        other = next(one for one in event.scenario_pool if one != drawn)
        return olga.press("Set the scenario", player=str(first_of(0)), scenario=other)

    def adopt() -> Page:
        olga.open(f"{DESK}/2/compare?seed=12")
        return olga.press("Adopt seed 12")

    def undo() -> Page:
        (button,) = olga.page.soup.select("button[aria-label^='Undo:']")
        return olga.press(str(button["aria-label"]))

    return {
        "draw": lambda: olga.press("Draw round 2"),
        "swap": lambda: olga.press("Swap", one=str(first_of(0)), other=str(first_of(1))),
        "table": lambda: olga.press("Set the table", inside="#table", player=str(first_of(0)), table="2"),
        "scenario": other_scenario,
        "lock": lambda: olga.press(f"Lock {both()}"),
        "undo": undo,
        "draw again": lambda: olga.press("Draw again with the same lots"),
        "adopt": adopt,
        "discard": lambda: olga.press("Discard"),
    }  # fmt: skip


def test_changing_a_draft_changes_no_page_of_players_and_visitors(
    app: Flask, stage: Stage, event: Event, ada: Person, visitor: Person, olga: Person
) -> None:
    stage.clock.advance(seconds=15)  # the hall's first page turned after the last change
    before = pages(app, ada, OWN), pages(app, visitor, PAGES)
    stamp, public = stage.now(event).stamp, event.public_stamp
    news = "/e/iron-open/version"
    marks = {who: who.http.get(news).headers["ETag"] for who in (ada, visitor, olga)}
    olga.open(f"{DESK}/2")
    for name, press in drafting(olga, stage, event).items():
        page = press()
        assert stage.now(event).stamp != stamp, f"{name}: {page.flashes} {page.errors}"
        assert event.public_stamp == public, name
        assert (pages(app, ada, OWN), pages(app, visitor, PAGES)) == before, name
        stamp = event.stamp
    found = {who: who.http.get(news, headers={"If-None-Match": mark}).status_code for who, mark in marks.items()}
    assert found == {ada: 304, visitor: 304, olga: 200}, "staff see it at once"
    olga.open(f"{DESK}/2")
    olga.press("Draw round 2")
    olga.press("Publish round 2")  # the control: it changes the public stamp and the pages
    assert stage.now(event).public_stamp not in (public, "")
    after = pages(app, ada, OWN), pages(app, visitor, PAGES)
    assert [path for path in ("/me", "/version") if after[0][path] == before[0][path]] == []


def test_team_draft_keeps_the_public_stamp_and_a_bracket_changes_it(stage: Stage, olga: Person, event: Event) -> None:
    teams = team_event(stage, size=2)
    enter_teams(stage, teams, *COLOURS[:3])
    public = stage.now(teams).public_stamp
    desk = f"/e/{teams.slug}/desk/rounds/1"
    olga.open(desk)
    olga.press("Draw round 1")
    labels = [str(b.get("aria-label") or b.get_text(strip=True)) for b in olga.page.soup.select("button")]
    lock = next(one for one in labels if one.startswith("Lock "))
    olga.press(lock)
    olga.press(lock.replace("Lock ", "Unlock "))
    assert stage.now(teams).public_stamp == public != teams.stamp
    stage.do(event, set_format, FormatSettings(EventFormat.KNOCKOUT))
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    public = stage.now(event).public_stamp
    olga.open(f"{DESK}/1")
    olga.press("Draw round 1")
    assert stage.one(Round, event_id=event.id, number=1).state == RoundState.DRAWN
    assert stage.now(event).public_stamp == event.stamp != public


def test_only_changes_to_draft_rows_can_be_hidden(stage: Stage, event: Event, ada: Person) -> None:
    """The same write with a player's new name is public."""
    stage.draw(event, 2)
    game, bo = stage.games(event, 2)[0], stage.one(Player, name="Bo")
    for name in ("", "Beau"):
        public = stage.now(event).public_stamp
        with stage.changing(event, public=False):
            game.table_number = (game.table_number or 0) + 20
            if name:
                bo.name = name
        assert (stage.now(event).public_stamp == public) == (not name)
    public = stage.now(event).public_stamp
    with stage.changing(event):
        pass
    assert stage.now(event).public_stamp == event.stamp != public, "by default a write is public"


def test_results_unpublished_with_their_round_stay_private_to_their_players(
    app: Flask, stage: Stage, event: Event, enter: Enter
) -> None:
    """SQLite gives a deleted game's id to the next one."""
    people = dict(zip(("Ada", "Bo", "Cy", "Di"), enter(event, "Ada", "Bo", "Cy", "Di"), strict=True))
    game = stage.publish(event, 1)[0]
    theirs = {stage.name(game.a_id), stage.name(game.b_id)}
    stage.decide(event, game, 2, 1)
    stage.do(event, rounds_actions.unpublish, 1, with_results=True)
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
        stage.do(event, rounds_actions.unpublish, 1)
    pytest.fail("no draw put others at the first table")
