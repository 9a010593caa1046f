"""Results that the desk stores with one press: an outcome, or a concession."""

import pytest

from events.tournament.endings import Ending
from models.play import Game, GameState
from models.settings import ReportDetail
from tests.kit.person import Person
from tests.kit.stage import Event, Stage

pytestmark = pytest.mark.fast

RESULTS = "/e/iron-open/desk/rounds/1/results"


@pytest.fixture
def game(stage: Stage, event: Event) -> Game:
    stage.set(event, report_detail=ReportDetail.OUTCOME)
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    return stage.publish(event, 1)[0]


def page_of(game: Game) -> str:
    return f"/e/iron-open/desk/games/{game.id}"


def test_row_of_an_open_table_stores_an_outcome_and_stays_at_the_results(
    olga: Person, stage: Stage, game: Game
) -> None:
    row, name = f"#table-{game.table_number}", stage.name(game.b_id)
    buttons = [button.get_text() for button in olga.open(RESULTS).soup.select(f"{row} [name=won]")]
    assert buttons == [f"{stage.name(game.a_id)} won", "Draw", f"{name} won"]
    page = olga.press(f"{name} won", inside=row)
    assert (page.path, page.flashes) == (RESULTS, f"Table {game.table_number}: the result is confirmed.")
    assert (stage.now(game).state, stage.now(game).answers) == (GameState.CONFIRMED, {"won": "B wins"})
    assert not page.soup.select(f"{row} [name=won]")


def test_page_of_a_game_stores_an_outcome_with_what_was_typed(olga: Person, stage: Stage, game: Game) -> None:
    page = olga.press("Draw", at=f"{page_of(game)}?from=results", ending="unfinished", reason="Time was called.")
    assert page.path == RESULTS
    stored = stage.now(game)
    assert (stored.answers, stored.ending) == ({"won": "Draw"}, Ending.UNFINISHED)
    assert "Time was called." in olga.open(f"/e/iron-open/games/{game.id}").text


def test_refused_outcome_keeps_the_choice_and_the_reason(olga: Person, stage: Stage, game: Game) -> None:
    name = stage.name(game.a_id)
    page = olga.press(f"{name} won", at=page_of(game), ending="decided", awarded="a")
    assert (page.status, page.error_at("reason") != "") == (422, True)
    assert [str(box["value"]) for box in page.soup.select("[name=won][checked]")] == ["A wins"]
    assert stage.now(game).state == GameState.OPEN


def test_enter_in_a_field_names_no_winner(olga: Person, game: Game) -> None:
    """Browsers press the first button of a form."""
    form = olga.open(page_of(game)).soup.select("form.report")[0]
    assert "name" not in form.select("button")[0].attrs


def test_concession_takes_one_press_and_keeps_the_figures(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    page = olga.press(f"{stage.name(game.a_id)} conceded", at=page_of(game), b__r2="2")
    stored = stage.now(game)
    assert (page.status, stored.state, stored.ending) == (200, GameState.CONFIRMED, Ending.CONCEDED_A)
    assert (stored.answers or {})["b.r2"] == 2
    assert not olga.open(page_of(game)).soup.select("button[value^=conceded]"), "a correction"


def test_list_offers_nothing_where_scores_are_free_figures(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert not olga.open(RESULTS).soup.select("main [name=won]")
