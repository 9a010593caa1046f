"""A season: rounds with windows, agreed days, forfeits, late results, standings after each game."""

import random
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from flask import Flask

from events.journal.replay import replay
from events.leagues import actions as leagues
from events.leagues.queries import fixtures, overdue
from events.play.errors import Refused, Stale
from events.play.rounds import round_views
from events.play.season import Season, arranged_in, window_of
from events.results import actions as results_actions
from events.setup import actions as setup_actions
from events.setup.pairing_actions import set_tie_breaks
from events.setup.pairing_forms import set_season
from models.event import Event, EventFormat
from models.play import Absent, Game, GameState, Player, ReportSide
from tests.conftest import Clock
from tests.kit.formats import NAMES, cut, decide_all, drop, formed, publish
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from tests.kit.statements import sent
from tests.leagues.season_oracle import Played, table_of
from validators.scenario import Side


def season_of(stage: Stage, *names: str, of: Event | None = None, **rules: Any) -> Event:
    """A round robin season of these players, drawn; its first day is 5 December 2026."""
    event = formed(stage, *names, of=of, format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(**rules))
    stage.do(event, set_tie_breaks, ["vp"])
    stage.do(event, leagues.draw_season, 7)
    return event


def all_games(stage: Stage, event: Event) -> list[tuple[int, Game]]:
    """The games of all rounds with their rounds' numbers, without byes."""
    numbers = range(1, stage.now(event).rounds + 1)
    return [(number, game) for number in numbers for game in stage.games(event, number) if game.b_id is not None]


def of_pair(stage: Stage, event: Event, *names: str) -> Game:
    (game,) = (g for _, g in all_games(stage, event) if set(names_of(stage, g)) == set(names))
    return game


def names_of(stage: Stage, game: Game) -> tuple[str, str]:
    return stage.name(game.a_id), stage.name(game.b_id)


def forfeit(stage: Stage, event: Event, game: Game, absent: Absent) -> None:
    with stage.changing(event) as s:
        results_actions.set_absent(s, event, game, absent, version=game.version, actor=BY, now=stage.clock())


def test_windows_follow_each_other_without_a_gap() -> None:
    first, second = (window_of(Season(days=14), date(2027, 3, 1), number) for number in (1, 2))
    assert first == (date(2027, 3, 1), date(2027, 3, 14))
    assert second == (date(2027, 3, 15), date(2027, 3, 28))
    with pytest.raises(ValueError, match="1 to 90 days"):
        Season(days=0)


@pytest.mark.both_databases
@pytest.mark.parametrize(("seed", "best"), [(1, None), (2, 3), (3, 2)])
def test_standings_after_each_result_are_those_of_a_second_calculation(
    stage: Stage, seed: int, best: int | None
) -> None:
    chance = random.Random(seed)
    names = NAMES[: chance.choice((4, 5, 6))]
    event = season_of(stage, *names, best=best)
    games = all_games(stage, event)
    chance.shuffle(games)  # late results: in any order of rounds
    known: list[Played] = []
    for number, game in games:
        a, b = stage.name(game.a_id), stage.name(game.b_id)
        if chance.random() < 0.25:
            absent = chance.choice(list(Absent))
            forfeit(stage, event, game, absent)
            known.append(Played(number, a, b, absent=absent.value))
        else:
            own, other = chance.randint(0, 4), chance.randint(0, 4)
            stage.decide(event, game, own, other)
            known.append(Played(number, a, b, own, other))
        rows = [(row.name, row.points, row.vp) for row in stage.standings(event)]
        assert rows == table_of(names, known, best)
    assert replay(stage.s, stage.now(event)).difference is None, "the journal makes the same season"
    stage.do(event, setup_actions.finish)


def test_a_season_is_drawn_at_once_and_needs_no_waiting(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4], days=7)
    assert len(all_games(stage, event)) == 6
    found = fixtures(stage.now(event), round_views(stage.s, event), date(2026, 12, 13))
    assert {(one.number, one.due, one.overdue) for one in found} == {
        (1, date(2026, 12, 11), True),
        (2, date(2026, 12, 18), False),
        (3, date(2026, 12, 25), False),
    }
    with pytest.raises(Refused, match="change its days, but leave some"):
        stage.do(event, set_season, None)
    stage.do(event, set_season, Season(days=9))
    with pytest.raises(Refused, match="This event has 3 rounds"):
        stage.do(event, leagues.draw_season, 8)
    swiss = formed(stage, *NAMES[:4], of=stage.event("Rust Cup"))
    stage.do(swiss, set_season, Season())
    with pytest.raises(Refused, match="Only a season of a round robin"):
        stage.do(swiss, leagues.draw_season, 8)


def test_a_player_who_leaves_forfeits_every_open_game(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4])
    stage.decide(event, of_pair(stage, event, "Ada", "Di"), 1, 3)
    drop(stage, event, "Di")
    open_games = [game for _, game in all_games(stage, event) if game.state != GameState.CONFIRMED]
    assert "Di" not in {stage.name(id_) for game in open_games for id_ in (game.a_id, game.b_id)}
    assert len(open_games) == 3
    assert stage.journal(event, "drop")[0].count(",") == 1, "two rounds are named"


def test_two_players_agree_on_a_day_and_the_desk_gives_more_time(stage: Stage, clock: Clock) -> None:
    event = season_of(stage, "Ada", "Bo", days=7)
    (game,) = stage.games(event, 1)
    today = clock().date()
    later = date(2026, 12, 9)
    with stage.changing(event) as s:
        leagues.propose(s, event, game, "a", later, today, BY, clock())
    assert arranged_in(stage.now(game).arranged).by == "a"
    with pytest.raises(Stale, match="changed meanwhile"), stage.changing(event) as s:
        leagues.agree(s, event, game, "b", date(2026, 12, 8), today, BY, clock())
    with stage.changing(event) as s:
        leagues.agree(s, event, game, "b", later, today, BY, clock())
    assert arranged_in(stage.now(game).arranged).agreed
    another = date(2026, 12, 10)
    steps: list[tuple[Side, date, date]] = [
        ("a", another, later),
        ("b", later, later),
        ("a", another, later),
        ("b", another, another),
    ]
    for side, day, agreed in steps:
        with stage.changing(event) as s:
            leagues.propose(s, event, game, side, day, today, BY, clock())
        (one,) = fixtures(stage.now(event), round_views(stage.s, event), today)
        assert one.arranged.standing == agreed, "an agreed day holds until the other side agrees to another"
        assert one.arranged.agreed == (one.arranged.day == agreed)
    for day, words in (
        (date(2026, 12, 12), "The season ends on 11 December 2026"),
        (date(2026, 11, 1), "Choose a day from"),
    ):
        with pytest.raises(Refused, match=words), stage.changing(event) as s:
            leagues.propose(s, event, game, "a", day, today, BY, clock())
    with pytest.raises(Refused, match="Choose a day from 5 December 2026 on"), stage.changing(event) as s:
        leagues.set_dates(s, event, game, date(2026, 12, 4), None, "", BY, clock())
    with pytest.raises(Refused, match="Give the reason"), stage.changing(event) as s:
        leagues.set_dates(s, event, game, None, date(2026, 12, 10), "", BY, clock())
    stage.decide(event, game, 1, 0)
    with pytest.raises(Refused, match="This game is decided"), stage.changing(event) as s:
        leagues.propose(s, event, game, "a", later, today, BY, clock())


def test_the_pages_of_a_season(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person, visitor: Person, clock: Clock
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    ada = enter(event, *NAMES[:4])[0]
    assert olga.open("/e/iron-open/desk/pairing").value("season-days") == "", "this event is no season yet"
    assert olga.press("Save", inside="#season", **{"season-days": "7"}).value("season-days") == "7"
    olga.open("/e/iron-open/desk")
    olga.press("Draw all rounds", inside=".next")
    assert olga.page.path == "/e/iron-open/desk/season"
    assert len(olga.page.rows("table")) == 6
    page = ada.open("/e/iron-open/me")
    assert page.part("h1") == "Your next game: by 11 December"
    assert "Round 2, by 18 December" in page.part("[data-poll-part=open-games]")
    first, *others = ada.open("/e/iron-open/season").soup.select("[data-poll-part=next-games] li")
    assert first.get_text(" ", strip=True).startswith("Your next game: by 11 December, against")
    assert "Your game" in others[0].get_text()
    ada.open("/e/iron-open/me")
    game = next(g for g in stage.games(event, 1) if "Ada" in names_of(stage, g))
    ada.press("Propose this day", day="2026-12-08")
    assert "You proposed Tuesday 8 December" in ada.page.text
    stage.do(event, leagues.set_dates, game, date(2026, 12, 8), date(2026, 12, 20), "Ada is ill")
    page = ada.open("/e/iron-open/me")
    assert page.part("h1") == "Your next game: on 8 December"
    assert "Ada is ill" in page.part("#day")
    second = next(g for n, g in all_games(stage, event) if n == 2 and "Ada" in (stage.name(g.a_id), stage.name(g.b_id)))
    stage.decide(event, game, 3, 1)
    line = ada.open("/e/iron-open/me").part("#line-1")
    assert line and "table" not in line, "players of a season meet where they like"
    olga.open(f"/e/iron-open/desk/season/games/{second.id}")
    olga.press("Save", due="2026-12-24")
    assert "Give the reason" in olga.page.text
    olga.press("Save", due="2026-12-24", reason="The hall is closed")
    assert olga.page.path == "/e/iron-open/desk/season"
    links = [str(one["href"]) for one in olga.page.soup.select("td a") if one.get_text() == "Result"]
    assert olga.open(links[-1]).soup.select("main .bar a[href='/e/iron-open/desk/season']"), "back to the open games"
    clock.advance(days=29)
    assert "2 games are overdue." in olga.open("/e/iron-open/desk").part(".next-blockers")
    page = visitor.open(f"/e/iron-open/season?player={stage.one(Player, name='Ada').id}")
    assert page.part("#fixtures h2") == "Fixtures of Ada"
    assert "1 of 6 games played" in visitor.open("/e/iron-open/season").part(".lede")
    assert "by 24 December" in page.text
    assert visitor.open("/e/iron-open/standings").part(".lede") == "Every confirmed result counts at once"


def test_a_bye_of_a_season_scores_nothing_and_no_day_is_proposed_after_the_last(
    stage: Stage, enter: Callable[..., list[Person]], clock: Clock
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    people = dict(zip(NAMES[:3], enter(event, *NAMES[:3]), strict=True))
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    *played, last = [game for _, game in all_games(stage, event)]
    decide_all(stage, event, played)
    without = people[next(name for name in NAMES[:3] if name not in names_of(stage, last))]
    assert "It scores nothing in a season" in without.open("/e/iron-open/me").part(".lede")
    opponent = stage.one(Player, name=names_of(stage, last)[0])
    assert "scores nothing" in without.open(f"/e/iron-open/players/{opponent.id}").text
    page = without.open("/e/iron-open")
    assert "A bye scores nothing." in page.text and "minutes each" not in page.text
    player = people[stage.name(last.a_id)]
    assert player.open("/e/iron-open/me").soup.select("#day form")
    clock.now = datetime(2027, 1, 2, 9, tzinfo=UTC)
    day = player.open("/e/iron-open/me").part("#day")
    assert "The season’s last day has passed: play now and report the result, or ask the organiser." in day
    assert not player.page.soup.select("#day form")


def test_papers_have_the_last_day_and_no_table(stage: Stage, olga: Person) -> None:
    event = season_of(stage, "Ada", "Bo", "Cy", of=stage.event(), days=7)
    game = next(one for one in stage.games(event, 1) if one.b_id)
    stage.do(event, leagues.set_dates, game, None, date(2026, 12, 20), "Ada is ill")
    papers = ["scoresheets", "scoresheets.pdf?each=2", "setup", "pairings", "pairings.pdf?order=name"]
    for paper in papers:
        name, _, asked = paper.partition(".pdf")
        text = " ".join(texts(olga.open(f"/e/iron-open/rounds/1/{name}.pdf{asked}")))
        assert "20 Dec" in text and "BLANK" not in text and "minutes" not in text, paper
        assert "Table" not in text and "TABLE" not in text and "table 1" not in text, paper
    stage.report(event, game, ReportSide.A, {"a.objectives": 3, "b.objectives": 1})
    olga.open("/e/iron-open/desk/rounds/1/results")
    assert olga.press("Confirm").flashes == " against ".join(names_of(stage, game)) + ": the result is confirmed."
    assert "able 1" not in olga.open(f"/e/iron-open/desk/games/{game.id}").part("main"), "a season has no tables"
    (record,) = texts(olga.open("/e/iron-open/desk/rounds/1/records.pdf"))
    assert "PLAY BY 20 Dec RECORD" in record and "Code of the game" not in record


def test_the_opponent_agrees_in_one_tap(stage: Stage, enter: Callable[..., list[Person]]) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    ada, bo = enter(event, "Ada", "Bo")
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    ada.open("/e/iron-open/me")
    ada.press("Propose this day", day="2026-12-08")
    bo.open("/e/iron-open/me")
    assert [one.get_text().strip() for one in bo.page.soup.select(".primary")] == ["Agree to 8 December"]
    bo.press("Agree to 8 December")
    assert bo.page.part("h1") == "Your next game: on 8 December"
    report = bo.open("/e/iron-open/me/game").soup
    assert report.select("form[data-what='Round 1, against Ada']"), "a notice of what is saved names no table"


def test_a_day_of_any_open_game_is_proposed_and_asked_on_the_opponents_pages(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    later = stage.games(event, 3)[0]
    own, other = stage.name(later.a_id), stage.name(later.b_id)
    people[own].open("/e/iron-open/me")
    people[own].press("Propose this day", inside=f"#game-{later.id}", day="2026-12-20")
    assert f"{own} proposed 20 December" in olga.open(f"/e/iron-open/desk/season/games/{later.id}").part(".lede")
    asked = people[other].open("/e/iron-open/me").part(f"#game-{later.id} details[open]")
    assert f"{own} proposes Sunday 20 December" in asked and "Agree to 20 December" in asked
    report = people[other].open(f"/e/iron-open/me/game?game={later.id}")
    assert "proposes Sunday 20 December" in report.part("main header")
    people[other].press("Agree to 20 December")
    assert arranged_in(stage.now(later).arranged).agreed
    people["Ada"].open("/e/iron-open/me")
    late = people["Ada"].press("Propose this day", inside="#day", day="2026-12-20").part("#day")
    assert "20 December is after it: the game is then overdue unless the organiser gives it more time." in late
    desk = olga.open(f"/e/iron-open/desk/season/games/{later.id}")
    assert "optional" not in desk.part("label[for=reason]"), "another last day needs its reason"
    settings = olga.open("/e/iron-open/desk/settings").part("#event")
    assert "Another first day moves the last day of 6 published games." in settings


def test_another_first_day_moves_the_windows_but_no_planned_day_out_of_them(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    enter(event, "Ada", "Bo")
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    (game,) = stage.games(event, 1)

    def moved_to(day: str) -> str:
        olga.open("/e/iron-open/desk/settings")
        olga.press("Save", inside="#event", starts_on=day, ends_on="2027-01-10")
        return olga.page.part("#event")

    def window() -> tuple[date, date, date | None]:
        (one,) = fixtures(stage.now(event), round_views(stage.s, event), date(2026, 12, 1))
        return one.opens, one.due, one.arranged.standing

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


def test_a_play_off_is_drawn_round_by_round(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person, clock: Clock
) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN, cut=4, third_place=True)
    people = dict(zip(NAMES[:5], enter(event, *NAMES[:5]), strict=True))
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
    games = [game for _, game in all_games(stage, event)]
    decide_all(stage, event, games[:9])
    assert "The season is being played: 9 of 10 games decided." in olga.open("/e/iron-open/desk").part(".next-text")
    decide_all(stage, event, games[9:])
    cut(stage, event)
    semi_finals = publish(stage, event, 6)
    ada = people["Ada"].open("/e/iron-open/me")
    assert ada.part("h1") == "Your semi-final: by 15 January"
    decide_all(stage, event, semi_finals)
    with pytest.raises(Refused, match="A play-off is drawn round by round"):
        stage.do(event, leagues.draw_season, 7)
    step = olga.open("/e/iron-open/desk").part(".next-text")
    assert step == "Round 6 (semi-finals) is complete: draw round 7 (final)."
    olga.press("Draw round 7", inside=".next")
    assert olga.open("/e/iron-open/desk").part(".next .primary") == "Publish round 7"
    final, third = publish(stage, event, 7)
    assert "Round 7, final: 16 January to 22 January" in olga.open("/e/iron-open/season").part("#fixtures")
    for game, title in ((final, "Your final"), (third, "Your game for third place")):
        page = people[stage.name(game.a_id)].open("/e/iron-open/me")
        assert page.part("h1") == f"{title}: by 22 January"


def test_a_reported_game_waits_behind_the_open_ones(stage: Stage, enter: Callable[..., list[Person]]) -> None:
    event = formed(stage, of=stage.event(), format=EventFormat.ROUND_ROBIN)
    people = dict(zip(NAMES[:4], enter(event, *NAMES[:4]), strict=True))
    stage.do(event, set_season, Season(days=7))
    stage.do(event, leagues.draw_season, 7)
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
            begins = [one.get_text(" ", strip=True)[:14] for one in found[:3]]
            assert begins == ["Your next game", "Your game: by ", "Your game: by "]
            assert ada.open("/e/iron-open/me/game").soup.select(f"input[name=game][value='{own[played].id}']")
    assert page.part("h1") == "Round 1"
    assert not page.soup.select("#day") and "Waiting for" in page.part("#own-result")
    assert people[other].open("/e/iron-open/me").part("h1") == "Your next game: by 11 December"


def test_a_seasons_page_takes_as_many_statements_for_many_rounds(app: Flask, stage: Stage, olga: Person) -> None:
    counts = []
    for name, players in (("Dust Cup", 4), ("Rust Cup", 8)):
        event = season_of(stage, *NAMES[:players], of=stage.event(name))
        with sent(app.extensions["overseer_engine"]) as said:
            assert olga.open(f"/e/{event.slug}/season").status == 200
        counts.append(len(said))
    assert counts[0] == counts[1]


def test_a_game_is_overdue_once_its_agreed_day_has_passed_and_has_its_notice_after_the_last_day(stage: Stage) -> None:
    event = season_of(stage, *NAMES[:4], days=7)
    (_, game), *_ = all_games(stage, event)
    agreed, due = date(2026, 12, 8), date(2026, 12, 20)
    stage.do(event, leagues.set_dates, game, agreed, None, "")

    def at(day: date) -> tuple[bool, int]:
        stage.s.rollback()
        found = fixtures(stage.now(event), round_views(stage.s, event), day)
        late = overdue(stage.s, datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
        own = {game.a_id, game.b_id}
        return next(one.overdue for one in found if one.game.id == game.id), sum(set(both) == own for _, both in late)

    assert [at(date(2026, 12, day)) for day in (8, 9, 11, 12)] == [(False, 0), (True, 0), (True, 0), (True, 1)]
    stage.do(event, leagues.set_dates, game, agreed, due, "The hall was closed")
    assert at(date(2026, 12, 12)) == (False, 0), "the organiser gave it more time"
    assert at(date(2026, 12, 21)) == (True, 1)


def test_the_board_counts_a_seasons_open_games_as_games(stage: Stage, olga: Person) -> None:
    event = season_of(stage, *NAMES[:4])
    page = olga.open(f"/e/{event.slug}/desk")
    assert "6 games open" in page.text
    assert "still playing" not in page.text
    assert "Table" not in page.part("#group-open")
