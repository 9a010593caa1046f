"""Penalties, bonuses and cards for players and teams: given with a reason, taken back, never erased."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from events.play.errors import Refused
from events.play.journal import note
from events.play.queries import games_of, players_of, round_of, round_views, rounds_of
from events.play.rulings import cards_of, disqualified, lost_by_card, soft_rules, standing_rulings, words_of
from events.play.team_queries import is_team_event, members
from events.registration.actions import drop
from events.rounds.knockout import why_settled
from events.standings.soft_scores import FINAL
from models.award import Card, Ruling, TeamRuling
from models.event import Event, EventState, RoundKind, RoundState
from models.play import Player, PlayerState
from models.team import Team


class Follows(StrEnum):
    """What a red card leads to."""

    NOTHING = ""
    GAME_LOST = "game_lost"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True)
class Given:
    """A penalty, bonus or card, as the staff give it. ``round_number`` None: for the whole event."""

    reason: str
    points: int = 0
    vp: int = 0
    card: Card | None = None
    round_number: int | None = None
    follows: Follows = Follows.NOTHING


def is_red(event: Event, player: Player, card: Card | None) -> bool:
    """Whether the card counts as red: it is red, or it is the player's second yellow and the event's rules say so."""
    second = card == Card.YELLOW and cards_of(standing_rulings(event), player.id, Card.YELLOW) > 0
    return card == Card.RED or (second and soft_rules(event).second_yellow)


def give_ruling(s: Session, event: Event, player: Player, given: Given, actor: str, now: datetime) -> Ruling:
    """Give a player a penalty, a bonus or a card. Raises Refused.

    A disqualified player is dropped at once. A game lost by a card keeps its victory points.
    """
    published = published_rounds(s, event, given)
    _check_follows(event, player, given)
    if given.follows == Follows.GAME_LOST:
        _check_lost_game(s, event, player, given)
    if given.follows == Follows.DISQUALIFIED and player.state != PlayerState.DROPPED:
        drop(s, event, player, actor, now)
    ruling = Ruling(
        **_columns(event, given, published, actor, now),
        player_id=player.id,
        card=given.card,
        loses_game=given.follows == Follows.GAME_LOST,
        disqualifies=given.follows == Follows.DISQUALIFIED,
    )
    s.add(ruling)
    s.flush()  # makes the ruling's id for the journal
    s.expire(event, ["rulings"])
    note(
        s, event, actor, now, "ruling", f"{player.name}: {words_of(ruling)}. {ruling.reason}",
        player=player.id, ruling=ruling.id, points=given.points, vp=given.vp, card=given.card,
        round=given.round_number, follows=given.follows,
    )  # fmt: skip
    return ruling


def _columns(event: Event, given: Given, published: int, actor: str, now: datetime) -> dict[str, Any]:
    """The columns that rulings of players and of teams share."""
    return {
        "event_id": event.id,
        "round_number": given.round_number,
        "after_round": published,
        "points": given.points,
        "vp": given.vp,
        "reason": given.reason,
        "by": actor,
        "at": now,
    }


def published_rounds(s: Session, event: Event, given: Given) -> int:
    """How many rounds are published. Raises Refused if nothing is given, or for a round that is not published."""
    if event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if not (given.points or given.vp or given.card):
        raise Refused("Give points, victory points or a card.", "points")
    published = sum(one.state == RoundState.PUBLISHED for one in rounds_of(s, event))
    if given.round_number is not None and not 1 <= given.round_number <= published:
        raise Refused(f"Round {given.round_number} is not published.", "round_number")
    return published


def _check_follows(event: Event, player: Player, given: Given) -> None:
    red = is_red(event, player, given.card)
    if red and given.follows == Follows.NOTHING:
        what = "A red card" if given.card == Card.RED else f"The second yellow card of {player.name} is a red one: it"
        raise Refused(f"{what} costs the game or the event. Choose which.", "follows")
    if not red and given.follows != Follows.NOTHING:
        raise Refused("Only a red card costs a game or the event.", "follows")
    if given.follows == Follows.DISQUALIFIED and player.id in disqualified(event):
        raise Refused(f"{player.name} is disqualified already.", "follows")


def _check_lost_game(s: Session, event: Event, player: Player, given: Given) -> None:
    number = given.round_number
    the_round = round_of(s, event, number) if number is not None else None
    if number is None or the_round is None:
        raise Refused("Choose the round of the lost game.", "round_number")
    game = next((one for one in games_of(s, the_round) if player.id in (one.a_id, one.b_id)), None)
    if game is None or game.b_id is None:
        raise Refused(f"{player.name} has no game in round {number}.", "round_number")
    lost = lost_by_card(event)
    if (number, player.id) in lost:
        raise Refused(f"{player.name} has lost the game of round {number} by a card already.", "round_number")
    if any((number, one) in lost for one in (game.a_id, game.b_id)):
        raise Refused("The opponent has already lost this game by a card, and one player must win.", "round_number")
    if the_round.kind == RoundKind.KNOCKOUT and (settled := why_settled(round_views(s, event), the_round)):
        raise Refused(settled, "round_number")


def take_back_ruling(s: Session, event: Event, ruling: Ruling, actor: str, now: datetime) -> None:
    """Take a ruling back: it no longer counts and stays in the list. Does nothing the second time. Raises Refused.

    A disqualified player stays dropped until staff bring them back.
    """
    if event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if ruling.taken_back_at is not None:
        return
    the_round = round_of(s, event, ruling.round_number or 0) if ruling.loses_game else None
    knockout = the_round is not None and the_round.kind == RoundKind.KNOCKOUT
    if knockout and the_round and (settled := why_settled(round_views(s, event), the_round)):
        raise Refused(settled)
    ruling.taken_back_at, ruling.taken_back_by = now, actor
    player = s.get_one(Player, ruling.player_id)
    s.expire(event, ["rulings"])
    note(
        s, event, actor, now, "take-back-ruling", f"{player.name}: took back {words_of(ruling)}",
        player=player.id, ruling=ruling.id,
    )  # fmt: skip


def give_team_ruling(s: Session, event: Event, team: Team, given: Given, actor: str, now: datetime) -> TeamRuling:
    """Give a team tournament points or victory points, or take them away. Raises Refused, also for a card."""
    if given.card is not None or given.follows:
        raise Refused("Cards go to players: choose a player of the team.", "card")
    published = published_rounds(s, event, given)
    if not is_team_event(event):
        raise Refused("This event has no teams.", "player")
    ruling = TeamRuling(**_columns(event, given, published, actor, now), team_id=team.id)
    s.add(ruling)
    s.flush()  # makes the ruling's id for the journal
    s.expire(event, ["team_rulings"])
    note(
        s, event, actor, now, "ruling", f"{team.name}: {words_of(ruling)}. {ruling.reason}", team=team.id,
        players=_member_ids(s, event, team), team_ruling=ruling.id, points=given.points, vp=given.vp,
        round=given.round_number,
    )  # fmt: skip
    return ruling


def take_back_team_ruling(s: Session, event: Event, ruling: TeamRuling, actor: str, now: datetime) -> None:
    """Take a ruling back: it no longer counts and stays in the list. Does nothing the second time. Raises Refused."""
    if event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if ruling.taken_back_at is not None:
        return
    ruling.taken_back_at, ruling.taken_back_by = now, actor
    team = s.get_one(Team, ruling.team_id)
    s.expire(event, ["team_rulings"])
    note(
        s, event, actor, now, "take-back-ruling", f"{team.name}: took back {words_of(ruling)}", team=team.id,
        players=_member_ids(s, event, team), team_ruling=ruling.id,
    )  # fmt: skip


def _member_ids(s: Session, event: Event, team: Team) -> list[int]:
    """The team's players now: the entry stays in their own journals if they change teams later."""
    return [player.id for player in members(players_of(s, event), team)]
