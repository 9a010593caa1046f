"""The pages of statistics show what is over and public, and nothing of what is running, hidden or secret."""

import csv
import io
from collections.abc import Sequence
from datetime import timedelta

import pytest

from events.lists import locks
from events.registration import leaving
from events.registration.forms import Follows, Given
from events.registration.ruling_views import give_ruling
from events.rounds import byes
from events.setup import event_life
from events.setup.actions import finish, reopen
from events.standings.statistics_figures import Tally
from events.standings.statistics_queries import load_tally
from events.tournament.endings import Ending
from events.tournament.scores import Ended
from events.tournament.season import Season
from models.award import Card
from models.event import Round, RoundKind
from models.play import Absent, Player, ReportSide
from models.settings import ListsShown, ReportDetail
from tests.kit.forces import sample_force
from tests.kit.formats import NAMES, knockout_of
from tests.kit.person import Person
from tests.kit.stage import Event, Stage
from validators import SYSTEMS
from validators.contract import Terms

pytestmark = pytest.mark.slow

EVENT, CLUB = "/e/iron-open/statistics", "/statistics"
FACTIONS = ("Raiders", "NCR", "Legion", "Survivors")


def played(stage: Stage, name: str = "Iron Open", *, over: bool = True, rounds: int = 3, series: str = "") -> Event:
    """An event of eight players and four factions, in which the player entered first wins each game 3 to 1."""
    event = stage.event(name, rounds=rounds, scenarios=("raiders",) * rounds, series=series)
    for place, player in enumerate(stage.enter(event, *NAMES[:8])):
        stage.set(event, player, faction=FACTIONS[place % 4])
    for number in range(1, rounds + 1):
        stage.play(event, number)
    if over:
        stage.do(event, finish)
    return event


def ids(person: Person, address: str) -> list[str]:
    """The charts of a page, by the files that they offer."""
    links = person.open(address).soup.select("figure.chart a[download]")
    return [str(link["href"]).partition("figures=")[2] for link in links]


def file(person: Person, address: str) -> list[list[str]]:
    answer = person.http.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "text/csv"), address
    return [*csv.reader(io.StringIO(answer.data.decode("utf-8-sig")))]


def counted(person: Person, address: str) -> int:
    """The games of a page's first line."""
    return int(person.open(address).part(".lede").split(" game")[0].split()[-1])


def test_page_of_an_event_shows_what_was_fielded(visitor: Person, stage: Stage) -> None:
    event = played(stage)
    assert ids(visitor, EVENT) == ["factions"], "no list is stored"
    assert visitor.page.part(".lede") == "Battle Mode: 12 games"
    assert file(visitor, f"{EVENT}?figures=factions") == [
        ["Faction", "Players"],
        *([name, "2"] for name in sorted(FACTIONS)),
    ]
    assert not visitor.page.soup.select("#counting, header .meta"), "no share of ten games, so nothing to explain"
    assert visitor.http.get(f"{EVENT}?figures=rates").status_code == 404
    assert visitor.open(f"/e/{event.slug}").soup.select(f"a[href='{EVENT}']")
    stage.set(event, stage.all(Player)[0], faction="")
    assert visitor.open(EVENT).part("header .meta") == "Players without a faction are not counted."


def test_pages_of_club_and_series_lead_with_factions(visitor: Person, stage: Stage) -> None:
    played(stage, rounds=5, series="Winter")
    played(stage, "Rust Cup", series="Winter")
    played(stage, "Other Cup")
    assert [counted(visitor, page) for page in (EVENT, "/series/winter/statistics", CLUB)] == [20, 32, 44]
    assert "A draw counts as half a win." in visitor.page.part("header .meta")
    assert "fewer than 10 games" in visitor.page.part("header .meta")
    assert "against itself do not count in what it won: " in visitor.page.part("#counting")
    for page in (CLUB, "/series/winter/statistics"):
        assert ids(visitor, page)[0] == "rates"
        assert visitor.page.rows("figure.chart table")[:4] == file(visitor, f"{page}?figures=rates")[1:]
    assert visitor.open("/").soup.select(f"a[href='{CLUB}']")
    assert visitor.open("/series/winter").soup.select("a[href='/series/winter/statistics']")
    assert visitor.open("/series/winter/statistics").part("h1 + p") == "Winter"


def test_each_game_has_a_page(visitor: Person, stage: Stage) -> None:
    played(stage)
    other = stage.event("Wars", game="fallout_warfare", rounds=1, players=("Ann", "Ben"))
    stage.publish(other, 1)
    for game in stage.games(other, 1):
        stage.no_show(other, game, Absent.A)
    stage.do(other, finish)
    assert counted(visitor, CLUB) == 12
    assert visitor.page.soup.select("a[href='/statistics/fallout-warfare']")
    assert counted(visitor, "/statistics/fallout-warfare") == 0
    assert "too few to say anything" in visitor.page.text
    assert visitor.http.get("/statistics/new-vegas").status_code == 404


def test_season_links_its_statistics_after_its_end(visitor: Person, stage: Stage) -> None:
    event = played(stage, over=False)
    stage.set(event, season=Season())
    assert not visitor.open("/e/iron-open/season").soup.select(f"a[href='{EVENT}']")
    stage.do(event, finish)
    assert visitor.open("/e/iron-open/season").soup.select(f"a[href='{EVENT}']")
    assert "lengths" not in ids(visitor, CLUB)


def test_games_that_were_not_played_do_not_count(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=3)
    stage.enter(event, *NAMES[:9])
    first = [game for game in stage.publish(event, 1) if game.b_id]
    stage.decide(event, first[0], 2, 1)
    stage.no_show(event, first[0], Absent.B)
    stage.report(event, first[1], ReportSide.ORGANISER, {}, how=Ended(Ending.NOT_PLAYED))
    for game in first[2:]:
        stage.decide(event, game, 2, 1)
    stage.play(event, 2)
    gone = next(game for game in stage.publish(event, 3) if game.b_id)
    stage.do(event, leaving.drop, stage.one(Player, id=gone.a_id))
    for game in stage.games(event, 3):
        if game.b_id and game.id != gone.id:
            stage.decide(event, game, 2, 1)
    stage.do(event, finish)
    assert counted(visitor, EVENT) == 2 + 4 + 3, "of 12 games and three byes"


def test_running_draft_and_cancelled_events_give_nothing(visitor: Person, olga: Person, stage: Stage) -> None:
    event = played(stage, over=False, rounds=5)
    people: Sequence[Person] = (visitor, olga)
    for person in people:
        assert person.http.get(EVENT).status_code == 404
        assert "No public event is over yet" in person.open(CLUB).text
        assert not person.open("/e/iron-open").soup.select("#statistics")
    stage.do(event, finish)
    assert counted(visitor, CLUB) == 20
    stage.set(event, cancelled_at=stage.clock())
    for person in people:
        assert person.http.get(EVENT).status_code == 404
        assert "No public event is over yet" in person.open(CLUB).text


def test_event_off_the_front_page_is_not_in_the_clubs_figures(visitor: Person, olga: Person, stage: Stage) -> None:
    event = played(stage, rounds=5, series="Winter")
    stage.do(event, event_life.set_unlisted, True)
    for person in (visitor, olga):
        assert counted(person, EVENT) == 20, "who has its address reads its page"
        assert "No public event is over yet" in person.open(CLUB).text
        assert person.http.get("/series/winter/statistics").status_code == 404


@pytest.mark.proves("G4")
def test_secret_lists_and_drafts_are_in_no_figure(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=7, scenarios=("raiders",) * 7, lists_shown=ListsShown.ON_PRESS)
    for at, player in enumerate(stage.enter(event, *NAMES)):
        faction = "Brotherhood of Steel" if at % 2 else "Survivors"
        stage.force(event, player, sample_force(faction, 750, at), submit=at != 0)
    for number in range(1, 8):
        stage.play(event, number)
    stage.do(event, finish)
    of_lists = {"factions", "rates", "by-scenario", "models", "items", "left"}
    assert of_lists.isdisjoint(ids(visitor, EVENT) + ids(visitor, CLUB))
    assert "lists" not in visitor.page.part(".lede")
    stage.do(event, locks.reveal)
    for page in (EVENT, CLUB):
        assert {"models", "items"} <= {*ids(visitor, page)}
        assert "9 lists" in visitor.page.part(".lede"), "without the draft"
    assert {"rates", "left"} <= {*ids(visitor, CLUB)}
    for page, chart in ((EVENT, "factions"), (CLUB, "rates")):
        rows = file(visitor, f"{page}?figures={chart}")[1:]
        assert [row[:2] for row in rows].count(["Brotherhood of Steel", "5"]) == 1
    assert {len(row) for row in file(visitor, f"{EVENT}?figures=models")} == {2}, "names and numbers, without intervals"


def test_lists_that_show_themselves_later_are_counted_then(visitor: Person, stage: Stage) -> None:
    when = stage.clock() + timedelta(days=20)
    event = stage.event(rounds=5, lists_shown=ListsShown.AT_TIME, lists_shown_from=when)
    for at, player in enumerate(stage.enter(event, *NAMES[:8])):
        stage.force(event, player, sample_force("Survivors", 750, at))
    for number in range(1, 6):
        stage.play(event, number)
    stage.do(event, finish)
    assert "models" not in ids(visitor, CLUB)
    stage.clock.now = when
    assert "models" in ids(visitor, CLUB)


def test_rounds_with_a_clock_and_players_reports_are_timed(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=4)
    stage.enter(event, *NAMES[:8])
    for number in (1, 2, 3, 4):
        games = stage.publish(event, number)
        the_round = stage.one(Round, event_id=event.id, number=number)
        stage.set(event, the_round, started_at=stage.clock(), minutes=120, extra_seconds=300)
        for game in games:
            stage.clock.advance(minutes=35)
            stage.report(event, game, ReportSide.A, {"a.objectives": 1, "b.objectives": 2})
            stage.report(event, game, ReportSide.B, {"a.objectives": 1, "b.objectives": 2})
    stage.do(event, finish)
    assert file(visitor, f"{CLUB}?figures=reports")[1:] == [
        ["More than 30 minutes before the end", "8", "50 %", "28–72 %"],
        ["16 to 30 minutes before", "4", "25 %", "10–49 %"],
        ["0 to 15 minutes before", "0", "0 %", "0–19 %"],
        ["Up to 15 minutes after", "4", "25 %", "10–49 %"],
        ["Later", "0", "0 %", "0–19 %"],
    ]
    assert "Rounds within their time: 0 of 4; half took 140 minutes or less." in visitor.open(CLUB).text
    pairs = file(visitor, f"{CLUB}?figures=pairs")
    assert sum(int(row[1]) for row in pairs[1:-1]) == 12, "of the rounds after the first"


def test_event_that_is_opened_again_and_corrected_has_new_figures(visitor: Person, stage: Stage) -> None:
    event = played(stage, rounds=5)
    before = file(visitor, f"{CLUB}?figures=rates")
    stage.do(event, reopen)
    assert visitor.http.get(f"{CLUB}?figures=rates").status_code == visitor.http.get(EVENT).status_code == 404
    for game in stage.games(event, 5):
        stage.decide(event, game, 2, 2)
    stage.do(event, finish)
    after = file(visitor, f"{CLUB}?figures=rates")
    assert [sum(int(row[3]) for row in rows[1:]) for rows in (before, after)] == [0, 8], "draws"


def tally_now(stage: Stage, event: Event) -> Tally:
    """The figures of an event as if it were over now."""
    stage.s.rollback()
    return load_tally(stage.s, event, stage.clock())


def test_only_pairs_by_the_players_own_points_are_judged(stage: Stage) -> None:
    swiss = played(stage, over=False, rounds=2)
    assert tally_now(stage, swiss).gaps.total() == 4
    assert tally_now(stage, knockout_of(stage, 2)).gaps.total() == 0
    stage.set(swiss, team_size=2)
    assert tally_now(stage, swiss).gaps.total() == 0, "teams are paired by theirs"
    stage.set(swiss, team_size=1)
    for a_round in stage.all(Round, event_id=swiss.id):
        stage.set(swiss, a_round, kind=RoundKind.ROUND_ROBIN)
    assert tally_now(stage, swiss).gaps.total() == 0


def test_game_against_a_stand_in_counts_but_not_its_pair(stage: Stage) -> None:
    event = stage.event(rounds=3)
    *_, rin = stage.enter(event, "Ada", "Bo", "Cy", "Rin")
    stage.do(event, byes.set_ringer, rin)
    for number in (1, 2):
        stage.play(event, number)
    found = tally_now(stage, event)
    assert (found.totals["games"], found.gaps.total()) == (4, 1)


def test_points_apart_are_counted_in_wins(stage: Stage) -> None:
    event = played(stage, over=False, rounds=2)
    last, _, third, _ = stage.games(event, 2)
    down = {"kind": "pair_down", "high": 6.0, "low": 1.0}
    stage.set(event, last, notes=[down])
    stage.set(event, third, notes=[{"kind": "table_again", "who": 1, "table": 2, "often": 1}])
    assert tally_now(stage, event).gaps == {0.0: 3, round(5 / event.points_win, 2): 1}


def test_game_lost_by_a_card_counts_as_lost(stage: Stage) -> None:
    event = stage.event(rounds=1)
    ada, bo = stage.enter(event, "Ada", "Bo")
    stage.set(event, ada, faction="Raiders")
    stage.set(event, bo, faction="NCR")
    stage.play(event, 1)
    assert {key[0] for key in tally_now(stage, event).wins} == {"Raiders"}
    stage.do(event, give_ruling, ada, Given("Wrong", card=Card.RED, round_number=1, follows=Follows.GAME_LOST))
    assert {key[0] for key in tally_now(stage, event).wins} == {"NCR"}


def test_unlocked_list_is_not_read(stage: Stage) -> None:
    event = stage.event(rounds=2, lists_shown=ListsShown.AT_LOCK)
    ada, bo = stage.enter(event, "Ada", "Bo")
    for player in (ada, bo):
        stage.force(event, player, sample_force("Survivors", 750, player.id))
    stage.play(event, 1)
    assert tally_now(stage, event).totals["lists"] == 2
    stage.do(event, locks.unlock, ada, None)
    assert tally_now(stage, event).totals["lists"] == 1


def test_names_of_a_players_own_characters_are_not_counted(stage: Stage) -> None:
    event = stage.event(game="skill_combat", rounds=1, lists_shown=ListsShown.AT_LOCK)
    stage.set(event, report_detail=ReportDetail.OUTCOME)
    system = SYSTEMS["skill_combat"]
    for player in stage.enter(event, "Ada", "Bo"):
        terms = Terms(system.edition(event.edition), event.size)
        stage.force(event, player, system.forces.sample(terms, terms.edition.factions[0], player.id))
    (game,) = stage.publish(event, 1)
    stage.report(event, game, ReportSide.ORGANISER, {"won": "A wins"})
    found = tally_now(stage, event)
    assert (found.totals["lists"], found.totals["games"]) == (2, 1)
    assert {kind for kind, _ in found.chosen} == {"item"}
    assert not found.vp, "they are unknown"


def test_clock_of_a_round_has_its_pauses_and_its_stop(stage: Stage) -> None:
    event = stage.event(rounds=1, players=("Ada", "Bo"))
    (game,) = stage.publish(event, 1)
    starts, (a_round,) = stage.clock(), stage.all(Round, event_id=event.id)
    clock = {"started_at": starts, "minutes": 100, "paused_seconds": 600, "extra_seconds": 300}
    stage.set(event, a_round, **clock)
    stage.clock.advance(minutes=90)
    stage.decide(event, game, 2, 1)
    assert not tally_now(stage, event).rounds, "the desk's entry says nothing of when it was played"
    stage.set(event, a_round, stopped_at=starts + timedelta(minutes=120))
    assert tally_now(stage, event).rounds == {(120, -5): 1}
    stage.set(event, season=Season())
    assert not tally_now(stage, event).rounds, "a season has no clock"
