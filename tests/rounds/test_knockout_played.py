"""Events with a knockout or a round robin, played: the cut, draws, byes, late entries, drops, undo, corrections."""

import pytest

from events.play.rounds import round_views
from events.rounds import actions as rounds_actions
from events.rounds import formats
from events.rounds.byes import ask_bye
from events.rounds.draft import swap
from events.setup import actions as setup_actions
from events.setup.pairing_actions import set_teams
from models.event import BoardsMatched, Event, EventFormat
from models.play import Absent, GameState, ReportSide, Side
from tests.kit.formats import NAMES, cut, cut_event, cut_mark, decide_all, drop, formed, league, publish
from tests.kit.person import DRAW, SEND_RESULT, Enter, Person
from tests.kit.stage import Player, Round, RoundState, Stage


def ranking(stage: Stage, event: Event, after: int | None = None) -> list[tuple[int, str, str]]:
    return [(row.rank, row.name, row.how.get("place", "")) for row in stage.standings(event, after)]


def rounds(stage: Stage, event: Event) -> list[tuple[int, str, int | None]]:
    return [(r.number, r.kind.value, r.bracket) for r in stage.all(Round, event_id=event.id)]


def test_organiser_decides_a_drawn_game_until_the_next_round(stage: Stage) -> None:
    event = cut_event(stage, 4)
    cut(stage, event)
    one, two = publish(stage, event, 2)
    decide_all(stage, event, [two])
    stage.decide(event, one, 2, 2)
    stage.refuse_to("Round 2 is not complete yet: 1 game has no winner", stage.draw, event, 3)
    stage.refuse("did not end in a draw", event, formats.send_through, two, Side.A)
    stage.do(event, formats.send_through, one, Side.B)
    through = stage.name(one.b_id)
    assert stage.journal(event, "send-through") == [f"Round 2 (semi-finals), table 1: drawn, {through} goes through"]
    stage.draw(event, 3)
    game = stage.games(event, 2)[1]
    winner_first = game.a_id < (game.b_id or 0)
    stage.decide(event, game, *((1, 3) if winner_first else (3, 1)))
    stage.refuse("changed after this draw", event, rounds_actions.publish_round, 3, sure=True)
    stage.publish(event, 3)
    assert through in stage.pairs(event, 3)[0]
    stage.refuse("Round 3 is published and depends on who went through", event, formats.send_through, one, Side.A)
    game = stage.games(event, 2)[1]
    stage.refuse_to("The figures can be corrected, but not who won", stage.decide, event, game, 2, 2)
    stage.decide(event, game, *((0, 2) if winner_first else (2, 0)))
    assert len(ranking(stage, event)) == 8


def test_knockout_allows_no_requested_byes_and_no_swaps(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    stage.do(event, ask_bye, ada, 1)
    formed(stage, of=event, format=EventFormat.KNOCKOUT)
    stage.refuse("mark it at the game", event, ask_bye, ada, 2)
    stage.enter(event, *NAMES[1:5])
    one, two, *_ = stage.draw(event, 1)
    stage.refuse("players cannot be moved by hand", event, swap, 1, one.a_id, two.a_id)
    decide_all(stage, event, publish(stage, event, 1))
    decide_all(stage, event, stage.publish(event, 2))
    assert ("Ada", "") in stage.pairs(event, 1), "asked for before the format changed: Ada is not in the bracket"
    assert ranking(stage, event)[-1] == (5, "Ada", "")


def test_discarding_the_first_knockout_round_undoes_the_cut(stage: Stage) -> None:
    event = cut_event(stage, 4)
    before = ranking(stage, event)
    cut(stage, event)
    stage.do(event, rounds_actions.discard_draw, 2)
    assert [number for number, *_ in rounds(stage, event)] == [1]
    assert {p.seed_number for p in stage.all(Player)} == {None}
    assert ranking(stage, event) == before
    assert stage.journal(event, "discard-draw") == ["Discarded the draw of round 2 and the cut with it"]
    cut(stage, event)
    one, _ = publish(stage, event, 2)
    stage.no_show(event, one, Absent.BOTH)
    stage.do(event, formats.send_through, one, Side.A)
    stage.do(event, rounds_actions.unpublish, 2)
    assert {game.goes_through for game in stage.games(event, 2)} == {None}
    decide_all(stage, event, publish(stage, event, 2))
    stage.draw(event, 3)
    stage.do(event, rounds_actions.discard_draw, 3)
    assert [r.state for r in stage.all(Round, event_id=event.id)] == ["published", "published", "planned"]


def test_knockout_scenarios_are_chosen_with_the_cut_or_drawn(stage: Stage) -> None:
    event = cut_event(stage, 4)
    mark = cut_mark(stage, event)
    stage.do(event, rounds_actions.make_cut, mark, 1, scenarios=("", "raiders"))
    stage.draw(event, 2, seed=2)
    found = [(r.scenario_drawn, r.scenario) for r in stage.all(Round, event_id=event.id)][1:]
    assert (found[0][0], found[1]) == (True, (False, "raiders"))
    stage.do(event, rounds_actions.discard_draw, 2)
    stage.refuse("was removed in the meantime", event, rounds_actions.make_cut, mark, 1, scenarios=("chess",))


def test_impossible_cut_is_explained_and_a_correction_changes_its_seeds(stage: Stage) -> None:
    event = stage.event(rounds=1)
    assert "has no cut" in formats.why_no_cut(event, round_views(stage.s, event))
    formed(stage, *NAMES[:4], of=event, cut=2)
    stage.refuse("round 1 is not complete", event, rounds_actions.make_cut, "", 1)
    stage.play(event, 1)
    cut(stage, event)
    stage.refuse_to("made already", cut, stage, event)
    best = stage.pairs(event, 2)[0][0]
    top = next(g for g in stage.games(event, 1) if best in (stage.name(g.a_id), stage.name(g.b_id)))
    stage.decide(event, top, *((0, 5) if stage.name(top.a_id) == best else (5, 0)))
    stage.refuse_to("changed after this draw", publish, stage, event, 2)
    stage.draw(event, 2)
    assert best not in {name for pair in stage.pairs(event, 2) for name in pair}, "the seeds follow the correction"


def test_each_draw_plans_the_rounds_for_the_checked_in_players(stage: Stage) -> None:
    larger = cut_event(stage, 64, entered=5)
    cut(stage, larger)
    assert [bracket for _, _, bracket in rounds(stage, larger)] == [None, 8, 4, 2], "all who are here"
    event = formed(stage, *NAMES[:5], of=stage.event("Rust Cup"), format=EventFormat.KNOCKOUT)
    stage.draw(event, 1)
    assert rounds(stage, event) == [(1, "knockout", 8), (2, "knockout", 4), (3, "knockout", 2)]
    assert stage.now(event).rounds == 3
    stage.do(event, rounds_actions.discard_draw, 1)
    drop(stage, event, "Ed")
    stage.draw(event, 1)
    assert rounds(stage, event) == [(1, "knockout", 4), (2, "knockout", 2)]
    stage.do(event, rounds_actions.discard_draw, 1)
    formed(stage, of=event, format=EventFormat.SWISS)
    stage.draw(event, 1)
    assert rounds(stage, event) == [(1, "swiss", None), (2, "swiss", None)]
    assert stage.one(Round, event_id=event.id, number=1).state == RoundState.DRAWN


def test_incompatible_formats_are_rejected(stage: Stage) -> None:
    event, teams = stage.event(), stage.event("Rust Cup")
    for words, wanted in (
        ("has no cut", {"format": EventFormat.KNOCKOUT, "cut": 4}),
        ("2 to 64 players", {"cut": 1}),
        ("2 to 64 players", {"cut": 65}),
    ):
        stage.refuse_to(words, formed, stage, of=event, **wanted)
    stage.do(teams, set_teams, 2, BoardsMatched.ORDER, False)
    stage.refuse_to("Teams are paired by Swiss", formed, stage, of=teams, cut=4)
    formed(stage, of=event, cut=4)
    stage.refuse("change the format first", event, set_teams, 2, BoardsMatched.ORDER, False)


def test_format_of_drawn_rounds_cannot_change(stage: Stage) -> None:
    event = cut_event(stage, 4, third_place=True)
    stage.refuse_to("once round 1 is drawn", formed, stage, of=event, format=EventFormat.ROUND_ROBIN)
    cut(stage, event)
    stage.refuse_to("The cut is made already", formed, stage, of=event, cut=2, third_place=True)
    formed(stage, of=event, cut=4, third_place=False)
    decide_all(stage, event, publish(stage, event, 2))
    assert len(stage.draw(event, 3)) == 1
    stage.refuse_to("The final is drawn", formed, stage, of=event, cut=4, third_place=True)


@pytest.mark.both_at_length
def test_round_robin_is_played_in_any_order(stage: Stage) -> None:
    event = league(stage, 5)
    for number in range(1, 6):
        stage.publish(event, number)
    for number in (5, 2, 4, 1):
        decide_all(stage, event, stage.games(event, number))
    assert stage.standings(event, 5) == stage.standings(event, 2), "round 3 is open: standings end before it"
    stage.refuse("still open", event, setup_actions.finish)
    decide_all(stage, event, stage.games(event, 3))
    assert [row.name for row in stage.standings(event)] == list(NAMES[:5])
    assert [row.points for row in stage.standings(event)] == [15, 12, 9, 6, 3]


def test_player_reports_any_open_game_oldest_first(stage: Stage, enter: Enter, olga: Person) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    ada, *_ = enter(event, *NAMES[:4])
    first, second = (
        next(game for game in stage.publish(event, number) if "Ada" in map(stage.name, (game.a_id, game.b_id)))
        for number in (1, 2)
    )
    page = ada.open("/e/iron-open/me")
    assert page.part("h1").startswith("Round 1")
    assert page.part("[data-poll-part=open-games] li").startswith("Round 2")
    ada.press(SEND_RESULT, at=f"/e/iron-open/me/game?game={second.id}", a__objectives="3", b__objectives="1")
    assert (stage.now(first).state, stage.now(second).state) == (GameState.OPEN, GameState.REPORTED)
    assert "Round 1, table" in olga.open("/e/iron-open/desk/search?q=Ada").text
    stage.decide(event, first, 3, 1)
    assert ada.open("/e/iron-open/me").part("h1").startswith("Round 2"), "the game of round 1 is decided"
    olga.open("/e/iron-open/desk")
    assert "Round 3 does not depend on these results." in olga.page.part(".next-blockers")
    olga.press(f"{DRAW} 3", inside=".next-blockers")
    assert stage.games(event, 3)
    side = ReportSide.A if stage.name(second.b_id) == "Ada" else ReportSide.B
    stage.report(event, second, side, {"a.objectives": 3, "b.objectives": 1})
    assert ada.open("/e/iron-open/me").part("h1").startswith("Round 2"), "the newest published round"


def test_late_player_takes_the_only_empty_place_in_the_circle(stage: Stage) -> None:
    event = league(stage, 3)
    stage.play(event, 1)
    stage.enter(event, "Late", "Later")
    for number in (2, 3):
        stage.play(event, number)
    assert {name for n in (2, 3) for pair in stage.pairs(event, n) for name in pair} == {"Ada", "Bo", "Cy", "Late"}
    assert len(stage.all(Round, event_id=event.id)) == 3


def test_player_with_a_requested_bye_keeps_the_place_in_the_circle(stage: Stage) -> None:
    event = league(stage, 4)
    stage.do(event, ask_bye, stage.one(Player, name="Ada"), 1)
    for number in (1, 2, 3):
        stage.play(event, number)
    assert len(stage.all(Round, event_id=event.id)) == 3
    met = {frozenset(pair) for number in (1, 2, 3) for pair in stage.pairs(event, number)}
    assert sum("" not in pair for pair in met) == 5, "all but the one game of round 1"
    without_game = [(stage.name(g.a_id), g.asked) for g in stage.games(event, 1) if g.b_id is None]
    assert sorted((name == "Ada", asked) for name, asked in without_game) == [(False, False), (True, True)]


def test_round_robin_of_two_legs_is_drawn_in_order_and_too_many_rounds_are_rejected(stage: Stage) -> None:
    twice = formed(stage, *NAMES[:4], of=stage.event("Rust Cup"), format=EventFormat.ROUND_ROBIN, legs=2)
    stage.publish(twice, 1)
    assert len(stage.all(Round, event_id=twice.id)) == 6
    stage.refuse_to("Round 2 is not drawn yet", stage.draw, twice, 3)
    event = formed(stage, *(f"P{n}" for n in range(12)), format=EventFormat.ROUND_ROBIN, legs=2)
    too_many = "A round robin of 12 players takes 22 rounds, and an event has at most 20"
    stage.refuse_to(too_many, stage.draw, event, 1)
