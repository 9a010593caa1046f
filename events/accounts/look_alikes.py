"""Warnings for the desk about similar names in one event."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, select

from events.accounts.queries import staff_of
from events.play.parsing import first_name, look_alike_key, mixed_scripts, name_key
from events.play.rounds import newest_published
from events.play.team_queries import is_team_event, teams_of
from events.play.visitor import WORDS
from models.event import Event
from models.play import Game, Player, PlayerState


@dataclass(frozen=True)
class Holder:
    """One name in the event: a player's, a team's or a staff account's."""

    name: str
    player_id: int | None = None
    role: str = ""
    """"team" or the role of a staff account; "" for a player."""


def name_warnings(s: Session, event: Event, players: Sequence[Player]) -> dict[int, tuple[str, ...]]:
    """Warnings about players' names by player id; dropped players get none.

    A player may have the same name as a team or staff account, because organisers may play.
    """
    like: dict[str, list[Holder]] = {}
    for holder in _holders(s, event, players):
        like.setdefault(look_alike_key(holder.name), []).append(holder)
    present = [player for player in players if player.state != PlayerState.DROPPED]
    twins = {player.id: list(_twins(player, like)) for player in present}
    tables = _tables(s, event) if any(twins.values()) else {}
    warnings = {}
    for player in present:
        words = [f"Looks like {_words(twin, tables)}" for twin in twins[player.id]]
        for name in _names(player):
            if scripts := mixed_scripts(name):
                words.append(f"Mixes {' and '.join(scripts)}")
        if words:
            warnings[player.id] = tuple(dict.fromkeys(words))
    return warnings


def staff_warnings(s: Session, event: Event) -> dict[int, tuple[str, ...]]:
    """Warnings about names of the event's staff by account id."""
    helpers = staff_of(s, event)
    warnings = {}
    for one in helpers:
        name = one.account.name
        twins = [other for other in helpers if other is not one]
        twins = [other for other in twins if look_alike_key(other.account.name) == look_alike_key(name)]
        words = [f"Looks like {other.account.name} ({WORDS[other.staff.role]})" for other in twins]
        if scripts := mixed_scripts(name):
            words.append(f"Mixes {' and '.join(scripts)}")
        if words:
            warnings[one.account.id] = tuple(words)
    return warnings


def _holders(s: Session, event: Event, players: Iterable[Player]) -> Iterator[Holder]:
    for player in players:
        yield from (Holder(name, player.id) for name in _names(player))
    if is_team_event(event):
        yield from (Holder(team.name, role="team") for team in teams_of(s, event))
    yield from (Holder(one.account.name, role=WORDS[one.staff.role]) for one in staff_of(s, event))


def _names(player: Player) -> list[str]:
    """The names of the people of an entry."""
    return [name for name in (first_name(player.name, player.partner), player.partner) if name]


def _twins(player: Player, like: Mapping[str, Sequence[Holder]]) -> Iterator[Holder]:
    for name in _names(player):
        for other in like[look_alike_key(name)]:
            if other.player_id != player.id and name_key(other.name) != name_key(name):
                yield other


def _tables(s: Session, event: Event) -> dict[int, int]:
    """Each player's table in the newest published round."""
    found: dict[int, int] = {}
    for game in s.exec(select(Game).where(Game.round_id == newest_published(s, event))):
        if game.b_id is not None and game.table_number is not None:
            found |= {game.a_id: game.table_number, game.b_id: game.table_number}
    return found


def _words(twin: Holder, tables: Mapping[int, int]) -> str:
    table = tables.get(twin.player_id) if twin.player_id is not None else None
    where = twin.role or (f"table {table}" if table is not None else "")
    return f"{twin.name} ({where})" if where else twin.name
