"""Rounds at the desk and on phones: check in, draw, publish; stale draws; and drafts, which only staff can see."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from events.results.queries import result_versions
from events.rounds import actions as rounds_actions
from events.setup.pairing_actions import set_format
from events.store.editions import system_of
from events.store.scenarios import scenario_by_id
from events.web.page_cache import PageCache
from models.event import Event, EventState
from models.settings import AvoidClubs, EventFormat
from tests.kit.forces import sample_force
from tests.kit.person import ADD, DRAW, PUBLISH, Enter, Page, Person, Value
from tests.kit.stage import Game, GameState, Player, Round, RoundState, Stage
from tests.kit.team_events import COLOURS, enter_teams, team_event
from validators import SYSTEMS

DESK = "/e/iron-open/desk"
ROUND = f"{DESK}/rounds/1"


@pytest.fixture
def five(olga: Person, enter: Enter, event: Event) -> list[Person]:
    """Five checked-in players; the organiser has opened round 1."""
    people = enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    olga.open(ROUND)
    return people


def test_from_check_in_to_every_table(olga: Person, enter: Enter, stage: Stage, event: Event, visitor: Person) -> None:
    people = dict(zip(("Ada", "Bo", "Cy"), enter(event, "Ada", "Bo", "Cy", here=False), strict=True))
    assert "3 players registered. The event starts on Saturday 5 December." in olga.open(DESK).part(".next")
    for player in stage.all(Player):
        olga.press("Check in", at=f"{DESK}/players", inside=f"#player-{player.id}")
        if player.name == "Ada":
            assert "2 registered players not checked in; 1 here." in olga.page.part(".next-text")
            assert "1 player is checked in. The scenario" in olga.open(ROUND).text
    players_page = olga.open(f"{DESK}/players")
    assert "3 players: one of them will have the bye." in olga.open(ROUND).text
    drawn = olga.press(f"{DRAW} 1")
    assert "Drawn. Nobody else sees it until you publish it." in drawn.flashes
    scenario = drawn.part("h1").removeprefix("Round 1: ")
    olga.page, ada = players_page, stage.one(Player, name="Ada")
    assert "drop Ada instead" in olga.press("Undo", inside=f"#player-{ada.id}").flashes
    assert stage.now(ada).state == "checked_in"
    assert people["Ada"].open("/e/iron-open/rounds/1").status == 404
    shown = people["Ada"].open("/e/iron-open/me").text
    assert "Round 1 has not been published yet. Your table is shown here then." in shown
    assert "Round 1 is published." in olga.press(f"{PUBLISH} 1", at=ROUND).flashes
    assert stage.now(event).state == EventState.IN_PROGRESS
    game, bye = stage.games(event, 1)
    person, free = people[stage.name(game.a_id)], people[stage.name(bye.a_id)]
    today = person.open("/e/iron-open/me")
    assert today.part(".your-table") == "Round 1 Table 1"
    assert scenario in today.text and "Report the result" in today.text
    shown = free.open("/e/iron-open/me").text
    assert "You have the bye: it counts as a win with the winners’ mean" in shown
    assert "It goes to one of the players with the fewest" in shown
    assert person.open("/e/iron-open/rounds/1").part(".own-game") == "You play at table 1"
    assert free.open("/e/iron-open/rounds/1").part(".own-game") == "You have the bye this round"
    table, *names = visitor.open("/e/iron-open/rounds/1").rows(".pairings")[0][:3]
    assert (table, [name.split()[0] for name in names]) == ("1", [stage.name(game.a_id), stage.name(game.b_id)])
    assert visitor.open("/e/iron-open/rounds/1?order=name").rows(".pairings")[0][0] == "Ada"
    stage.decide(event, game, 2, 1)
    assert person.open("/e/iron-open/rounds/1").part(".own-game") == ""
    assert free.open("/e/iron-open/rounds/1").part(".own-game") == ""


@pytest.mark.proves("G2", "F3")
def test_repeated_draw_or_publish_changes_nothing(olga: Person, five: list[Person], stage: Stage, event: Event) -> None:
    planned = olga.page
    drawn = olga.press(f"{DRAW} 1")
    with stage.unchanged():
        olga.page = planned
        assert "was drawn a moment ago, and this is that draw" in olga.press(f"{DRAW} 1").flashes
    assert (olga.page.path, len(stage.all(Game))) == (ROUND, 3)
    first = stage.digest()
    olga.page = drawn
    olga.press("Draw again")
    assert stage.digest() != first
    with stage.unchanged():
        olga.page = drawn
        assert "was drawn a moment ago" in olga.press("Draw again").flashes, "the page shows an older draw"
    olga.page = drawn
    olga.press(f"{PUBLISH} 1")
    game, other = stage.games(event, 1)[:2]
    with stage.unchanged():
        for page, button, fields in (
            (drawn, f"{PUBLISH} 1", {}),
            (planned, f"{DRAW} 1", {}),
            (drawn, "Discard", {}),
            (drawn, "Draw again", {}),
            (drawn, "Swap", {"one": str(game.a_id), "other": str(other.a_id)}),
        ):
            olga.page = page
            answer = olga.press(button, **fields)
            assert answer.path == ROUND
            assert "not a draw that waits" in answer.flashes or "published already" in answer.flashes
    assert stage.journal(event, "publish-round") == ["Published round 1"]


def test_round_2_waits_for_1(olga: Person, five: list[Person], stage: Stage, event: Event) -> None:
    def why_not() -> str:
        page = olga.open(f"{DESK}/rounds/2")
        assert not page.soup.select("form[action$='/rounds/2/draw']")
        return page.text

    assert "Round 1 is not drawn yet." in why_not()
    stage.draw(event, 1)
    assert "Round 1 is drawn but not published yet." in why_not()
    games = stage.publish(event, 1)
    assert "Round 1 is not complete yet: 2 games have no result." in why_not()
    for game in games[:2]:
        stage.decide(event, game, 2, 1)
    olga.press(ADD, at=f"{DESK}/players", inside="#walk-in", **dict[str, Value]({"w-name": "Late", "w-here": True}))
    five[0].open("/e/iron-open/me")
    assert "You have left this event" in five[0].press("Drop from the event").text
    assert "Drawn." in olga.press(f"{DRAW} 2", at=f"{DESK}/rounds/2").flashes
    assert {name for pair in stage.pairs(event, 2) for name in pair} == {"Bo", "Cy", "Di", "Ed", "Late", ""}


SYSTEM = SYSTEMS["battle_mode"]
STALE = "The standings, the field or the settings changed after this draw: draw again."


@pytest.fixture
def drawn(olga: Person, enter: Enter, stage: Stage, event: Event) -> Event:
    """Five players, round 1 played and round 2 drawn."""
    enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    stage.play(event, 1)
    stage.draw(event, 2)
    assert STALE not in olga.open(f"{DESK}/rounds/2").text
    return event


def correct(stage: Stage, event: Event) -> None:
    """Reverse the result of table 1 in round 1."""
    game = stage.games(event, 1)[0]
    assert game.answers is not None
    before = SYSTEM.scoring.score(SYSTEM.scenario(stage.all(Round)[0].scenario or ""), game.answers)
    stage.decide(event, game, *((1, 3) if before.a > before.b else (3, 1)))


def test_stale_draw_is_published_only_after_a_new_draw_or_confirmation(
    olga: Person, drawn: Event, stage: Stage
) -> None:
    (text, _), (other, _), _ = stage.pairs(drawn, 2)
    old_page = olga.press("Swap", one=f"{text} (", other=f"{other} (")
    pairs = stage.pairs(drawn, 2)
    correct(stage, drawn)
    assert "Round 2 is drawn. The standings, the field" in olga.open(DESK).part(".next-text")
    olga.page = old_page
    with stage.unchanged():
        page = olga.press(f"{PUBLISH} 2")
        assert page.flashes == STALE
    assert page.part(".verdict.query") == STALE
    assert [button.get_text().strip() for button in page.soup.select("form .primary")] == [f"{DRAW} 2 again"]
    assert olga.press("Publish anyway").flashes == "Round 2 is published."
    assert stage.pairs(drawn, 2) == pairs
    assert stage.journal(drawn, "publish-round")[-1].startswith("Published round 2, although the standings")
    assert STALE not in olga.open(f"{DESK}/rounds/2").text


def test_every_input_of_the_draw_can_make_it_stale(olga: Person, drawn: Event, stage: Stage) -> None:
    address = f"{DESK}/rounds/2"

    def stale() -> bool:
        return STALE in olga.open(address).text

    changes = (("points_win", 4), ("avoid_clubs", AvoidClubs.ALWAYS), ("tables_out", [1]), ("scenario_per_table", True))
    for name, other in changes:
        kept = getattr(stage.now(drawn), name)
        for value in (other, kept):
            with stage.changing(drawn):
                setattr(drawn, name, value)
            assert stale() is (value == other), name
    ada = stage.all(Player)[0]
    stage.set(drawn, ada, club="Reds", painted=True)
    assert not stale(), "clubs count in round 1 alone, painting never"
    stage.enter(drawn, "Late")
    assert stale()
    assert STALE not in olga.press(f"{DRAW} 2 again").text
    assert "Late" in {name for pair in stage.pairs(drawn, 2) for name in pair}
    stage.set(drawn, stage.games(drawn, 1)[0], state=GameState.DISPUTED, answers=None)
    page = olga.open(address)
    assert page.part(".verdict.query") == f"{STALE} Round 1 is not complete yet: 1 game has no result."
    assert not page.soup.select("form[action*='/draw']")
    stage.refuse_to("Round 1 is not complete yet", stage.draw, drawn, 2)


def test_desk_warns_before_round_1_and_asks(olga: Person, stage: Stage, event: Event) -> None:
    players = stage.enter(event, "Ada", "Bo")

    def said() -> tuple[str, str]:
        stage.draw(event, 1)
        page = olga.open(ROUND)
        asked = page.soup.select("form[action$='/publish'] button")[0].get("data-confirm", "")
        return str(asked), page.part(".next")

    asked, words = said()
    assert asked == (
        "The event’s date is Saturday 5 December 2026, not today. "
        "The lists lock now, before their deadline (Fri 4 Dec 2026, 20:00). No list: Ada, Bo."
    )
    assert "No list: Ada, Bo." in words
    assert "locks and shows all lists" in words
    today = stage.clock().date()
    stage.set(event, starts_on=today, ends_on=today)
    assert said()[0] == "The lists lock now, before their deadline (Fri 4 Dec 2026, 20:00). No list: Ada, Bo."
    stage.set(event, list_deadline=None)
    asked, words = said()
    assert (asked, "No list: Ada, Bo." in words) == ("", True), "said, not asked"
    for number, player in enumerate(players):
        stage.force(event, player, sample_force(SYSTEM.editions[0].factions[0], 750, number))
    stage.set(event, size=10)
    words = said()[1]
    assert "No list" not in words and "Not legal: Ada, Bo." in words


def test_new_event_draws_scenarios_that_fit_its_list_size(stage: Stage) -> None:
    for game in SYSTEMS.values():
        pool = stage.event(f"Cup of {game.id}", game=game.id).scenario_pool
        assert pool == [
            scenario.id for scenario in game.scenarios if scenario.id not in ("convoy", "objectives-own-edge")
        ]


def test_replaced_or_discarded_draw_leaves_no_rows(stage: Stage) -> None:
    event = stage.event(scenarios=("", "raiders", "scrapyard"))
    stage.refuse_to("At least two players must be checked in", stage.draw, event, 1)
    stage.enter(event, *"ABCDEFGH")
    draws = {frozenset(stage.pairs(event, 1)) for seed in range(3) if stage.draw(event, 1, seed)}
    assert len(draws) > 1, "another seed is another draw"
    stage.refuse_to("3 rounds; more can be planned in the settings", stage.draw, event, 4)
    assert len(stage.all(Game)) == 4
    stage.do(event, rounds_actions.discard_draw, 1)
    assert stage.all(Game) == []
    (the_round,) = stage.all(Round, number=1)
    assert (the_round.state, the_round.scenario, the_round.scenario_drawn) == (RoundState.PLANNED, None, False)
    assert (the_round.seed, the_round.inputs, the_round.outcome) == (None, None, None)
    assert (stage.now(event).state, event.lists_locked_at) == (EventState.REGISTRATION, None)


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

    def first_of(place: int) -> str:
        return str(stage.games(event, 2)[place].a_id)

    def other_scenario() -> Page:
        drawn = stage.one(Round, event_id=event.id, number=2).scenario
        other = next(text for text in event.scenario_pool if text != drawn)
        return olga.press("Set", inside="#game", player=first_of(0), scenario=other)

    return {
        "draw": lambda: olga.press(f"{DRAW} 2"),
        "swap": lambda: olga.press("Swap", one=first_of(0), other=first_of(1)),
        "table": lambda: olga.press("Set", inside="#game", player=first_of(0), table="2"),
        "scenario": other_scenario,
        "lock": lambda: olga.press("Lock", inside="#lock"),
        "undo": lambda: olga.press(str(olga.page.soup.select(".draft-undo button")[0]["aria-label"])),
        "draw again": lambda: olga.press("Draw again"),
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
    olga.open(f"{DESK}/rounds/2")
    for name, press in drafting(olga, stage, event).items():
        page = press()
        assert stage.now(event).stamp != stamp, f"{name}: {page.flashes} {page.errors}"
        assert event.public_stamp == public, name
        if name in ("draw", "lock", "discard"):  # the draft then has all changes since the last draw
            assert (pages(app, ada, OWN), pages(app, visitor, PAGES)) == before, name
        stamp = event.stamp
    found = {who: who.http.get(news, headers={"If-None-Match": mark}).status_code for who, mark in marks.items()}
    assert found == {ada: 304, visitor: 304, olga: 200}, "staff see it at once"
    olga.press(f"{DRAW} 2", at=f"{DESK}/rounds/2")
    olga.press(f"{PUBLISH} 2")  # the control: it changes the public stamp and the pages
    assert stage.now(event).public_stamp not in (public, "")
    after = pages(app, ada, OWN), pages(app, visitor, PAGES)
    assert [path for path in ("/me", "/version") if after[0][path] == before[0][path]] == []


def test_draft_of_teams_or_of_a_bracket_keeps_the_public_stamp(stage: Stage, olga: Person, event: Event) -> None:
    teams = team_event(stage, size=2)
    enter_teams(stage, teams, *COLOURS[:3])
    public = stage.now(teams).public_stamp
    desk = f"/e/{teams.slug}/desk/rounds/1"
    olga.press(f"{DRAW} 1", at=desk)
    olga.press("Lock", inside="#lock")
    olga.press("Unlock", inside="#lock")
    assert stage.now(teams).public_stamp == public != teams.stamp
    stage.do(event, set_format, format=EventFormat.KNOCKOUT)
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    public = stage.now(event).public_stamp
    olga.press(f"{DRAW} 1", at=f"{DESK}/rounds/1")
    assert stage.one(Round, event_id=event.id, number=1).state == RoundState.DRAWN
    assert stage.now(event).public_stamp == public != event.stamp


def test_only_changes_to_draft_rows_can_be_hidden(stage: Stage, event: Event, ada: Person) -> None:
    """The same write with a player's new name is public, and so is any other write by default."""
    stage.draw(event, 2)
    game, bo = stage.games(event, 2)[0], stage.one(Player, name="Bo")
    for hidden, name in ((True, "Bo"), (False, "Beau")):
        public = stage.now(event).public_stamp
        with stage.changing(event, public=False):
            game.table_number = (game.table_number or 0) + 20
            bo.name = name
        assert (stage.now(event).public_stamp == public) == hidden
    with stage.changing(event):
        pass
    assert stage.now(event).public_stamp == event.stamp != public


def test_results_unpublished_with_their_round_stay_private_to_their_players(
    app: Flask, stage: Stage, event: Event, enter: Enter
) -> None:
    """SQLite gives a deleted game's id to the next one."""
    people = dict(zip(("Ada", "Bo", "Cy", "Di"), enter(event, "Ada", "Bo", "Cy", "Di"), strict=True))
    game = stage.publish(event, 1)[0]
    theirs = {stage.name(game.a_id), stage.name(game.b_id)}
    stage.decide(event, game, 2, 1)
    stage.do(event, rounds_actions.unpublish, 1, with_results=True)
    mine = "/e/iron-open/me/journal"
    for seed in range(2, 12):
        stage.publish(event, 1, seed)
        assert {name for name, who in people.items() if "table 1: the result is" in who.open(mine).text} == theirs
        (drawn,) = stage.all(Round, event_id=event.id, number=1)
        first, scenario = stage.games(event, 1)[0], scenario_by_id(stage.s, system_of(event), drawn.scenario or "")
        assert result_versions(stage.s, event, first, scenario, {"a": "Ada", "b": "Bo"}) == []
        if {stage.name(first.a_id), stage.name(first.b_id)} != theirs:
            return
        stage.do(event, rounds_actions.unpublish, 1)
    pytest.fail("no draw put others at the first table")


def test_spectator_finds_the_table_by_part_of_a_name(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=3, players=("Zoë Quinn", "Bo", "Cy", "Łukasz Müller", "Zoe Hart"))
    games = stage.publish(event, 1)
    zoe = next(game for game in games if "Zoë Quinn" in (stage.name(game.a_id), game.b_id and stage.name(game.b_id)))
    page = visitor.open("/e/iron-open/rounds/1?find=ZOE+Q")
    assert [tag.text for tag in page.soup.select(".ticket-number")] == [str(zoe.table_number or "bye")]
    assert "Zoë Quinn" in page.part(".ticket")
    assert len(visitor.open("/e/iron-open/rounds/1?find=zo").soup.select(".ticket")) == 2
    for typed in ("lukasz", "ŁUKASZ mueller", "muller", "müll"):
        assert "Müller" in visitor.open(f"/e/iron-open/rounds/1?find={typed}").part(".ticket"), typed
    assert "Gus" in visitor.open("/e/iron-open/rounds/1?find=Gus").part("main .flash")
    assert not visitor.open("/e/iron-open/rounds/1?find=+").soup.select(".ticket")


def test_points_before_a_round_are_kept_for_all_readers(app: Flask, olga: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo"))
    stage.play(event, 1)
    stage.publish(event, 2)
    assert "3 points" in olga.open("/e/iron-open/rounds/2").part(".by-table")
    cache: PageCache = app.extensions["overseer_page_cache"]
    assert "points before round 2" in {name for _, name, _ in cache.values}
