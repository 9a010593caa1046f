"""A player, and a player's payment, in the form of the interface; for calls of webhooks too."""

from typing import Any

from events.api.schemas import Payment, PaymentItem, PlayerItem, public_columns
from events.store.ledger import due_back, fee_of, has_paid, is_due_back, kept, payments_of
from events.store.team_queries import names_of, teams_of
from models.event import Event
from models.play import Player, PlayerState

PLACES = {PlayerState.WAITING: "waiting", PlayerState.DROPPED: "dropped"}


def player_item(event: Event, player: Player) -> PlayerItem:
    return player_in_teams(player, names_of(teams_of(event)))


def player_in_teams(player: Player, teams: Any) -> PlayerItem:
    """``teams`` are the names of the event's teams by id."""
    shown = {name: getattr(player, name) for name in public_columns(Player)}
    return PlayerItem(id=player.id, place=PLACES.get(player.state, "yes"), team=teams.get(player.team_id), **shown)


def payment_item(event: Event, player: Player) -> PaymentItem:
    return PaymentItem(
        player_id=player.id,
        name=player.name,
        place=PLACES.get(player.state, "yes"),
        currency=event.fee_currency,
        due=fee_of(event, player),
        paid=has_paid(event, player),
        amount=kept(player),
        due_back=due_back(event, player) or (None if is_due_back(event, player) else 0),
        payments=[Payment.model_validate(row, from_attributes=True) for row in payments_of(player)],
    )
