"""Every route of the application, with addresses for an event that has rows of every kind."""

from collections.abc import Callable, Iterable, Mapping

import pytest
from flask import Flask

from models.event import Event
from models.message import Message
from models.play import Game, ListSeal, Player
from tests.kit.forces import sample_force
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.writing import give_mail, write_to


@pytest.fixture
def four_people(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> list[Person]:
    """A visitor, a player with a game, a player of another event, the organiser; round 1 and lists are shown."""
    ada, *_ = enter(event, "Ada", "Bo")
    (cy,) = enter(stage.event("Rust Cup"), "Cy")
    begin(stage, event)
    return [Person(app), ada, cy, olga]


def begin(stage: Stage, event: Event) -> None:
    stage.force(event, stage.all(Player)[0], sample_force("Survivors", 750, 4))
    give_mail(stage, event)
    write_to(stage, event)
    stage.publish(event, 1)


def rules(app: Flask, method: str) -> list[str]:
    return [rule.rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def of_game(event: Event, game: Game) -> dict[str, str]:
    """Values for the variables of routes, from an event and a game of its round 1; others are made up."""
    return {
        "<slug>": event.slug, "<int:game_id>": str(game.id), "<code>": game.code, "<edition_id>": event.edition,
        "<game:system_id>": event.system.replace("_", "-"), "<int:number>": "1", "<verb>": "check-in",
        "<key>": "playing", "<view>": "names", "<scenario_id>": "raiders", "<calculator_id>": "attack",
        "<token>": "made-up", "<path:filename>": "overseer.css", "<format_id>": "ros", "<section>": "event",
        "<language>": "en",
    }  # fmt: skip


def values_of(stage: Stage, name: str = "Ada") -> dict[str, str]:
    """Values for every variable of a route, from the Iron Open and the player of this name."""
    ones = (
        "pair", "point", "team", "ruling", "award", "change_set", "announcement", "staff", "invitation", "entry",
        "code", "device", "sign_in", "passkey", "webhook", "call", "token", "person", "page",
    )  # fmt: skip
    event = stage.one(Event, slug="iron-open")
    game = stage.games(event, 1)[0]
    return {f"<int:{kind}_id>": "1" for kind in ones} | of_game(event, game) | {
        "<int:player_id>": str(stage.one(Player, name=name).id), "<int:message_id>": str(stage.all(Message)[0].id),
        "<int:round_number>": "1", "<sha256>": stage.all(ListSeal)[0].sha256,
    }  # fmt: skip


def filled(rule: str, values: Mapping[str, str]) -> str:
    if "<calculator_id>" in rule:
        rule = rule.replace("<game:system_id>", "skill-combat")
    for name, value in values.items():
        rule = rule.replace(name, value)
    return rule


def addresses(wanted: Iterable[str], stage: Stage, name: str = "Ada") -> dict[str, str]:
    values = values_of(stage, name)
    return {rule: filled(rule, values) for rule in wanted}
