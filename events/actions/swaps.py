"""Changes of a draft by hand: two players change places, a game gets another table; and what is odd about it then."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from events.actions.draft import Seating, best_costs, draft_or_refused, is_locked, seatings, step
from events.actions.journal import note
from events.errors import Refused
from events.pairing.reckoning import Reckoned
from events.reading import games_of, players_of
from events.table_numbers import MOST_TABLES
from models.event import Event


def swap(s: Session, event: Event, number: int, one: int, other: int, actor: str, now: datetime) -> list[str]:
    """Let two players of a draft change places, the bye included. Returns what is odd about it now, in words.

    Raises Refused.
    """
    the_round = draft_or_refused(s, event, number)
    before = seatings(games_of(s, the_round))
    names = {p.id: p.name for p in players_of(s, event)}
    wanted = swapped(before, one, other)
    for seating in set(before) - set(wanted):
        if is_locked(the_round, seating.a, seating.b):
            whom = " and ".join(names[who] for who in (seating.a, seating.b) if who is not None)
            raise Refused(f"{whom} {'are' if seating.b else 'is'} locked: unlock first.")
    reckoned = step(s, the_round, f"Swapped {names[one]} and {names[other]} in round {number}", wanted)
    warnings = odd_now(reckoned, before, wanted, names)
    note(
        s, event, actor, now, "swap", f"Swapped {names[one]} and {names[other]} in round {number}",
        players=[one, other], engine=best_costs(the_round), costs=reckoned.costs, warnings=warnings,
    )  # fmt: skip
    return warnings


def swapped(seated: Sequence[Seating], one: int, other: int) -> tuple[Seating, ...]:
    """The same games after these two have changed places. Raises Refused, in words."""
    where = {player: game for game in seated for player in (game.a, game.b) if player is not None}
    if one == other or one not in where or other not in where:
        raise Refused("Choose two different players of this round.")
    if where[one].asked or where[other].asked:
        raise Refused("Whoever asked for a bye is not drawn: take it back on the player's page first.")
    if where[one] is where[other]:
        raise Refused("These two play each other: there is nothing to swap.")
    places = {one: other, other: one}
    return tuple(
        replace(game, a=places.get(game.a, game.a), b=places.get(game.b or 0, game.b), code="")
        if game in (where[one], where[other])
        else game
        for game in seated
    )


def set_table(s: Session, event: Event, number: int, player: int, table: int, actor: str, now: datetime) -> list[str]:
    """Seat the game of this player at a table; a game that sits there takes the other's. Returns what is odd, in words.

    Raises Refused.
    """
    the_round = draft_or_refused(s, event, number)
    before = seatings(games_of(s, the_round))
    game = next((one for one in before if player in (one.a, one.b)), None)
    if game is None or game.b is None or game.table is None:
        raise Refused("Choose a game of this round.", "player")
    most = event.tables or MOST_TABLES
    if not 1 <= table <= most:
        raise Refused(f"The event has tables 1 to {most}.", "table")
    if table in (event.tables_out or ()):
        raise Refused(f"Table {table} is out of order.", "table")
    if table == game.table:
        raise Refused(f"They sit at table {table} already.", "table")
    names = {p.id: p.name for p in players_of(s, event)}
    tables = {game.table: table, table: game.table}
    wanted = tuple(replace(one, table=tables[one.table], code="") if one.table in tables else one for one in before)
    what = f"Set {names[game.a]} and {names[game.b]} to table {table} in round {number}"
    reckoned = step(s, the_round, what, wanted)
    warnings = odd_now(reckoned, before, wanted, names)
    note(
        s, event, actor, now, "set-table", what, players=[game.a, game.b], tables=[game.table, table],
        engine=best_costs(the_round), costs=reckoned.costs, warnings=warnings,
    )  # fmt: skip
    return warnings


def odd_now(
    reckoned: Reckoned, before: Sequence[Seating], after: Sequence[Seating], names: Mapping[int, str]
) -> list[str]:
    """What is odd about the games that were changed, in words, the bye among them."""
    changed = {str(game.a) for game in after if game not in before}
    told = [
        f"{names[int(pair.a)]} and {names[int(pair.b)]}: {', '.join(pair.notes)}"
        for pair in reckoned.pairs
        if pair.a in changed and pair.notes
    ]
    bye = next((game.a for game in after if game.b is None and game not in before), None)
    return told + ([f"{names[bye]}: {', '.join(reckoned.bye_notes)}"] if bye is not None else [])
