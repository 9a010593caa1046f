"""From the rows of an event's players to the seats of a round."""

from collections.abc import Sequence
from dataclasses import replace

from events.actions.standings import entrants, played, scheme_of
from events.actions.taking_part import in_the_field, stand_in
from events.pairing.results import seats_from
from events.pairing.seats import Seat
from events.pairing.standings import standings
from events.reading import RoundView
from models.event import Event
from models.play import Player


def player_seats(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int, *, ranked: bool
) -> list[Seat]:
    """The seats of the players who are here by now, ``ranked`` with their places in the standings."""
    here = {str(p.id) for p in in_the_field(players, number)}
    people = [
        replace(one, entered_round=min(one.entered_round, number)) if one.id in here else one
        for one in entrants(event, players, last=number - 1)
    ]
    results = played(event, views, number - 1)
    fixed = {str(p.id): p.fixed_table for p in players}
    field = [
        replace(seat, fixed_table=fixed[seat.id])
        for seat in seats_from(results, people, scheme_of(event), number)
        if seat.id in here
    ]
    if not ranked:
        return field
    places = {row.id: row.rank for row in standings(results, people, scheme_of(event))}
    return [replace(seat, rank=places[seat.id]) for seat in field]


def ringer_seat(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> Seat | None:
    """Who stands in for the bye, with the tables that they know; None where the field is even or nobody would."""
    player = stand_in(players, number)
    if player is None:
        return None
    games = [r for r in played(event, views, number - 1) if str(player.id) in (r.a, r.b) and r.absent is None]
    tables = tuple(r.table for r in games if r.table is not None)
    return Seat(str(player.id), tables=tables, fixed_table=player.fixed_table)
