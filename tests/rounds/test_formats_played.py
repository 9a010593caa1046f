"""Knockouts, cuts and round robins, by their actions and on pages."""

from typing import Any

import pytest

from events.rounds import actions as rounds_actions
from events.rounds import formats
from events.rounds.byes import ask_bye
from events.rounds.draft import swap
from events.setup import actions as setup_actions
from events.setup.pairing_actions import set_teams
from events.store.tournaments import load
from models.event import Event
from models.play import Absent, GameState, ReportSide, Through
from models.settings import BoardsMatched, EventFormat
from tests.kit.formats import NAMES, cut, cut_event, cut_mark, decide_all, drop, formed, knockout_of, league, publish
from tests.kit.person import DRAW, PREVIEW, PUBLISH, SEND_RESULT, STORE, Enter, Person, Value
from tests.kit.stage import Player, Round, Stage


def ranking(stage: Stage, event: Event) -> list[tuple[int, str, str]]:
    return [(row.rank, row.name, str(row.how.get("place", ""))) for row in stage.standings(event)]


def rounds(stage: Stage, event: Event) -> list[tuple[str, int | None]]:
    return [(one.kind.value, one.bracket) for one in stage.all(Round, event_id=event.id)]


def test_organiser_decides_a_drawn_game_until_the_next_round(stage: Stage) -> None:
    event = cut_event(stage, 4)
    cut(stage, event)
    one, two = publish(stage, event, 2)
    won, turned = ((3, 1), (1, 3)) if two.a_id < (two.b_id or 0) else ((1, 3), (3, 1))
    stage.decide(event, two, *won)
    stage.decide(event, one, 2, 2)
    stage.refuse_to("Round 2 is not complete yet: 1 game has no winner", stage.draw, event, 3)
    stage.refuse("did not end in a draw", event, formats.send_through, two, Through.A)
    stage.do(event, formats.send_through, one, Through.B)
    through = stage.name(one.b_id)
    assert stage.journal(event, "send-through") == [f"Round 2 (semi-finals), table 1: drawn, {through} goes through"]
    stage.draw(event, 3)
    stage.decide(event, stage.now(two), *turned)
    stage.refuse("changed after this draw", event, rounds_actions.publish_round, 3, sure=True)
    stage.publish(event, 3)
    assert through in stage.pairs(event, 3)[0]
    stage.refuse("Round 3 is published and depends on who went through", event, formats.send_through, one, Through.A)
    stage.refuse_to("The figures can be corrected, but not who won", stage.decide, event, stage.now(two), 2, 2)
    stage.decide(event, stage.now(two), *((0, 2) if turned == (1, 3) else (2, 0)))
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
    assert ranking(stage, event)[-1] == (5, "Ada", "did not play")


def test_discarding_the_first_knockout_round_undoes_the_cut(stage: Stage) -> None:
    event = cut_event(stage, 4)
    before = ranking(stage, event)
    cut(stage, event)
    stage.do(event, rounds_actions.discard_draw, 2)
    assert rounds(stage, event) == [("swiss", None)]
    assert {p.seed_number for p in stage.all(Player)} == {None}
    assert ranking(stage, event) == before
    assert stage.journal(event, "discard-draw") == ["Discarded the draw of round 2 and the cut with it"]
    cut(stage, event)
    one, _ = publish(stage, event, 2)
    stage.no_show(event, one, Absent.BOTH)
    stage.do(event, formats.send_through, one, Through.A)
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
    _, semis, final = stage.all(Round, event_id=event.id)
    assert (semis.scenario_drawn, final.scenario_drawn, final.scenario) == (True, False, "raiders")
    stage.do(event, rounds_actions.discard_draw, 2)
    stage.refuse("was removed in the meantime", event, rounds_actions.make_cut, mark, 1, scenarios=("chess",))


def test_impossible_cut_is_explained_and_a_correction_changes_its_seeds(stage: Stage) -> None:
    event = stage.event(rounds=1)
    assert "has no cut" in formats.why_no_cut(load(event).t)
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
    assert rounds(stage, larger) == [("swiss", None), *(("knockout", n) for n in (8, 4, 2))], "all who are here"
    event = formed(stage, *NAMES[:5], of=stage.event("Rust Cup"), format=EventFormat.KNOCKOUT)
    stage.draw(event, 1)
    assert (rounds(stage, event), stage.now(event).rounds) == ([("knockout", n) for n in (8, 4, 2)], 3)
    stage.do(event, rounds_actions.discard_draw, 1)
    drop(stage, event, "Ed")
    stage.draw(event, 1)
    assert rounds(stage, event) == [("knockout", 4), ("knockout", 2)]
    stage.do(event, rounds_actions.discard_draw, 1)
    formed(stage, of=event, format=EventFormat.SWISS)
    stage.draw(event, 1)
    assert rounds(stage, event) == [("swiss", None), ("swiss", None)]


def test_incompatible_formats_are_rejected(stage: Stage) -> None:
    event, teams = stage.event(), stage.event("Rust Cup")
    stage.refuse_to("has no cut", formed, stage, of=event, format=EventFormat.KNOCKOUT, cut=4)
    stage.do(teams, set_teams, 2, BoardsMatched.ORDER, False)
    stage.refuse_to("Teams are paired by Swiss", formed, stage, of=teams, cut=4)
    formed(stage, of=event, cut=4)
    stage.refuse("change the format first", event, set_teams, 2, BoardsMatched.ORDER, False)


def test_only_loser_of_a_semi_final_is_third_without_a_game(stage: Stage) -> None:
    event = knockout_of(stage, 3, third_place=True)
    stage.play(event, 1)
    stage.draw(event, 2)
    assert stage.pairs(event, 2) == [("Cy", "Ada")]  # and no invariant is broken by the draft


def test_format_of_drawn_rounds_cannot_change(stage: Stage) -> None:
    event = cut_event(stage, 4, third_place=True)
    stage.refuse_to("Round 1 is drawn", formed, stage, of=event, format=EventFormat.ROUND_ROBIN)
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
    assert [row.points for row in stage.standings(event)] == [12, 9, 6, 3, 0], "byes score nothing"


def test_nobody_gains_in_a_round_robin_by_a_bye_because_somebody_left(
    stage: Stage, enter: Enter, visitor: Person
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    stage.play(event, 1)
    drop(stage, event, "Di")
    stage.publish(event, 2)
    (idle,) = (stage.name(game.a_id) for game in stage.games(event, 2) if game.b_id is None)
    assert "It scores nothing" in people[idle].open("/e/iron-open/me").part(".lede")
    decide_all(stage, event, stage.games(event, 2))
    before, after = ({row.name: row.points for row in stage.standings(event, number)} for number in (1, 2))
    assert (after[idle], sum(after.values())) == (before[idle], sum(before.values()) + 3)
    player = stage.one(Player, name=idle)
    assert "scores nothing" in visitor.open(f"/e/iron-open/players/{player.id}").text
    assert "A bye scores nothing." in visitor.open("/e/iron-open").text


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
    assert "Round 1, table" in olga.open("/e/iron-open/desk/search?show=list&q=Ada").text
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
    met = {frozenset(pair) for number in (1, 2, 3) for pair in stage.pairs(event, number)}
    assert sum("" not in pair for pair in met) == 5, "all but the one game of round 1"
    without_game = [(stage.name(g.a_id) == "Ada", g.asked) for g in stage.games(event, 1) if g.b_id is None]
    assert sorted(without_game) == [(False, False), (True, True)]


def test_round_robin_of_two_legs_is_drawn_in_order_and_too_many_rounds_are_rejected(stage: Stage) -> None:
    twice = formed(stage, *NAMES[:4], of=stage.event("Rust Cup"), format=EventFormat.ROUND_ROBIN, legs=2)
    stage.publish(twice, 1)
    assert len(stage.all(Round, event_id=twice.id)) == 6
    stage.refuse_to("Round 2 is not drawn yet", stage.draw, twice, 3)
    event = formed(stage, *(f"P{n}" for n in range(12)), format=EventFormat.ROUND_ROBIN, legs=2)
    too_many = "A round robin of 12 players takes 22 rounds, and an event has at most 20"
    stage.refuse_to(too_many, stage.draw, event, 1)


DESK = "/e/iron-open/desk"


def chosen(**values: Value) -> dict[str, Any]:
    return {f"format-{name}": value for name, value in values.items()}


def test_format_is_chosen_and_shown(olga: Person, stage: Stage, event: Event) -> None:
    assert "This event has no cut" in olga.open(f"{DESK}/cut").text
    assert olga.open(f"{DESK}/seeding").status == 404
    page = olga.press("Save", at=f"{DESK}/settings/format", **chosen(cut="4", third_place=True))
    assert page.flashes == "Saved."
    assert stage.journal(event, "change-pairing") == [
        "Changed the format: “Cut to the top”, “The losers of the semi-finals play for third place”"
    ]
    home = olga.open("/e/iron-open").text
    assert "Then the top 4 by the standings play a knockout. The losers of the semi-finals play for third" in home
    assert "round 1 is not complete yet" in olga.open(f"{DESK}/cut").text
    page = olga.press("Save", at=f"{DESK}/settings/format", **chosen(format="Knockout"))
    assert page.error_at("format-cut") == "A knockout from the start has no cut: leave it empty."
    assert olga.press("Save", inside="#format", **chosen(cut="")).flashes == "Saved."
    assert "A knockout in rounds of 90 minutes: losers are out." in olga.open("/e/iron-open").text


def test_from_the_cut_to_the_final_standings(olga: Person, stage: Stage, visitor: Person) -> None:
    event = cut_event(stage, 4, entered=6, third_place=True)
    swiss = {row.name: (row.points, row.figures) for row in stage.standings(event)}
    order = [*swiss]
    desk = olga.open(DESK)
    assert desk.part(".next-text").startswith("All rounds are complete: check who is in the cut to the top 4.")
    page = olga.open(f"{DESK}/cut")
    assert [row[:2] for row in page.rows("table")] == [[str(n), name] for n, name in enumerate(order[:4], start=1)]
    assert page.part(".matches > li") == f"1 {order[0]} 4 {order[3]}"
    assert f"First out: {order[4]}" in page.text
    drawn = olga.press("Cut to the top 4", scenario=["raiders", "raiders"])
    assert (drawn.path, drawn.part("h1")) == (f"{DESK}/rounds/2", "Round 2, semi-finals: Raiders")
    assert "Drawn by a bracket seeded by the standings, draw number" in drawn.text
    olga.post("/language", language="de", back="/")
    assert "Turnierbaum, gesetzt nach der Tabelle" in olga.open(f"{DESK}/rounds/2").text
    olga.post("/language", language="en", back="/")
    assert drawn.part("td[data-label=A] .record") == "seed 1 of 4, from the standings"
    assert olga.open("/e/iron-open/bracket").status == 200
    assert visitor.open("/e/iron-open/bracket").status == 404, "not published yet"
    olga.press(f"{PUBLISH} 2", at=f"{DESK}/rounds/2")
    one, two = stage.games(event, 2)
    decide_all(stage, event, [two])
    stage.decide(event, one, 2, 2)
    assert olga.open(DESK).part("#group-tied summary").startswith("1 ")
    assert [entry["href"] for entry in olga.page.soup.select(".next .primary")] == [f"{DESK}/rounds/2#tied"]
    lower = stage.name(one.b_id)
    assert olga.press(f"{lower} goes through", at=f"{DESK}/rounds/2").flashes == "Saved."
    assert f"{lower} goes through" in visitor.open("/e/iron-open/rounds/2").text
    assert "drawn, decided by the organiser" in visitor.open("/e/iron-open/bracket").text
    upper = stage.name(one.a_id)
    assert olga.open(f"{DESK}/rounds/2").part("#tied form button") == f"{upper} goes through"
    assert olga.press(f"{upper} goes through").flashes == "Saved."
    assert stage.now(one).goes_through == Through.A
    olga.press(f"{lower} goes through")
    final = stage.publish(event, 3)
    assert not olga.open(f"{DESK}/rounds/2").soup.select("#tied"), "it is settled"
    decide_all(stage, event, final)
    page = visitor.open("/e/iron-open/bracket")
    assert [part.get_text().strip() for part in page.soup.select(".bracket-round > h2")] == ["Semi-finals", "Final"]
    assert page.part(".third-place").startswith("Third place")
    assert len(page.soup.select(".match-side.winner")) == 4
    standing = visitor.open("/e/iron-open/standings")
    places = [row[1] for row in standing.rows("table.standings")]
    names = [p.split(" ", 1)[0] for p in places]
    assert [p.split(" ", 1)[1] for p in places[:4]] == [
        f"won the final 3 : 1 against {names[1]}", f"lost the final 1 : 3 against {names[0]}",
        f"won the game for third place 3 : 1 against {names[3]}",
        f"lost the game for third place 1 : 3 against {names[2]}",
    ]  # fmt: skip
    assert places[4:] == order[4:]
    assert "Knockout games do not count." in standing.text
    assert {row.name: (row.points, row.figures) for row in stage.standings(event)} == swiss
    assert visitor.open("/e/iron-open/standings?after=1").rows("table.standings")[0][1] == order[0]


def test_knockout_game_that_nobody_played_lets_nobody_through(olga: Person, stage: Stage, visitor: Person) -> None:
    event = knockout_of(stage, 8, third_place=True)
    decide_all(stage, event, stage.publish(event, 1))
    one, two = stage.publish(event, 2)
    round_2 = f"{DESK}/rounds/2"
    stage.decide(event, two, 2, 2)
    stage.no_show(event, one, Absent.BOTH)
    assert olga.open(round_2).text.count("Nobody goes through") == 1, "the other game was played"
    olga.post(f"{DESK}/games/{two.id}/through", side="nobody")
    assert "This game was played: choose who goes through." in olga.open(round_2).flashes
    olga.press("Nobody goes through", at=round_2)
    assert "nobody goes through" in visitor.open("/e/iron-open/rounds/2").text
    assert "Nobody came; nobody goes through" in visitor.http.get("/e/iron-open/rounds/2/round.csv").text
    games = visitor.http.get("/api/v1/events/iron-open/rounds/2/games").get_json()["items"]
    assert [game["result"]["goes_through"] for game in games] == ["nobody", None]
    stage.no_show(event, one, None)
    stage.no_show(event, one, Absent.BOTH)
    assert stage.now(one).goes_through is None, "they came, and then not: to be decided again"
    olga.press("Nobody goes through", at=round_2)
    olga.press(f"{stage.name(two.a_id)} goes through", at=round_2)
    (final,) = stage.draw(event, 3)
    assert (final.a_id, final.b_id) == (two.a_id, None), "a bye in the final, and the only loser is third"
    stage.publish(event, 3)
    assert ranking(stage, event)[:4] == [
        (1, stage.name(two.a_id), "won the final by walk-over"),
        *((3, name, "out in the semi-final") for name in names_by_seed(stage, event, one.a_id, one.b_id, two.b_id)),
    ]
    assert "nobody" in visitor.open("/e/iron-open/bracket").part(".bracket")
    assert olga.open(DESK).part(".next-text").startswith("All rounds are complete")


def test_player_who_is_out_or_disqualified_reads_so(olga: Person, stage: Stage, enter: Enter, visitor: Person) -> None:
    event = stage.event()
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    formed(stage, of=event, format=EventFormat.KNOCKOUT)
    decide_all(stage, event, stage.publish(event, 1))
    *_, loser = [row.name for row in stage.standings(event)]
    page = people[loser].open("/e/iron-open/me")
    assert "You have no further game." in page.text and "The next round is shown here" not in page.text
    refused = "player who is added now plays in no round: the knockout is drawn"
    assert refused in olga.open(f"{DESK}/players").text, "before anybody is added"
    (walk_in,) = enter(event, "Gus")
    stage.publish(event, 2)
    assert "it has no place for you to play. Ask at the desk." in walk_in.open("/e/iron-open/me").text
    olga.press("Give", at=f"{DESK}/rulings", player=loser, card="red", follows="disqualified", reason="x")
    mine = people[loser].open("/e/iron-open/me").text
    assert "You are disqualified" in mine and "bring you back" not in mine
    assert "disqualified" in visitor.open("/e/iron-open/hall/standings").text
    drop(stage, event, "Ada")
    notes = visitor.http.get("/e/iron-open/standings.csv").text
    assert "lost the final against Bo, dropped" in notes and "out in the semi-final, disqualified" in notes


def names_by_seed(stage: Stage, event: Event, *ids: int | None) -> list[str]:
    seeds = load(event).t.seeds
    return [stage.name(int(id_)) for id_ in seeds if int(id_) in ids]


def test_final_to_which_nobody_came_has_no_winner(olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 4)
    decide_all(stage, event, stage.publish(event, 1))
    (final,) = stage.publish(event, 2)
    stage.no_show(event, final, Absent.BOTH)
    olga.press("The final has no winner", at=f"{DESK}/rounds/2")
    assert [row[0] for row in ranking(stage, event)] == [2, 2, 3, 3]
    assert load(event).t.final
    event = formed(stage, *NAMES[:4], of=stage.event("Rust Cup"), format=EventFormat.KNOCKOUT)
    for game in stage.publish(event, 1):
        stage.no_show(event, game, Absent.BOTH)
        stage.do(event, formats.send_through, game, Through.NOBODY)
    stage.refuse_to("Nobody is left to play in the knockout", stage.draw, event, 2)
    assert [row[0] for row in ranking(stage, event)] == [3, 3, 3, 3]
    assert load(event).t.final
    assert "Close the event" in olga.open("/e/rust-cup/desk").part(".next")


def test_cut_is_made_as_previewed_and_undone_with_its_draw(olga: Person, stage: Stage) -> None:
    event = cut_event(stage, 2, entered=6)
    first, _ = olga.open(f"{DESK}/cut").rows("table")
    drop(stage, event, first[1])
    assert "Check who is in the cut" in olga.press("Cut to the top 2").flashes
    assert f"Passed over because they are absent: {first[1]} (rank 1)" in olga.open(f"{DESK}/cut").text
    olga.press("Cut to the top 2")
    page = olga.press("Discard")
    assert (page.path, page.flashes, len(page.rows("table"))) == (f"{DESK}/cut", "The draw is discarded.", 2)


def test_knockout_round_offers_corrections_but_no_exchange(olga: Person, stage: Stage) -> None:
    event = formed(stage, *NAMES[:4], format=EventFormat.KNOCKOUT, third_place=True)
    game, other = stage.publish(event, 1)
    address = f"{DESK}/games/{game.id}"
    assert olga.post(f"{address}/through", side="c").status_code == 422
    olga.post(f"{address}/through", side="a")
    assert "did not end in a draw" in olga.open(f"{DESK}/rounds/1").flashes
    decide_all(stage, event, [game])
    part = olga.open(f"{DESK}/rounds/1").part("#not-right")
    assert "Results are in (table 1): round 1 stays published. A result can still be corrected." in part
    assert "xchange" not in part
    decide_all(stage, event, [other])
    lower = stage.name(game.b_id if game.a_id < (game.b_id or 0) else game.a_id)
    ours, theirs = ("b", "a") if lower == stage.name(game.b_id) else ("a", "b")
    last = stage.draw(event, 2)
    for vp, other_vp, words in (
        ("5", "1", (f"{lower} goes through then", "a next round that is drawn already is out of date")),
        ("2", "2", ("The game is then a draw: you decide who goes through.",)),
        ("0", "3", ("The same player goes through.",)),
    ):
        olga.open(address)
        page = olga.press(PREVIEW, **{f"{ours}__objectives": vp, f"{theirs}__objectives": other_vp})
        assert all(said in page.part("#look") for said in words)
    assert olga.press(STORE, reason="Misread").path == f"{DESK}/rounds/1"
    stage.do(event, rounds_actions.publish_round, 2)
    decide_all(stage, event, last)
    for game, title in zip(last, ("final", "game for third place"), strict=True):
        olga.open(f"{DESK}/games/{game.id}")
        loser, (a, b) = (game.b_id, "05") if game.a_id < (game.b_id or 0) else (game.a_id, "50")
        page = olga.press(PREVIEW, a__objectives=a, b__objectives=b)
        assert f"{stage.name(loser)} wins the {title}." in page.part("#look")


def test_knockout_player_without_a_game_sees_why(enter: Enter, stage: Stage) -> None:
    event = knockout_of(stage, 0)
    people = dict(zip(NAMES, enter(event, *NAMES[:5]), strict=False))
    games = stage.publish(event, 1)
    idle = next(stage.name(g.a_id) for g in games if g.b_id is None)
    assert "You go through without a game: bye, quarter-final" in people[idle].open("/e/iron-open/me").text
    decide_all(stage, event, games)
    stage.enter(event, "Late")
    games = stage.publish(event, 2)
    out = next(name for name in people if name not in {n for pair in stage.pairs(event, 2) for n in pair})
    page = people[out].open("/e/iron-open/me")
    assert page.part("h1") == "You have no game in round 2"
    assert "It is the knockout: semi-finals." in page.text
    decide_all(stage, event, games)
    assert {row.byes for row in stage.standings(event)} == {0}, "a bye of the bracket is none of the standings"
    standing = people[out].open("/e/iron-open/standings")
    assert "W-D-L" not in standing.text, "a knockout from the start has places alone"
    rows = standing.rows("table.standings")
    assert (len(rows), rows[-1][1].split()[0]) == (6, "Late"), "who came after the draw is last"


def test_round_robin_has_a_cross_table(stage: Stage, visitor: Person) -> None:
    event = league(stage, 4)
    assert visitor.open("/e/iron-open/crosstable").status == 404
    assert "when round 1 is drawn" in visitor.open("/e/iron-open").part(".day")
    stage.play(event, 1)
    stage.play(event, 2)
    decide_all(stage, event, stage.publish(event, 3)[:1])
    page = visitor.open("/e/iron-open/crosstable")
    rows = page.rows("table.crosstable")
    cells = [cell for row in rows for cell in row[2:]]
    assert (len(rows), sum(cell.startswith("W") for cell in cells), cells.count("L 1:3")) == (4, 5, 5)
    assert "Results appear as they are confirmed" in page.text
    assert rows[0][-1] == str(stage.standings(event)[0].points)


def test_organiser_seeds_a_knockout(olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 5)
    ids = {player.name: f"seed-{player.id}" for player in stage.all(Player)}
    assert "Seeds" in olga.open(f"{DESK}/rounds/1").text
    page = olga.press("Save", at=f"{DESK}/seeding", **{ids["Ed"]: "1", ids["Bo"]: "1"})
    assert page.status == 422
    assert "Bo has seed 1 already" in page.text or "Ed has seed 1 already" in page.text
    page = olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "9"})
    assert (page.status, "5" in page.errors) == (422, True)
    assert olga.press("Save", **{ids["Ed"]: "1", ids["Bo"]: "2"}).flashes == "Saved."
    assert stage.journal(event, "seed") == ["Seeded the knockout: Ed, Bo"]
    assert [row[1].split()[0] for row in olga.open(f"{DESK}/seeding").rows("table")][:2] == ["Ed", "Bo"]
    games = stage.draw(event, 1)
    assert {stage.name(g.a_id) for g in games if g.b_id is None} >= {"Ed", "Bo"}, "the best seeds have the byes"
    olga.press("Save", at=f"{DESK}/seeding", **{ids["Ed"]: "", ids["Ada"]: "1"})
    assert "changed after this draw" in olga.open(f"{DESK}/rounds/1").text
    stage.publish(event, 1)
    assert "Round 1 is published: the seeds stay as they are." in olga.open(f"{DESK}/seeding").text
    with stage.unchanged():
        assert olga.post(f"{DESK}/seeding").status_code == 422


def test_saving_settings_keeps_the_rounds_planned_by_a_format(olga: Person, stage: Stage) -> None:
    event = cut_event(stage, 4, entered=6)
    cut(stage, event)
    assert olga.press("Save", at=f"{DESK}/settings/rounds", round_minutes="75").flashes == "Saved."
    assert [r.kind for r in stage.all(Round, event_id=event.id)] == ["swiss", "knockout", "knockout"]
    page = olga.press("Save", at=f"{DESK}/settings/rounds", rounds="2")
    assert page.error_at("rounds") == "The knockout is drawn: the number of rounds can no longer change."

    circle = stage.event("Rust Cup", rounds=2, scenario_pool=("raiders", "scrapyard"))
    formed(stage, *NAMES[:4], of=circle, format=EventFormat.ROUND_ROBIN)
    stage.play(circle, 1)
    assert len(stage.all(Round, event_id=circle.id)) == 3, "more than there are scenarios in the pool"
    assert olga.press("Save", at="/e/rust-cup/desk/settings/rounds", round_minutes="75").flashes == "Saved."
    olga.open("/e/rust-cup/desk/settings/rounds")
    assert "The format sets the number of rounds" in olga.press("Save", rounds="5").error_at("rounds")
    stage.publish(circle, 2)
    stage.publish(circle, 3)
    uses = [r.scenario for r in stage.all(Round, event_id=circle.id)]
    assert max(map(uses.count, uses)) == 2, "the rarest come again"


def test_game_without_players_is_no_draw(olga: Person, stage: Stage) -> None:
    event = knockout_of(stage, 4)
    one, two = stage.publish(event, 1)
    stage.decide(event, two, 4, 1)
    stage.no_show(event, one, Absent.BOTH)
    olga.press(f"{stage.name(one.a_id)} goes through", at=f"{DESK}/rounds/1")
    assert stage.journal(event, "send-through")[-1].endswith(f"not played, {stage.name(one.a_id)} goes through")
    assert ",draw," not in olga.http.get("/e/iron-open/rounds/1/round.csv").text
    assert "did not come: nobody wins" in olga.open(f"{DESK}/games/{one.id}").text
    stage.draw(event, 2)
    draft = olga.open(f"{DESK}/rounds/2").text
    assert "not played, went through" in draft and "wins-draws-losses" not in draft


def test_cut_of_two_has_no_game_for_third_place(stage: Stage, visitor: Person) -> None:
    cut_event(stage, 2, third_place=True)
    assert "third place" not in visitor.open("/e/iron-open").text
