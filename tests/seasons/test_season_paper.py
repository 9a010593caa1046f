"""What a season prints: sheets, blank sheets, plan with fixtures, standings on a day."""

import re
from datetime import UTC, date, datetime

import pytest

from events.seasons import league_actions as leagues
from events.web.answers import PAPERS
from models.play import ReportSide
from tests.kit.boxes import faults
from tests.kit.formats import NAMES
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.profiles import full_run
from tests.kit.stage import Stage
from tests.seasons.season import all_games, names_of, season_of


def test_papers_of_a_running_season_name_the_day_and_the_games_played(stage: Stage, olga: Person) -> None:
    event = season_of(stage, *NAMES[:4])
    stage.clock.now = datetime(2026, 12, 9, 12, tzinfo=UTC)
    first, second, *rest = all_games(stage, event)
    for _, game in (first, second):
        stage.decide(event, game, 4, 2)

    def title(address: str) -> str:
        (text,) = texts(olga.open(f"/e/iron-open/{address}"))
        named = re.search(r'filename="iron-open-(.*)"', olga.page.response.headers["Content-Disposition"])
        assert named
        return f"{named[1]}: " + " ".join(re.findall("(?:Final s|S)tandings (?:on|after).*?(?:played|round .)", text))

    assert title("standings.pdf?after=1") == "standings-after-1.pdf: " + " ".join(["Standings after round 1"] * 2)
    so_far = "Standings on 9 December, 2 of 6 games played"
    assert title("standings.pdf?after=3") == f"standings-2026-12-09.pdf: {so_far} {so_far}"
    assert so_far in olga.open("/e/iron-open/standings/text").text
    assert "standings-2026-12-09.csv" in olga.open("/e/iron-open/standings.csv").response.headers["Content-Disposition"]
    for _, game in rest:
        stage.decide(event, game, 4, 2)
    assert title("standings.pdf?after=3").startswith("standings-after-3.pdf: Standings after round 3")


def test_printed_sheets_have_the_last_day_and_no_table(stage: Stage, olga: Person) -> None:
    event = season_of(stage, "Ada", "Bo", "Cy", of=stage.event(), days=7)
    game = next(game for game in stage.games(event, 1) if game.b_id)
    stage.do(event, leagues.set_dates, game, None, date(2026, 12, 20), "Ada is ill")
    for paper in ("scoresheets", "scoresheets.pdf?each=2", "setup", "pairings", "pairings.pdf?order=name"):
        name, _, asked = paper.partition(".pdf")
        text = " ".join(texts(olga.open(f"/e/iron-open/rounds/1/{name}.pdf{asked}")))
        assert "20 Dec" in text and "BLANK" not in text and "minutes" not in text, paper
        assert "Table" not in text and "TABLE" not in text and "table 1" not in text, paper
        german = " ".join(texts(olga.open(f"/e/iron-open/rounds/1/{name}.pdf?{asked.removeprefix('?')}&language=de")))
        assert "20. Dez." in german and "20 Dec" not in german and "SPIELE…" not in german, paper
    entry = olga.open("/e/iron-open/desk/rounds/1/entry").part("main")
    assert all(one in entry for one in names_of(stage, game)) and "Table" not in entry
    stage.report(event, game, ReportSide.A, {"a.objectives": 3, "b.objectives": 1})
    olga.open("/e/iron-open/desk/rounds/1/results")
    assert olga.press("Confirm").flashes == "1 result confirmed."
    assert "able 1" not in olga.open(f"/e/iron-open/desk/games/{game.id}").part("main"), "a season has no tables"
    (record,) = texts(olga.open("/e/iron-open/desk/rounds/1/records.pdf"))
    assert "RECORD" in record and "PLAY BY 20 Dec" in record and "Code of the game" not in record


def test_plan_of_a_season_has_the_last_day_of_each_round(stage: Stage, olga: Person) -> None:
    season_of(stage, "Ada", "Bo", "Cy", "Di", of=stage.event(), days=7)
    plan, _ = texts(olga.open("/e/iron-open/plan.pdf"))
    assert "Season plan" in plan and "Plan of the day" not in plan and " min" not in plan
    heads = "Play by Round Scenario Fri 11 Dec 1"
    assert heads in plan and "Fri 18 Dec 2" in plan and "Fri 25 Dec 3" in plan, plan
    assert "Season plan" in olga.open("/e/iron-open/desk/print").part("main")


def test_season_plan_has_the_fixtures_with_results_the_cross_table_and_the_knockout(stage: Stage, olga: Person) -> None:
    event = season_of(stage, *NAMES[:4], of=stage.event(ends_on=date(2027, 2, 6)), days=7)
    stage.set(event, cut=2)
    (_, first), *_ = all_games(stage, event)
    stage.decide(event, first, 4, 2)
    plan, games = texts(olga.open("/e/iron-open/plan.pdf"))
    assert "Fri 11 Dec 2026" in plan and "Sat 6 Feb 2027 Knockout of the top 2" in plan
    a, b = names_of(stage, first)
    assert f"{a} 12 : 6 {b}" in games or f"{a} 4 : 2 {b}" in games, games
    assert re.findall(r"Round \d", games) == ["Round 1", "Round 2", "Round 3"]
    assert all(name in games for name in NAMES[:4]) and "Cross table" in games and "r3" in games
    assert "r1: to be played in round 1" in games, "the first that is open"


@pytest.mark.parametrize("players", full_run([8, 16], [8], [16]))
def test_season_plans_fit_all_papers(stage: Stage, olga: Person, players: int) -> None:
    event = season_of(stage, *(f"{name} {n}" for n in range(players // 4) for name in NAMES[:4]))
    for _, game in all_games(stage, event):
        stage.decide(event, game, 4, 2)
    for size in PAPERS:
        document = olga.open(f"/e/iron-open/plan.pdf?paper={size}").response.data
        assert [*faults(document)] == [], size
