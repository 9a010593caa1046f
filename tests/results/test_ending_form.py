"""How a game ended is asked alike of players, from paper and at the desk, and what is said is what is stored."""

from collections.abc import Callable

import pytest
from flask import Flask

from models.endings import Ending
from models.play import Game, Report
from tests.kit.person import Person
from tests.kit.stage import Stage

HOME = "/e/iron-open"
FIGURES = {"a__objectives": "3", "b__objectives": "1"}
Seat = tuple[Game, dict[str, Person]]


@pytest.fixture
def seat(app: Flask, stage: Stage, enter: Callable[..., list[Person]]) -> Seat:
    """A game of round 1 that nobody has reported, and both players' browsers by side."""
    event = stage.event(scenarios=("hold-the-line", "", ""))
    people = dict(zip(("Ada", "Bo"), enter(event, "Ada", "Bo"), strict=True))
    (game,) = stage.publish(event, 1)
    return game, {"a": people[stage.name(game.a_id)], "b": people[stage.name(game.b_id)]}


@pytest.mark.parametrize(
    ("side", "words", "ending"),
    [
        ("a", "I conceded", Ending.CONCEDED_A),
        ("b", "I conceded", Ending.CONCEDED_B),
        ("a", "{b} conceded", Ending.CONCEDED_B),
        ("b", "{a} conceded", Ending.CONCEDED_A),
        ("a", "Unfinished when time was called", Ending.UNFINISHED),
        ("a", "Not played, though both were there", Ending.NOT_PLAYED),
        ("a", "Played out", None),
    ],
)
def test_what_a_player_says_of_the_end_is_stored(
    stage: Stage, seat: Seat, side: str, words: str, ending: Ending | None
) -> None:
    game, people = seat
    said = words.format(a=stage.name(game.a_id), b=stage.name(game.b_id))
    page = people[side].open(f"{HOME}/me/game")
    choices = {label.text.strip(): str(box["value"]) for label in page.soup.select(".ending-choices label")
               if (box := label.find("input"))}  # fmt: skip
    people[side].press("Send the result", ending=choices[said], **FIGURES)
    assert stage.one(Report).ending == ending


@pytest.mark.parametrize("door", ["desk", "paper"])
@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("{a} conceded", Ending.CONCEDED_A),
        ("{b} conceded", Ending.CONCEDED_B),
        ("Unfinished when time was called", Ending.UNFINISHED),
        ("Not played, though both were there", Ending.NOT_PLAYED),
        ("Played out", None),
    ],
)
def test_what_the_desk_says_of_the_end_is_stored(
    olga: Person, stage: Stage, seat: Seat, door: str, words: str, ending: Ending | None
) -> None:
    game, _ = seat
    said = words.format(a=stage.name(game.a_id), b=stage.name(game.b_id))
    address = f"games/{game.id}" if door == "desk" else "rounds/1/entry?table=1"
    page = olga.open(f"{HOME}/desk/{address}")
    choices = {option.text: str(option["value"]) for option in page.soup.select("select[name=ending] option")}
    figures = {} if ending == Ending.NOT_PLAYED and door == "paper" else FIGURES
    olga.press("Decide" if door == "desk" else "Store", ending=choices[said], **figures)
    told = stage.one(Report)
    assert (told.ending, bool(told.answers)) == (ending, ending != Ending.NOT_PLAYED)


def test_a_judge_decides_at_the_desk_alone_and_says_why(olga: Person, stage: Stage, seat: Seat) -> None:
    game, people = seat
    for person, address in ((people["a"], "me/game"), (olga, "desk/rounds/1/entry?table=1")):
        assert "Decided by a judge" not in person.open(f"{HOME}/{address}").text
    people["a"].open(f"{HOME}/me/game")
    people["a"].forge("Send the result", ending="decided", awarded="a", **FIGURES)
    assert not [one for one in stage.all(Report) if one.ending == Ending.DECIDED]
    olga.open(f"{HOME}/desk/games/{game.id}")
    page = olga.press("Decide", ending="decided", awarded="b", **FIGURES)
    assert (page.status, page.error_at("reason")) == (422, "Say why it is decided so: both players read it.")
    olga.press("Decide", reason="An illegal model.")
    assert (stage.now(game).ending, stage.now(game).awarded, stage.now(game).ending_reason) == (
        Ending.DECIDED, "b", "An illegal model.",
    )  # fmt: skip
