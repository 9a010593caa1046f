"""A secret list: no answer to anybody else differs from the answers about another list, or about none."""

import re
from typing import Any

import pytest
from flask import Flask

from events.accounts.queries import link_token
from events.lists import actions as lists_actions
from events.lists import locks
from events.play.queries import force_of
from events.rounds import actions as rounds_actions
from models.event import Event, ListsShown
from models.play import Player
from models.staff import Role
from tests.kit.forces import read_force, sample_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.secrecy import addresses, read_by
from tests.kit.stage import BY, Stage
from validators.contract import Document

SHORT = read_force(PIPER | {"name": "A short one"})
ILLEGAL = read_force(PIPER | {"models": [], "name": "One that is illegal"})
LONG = sample_force("Brotherhood of Steel", 750, seed=3)
Answers = dict[tuple[str, str], tuple[int, Any]]
"""Status and body by person and address."""


@pytest.fixture
def others(app: Flask, stage: Stage) -> tuple[Event, Player, dict[str, Person]]:
    """An event that keeps lists secret, its player Ada, and some of those who must not read her list."""
    event = stage.event(lists_shown=ListsShown.ON_PRESS)
    ada, bo = stage.enter(event, "Ada", "Bo")
    people = {
        "opponent": Person(app),
        "scorekeeper": let_in(app, stage.hire(event, "The scorekeeper", Role.SCOREKEEPER)),
    }
    people["opponent"].open(f"/p/{link_token(app.secret_key, bo)}")
    stage.draw(event, 1)
    return event, ada, people


def keep(stage: Stage, event: Event, player: Player, document: Document, *, submit: bool) -> None:
    """Store a list for the player, as an organiser may at any time."""
    with stage.changing(event) as s:
        lists_actions.save_force(s, event, player, document, BY, stage.clock(), by_organiser=True)
        if submit:
            lists_actions.submit_force(s, event, player, BY, stage.clock())
        assert force_of(s, player) is not None


def answers(app: Flask, stage: Stage, event: Event, about: Player, people: dict[str, Person]) -> Answers:
    """The answers to these people at every address about this player, without the salted hashes of sealed lists."""
    asked = addresses(app, stage, event, **{"<int:player_id>": str(about.id), "<int:team_id>": "1"})
    found: Answers = {}
    for name, person in people.items():
        for address in asked:
            if ("/desk" in address) == (name == "scorekeeper") and "pack" not in address:
                status, body = read_by(person, address)
                lines = [re.sub(r"[0-9a-f]{64}", "HASH", line) for line in body] if isinstance(body, list) else body
                found[name, address] = status, lines
    return found


@pytest.mark.proves("G4", "I10", "attack 3")
def test_secret_lists_look_alike_to_others(
    app: Flask, stage: Stage, others: tuple[Event, Player, dict[str, Person]]
) -> None:
    event, ada, people = others
    open_ = [answers(app, stage, event, ada, people)]
    keep(stage, event, ada, ILLEGAL, submit=False)
    open_.append(answers(app, stage, event, ada, people))
    keep(stage, event, ada, SHORT, submit=True)
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock(), sure=True)
    locked = [answers(app, stage, event, ada, people)]
    keep(stage, event, ada, LONG, submit=True)
    locked.append(answers(app, stage, event, ada, people))
    for first, second in (open_, locked):
        other = {address for name, address in first if first[name, address] != second[name, address]}
        # A list changed after the lock has a second published hash.
        assert other == (set() if first is open_[0] else {"/e/iron-open/lists"})
        assert len([one for one in first.values() if one[0] == 200]) > 25, "the control: there is something to read"


@pytest.mark.proves("attack 54")
def test_draft_looks_like_no_list_after_the_reveal(
    app: Flask, stage: Stage, others: tuple[Event, Player, dict[str, Person]]
) -> None:
    event, ada, people = others
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock(), sure=True)
        locks.reveal(s, event, BY, stage.clock())
    found = [answers(app, stage, event, ada, people)]
    keep(stage, event, ada, LONG, submit=False)
    found.append(answers(app, stage, event, ada, people))
    assert found[0] == found[1]
    keep(stage, event, ada, LONG, submit=True)
    page = read_by(people["opponent"], f"/e/{event.slug}/lists")
    assert page != found[0]["opponent", f"/e/{event.slug}/lists"], "the control: a submitted list is shown"
