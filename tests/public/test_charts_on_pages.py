"""Charts on the event's and the player's page show only what everybody may read."""

import csv
import io

from events.setup.actions import finish
from models.play import Player, ReportSide
from models.settings import ListsShown
from tests.kit.person import Person
from tests.kit.stage import Event, Stage

EVENT = "/e/iron-open"


def figures(person: Person) -> list[list[str]]:
    """The file that the only chart of the open page links, which has what its table has."""
    (link,) = person.page.soup.select("figure.chart a[download]")
    answer = person.http.get(str(link["href"]))
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    rows = [*csv.reader(io.StringIO(answer.data.decode("utf-8-sig")))]
    assert rows[1:] == person.page.rows("figure.chart table")
    return rows


def test_factions_are_drawn_once_lists_are_shown(stage: Stage, event: Event, visitor: Person) -> None:
    field = stage.enter(event, "Ada", "Bo", "Cy", "Di")
    for player, faction in zip(field, ("Raiders", "NCR", "Raiders", "Raiders"), strict=True):
        stage.set(event, player, faction=faction)
    stage.set(event, lists_shown=ListsShown.ON_PRESS, lists_revealed_at=None)
    assert not visitor.open(EVENT).soup.select("figure.chart")
    assert visitor.http.get(f"{EVENT}?figures=factions").status_code == 404
    stage.set(event, lists_revealed_at=stage.clock())
    page = visitor.open(EVENT)
    assert figures(visitor) == [["Faction", "Players"], ["Raiders", "3"], ["NCR", "1"]]
    assert page.part("figure.chart figcaption") == "Three of 4 players bring Raiders."
    assert page.rows("figure.chart table") == [["Raiders", "3"], ["NCR", "1"]]


def test_confirmed_games_are_drawn_on_the_players_page(stage: Stage, visitor: Person) -> None:
    event = stage.event(rounds=4, players=("Ada", "Bo", "Cy", "Di", "Ed", "Fay"))
    ada = stage.one(Player, name="Ada")
    page, opponents = f"{EVENT}/players/{ada.id}", []
    for number in range(1, 5):
        for game in stage.publish(event, number):
            is_own = ada.id in (game.a_id, game.b_id)
            if is_own:
                opponents.append(stage.name(game.b_id if game.a_id == ada.id else game.a_id))
            stage.report(event, game, ReportSide.A, {"a.objectives": 5, "b.objectives": 2})
            assert not is_own or not visitor.open(page).soup.select("figure.chart"), "three games or fewer are plain"
            stage.decide(event, game, *((5, 2) if not is_own or game.a_id == ada.id else (2, 5)))
    assert visitor.open(page).soup.select("figure.chart figcaption")
    assert visitor.page.rows("figure.chart table") == [
        [str(number), other, "5", "2"] for number, other in enumerate(opponents, 1)
    ]
    assert len(figures(visitor)) == 5


def test_event_page_draws_the_ranks_once_the_event_is_over(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, players=("Ada", "Bo", "Cy", "Di"))
    for number in (1, 2):
        for game in stage.publish(event, number):
            stage.decide(event, game, 2, 1)
    assert not visitor.open("/e/iron-open").soup.select("[aria-label='Ranks by round'] svg")
    stage.do(event, finish)
    assert visitor.open("/e/iron-open").soup.select("[aria-label='Ranks by round'] svg")
    visitor.open("/e/iron-open")
    assert [row[0] for row in figures(visitor)] == ["Player", *(row.name for row in stage.standings(event))]


def test_figures_of_an_earlier_round_end_there(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=3, players=("Ada", "Bo", "Cy", "Di"))
    for number in (1, 2, 3):
        stage.play(event, number)
    widths = []
    for after in ("", "?after=2"):
        visitor.open(f"{EVENT}/standings{after}")
        widths.append(len(figures(visitor)[0]))
    assert widths == [4, 3]
    assert visitor.http.get(f"{EVENT}/standings?figures=none").status_code == 404
