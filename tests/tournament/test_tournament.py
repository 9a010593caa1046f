"""An event as it stands, made by hand: no database, no pages."""

from dataclasses import replace
from typing import Literal

from events.tournament.boards import Board, PlayRules, TournamentRound, stage_of
from events.tournament.endings import Ending
from events.tournament.figures import Scheme
from events.tournament.pairing.request import Format, Request, to_document
from events.tournament.pairing.seats import Seat
from events.tournament.scores import Ended
from events.tournament.season import Season
from events.tournament.standings import Standings
from events.tournament.tournament import Adjustment, Side, Tournament
from validators import SYSTEMS
from validators.report_detail import detailed

SYSTEM = SYSTEMS["battle_mode"]
SCENARIO = detailed(SYSTEM, SYSTEM.scenarios[0], "totals")
RULES = PlayRules(SYSTEM, Scheme(), Scheme())
State = Literal["planned", "drawn", "published"]


def board(id_: int, number: int, a: str, b: str | None, vp: tuple[int, int] | None = None, **more: object) -> Board:
    answers = {"a.total": vp[0], "b.total": vp[1]} if vp else None
    plain = Board(id_, number, a, b, RULES, id_, SCENARIO, confirmed=bool(vp) or b is None, reported=bool(vp))
    return replace(plain, answers=answers, **more)  # type: ignore[arg-type]


def event(
    *rounds: TournamentRound, rules: PlayRules = RULES, ruled: tuple[Adjustment, ...] = (), **sides: Side
) -> Tournament:
    players = {id_: Side(id_, f"P{id_}", on_ladder=True) for id_ in ("1", "2", "3", "4")}
    return Tournament(rules, players | {side.id: side for side in sides.values()}, {}, rounds, ruled)


def swiss(number: int, *boards: Board, state: State = "published", season: Season | None = None) -> TournamentRound:
    return TournamentRound(number, stage_of("swiss", season, teams=False), state, boards)


def knockout(number: int, *boards: Board, state: State = "published") -> TournamentRound:
    inputs = Request(1, tuple(Seat(id_) for id_ in "1234"), 1, format=Format("knockout", tuple("1234")))
    return TournamentRound(
        number,
        stage_of("knockout", None, teams=False),
        state,
        boards,
        inputs=to_document(inputs) if number == 1 else None,
    )


def ranks(t: Tournament, after: int | None = None) -> list[str]:
    return [row.id for row in Standings(t, {}).after(after)]


def test_every_seed_of_a_bracket_keeps_a_row_and_a_place() -> None:
    gone = Side("4", "P4", dropped_after=1, here=False, on_ladder=False)
    first = knockout(1, board(1, 1, "1", "4", (5, 3)), board(2, 1, "2", "3", (5, 3)))
    t = event(first, knockout(2, board(3, 2, "1", "2", (1, 2))), gone=gone)
    assert set(t.field(1)) == {"1", "2", "3", "4"}
    assert ranks(t) == ["2", "1", "3", "4"]
    assert t.played_out and t.final and t.results(2) == []


def test_a_preview_is_the_same_event_with_another_result() -> None:
    t = event(swiss(1, board(1, 1, "1", "2", (5, 3)), board(2, 1, "3", "4", (4, 1))))
    after = t.reported(1, {"a.total": 1, "b.total": 9})
    assert (t.boards[1].winner, after.boards[1].winner) == ("a", "b")
    assert (ranks(t)[0], ranks(after)[0]) == ("1", "2")
    assert after.reported(1, {}, Ended(Ending.NOT_PLAYED)).boards[1].result is not None


def test_only_rounds_that_count_are_ranked_and_a_season_counts_at_once() -> None:
    games = board(1, 1, "1", "2", (3, 5)), board(2, 1, "3", "4")
    day, season = event(swiss(1, *games)), Season()
    assert (day.counted, day.open_games, day.final) == (0, 1, False)
    league = event(swiss(1, *games, season=season), rules=replace(RULES, season=season))
    assert (league.counted, league.complete, league.has_open_games(1)) == (1, 0, True)
    assert ranks(league)[0] == "2"
    assert league.open_pairs() == {("3", "4"): 1, ("4", "3"): 1}


def test_a_draft_does_not_count_and_a_cut_to_come_is_not_the_end() -> None:
    first = swiss(1, board(1, 1, "1", "2", (5, 3)))
    assert event(first).final
    assert not event(first, rules=replace(RULES, cut=True)).final
    t = event(first, swiss(2, board(2, 2, "1", "3"), state="drawn"))
    assert (t.counted, t.games, t.final) == (1, 1, False)


def test_rulings_count_from_their_round_and_move_points() -> None:
    fine = Adjustment("1", counts_from=2, points=-4)
    rounds = swiss(1, board(1, 1, "1", "2", (5, 3))), swiss(2, board(2, 2, "1", "2", (5, 3)))
    t = event(*rounds, ruled=(fine,))
    assert (ranks(t, 1)[0], ranks(t, 2)[0]) == ("1", "1")
    assert {row.id: row.points for row in Standings(t, {}).after(2)}["1"] == 2
    assert t.ruled(1) == {} and t.ruled(2)["1"].moves == ((2, -4),)


def test_a_knockout_waits_only_for_its_own_players() -> None:
    late = Side("5", "P5", entered_round=2, here=False)
    first = knockout(1, board(1, 1, "1", "4", (5, 3)), board(2, 1, "2", "3", (5, 3)))
    assert event(first, knockout(2, state="planned"), late=late).is_out("5")
    assert not event(replace(first, state="drawn"), knockout(2, state="planned"), late=late).is_out("5")
    assert not event(first, knockout(2, state="planned"), late=late).is_out("1")


def test_nobody_waits_for_players_after_the_last_draw() -> None:
    late = Side("5", "P5", entered_round=2, here=False)
    first = swiss(1, board(1, 1, "1", "2", (5, 3)))
    assert event(first, late=late).is_out("5") and not event(first, late=late).is_out("1")
    assert not event(first, swiss(2, state="planned"), late=late).is_out("5")
    assert not event(first, late=replace(late, entered_round=1), rules=replace(RULES, cut=True)).is_out("5")


def test_a_winner_who_left_has_lost_the_next_round() -> None:
    gone = Side("1", "P1", dropped_after=1, here=False)
    first = knockout(1, board(1, 1, "1", "4", (5, 3)), board(2, 1, "2", "3", (5, 3)))
    rows = {
        row.id: (row.rank, str(row.how["place"]))
        for row in Standings(event(first, knockout(2, state="planned"), gone=gone), {}).after()
    }
    assert rows["2"] == (1, "still in") and rows["1"] == (2, "lost the final")
    later = replace(gone, dropped_after=2)
    rows = {
        row.id: (row.rank, str(row.how["place"]))
        for row in Standings(event(first, knockout(2, board(3, 2, "1", "2")), gone=later), {}).after()
    }
    assert rows["1"] == (1, "still in"), "the final is still played"
