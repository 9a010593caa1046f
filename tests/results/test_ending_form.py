"""How a game ended: the same question for players, on paper and at the desk."""

from bs4 import Tag

from models.endings import Ending
from models.play import Report
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from tests.kit.tables import HOME, MINE, ROUND, Enter, seat

FIGURES = {"a__objectives": "3", "b__objectives": "1"}
UNFINISHED, UNPLAYED = "Unfinished when time was called", "Not played, though both were there"


def test_every_ending_that_a_player_chooses_is_stored(stage: Stage, enter: Enter) -> None:
    (table,) = seat(stage, enter)
    a, b = table.name("a"), table.name("b")
    cases = {
        "a": {"I conceded": Ending.CONCEDED_A, f"{b} conceded": Ending.CONCEDED_B, UNFINISHED: Ending.UNFINISHED,
              UNPLAYED: Ending.NOT_PLAYED, "Played out": None},
        "b": {"I conceded": Ending.CONCEDED_B, f"{a} conceded": Ending.CONCEDED_A},
    }  # fmt: skip
    for side, endings in cases.items():
        person = table.a if side == "a" else table.b
        for words, ending in endings.items():
            labels = person.open(MINE).soup.select(".ending-choices label")
            boxes = {label.text.strip(): box for label in labels if isinstance(box := label.find("input"), Tag)}
            table.send(person, ending=str(boxes[words]["value"]), **FIGURES)
            stored = stage.all(Report)[-1]
            assert (stored.side.value, stored.ending) == (side, ending), words


def choices(page: Page) -> dict[str, str]:
    """The endings that a desk's form offers, by their words."""
    return {option.text: str(option["value"]) for option in page.soup.select("select[name=ending] option")}


def test_every_ending_that_the_desk_chooses_is_stored(olga: Person, stage: Stage, enter: Enter) -> None:
    decided, on_paper = seat(stage, enter, "Ada", "Bo", "Cy", "Di")
    offered = choices(olga.open(decided.desk))
    olga.press("Decide", ending=offered[f"{decided.name('b')} conceded"], **FIGURES)
    assert (decided.game.ending, bool(decided.game.answers)) == (Ending.CONCEDED_B, True)
    page = olga.open(f"{ROUND}/entry?table={on_paper.game.table_number}")
    assert list(choices(page).values()) == ["played", "unfinished", "conceded_a", "conceded_b", "not_played"]
    olga.press("Store", ending=choices(page)[UNPLAYED])
    assert (on_paper.game.ending, on_paper.game.answers) == (Ending.NOT_PLAYED, None)


def test_only_the_desk_offers_a_judges_decision_and_asks_why(olga: Person, stage: Stage, enter: Enter) -> None:
    (table,) = seat(stage, enter)
    for person, address in ((table.a, MINE), (olga, f"{ROUND}/entry?table=1")):
        assert "Decided by a judge" not in person.open(address).text
    table.a.open(f"{HOME}/me/game")
    table.a.forge("Send the result", ending="decided", awarded="a", **FIGURES)
    assert not [one for one in stage.all(Report) if one.ending == Ending.DECIDED]
    olga.open(table.desk)
    page = olga.press("Decide", ending="decided", awarded="b", **FIGURES)
    assert (page.status, page.error_at("reason")) == (422, "Give the reason for the decision: both players read it.")
    olga.press("Decide", reason="An illegal model.")
    stored = table.game
    assert (stored.ending, stored.awarded, stored.ending_reason) == (Ending.DECIDED, "b", "An illegal model.")
