"""What is fielded of a roster, or of a list in a role: chosen in secret for each game, against a clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from events.accounts.access import list_open
from events.play.errors import Refused
from events.play.journal import note
from events.play.queries import (
    fielded_of,
    force_of,
    players_by_id,
    scenario_in,
    system_of,
    terms_for,
    terms_of,
    verdict_of,
    verdict_on,
)
from events.play.roles import fields_a_part, role_of
from models.event import Event, EventState, Round
from models.play import FieldedForce, Game, GameState, Player
from validators.contract import Document, Verdict
from validators.restrictions import from_document
from validators.scenario import Scenario


@dataclass(frozen=True)
class Considered:
    """A part of a roster with its verdict, and the roster's Leader if the part leaves them out ("" if not)."""

    document: Document
    verdict: Verdict
    left_out: str


def ends_at(event: Event, game: Game) -> datetime | None:
    """The end of the time for choosing; None before the clock is started."""
    if game.choosing_since is None:
        return None
    return game.choosing_since + timedelta(minutes=from_document(event.restrictions).choose_minutes)


def start_clock(s: Session, event: Event, game: Game, actor: str, now: datetime) -> None:
    """Start the clock of a table; if it runs already, nothing changes."""
    _open(s, event, game)
    if game.choosing_since is None:
        game.choosing_since = now
        note(s, event, actor, now, "start-choosing", f"Table {game.table_number} chooses its forces", game=game.id)


def played(s: Session, event: Event, game: Game) -> Scenario | None:
    """The scenario of a game."""
    return scenario_in(s, event, s.get_one(Round, game.round_id), game)


def consider(s: Session, event: Event, game: Game, player: Player, places: Sequence[int], now: datetime) -> Considered:
    """The part of the player's roster at these places, with its verdict: in a role, by the terms of that role.

    Raises Refused unless the player has a submitted, legal roster that is not unlocked.
    """
    roster = force_of(s, player)
    if roster is None:
        raise Refused("There is no list to choose from. Talk to the organiser.")
    if list_open(event, player, now):
        raise Refused("This list is unlocked for a change: wait until it is locked again.")
    terms = terms_of(s, event)
    verdict = verdict_on(event, player, roster, terms)
    if not verdict.legal:
        broken = ", ".join(dict.fromkeys(problem.rule for problem in verdict.problems))
        raise Refused(f"The list itself is not legal ({broken}), so it cannot be fielded. Talk to the organiser.")
    if not roster.submitted:
        raise Refused("This list was never submitted, or is a draft again. Ask an organiser to submit it.")
    if not places:
        raise Refused("Please choose the models that you field.", "places")
    system, role = system_of(event), role_of(played(s, event, game), game, player.id)
    document = system.forces.part_of(roster.document, places)
    leader = "" if role else system.forces.summarise(roster.document, terms.edition).leader
    left_out = "" if system.forces.summarise(document, terms.edition).leader == leader else leader
    terms = terms_for(terms, player)
    verdict = verdict_of(event, document, terms.in_role(role) if role else terms.fielded)
    return Considered(document, verdict, left_out)


def choose(
    s: Session, event: Event, game: Game, player: Player, places: Sequence[int], actor: str, now: datetime
) -> FieldedForce:
    """Field these models of the roster. The choice can be changed until both players have chosen.

    Raises Refused if the part is not legal at the event's size or in the role, or both have chosen. A late choice is
    stored with its time; the organiser decides on a penalty.
    """
    _open(s, event, game)
    chosen = fielded_of(s, game)
    if len(chosen) == 2:
        raise Refused("Both players have chosen. The forces cannot be changed now.")
    considered = consider(s, event, game, player, places, now)
    if considered.left_out and not considered.verdict.legal:
        raise Refused(
            f"{considered.left_out} leads the roster and is always fielded: include it and choose again.", "places"
        )
    if not considered.verdict.legal:
        wrong = "; ".join(problem.message for problem in considered.verdict.problems[:3])
        raise Refused(f"This is not legal yet: {wrong}. Nothing is chosen.", "places")
    start_clock(s, event, game, actor, now)
    fielded = chosen.get(player.id)
    if fielded is None:
        fielded = FieldedForce(game_id=game.id, player_id=player.id, document=considered.document, chosen_at=now)
        s.add(fielded)
        note(s, event, actor, now, "field", f"{player.name} has chosen a force", game=game.id, player=player.id)
    else:
        fielded.document, fielded.chosen_at = considered.document, now
    return fielded


def choose_again(s: Session, event: Event, game: Game, actor: str, now: datetime) -> None:
    """Delete both choices and stop the clock, for example after a device failed."""
    _open(s, event, game)
    for fielded in fielded_of(s, game).values():
        s.delete(fielded)
    game.choosing_since = None
    names = players_by_id(s, event)
    both = " and ".join(names[id_].name for id_ in (game.a_id, game.b_id) if id_ is not None)
    note(s, event, actor, now, "choose-again", f"{both} choose their forces again", game=game.id)


def _open(s: Session, event: Event, game: Game) -> None:
    if not fields_a_part(event, played(s, event, game), game):
        raise Refused("This game is played without a sideboard.")
    if event.state != EventState.IN_PROGRESS or game.state == GameState.CONFIRMED:
        raise Refused("This game is over.")
