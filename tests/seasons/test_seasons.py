"""A season: rounds with windows, agreed days, forfeits, late results, standings after each game."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import pytest
from flask import Flask

from events.journal.replay import replay
from events.seasons import league_actions as leagues
from events.seasons.league_queries import fixtures, overdue
from events.setup import actions as setup_actions
from events.setup.pairing_forms import set_season
from events.setup.restrictions import set_restrictions
from events.store.errors import Stale
from events.store.rounds import round_views
from events.store.tournaments import tournament_of
from events.tournament.season import Season, arranged_in, window_of
from models.event import Event
from models.play import Absent, GameState, Player, PlayerState, ReportSide
from models.settings import EventFormat
from tests.conftest import Clock
from tests.kit.formats import NAMES, cut, decide_all, drop, formed, publish
from tests.kit.person import DRAW, Enter, Person
from tests.kit.stage import Stage
from tests.kit.statements import rendered, sent
from tests.seasons.season import all_games, names_of, season_of
from validators.restrictions import Restrictions

Begin = Callable[..., tuple[Event, dict[str, Person]]]


@pytest.fixture
def begin(stage: Stage, enter: Enter) -> Begin:
    """Draw a round robin season of rounds of 7 days; gives the event and each player's browser by name."""

    def make(names: Sequence[str], **wanted: Any) -> tuple[Event, dict[str, Person]]:
        event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN, **wanted)
        people = dict(zip(names, enter(event, *names), strict=True))
        stage.do(event, set_season, Season(days=7))
        stage.do(event, leagues.draw_season, 7)
        return event, people

    return make


Played = tuple[str, str, int, int, str]
"""A decided game: the names and VP of both players, and the absent side ("a", "b", "both" or "")."""


def table_of(names: Iterable[str], games: Iterable[Played], best: int | None) -> list[tuple[str, int, int]]:
    """Name, tournament points and VP of each player by a second calculation: only the ``best`` results count.

    A win is 3, a draw 1. A forfeit gives the opponent a win with the mean VP of the winners at the table.
    """
    won = [max(vp_a, vp_b) for _, _, vp_a, vp_b, absent in games if not absent and vp_a != vp_b]
    mean = int(Fraction(sum(won), len(won)) + Fraction(1, 2)) if won else 0
    made: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for a, b, vp_a, vp_b, absent in games:
        for name, own, other, side in ((a, vp_a, vp_b, "a"), (b, vp_b, vp_a, "b")):
            if absent:
                made[name].append((0, 0) if absent in (side, "both") else (3, mean))
            else:
                made[name].append((3 if own > other else 1 if own == other else 0, own))
    rows = []
    for name, results in made.items():
        counting = sorted(results, reverse=True)[:best]
        rows.append((name, sum(points for points, _ in counting), sum(vp for _, vp in counting)))
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))


def test_windows_of_rounds_follow_each_other_without_a_gap() -> None:
    first, second = (window_of(Season(days=14), date(2027, 3, 1), number) for number in (1, 2))
    assert first == (date(2027, 3, 1), date(2027, 3, 14))
    assert second == (date(2027, 3, 15), date(2027, 3, 28))
    with pytest.raises(ValueError, match="1 to 90 days"):
        Season(days=0)


@pytest.mark.both_at_length
@pytest.mark.parametrize(("seed", "best"), [(1, None), (3, 2)])
def test_standings_after_each_result_equal_a_second_calculation(stage: Stage, seed: int, best: int | None) -> None:
    chance = random.Random(seed)
    names = NAMES[: chance.choice((4, 5, 6))]
    event = season_of(stage, *names, best=best)
    games = all_games(stage, event)
    chance.shuffle(games)  # late results: in any order of rounds
    known: list[Played] = []
    for _, game in games:
        a, b = stage.name(game.a_id), stage.name(game.b_id)
        if chance.random() < 0.25:
            absent = chance.choice(list(Absent))
            stage.no_show(event, game, absent)
            known.append((a, b, 0, 0, absent.value))
        else:
            own, other = chance.randint(0, 4), chance.randint(0, 4)
            stage.decide(event, game, own, other)
            known.append((a, b, own, other, ""))
        rows = [(row.name, row.points, row.vp) for row in stage.standings(event)]
        assert rows == table_of(names, known, best)
    assert replay(stage.s, stage.now(event)).difference is None, "the journal rebuilds the same season"
    assert not tournament_of(event).final, "a season goes on until it is closed"
    stage.do(event, setup_actions.finish)
    assert tournament_of(event).final


@pytest.mark.parametrize("view", ["names", "pairings", "clock"])
def test_projector_has_no_tables_and_no_clock_in_a_season(stage: Stage, visitor: Person, view: str) -> None:
    season_of(stage, *NAMES[:4])
    shown = visitor.open(f"/e/iron-open/hall/{view}").part("main")
    assert "A season has no clock and no tables" in shown and "Round " not in shown


def test_open_games_of_a_season_lead_to_the_entry_from_paper(stage: Stage, olga: Person) -> None:
    season_of(stage, *NAMES[:4])
    page = olga.open("/e/iron-open/desk/season")
    (link,) = [str(a["href"]) for a in page.soup.select("a") if a.get_text(strip=True) == "Enter from paper"]
    assert olga.open(link).part("h1") == "Round 1"
    assert "0 of 2 games decided" in olga.page.text and "table" not in olga.page.part("main header").lower()


def test_season_names_no_first_three_before_its_first_result(stage: Stage, visitor: Person) -> None:
    event = season_of(stage, *NAMES[:6])
    assert visitor.open("/e/iron-open").soup.select("ol.band li") == []
    stage.decide(event, stage.games(event, 1)[0], 3, 1)
    assert len(visitor.open("/e/iron-open").soup.select("ol.band li")) == 3


def test_all_rounds_of_a_season_are_drawn_at_once_with_their_last_days(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4], days=7)
    assert len(all_games(stage, event)) == 6
    found = fixtures(stage.now(event), round_views(event), date(2026, 12, 13))
    due = {(fixture.number, fixture.due.day, fixture.overdue) for fixture in found}
    assert due == {(1, 11, True), (2, 18, False), (3, 25, False)}, "the days of December"
    stage.refuse("Enter at least one day for each round", event, set_season, None)
    stage.do(event, set_season, Season(days=9))
    stage.refuse("This event has 3 rounds", event, leagues.draw_season, 8)
    swiss = formed(stage, *NAMES[:4], of=stage.event("Rust Cup"))
    stage.do(swiss, set_season, Season())
    stage.refuse("choose a season, and round robin", swiss, leagues.draw_season, 8)


def test_player_who_drops_forfeits_every_open_game(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4])
    (lost,) = (game for _, game in all_games(stage, event) if set(names_of(stage, game)) == {"Ada", "Di"})
    stage.decide(event, lost, 1, 3)
    drop(stage, event, "Di")
    open_games = [game for _, game in all_games(stage, event) if game.state != GameState.CONFIRMED]
    assert "Di" not in {stage.name(id_) for game in open_games for id_ in (game.a_id, game.b_id)}
    assert len(open_games) == 3
    assert re.search(r"lost: rounds \d, \d$", stage.journal(event, "drop")[0])


def test_agreed_day_holds_until_both_agree_to_another(stage: Stage, clock: Clock) -> None:
    event = season_of(stage, "Ada", "Bo", days=7)
    (game,) = stage.games(event, 1)
    today = clock().date()
    later = date(2026, 12, 9)
    stage.do(event, leagues.propose, game, "a", later, today)
    assert arranged_in(stage.now(game).arranged).by == "a"
    with pytest.raises(Stale, match="changed meanwhile"):
        stage.do(event, leagues.agree_to_day, game, "b", date(2026, 12, 8), today)
    stage.do(event, leagues.agree_to_day, game, "b", later, today)
    assert arranged_in(stage.now(game).arranged).agreed
    another = date(2026, 12, 10)
    for side, day, agreed in (
        ("a", another, later),
        ("b", later, later),
        ("a", another, later),
        ("b", another, another),
    ):
        stage.do(event, leagues.propose, game, side, day, today)
        (fixture,) = fixtures(stage.now(event), round_views(event), today)
        assert fixture.arranged.standing == agreed, "an agreed day holds until the other side agrees to another"
        assert fixture.arranged.agreed == (fixture.arranged.day == agreed)
    too_late = date(2026, 12, 12)
    stage.refuse("The season ends on 11 December 2026", event, leagues.propose, game, "a", too_late, today)
    stage.refuse("Choose a day from", event, leagues.propose, game, "a", date(2026, 11, 1), today)
    too_early = date(2026, 12, 4)
    stage.refuse("Choose a day from 5 December 2026 on", event, leagues.set_dates, game, too_early, None, "")
    stage.refuse("Give the reason", event, leagues.set_dates, game, None, date(2026, 12, 10), "")
    stage.decide(event, game, 1, 0)
    stage.refuse("This game is decided", event, leagues.propose, game, "a", later, today)


def test_season_is_set_up_drawn_and_played_by_its_pages(
    stage: Stage, enter: Enter, olga: Person, visitor: Person, clock: Clock
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    ada = enter(event, *NAMES[:4])[0]
    assert olga.open("/e/iron-open/desk/settings/season").value("season-days") == "", "this event is no season yet"
    assert olga.press("Save", inside="#season", **{"season-days": "7"}).value("season-days") == "7"
    (draw,) = [b for b in olga.open("/e/iron-open/desk").soup.select(".next button") if "Draw all rounds" in b.text]
    assert "Every player sees the games of all rounds at once. All lists lock." in str(draw.get("data-confirm"))
    olga.press("Draw all rounds", inside=".next")
    assert olga.page.path == "/e/iron-open/desk/season"
    assert len(olga.page.soup.select(".desk-rows > li")) == 6
    page = olga.open("/e/iron-open/desk")
    assert "0 of 6 games decided" in page.part(".next-text")
    assert not page.soup.select("#group-playing"), "games that can be played for weeks need no attention"
    page = ada.open("/e/iron-open/me")
    assert page.part("h1") == "Your next game: by 11 December"
    assert page.part("[data-poll-part=record]") == "", "nothing is reported yet"
    assert "Round 2, by 18 December" in page.part("[data-poll-part=open-games]")
    first, *others = ada.open("/e/iron-open/season").soup.select("[data-poll-part=next-games] li")
    assert first.get_text(" ", strip=True).startswith("Your next game: by 11 December, against")
    assert "Your game" in others[0].get_text()
    ada.open("/e/iron-open/me")
    game = next(g for g in stage.games(event, 1) if "Ada" in names_of(stage, g))
    (report,) = [a for a in ada.page.soup.select("[data-poll-part=act] a") if a.text.strip() == "Report round 1"]
    assert report["href"] == f"/e/iron-open/me/game?game={game.id}", "the game shown, even if the page is old"
    ada.press("Propose this day", day="2026-12-08")
    assert "You proposed Tuesday 8 December" in ada.page.text
    stage.do(event, leagues.set_dates, game, date(2026, 12, 8), date(2026, 12, 20), "Ada is ill")
    page = ada.open("/e/iron-open/me")
    assert page.part("h1") == "Your next game: on 8 December"
    assert "Ada is ill" in page.part("#day")
    second = next(g for g in stage.games(event, 2) if "Ada" in names_of(stage, g))
    stage.decide(event, game, 3, 1)
    line = ada.open("/e/iron-open/me").part("#line-1")
    assert line and "table" not in line, "a season has no tables"
    olga.open(f"/e/iron-open/desk/season/games/{second.id}")
    olga.press("Save", due="2026-12-24")
    assert "Give the reason" in olga.page.text
    olga.press("Save", due="2026-12-24", reason="The hall is closed")
    assert olga.page.path == "/e/iron-open/desk/season"
    links = [str(tag["href"]) for tag in olga.page.soup.select(".row-do a") if tag.get_text().startswith("Result")]
    assert olga.open(links[-1]).soup.select("main .bar a[href='/e/iron-open/desk/season']"), "back to the open games"
    clock.advance(days=29)
    page = olga.open("/e/iron-open/desk/season")
    groups = {
        tag.h2.get_text(" ", strip=True): len(tag.select("li"))
        for tag in page.soup.select(".desk-groups > details")
        if tag.h2
    }
    assert groups == {"Overdue 2": 2, "To play now 3": 3}
    assert page.part(".row-state") == "9 days", "for how long, not the group's name again"
    assert len(page.soup.select(".stages [aria-current]")) == 1, "several rounds are in play, one is current"
    assert "2 games are overdue." in olga.open("/e/iron-open/desk").part(".next-blockers")
    page = visitor.open(f"/e/iron-open/season?player={stage.one(Player, name='Ada').id}")
    assert page.part("#fixtures h2") == "Fixtures of Ada"
    assert "1 of 6 games decided" in visitor.open("/e/iron-open/season").part(".lede")
    assert len(visitor.page.soup.select("[data-poll-part=next-games] .versus .av")) == 10, "five games"
    assert "by 24 December" in page.text
    assert visitor.open("/e/iron-open/standings").part(".lede").endswith("counts at once: 1 of 6 games decided")
    clock.advance(days=10)
    assert "Overdue since 24 December" in ada.open("/e/iron-open/me").part(".my-board")


def test_bye_scores_nothing_and_no_day_is_proposed_after_the_last(stage: Stage, begin: Begin, clock: Clock) -> None:
    event, people = begin(NAMES[:3])
    *played, last = [game for _, game in all_games(stage, event)]
    decide_all(stage, event, played)
    without = people[next(name for name in NAMES[:3] if name not in names_of(stage, last))]
    assert "It scores nothing" in without.open("/e/iron-open/me").part(".lede")
    opponent = stage.one(Player, name=names_of(stage, last)[0])
    assert "scores nothing" in without.open(f"/e/iron-open/players/{opponent.id}").text
    page = without.open("/e/iron-open")
    assert "A bye scores nothing." in page.text and "minutes each" not in page.text
    assert "to Friday 25 December 2026" in page.text
    player = people[stage.name(last.a_id)]
    assert player.open("/e/iron-open/me").soup.select("#day form")
    clock.now = datetime(2027, 1, 2, 9, tzinfo=UTC)
    day = player.open("/e/iron-open/me").part("#day")
    assert "The season’s last day has passed: play now and report the result, or ask the organiser." in day
    assert not player.page.soup.select("#day form")


def test_day_of_any_open_game_is_proposed_and_agreed_to_in_one_tap(stage: Stage, begin: Begin, olga: Person) -> None:
    event, people = begin(NAMES[:4])
    first, later = stage.games(event, 1)[0], stage.games(event, 3)[0]
    own, other = (people[name] for name in names_of(stage, first))
    own.open("/e/iron-open/me")
    own.press("Propose this day", inside="#day", day="2026-12-08")
    other.open("/e/iron-open/me")
    assert [tag.get_text().strip() for tag in other.page.soup.select(".primary")] == ["Agree to 8 December"]
    assert other.press("Agree to 8 December").part("h1") == "Your next game: on 8 December"
    proposer = stage.name(later.a_id)
    own, other = (people[name] for name in names_of(stage, later))
    own.open("/e/iron-open/me")
    own.press("Propose this day", inside=f"#game-{later.id}", day="2026-12-20")
    assert f"{proposer} proposed 20 December" in olga.open(f"/e/iron-open/desk/season/games/{later.id}").part(".lede")
    asked = other.open("/e/iron-open/me").part(f"#game-{later.id} details[open]")
    assert f"{proposer} proposes Sunday 20 December" in asked and "Agree to 20 December" in asked
    report = other.open(f"/e/iron-open/me/game?game={later.id}")
    assert "proposes Sunday 20 December" in report.part("main header")
    what = f"Round 3, against {proposer}"
    assert report.soup.select(f"form[data-what='{what}']"), "a notice of what is saved names no table"
    other.press("Agree to 20 December")
    assert arranged_in(stage.now(later).arranged).agreed
    late = own.press("Propose this day", inside="#day", day="2026-12-20").part("#day")
    assert "20 December is after it: the game is then overdue unless the organiser gives it more time." in late
    desk = olga.open(f"/e/iron-open/desk/season/games/{later.id}")
    assert "optional" not in desk.part("label[for=reason]"), "another last day needs its reason"
    settings = olga.open("/e/iron-open/desk/settings/event").part("#event")
    assert "Another first day moves the last day of 6 published games." in settings


def test_new_first_day_moves_the_windows_unless_a_planned_day_would_fall_outside(stage: Stage, olga: Person) -> None:
    event = season_of(stage, "Ada", "Bo", of=stage.event(), days=7)
    (game,) = stage.games(event, 1)

    def moved_to(day: str) -> str:
        olga.open("/e/iron-open/desk/settings/event")
        olga.press("Save", inside="#event", starts_on=day, ends_on="2027-01-10")
        if olga.page.soup.find(id="moves"):
            olga.press("Save and move what is ticked")
        return olga.page.part("#event")

    def window() -> tuple[date, date, date | None]:
        (fixture,) = fixtures(stage.now(event), round_views(event), date(2026, 12, 1))
        return fixture.opens, fixture.due, fixture.arranged.standing

    planned, stays = date(2026, 12, 9), "A game of round 1 is planned for 9 December 2026"
    stage.do(event, leagues.set_dates, game, planned, None, "")
    for day in ("2026-12-10", "2026-12-02"):
        assert stays in moved_to(day), day
        assert window() == (date(2026, 12, 5), date(2026, 12, 11), planned)
    assert stays not in moved_to("2026-12-07")
    assert window() == (date(2026, 12, 7), date(2026, 12, 13), planned), "the window moves, and the agreed day stays"
    stage.do(event, leagues.set_dates, game, planned, date(2026, 12, 12), "The hall is closed")
    moved_to("2026-12-02")
    assert window() == (date(2026, 12, 2), date(2026, 12, 12), planned), "a last day of its own stays"


def test_play_off_is_drawn_round_by_round(stage: Stage, begin: Begin, olga: Person) -> None:
    event, people = begin(NAMES[:5], cut=4, third_place=True)
    games = [game for _, game in all_games(stage, event)]
    decide_all(stage, event, games[:9])
    assert "The season is being played: 9 of 10 games decided." in olga.open("/e/iron-open/desk").part(".next-text")
    decide_all(stage, event, games[9:])
    cut(stage, event)
    semi_finals = publish(stage, event, 6)
    ada = people["Ada"].open("/e/iron-open/me")
    assert ada.part("h1") == "Your semi-final: by 15 January"
    decide_all(stage, event, semi_finals)
    stage.refuse("A play-off is drawn round by round", event, leagues.draw_season, 7)
    step = olga.open("/e/iron-open/desk").part(".next-text")
    assert step == "Round 6 (semi-finals) is complete."
    olga.press(f"{DRAW} 7", inside=".next")
    assert olga.open("/e/iron-open/desk").part(".next .primary") == "Publish round 7"
    final, third = publish(stage, event, 7)
    assert "Round 7, final: 16 January to 22 January" in olga.open("/e/iron-open/season").part("#fixtures")
    for game, title in ((final, "Your final"), (third, "Your game for third place")):
        page = people[stage.name(game.a_id)].open("/e/iron-open/me")
        assert page.part("h1") == f"{title}: by 22 January"


def test_reported_game_is_listed_after_the_open_ones(stage: Stage, begin: Begin) -> None:
    event, people = begin(NAMES[:4])
    ada, own = people["Ada"], [game for _, game in all_games(stage, event) if "Ada" in names_of(stage, game)]
    for played, game in enumerate(own, start=1):
        other = next(name for name in names_of(stage, game) if name != "Ada")
        side = ReportSide.A if stage.name(game.a_id) == "Ada" else ReportSide.B
        stage.report(event, game, side, {"a.objectives": 3, "b.objectives": 1})
        page = ada.open("/e/iron-open/me")
        if played < 3:
            assert page.part("h1") == f"Your next game: by {11 + 7 * played} December"
            assert f"Reported, waiting for {other}" in page.part(f"#game-{game.id}")
            assert "Day of the game" not in page.part(f"#game-{game.id}")
            found = ada.open("/e/iron-open/season").soup.select("[data-poll-part=next-games] li")
            begins = [tag.get_text(" ", strip=True)[:14] for tag in found[:3]]
            assert begins == ["Your next game", "Your game: by ", "Your game: by "]
            assert ada.open("/e/iron-open/me/game").soup.select(f"input[name=game][value='{own[played].id}']")
    assert page.part("h1") == "Round 1"
    assert not page.soup.select("#day") and "Waiting for" in page.part("#own-result")
    assert people[other].open("/e/iron-open/me").part("h1") == "Your next game: by 11 December"


def test_season_page_sends_as_many_statements_for_7_rounds_as_for_3(app: Flask, stage: Stage, olga: Person) -> None:
    counts = []
    for name, players in (("Dust Cup", 4), ("Rust Cup", 8)):
        event = season_of(stage, *NAMES[:players], of=stage.event(name))
        with sent(app.extensions["overseer_engine"]) as said:
            assert olga.open(f"/e/{event.slug}/season").status == 200
        counts.append(len(said))
    assert counts[0] == counts[1]


def test_game_is_overdue_after_its_agreed_day_and_notified_after_its_last_day(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4], days=7)
    (_, game), *_ = all_games(stage, event)
    agreed, due = date(2026, 12, 8), date(2026, 12, 20)
    stage.do(event, leagues.set_dates, game, agreed, None, "")

    def at(day: date) -> tuple[bool, int]:
        stage.s.rollback()
        found = fixtures(stage.now(event), round_views(event), day)
        late = overdue(stage.s, datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
        own = {game.a_id, game.b_id}
        return next(fixture.overdue for fixture in found if fixture.game.id == game.id), sum(
            set(both) == own for _, both in late
        )

    assert [at(date(2026, 12, day)) for day in (8, 9, 11, 12)] == [(False, 0), (True, 0), (True, 0), (True, 1)]
    stage.do(event, leagues.set_dates, game, agreed, due, "The hall was closed")
    assert at(date(2026, 12, 12)) == (False, 0), "the organiser gave it more time"
    assert at(date(2026, 12, 21)) == (True, 1)


def test_season_shows_its_cross_table_and_points(stage: Stage, begin: Begin, visitor: Person) -> None:
    event, people = begin(NAMES[:4])
    page = visitor.open("/e/iron-open/season")
    assert not page.soup.select("figure.chart"), "no game is decided"
    assert {cell for row in page.rows(".crosstable") for cell in row[2:-1] if cell} == {"r1", "r2", "r3"}
    for number in (1, 2):
        decide_all(stage, event, [game for at, game in all_games(stage, event) if at == number])
    page = people["Ada"].open("/e/iron-open/season")
    rows = page.rows(".crosstable")
    assert (len(rows), [cell for row in rows for cell in row].count("r3")) == (4, 4), "two games are open"
    assert page.rows("figure.chart table")[0] == [rows[0][1], "3", "6"]
    assert page.soup.select(".crosstable tr.own th .player")[0].text == "Ada"


def test_standings_of_a_season_show_its_games_as_letters(visitor: Person, stage: Stage) -> None:
    event = season_of(stage, "Ada", "Bo", "Cy", "Di")
    for game in stage.games(event, 1):
        stage.decide(event, game, 2, 1)
    page = visitor.open("/e/iron-open/standings")
    assert "Rounds" in page.part(".std-head")
    assert sorted(cell.text for cell in page.soup.select(".std .pip")) == ["L", "L", "W", "W"]


def test_kept_page_of_a_season_is_made_anew_after_midnight(app: Flask, stage: Stage, visitor: Person) -> None:
    season_of(stage, *NAMES[:4], days=7)
    marks = [visitor.http.get("/e/iron-open/season").headers["ETag"]]
    with rendered(app) as templates:
        marks.append(visitor.http.get("/e/iron-open/season").headers["ETag"])
        assert templates == []
        stage.clock.advance(days=1)
        marks.append(visitor.http.get("/e/iron-open/season").headers["ETag"])
    assert marks[0] == marks[1] != marks[2] and len(templates) == 1


def test_season_has_no_check_in_no_clock_and_no_tables(stage: Stage, olga: Person, visitor: Person) -> None:
    """Players who signed up take part; only a painted season has staff look at them first."""
    olga.open("/desk/new")
    olga.press("Create event", kind="season", name="Iron Open", place="Town Hall", starts_on="2026-12-05")
    event = stage.one(Event)
    assert event.format == EventFormat.ROUND_ROBIN
    stage.do(event, setup_actions.open_registration)
    stage.enter(event, "Ada", "Bo", "Cy", "Di", here=False)
    assert {player.state for player in stage.all(Player)} == {PlayerState.CHECKED_IN}
    assert stage.journal(event, "register")[0] == "Registered Ada"
    page = olga.open(f"/e/{event.slug}/desk")
    assert page.part(".next-text") == "4 players signed up. The season starts on Saturday 5 December."
    tabs = {link.get_text(strip=True) for link in page.soup.select(".tabs a")}
    assert "Print" in tabs
    assert {"Check-in", "Clock"}.isdisjoint(tabs)
    players = olga.open(f"/e/{event.slug}/desk/players")
    assert players.part(".lede") == "4 players, 28 places free"
    assert not {"Check in", "Here", "Undo"} & {tag.get_text(" ", strip=True) for tag in players.soup.select("button")}
    settings = olga.open(f"/e/{event.slug}/desk/settings").text
    assert "Breaks and calls of the clock 15 min" not in settings
    stage.do(event, leagues.draw_season, 7)
    table = visitor.open(f"/e/{event.slug}/rounds/1").soup.select_one("table.pairings")
    assert table
    assert "without-tables" in table["class"]
    stage.do(event, set_restrictions, Restrictions(painted=True))
    assert stage.enter(event, "Eve", here=False)[0].state == PlayerState.REGISTERED


def test_event_that_becomes_a_season_or_stops_being_one_moves_its_players(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada", here=False)
    for season, state in ((Season(), PlayerState.CHECKED_IN), (None, PlayerState.REGISTERED)):
        stage.do(event, set_season, season)
        assert stage.now(ada).state == state


def test_who_joins_after_all_rounds_are_drawn_is_told_that_no_game_follows(
    stage: Stage, begin: Begin, enter: Enter, olga: Person, visitor: Person
) -> None:
    event, _ = begin(NAMES[:4])
    assert "plays in no round: all are drawn." in olga.open("/e/iron-open/desk/players").part("#walk-in .note-text")
    assert "All rounds are drawn: nobody can join now." in visitor.open("/e/iron-open").part(".hero-do")
    page = enter(event, "Gina")[0].open("/e/iron-open/me")
    assert "All rounds were drawn before you joined: you have no game." in page.part("main")


def test_season_shows_no_check_in_and_no_tables_on_pages_of_players(
    stage: Stage, begin: Begin, olga: Person, visitor: Person
) -> None:
    event, _ = begin(NAMES[:4])
    ada = next(player for player in stage.all(Player) if player.name == "Ada")
    page = olga.open(f"/e/{event.slug}/desk/players/{ada.id}")
    assert not {"Checked in", "Table 1", "Fixed table"} & set(page.soup.stripped_strings)
    for order, label in (("", "By game"), ("name", "By name")):
        page = visitor.open(f"/e/{event.slug}/rounds/1?order={order}")
        assert page.part(".switch [aria-current]") == label
        assert "By table" not in page.part(".switch")
    assert "Table" not in page.part("table.pairings thead")


def test_new_season_promises_no_rounds_and_counts_nothing_as_changed(
    stage: Stage, olga: Person, visitor: Person
) -> None:
    olga.open("/desk/new")
    olga.press("Create event", kind="season", name="Iron Open", place="Town Hall", starts_on="2026-12-05")
    event = stage.one(Event)
    assert "not as in a new event" not in olga.open(f"/e/{event.slug}/desk/settings/season").text
    assert "not as in a new event" not in olga.open(f"/e/{event.slug}/desk/settings/format").text
    stage.do(event, setup_actions.open_registration)
    home = visitor.open("/").text
    assert "Saturday 5 December 2026" in home
    assert "3 rounds" not in home
    assert "to Friday 25 December" not in home
