"""Points tables: refused tables, properties of all tables, and events played with one."""

from collections import Counter
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.journal.replay import replay
from events.results import no_shows
from events.standings.queries import standings_of
from events.store.rounds import round_views
from events.store.team_queries import seat_id
from events.store.tournaments import load
from events.tournament import points_table
from events.tournament.endings import ConcededVp, Ending
from events.tournament.figures import Result, Scheme
from events.tournament.points_table import PointsTable, Step
from events.tournament.scores import Ended
from models.event import Event, Round
from models.play import Absent, Game, ReportSide
from models.settings import ReportDetail
from tests.kit.archives import archived, taken_in
from tests.kit.formats import knockout_of
from tests.kit.person import PREVIEW, Person
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, matches_in, team_event

HOME = "/e/iron-open"
SETTINGS = f"{HOME}/desk/settings"
LINES = "2: 11 9\n5: 13 7\n9: 16 4\nmore: 20 0"
TABLE = points_table.typed_table(LINES, 10, 14)


def tabled(stage: Stage, **changed: Any) -> Event:
    """An event with the table; a bye is 7 VP, and a concession keeps the VP as scored."""
    event = stage.event(report_detail=ReportDetail.TOTALS, points_table=TABLE, **changed)
    stage.set(event, bye_vp=7, conceded_vp=ConcededVp.SCORED)
    return event


def totals(stage: Stage, event: Event, game: Game, a: int, b: int, how: Ending | None = None) -> None:
    answers = {"a.total": a, "b.total": b}
    stage.report(event, game, ReportSide.ORGANISER, answers, how=Ended(how))


PLAYED = {
    (1, 1): (12, 4, 16, 4),
    (1, 2): (6, 6, 10, 10),
    (2, 1): (9, 1, 0, 20),  # player A concedes
    (2, 2): (7, 0, 14, 0),  # player B does not come: a bye's points and VP
}
"""By round and table: both players' VP and points, worked out by hand."""


def test_two_rounds_give_the_points_worked_out_by_hand(stage: Stage, other: Stage) -> None:
    event = tabled(stage)
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    vp, points = Counter[int](), Counter[int]()
    for number in (1, 2):
        for game in stage.publish(event, number):
            if game.b_id is None:
                vp[game.a_id] += 7
                points[game.a_id] += 14
                continue
            of_a, of_b, *worth = PLAYED[number, game.table_number or 0]
            if (number, game.table_number) == (2, 2):
                with stage.changing(event) as s:
                    no_shows.mark_absent(s, event, s.get_one(Game, game.id), Absent.B)
            else:
                totals(stage, event, game, of_a, of_b, Ending.CONCEDED_A if number == 2 else None)
            vp.update({game.a_id: of_a, game.b_id: of_b})
            points.update({game.a_id: worth[0], game.b_id: worth[1]})
    rows = stage.standings(event)
    assert {int(row.id): (row.points, row.vp) for row in rows} == {id_: (points[id_], vp[id_]) for id_ in points}
    assert [row.points for row in rows] == sorted(points.values(), reverse=True)
    stage.draw(event, 3)
    drawn = stage.one(Round, event_id=event.id, number=3).inputs or {}
    assert {int(seat["id"]): seat["points"] for seat in drawn["seats"]} == points
    here = taken_in(other.s, archived(stage.engine, event, stage.clock()), stage.clock())
    assert here.points_table == TABLE and other.standings(here) == stage.standings(event)
    assert replay(stage.s, event).difference is None


def test_standings_and_previews_show_how_each_game_counts(stage: Stage, visitor: Person, olga: Person) -> None:
    event = tabled(stage)
    stage.enter(event, "Ada", "Bo", "Cy")
    game, bye = sorted(stage.publish(event, 1), key=lambda a_game: a_game.b_id is None)
    totals(stage, event, game, 3, 7)
    rows = {int(row.id): row for row in stage.standings(event)}
    assert str(rows[game.a_id].how["points"]) == "7 (loss) = 7"
    assert str(rows[game.b_id or 0].how["points"]) == "13 (win) = 13"
    assert str(rows[bye.a_id].how["points"]) == "1 bye × 14 = 14"
    page = visitor.open(f"{HOME}/standings")
    assert "Ranked by tournament points (by VP difference, 0 to 20 a game), then" in page.text
    assert "A win by 0 to 2 VP 11 : 9, 3 to 5 VP 13 : 7" in visitor.open(HOME).text
    assert visitor.open(f"{HOME}/standings.trf").status == 200
    before = stage.digest()
    page = olga.press("Save", at=f"{SETTINGS}/reports", inside="#reports", points_table="")
    assert page.status == 422 and "this can no longer change." in page.error_at("points_table")
    assert stage.digest() == before
    olga.press(PREVIEW, at=f"{HOME}/desk/games/{game.id}", a__total="17")
    moved = {row[0]: row[2] for row in olga.page.rows("#look table")}
    assert moved[stage.name(game.a_id)].endswith("20") and moved[stage.name(game.b_id)].endswith("0")


def test_boards_score_by_the_table_and_matches_by_win_draw_and_loss(stage: Stage) -> None:
    event = team_event(stage, 2)
    stage.set(event, points_table=TABLE, report_detail=ReportDetail.TOTALS)
    enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    a_game, two = (game for game in stage.games(event, 1) if game.b_id is not None)
    totals(stage, event, a_game, 12, 0)
    totals(stage, event, two, 0, 4)
    rows = standings_of(event).of_teams()
    assert [(row.points, str(row.figures[0].shown)) for row in rows] == [(3, "27"), (0, "13")]
    assert rows[0].id == seat_id(match.a_id)


def test_knockout_has_a_winner_despite_equal_points(stage: Stage) -> None:
    event = knockout_of(stage, 4)
    stage.set(event, points_table=TABLE, report_detail=ReportDetail.TOTALS)
    games = stage.publish(event, 1)
    for game in games:
        totals(stage, event, game, 3, 4)
    stage.s.rollback()
    (view, *_) = round_views(event)
    boards = load(event).t.boards
    assert [boards[game.id].advances for game in view.games] == [str(game.b_id) for game in view.games]


def test_table_is_previewed_checked_and_saved(olga: Person, stage: Stage, event: Event) -> None:
    before = stage.digest()
    labels = [tag.get_text(" ", strip=True) for tag in olga.open(f"{SETTINGS}/reports").soup.select("#reports label")]
    assert "Draw, each player, with a table" in labels and "Bye, or win by no-show, with a table" in labels
    page = olga.press(
        "Preview the table", at=f"{SETTINGS}/reports", points_table=LINES, table_draw="10", table_bye="14"
    )
    assert ["3 to 5", "13", "7"] in page.rows("#points-preview table")
    assert stage.digest() == before, "a preview saves nothing"
    page = olga.press("Preview the table", at=f"{SETTINGS}/reports", table_bye="14")
    assert page.part("#reports .notice") == "No table: a table needs lines."
    for button, lines, draw, bye, field, said in (
        ("Preview the table", "5: 12 8", "10", "14", "points_table", "End with a line for all higher differences"),
        ("Save", LINES, "", "14", "table_draw", "Enter the points of the table."),
        ("Save", LINES, "10", "21", "table_bye", "for a bye: between"),
    ):
        page = olga.press(button, inside="#reports", points_table=lines, table_draw=draw, table_bye=bye)
        assert page.status == 422 and said in page.error_at(field), (lines, button)
        assert said in page.errors and stage.digest() == before
    page = olga.press(
        "Save", at=f"{SETTINGS}/reports", inside="#reports", points_table=LINES, table_draw="10", table_bye="14"
    )
    assert "Saved." in page.flashes and stage.now(event).points_table == TABLE
    assert str(page.value("points_table")).splitlines() == LINES.splitlines()
    page = olga.press("Save", inside="#reports", report_detail="Win, draw or loss")
    assert page.status == 422 and "has no VP difference" in page.error_at("points_table")


CLUB = points_table.typed_table("4: 11 9\n9: 13 7\n14: 16 4\nmore: 20 0", 10, 14)


@st.composite
def tables(draw: st.DrawFn) -> PointsTable:
    ends = draw(st.lists(st.integers(0, 60), unique=True, max_size=6).map(sorted))
    count = len(ends) + 1
    pool = sorted(draw(st.lists(st.integers(0, 100), min_size=2 * count + 2, max_size=2 * count + 2)))
    losers, middle, winners = pool[:count][::-1], pool[count : count + 2], pool[count + 2 :]
    steps = tuple(Step(*row) for row in zip([*ends, None], winners, losers, strict=True))
    bye = max(1, draw(st.integers(middle[0], winners[-1])))
    return PointsTable(steps, middle[0], min(bye, 100)) if winners[-1] else PointsTable((Step(None, 1, 0),), 0, 1)


VP = st.integers(-20, 120)


@given(tables(), VP, VP, st.sampled_from(("a", "b", "draw")), st.booleans())
def test_points_are_total_and_symmetric_and_grow_with_vp(
    table: PointsTable, a: int, b: int, won: Literal["a", "b", "draw"], conceded: bool
) -> None:
    assert points_table.checked(table) == table
    first, second = table.points(won, a, b, conceded=conceded)
    other: dict[str, Literal["a", "b", "draw"]] = {"a": "b", "b": "a", "draw": "draw"}
    assert table.points(other[won], b, a, conceded=conceded) == (second, first)
    assert min(first, second) >= 0 and max(first, second) <= 100
    assert first >= second if won == "a" else second >= first if won == "b" else first == second == table.draw

    (before, against), (after, against_then) = (
        table.points("a" if number > b else "b" if b > number else "draw", number, b) for number in (a, a + 1)
    )
    assert after >= before and against_then <= against
    assert table.least <= before <= table.most


@given(tables())
def test_typed_table_is_read_back_unchanged(table: PointsTable) -> None:
    assert points_table.typed_table(points_table.as_lines(table), table.draw, table.bye) == table
    assert len(points_table.ranges(table)) == len(table.steps) and str(points_table.table_in_words(table)).startswith(
        "A win by "
    )
    for difference, winner, loser in points_table.preview(table):
        assert table.points("b", 0, difference) == (loser, winner)


def test_impossible_tables_are_refused() -> None:
    for lines, draw, bye, field, said in (
        ("", 10, 14, "steps", "Enter at least one line"),
        ("five points", 10, 14, "steps", "Line 1: write the difference"),
        ("5: 12 8\n5: 14 6\nmore: 20 0", 10, 14, "steps", "Line 2: the difference must be more than 5"),
        ("5: 8 12\nmore: 20 0", 10, 14, "steps", "Line 1: the winner has fewer points"),
        ("5: 12 8", 10, 12, "steps", "End with a line for all higher differences"),
        ("more: 12 8\n9: 20 0", 10, 12, "steps", "Line 1: write “more” only in the last line"),
        ("5: 12 8\nmore: 101 0", 10, 12, "steps", "Line 2: enter at most 100 points"),
        ("5: 14 6\n9: 12 4\nmore: 20 0", 10, 12, "steps", "Line 2: a wider win must not be worth less"),
        ("5: 14 6\nmore: 20 7", 10, 12, "steps", "Line 2: a wider win must not be worth less to the winner, nor more"),
        ("10000: 14 6\nmore: 20 0", 10, 12, "steps", "Line 1: enter a difference of at most 9999"),
        ("more: 20 0\n" * 41, 10, 12, "steps", "At most 40 lines"),
        ("5: 12 8\nmore: 20 0", 7, 14, "draw", "Enter 8 to 12 for a draw: between the closest loss and win."),
        ("5: 12 8\nmore: 20 0", 13, 14, "draw", "Enter 8 to 12 for a draw: between the closest loss and win."),
        ("5: 12 8\nmore: 20 0", 10, 9, "bye", "Enter 10 to 20 for a bye: between a draw and the widest win."),
        ("5: 12 8\nmore: 20 0", 10, 21, "bye", "Enter 10 to 20 for a bye: between a draw and the widest win."),
    ):
        with pytest.raises(points_table.BadTable) as bad:
            points_table.typed_table(lines, draw, bye)
        assert bad.value.faults[0][0] == field and said in str(bad.value.faults[0][1]), lines


def test_lines_of_a_table_are_read_in_every_usual_notation() -> None:
    for lines in (
        "5: 12 8\nmore: 20 0",
        "up to 5: 12:8\n\nMore 20-0",
        " 5 12 8 \r\nmore = 20, 0",
        "5: 12 – 8\nmore: 20 : 0",
    ):
        assert points_table.typed_table(lines, 10, 14).steps == (Step(5, 12, 8), Step(None, 20, 0)), lines


def test_special_results_score_by_the_table() -> None:
    assert CLUB.points("a", 12, 7) == (13, 7)
    assert CLUB.points("b", 12, 7) == (9, 11), "who wins from behind wins by the closest step"
    assert CLUB.points("draw", 12, 7) == (10, 10), "a draw is a draw, whatever the VP"
    assert CLUB.points("a", 0, 0, conceded=True) == (20, 0)
    assert [(str(words), *points) for words, *points in points_table.ranges(CLUB)] == [
        ("0 to 4", 11, 9),
        ("5 to 9", 13, 7),
        ("10 to 14", 16, 4),
        ("15 or more", 20, 0),
    ]
    scheme = Scheme(win=CLUB.bye, draw=CLUB.draw, loss=CLUB.least, table=CLUB)
    assert scheme.most == 20
    assert scheme.points(Result(1, "a", "b", 3, 12)) == (7, 13)
    assert scheme.points(Result(1, "a", "b", 3, 12, won="a", ending="conceded_b")) == (20, 0)
    assert Scheme().points(Result(1, "a", "b", 3, 12)) == (0, 3)
    assert Scheme().most == 3
