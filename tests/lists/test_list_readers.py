"""Who reads the lists in each phase: staff, the opponents of the current round, everybody."""

import pytest
from flask import Flask

from models.event import Event, ListsInPlay, ListsShown
from models.play import Player
from tests.kit.lists import DEADLINE, Enter, store_force
from tests.kit.person import Person
from tests.kit.secrets_planted import everything
from tests.kit.stage import Stage

FORMS = ("", "/force.json", "/force.pdf")


def readers(people: dict[str, Person], player: Player) -> set[str]:
    """Who finds the player's list at any of its addresses."""
    pages = [f"/e/iron-open/players/{player.id}{form}" for form in FORMS]
    return {
        name
        for name, person in people.items()
        if any("Pipe Wrench" in everything(person.ask("GET", page)) for page in pages)
    }


@pytest.mark.parametrize("in_play", list(ListsInPlay))
def test_lists_are_read_by_phase(app: Flask, enter: Enter, stage: Stage, olga: Person, in_play: ListsInPlay) -> None:
    event = stage.event(lists_shown=ListsShown.AFTER_EVENT, rounds=2)
    names = ("Ada", "Bo", "Cy", "Di")
    people = dict(zip(names, enter(event, *names), strict=True)) | {"guest": Person(app), "Olga": olga}
    player = store_force(stage, "Ada")
    with stage.changing(event):
        event.lists_in_play = in_play
    assert readers(people, player) == {"Ada", "Olga"}, "before the lock"
    stage.clock.now = DEADLINE
    assert readers(people, player) == {"Ada", "Olga"}, "before round 1"
    met = set()
    for number in (1, 2):
        games = stage.publish(event, number)
        game = next(one for one in games if player.id in (one.a_id, one.b_id))
        opponent = stage.name(game.b_id if game.a_id == player.id else game.a_id)
        met.add(opponent)
        also = {ListsInPlay.STAFF: set(), ListsInPlay.OPPONENTS: {opponent}, ListsInPlay.EVERYBODY: {*people}}[in_play]
        assert readers(people, player) == {"Ada", "Olga"} | also, number
        if in_play == ListsInPlay.OPPONENTS:
            assert "Their force" in people[opponent].open("/e/iron-open/me").text
            assert "Pipe Wrench" not in people[opponent].open("/e/iron-open/lists").text
        for one in games:
            stage.decide(event, one, 2, 1)
    assert len(met) == 2, "the opponent of round 1 is another one"


def test_draft_of_an_opponent_stays_hidden(enter: Enter, stage: Stage, event: Event) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    player = store_force(stage, "Ada", submit=False)
    with stage.changing(event):
        event.lists_shown, event.lists_in_play = ListsShown.AFTER_EVENT, ListsInPlay.OPPONENTS
    stage.publish(event, 1)
    assert readers({"Ada": ada, "Bo": bo}, player) == {"Ada"}


def test_organiser_chooses_the_readers(olga: Person, stage: Stage, event: Event) -> None:
    olga.open("/e/iron-open/desk/settings")
    olga.press("Save", lists_shown="after_event", lists_in_play="opponents")
    assert stage.now(event).lists_in_play == ListsInPlay.OPPONENTS
    assert "opponents read each other" in olga.open("/e/iron-open").text
