"""The report file over HTTP: public like the standings, after any complete round."""

from models.event import Event
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.team_events import COLOURS, enter_teams, team_event
from tests.standings.test_trf import read


def test_the_file_of_an_event_is_that_of_its_standings(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    stage.play(event, 1)
    stage.play(event, 2)
    page = visitor.open("/e/iron-open/standings")
    (link,) = [str(a["href"]) for a in page.soup.find_all("a", href=True) if ".trf" in str(a["href"])]
    answer = visitor.ask("GET", link)
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert 'filename="iron-open-after-round-2.trf"' in answer.headers["Content-Disposition"]
    heads, players = read(answer.text)
    assert (heads["012"], heads["062"], heads["XXR"]) == ("Iron Open", "5", "3")
    assert heads["092"] == "Individual: Swiss system"
    assert [len(one.rounds) for one in players.values()] == [2] * 5
    rows = {row.name: row for row in stage.standings(event)}
    assert {one.name: (one.rank, one.points) for one in players.values()} == {
        name: (row.rank, row.points) for name, row in rows.items()
    }
    _, earlier = read(visitor.ask("GET", "/e/iron-open/standings.trf?after=1").text)
    assert [len(one.rounds) for one in earlier.values()] == [1] * 5
    for number in ("3", "-1"):
        assert visitor.ask("GET", f"/e/iron-open/standings.trf?after={number}").status_code == 404


def test_before_the_first_round_there_are_players_without_rounds(stage: Stage, event: Event, visitor: Person) -> None:
    stage.enter(event, "Ada", "Bo")
    _, players = read(visitor.ask("GET", "/e/iron-open/standings.trf").text)
    assert [(one.name, one.rounds) for one in players.values()] == [("Ada", ()), ("Bo", ())]


def test_a_team_event_names_its_teams(stage: Stage, visitor: Person) -> None:
    event = team_event(stage)
    enter_teams(stage, event, *COLOURS[:2])
    text = visitor.ask("GET", f"/e/{event.slug}/standings.trf").text
    assert "092 Team: Swiss system\r\n" in text
    assert f"013 {'Reds':<31}    1    2    3\r\n" in text
