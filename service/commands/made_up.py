"""Made-up players, forces and results for ``overseer demo``, stored by the same actions that people use."""

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial

from sqlmodel import Session

from events.lists import actions as lists_actions
from events.play.errors import Refused
from events.play.queries import players_of, round_of, system_of, terms_of
from events.play.rounds import roles_answered, round_view
from events.registration import actions as registration_actions
from events.results import actions as results_actions
from events.results.actions import Agreement, Claim
from events.results.queries import bounds_of
from models.event import Event
from models.play import Game, Player, ReportSide
from validators.answers import Bound, beyond_bounds
from validators.contract import GameSystem
from validators.scenario import Answers, Scenario

ACTOR = "demonstration"
ZONE = "Europe/Berlin"
# fmt: off
GIVEN = (
    "Ada", "Amara", "Anouk", "Björn", "Carys", "Chidi", "Dmitri", "Elif", "Emeka", "Farah", "Fionn", "Grete",
    "Hana", "Iñigo", "Ines", "Jun", "Kasia", "Léa", "Lotte", "Marek", "Mei", "Nadia", "Niamh", "Oskar", "Priya",
    "Rafał", "Saoirse", "Søren", "Tomás", "Ulla", "Vesna", "Wim", "Xenia", "Yusuf", "Zoë", "Юлия", "Иван", "太郎",
    "민수", "Ωμέγα",
)
FAMILY = (
    "Adeyemi", "Bauer", "Costa", "Dubois", "Eriksen", "Fischer", "García", "Hughes", "Ivanova", "Jensen",
    "Kowalski", "Lindqvist", "Müller", "Nowak", "O’Brien", "Petrov", "Quinn", "Rossi", "Šimić", "Tanaka", "Ünal",
    "Virtanen", "Weber", "Yılmaz", "Zieliński",
)
# fmt: on
CLUBS = ("Dustbowl Gamers", "Second Vault", "Table Six", "Łódź Dice", "The Cooling Tower", "")

Changing = Callable[[Event | None], AbstractContextManager[Session]]
"""Opens one change, like ``models.db.write`` bound to a session."""


def free_name(s: Session, event: Event, dice: random.Random) -> str:
    """A name that nobody in the event has."""
    taken = {p.name for p in players_of(s, event)}
    for turn in range(10_000):
        name = f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}" + (f" {turn}" if turn > 50 else "")
        if name not in taken:
            return name
    raise Refused("The demonstration has run out of names.")


def sign_up(
    s: Session, changing: Changing, event: Event, count: int, dice: random.Random, now: datetime,
    known: Sequence[str] = (),
) -> None:  # fmt: skip
    """Register players, each with a legal force, and check them in; the first ones have the names ``known``."""
    for number in range(count):
        with changing(event):
            name = known[number] if number < len(known) else free_name(s, event, dice)
            player = registration_actions.register(s, event, name, dice.choice(CLUBS), "", ACTOR, now)
            give_force(s, event, player, dice, now)
            registration_actions.check_in(s, event, player, ACTOR, now)


def give_force(s: Session, event: Event, player: Player, dice: random.Random, now: datetime) -> None:
    """Submit a legal force for a player."""
    terms = terms_of(s, event)
    factions = terms.edition.factions
    faction = factions[player.id % len(factions)]
    document = system_of(event).forces.sample(terms, faction, dice.getrandbits(32))
    lists_actions.save_force(s, event, player, document, ACTOR, now, by_organiser=True)
    lists_actions.submit_force(s, event, player, ACTOR, now)
    player.painted = dice.randrange(3) == 0


def play_round(s: Session, changing: Changing, event: Event, number: int, dice: random.Random, now: datetime) -> None:
    """Report and confirm every game in a published round."""
    the_round = round_of(s, event, number)
    assert the_round is not None  # noqa: S101 - just published
    view = round_view(s, event, the_round)
    for game in view.games:
        if game.b_id is None:
            continue
        scenario = view.scenario_at(game)
        assert scenario is not None  # noqa: S101 - drawn with the round
        bounds = bounds_of(s, event, game, scenario)
        roles = roles_answered(scenario, game)
        answers = possible_answers(event, scenario, dice, bounds, roles)
        with changing(event):
            send(s, event, game, ReportSide.A, answers, now)
        with changing(event):
            if dice.randrange(20):
                agreed = Agreement(ReportSide.B, ReportSide.A, game.version)
                results_actions.agree(s, event, game, agreed, ACTOR, now)
            else:  # now and then the organiser must decide
                send(s, event, game, ReportSide.B, possible_answers(event, scenario, dice, bounds, roles), now)
                send(s, event, game, ReportSide.ORGANISER, answers, now)


def send(s: Session, event: Event, game: Game, side: ReportSide, answers: Answers, now: datetime) -> None:
    """Store one report."""
    results_actions.report(s, event, game, Claim(side, answers, game.version, sure=True), ACTOR, now)


def _doubted(system: GameSystem, scenario: Scenario, answers: Answers, key: str, choice: str) -> bool:
    """Whether this choice would be asked about after these answers."""
    return any(key in doubt.keys for doubt in system.scoring.check(scenario, {**answers, key: choice}))


def possible_answers(
    event: Event, scenario: Scenario, dice: random.Random, bounds: Sequence[Bound] = (), roles: Answers | None = None
) -> dict[str, int | str]:
    """A made-up result with these roles that passes the scenario's check and the forces' bounds."""
    system = system_of(event)
    held = {key: bound.most for bound in bounds for key in bound.questions}
    known = {key for bound in bounds if bound.exact for key in bound.questions}
    answers: dict[str, int | str] = dict(roles or {})
    for question in scenario.questions:
        if question.key in answers:
            continue
        if question.kind == "choice":
            first = dice.choice(question.choices)
            doubted = partial(_doubted, system, scenario, answers, question.key)
            wanted: int | str = min((first, *question.choices), key=doubted)
        elif question.most == 0:
            continue
        elif question.key in known:
            wanted = held[question.key]
        else:
            few = question.usual or (3 if question.kind != "figure" else event.size)
            wanted = dice.randint(question.least, min(question.most, few, held.get(question.key, few)))
        # Keep each answer only if it fits with those before it: only the scenario knows the rules.
        tried = answers | {question.key: wanted}
        if not any(d.refused for d in (*system.scoring.check(scenario, tried), *beyond_bounds(bounds, tried))):
            answers = tried
    return answers
