"""The inputs of a draw, made from the picture of its round: seats, rules, tables and scenario pool."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice

from events.rounds.byes import players_asking_bye, stand_in
from events.rounds.formats import format_of, seated
from events.rounds.queries import Picture, picture_of
from events.store.rounds import RoundView, each_table_draws, request_drawn, stage_in
from events.store.team_queries import playing
from events.store.tournaments import Loaded
from events.tournament.pairing.request import Format, Request
from events.tournament.pairing.seats import PLAIN, Rules, Seat, watches_clubs
from events.tournament.pairing.tables import Room, block_tables, blocks_of
from events.tournament.records import seats_of_past
from languages.words import gettext, listed
from models.event import Event, Round, RoundState
from models.play import Player, PlayerState


def request_of(picture: Picture, seed: int) -> Request:
    """The inputs of the draw, with this seed: the players, or teams, who are here with their records."""
    event, number, rules = picture.event, picture.number, picture.rules
    form = format_of(picture)
    field = seated(form, number, _seats(picture))
    if not watches_clubs(rules, number):  # clubs that are ignored must not make the draw stale
        field = [replace(seat, club="") for seat in field]
    if form.kind != "swiss":
        rules = PLAIN
    here = {seat.id for seat in field}
    rules = replace(rules, keep_apart=tuple(pair for pair in rules.keep_apart if here.issuperset(pair)))
    ringer = _ringer_seat(picture) if stage_in(event, picture.kind[0]).stands_in else None
    everybody = field if ringer is None else [*field, ringer]
    fixed = [seat.fixed_table for seat in everybody if seat.fixed_table is not None]
    pool = event.scenario_pool if draws_for_each_table(event, picture.round) else ()
    if not pool:
        field = [replace(seat, scenarios=()) for seat in field]
    room = room_of(event, len(everybody) // 2, fixed, pool)
    room = replace(room, vary=room.vary and not (room.top_first and ends_event(picture)))
    return Request(number, tuple(field), seed, rules, room, form, ringer)


def ends_event(picture: Picture) -> bool:
    """Whether the round decides the event: its last Swiss round without a cut to follow, or the final."""
    event, (kind, bracket) = picture.event, picture.kind
    last_swiss = stage_in(event, kind).by_points and picture.number == event.rounds and not event.cut
    return last_swiss or bracket == 2


def _seats(picture: Picture) -> list[Seat]:
    earlier = picture.earlier
    return [
        replace(seat, fixed_table=earlier.here[seat.id], rank=earlier.ranks.get(seat.id, 0))
        for seat in seats_of_past(earlier.past, earlier.entrants, picture.number)
        if seat.id in earlier.here
    ]


def _ringer_seat(picture: Picture) -> Seat | None:
    """The stand-in for the bye, with the tables already used; None if the field is even or there is no stand-in."""
    player = stand_in(picture.players, picture.number)
    if player is None:
        return None
    past = [
        history
        for history in picture.earlier.past
        if history.kind != "open" and str(player.id) in (history.a, history.b)
    ]
    tables = tuple(history.table for history in past if history.table is not None)
    return Seat(str(player.id), tables=tables, fixed_table=player.fixed_table)


def is_stale(loaded: Loaded, number: int) -> bool:
    """Whether the inputs of this drawn round have changed. False for a round that is not drawn."""
    view = next((round_view for round_view in loaded.views if round_view.round.number == number), None)
    if view is None or view.round.state != RoundState.DRAWN:
        return False
    out = {game.a_id for game in view.games if game.asked}
    if out != {player.id for player in players_asking_bye(loaded.players, number)}:
        return True
    now = request_of(picture_of(loaded, number, {}), 0)
    return _as_seen(request_drawn(view.round)) != _as_seen(now)


def left_after_draw(view: RoundView, players: Sequence[Player]) -> list[str]:
    """The names of the players, or teams, of a drawn round who are not here any more."""
    here = {player.id: player for player in players}
    if view.matches:
        drawn = {id_ for match in view.matches for id_ in (match.a_id, match.b_id)}
        there = playing(view.teams, players)
        return [team.name for team in view.teams if team.id in drawn and team not in there]
    return [
        here[id_].name
        for game in view.games
        for id_ in (game.a_id, game.b_id)
        if id_ and here[id_].state != PlayerState.CHECKED_IN
        if not (game.asked and here[id_].state == PlayerState.REGISTERED)
    ]


@dataclass(frozen=True)
class Redraw:
    """Why a drawn round is to be drawn again."""

    why: str
    must: bool
    """Whether it cannot be published as it is: somebody left, or later rounds of a knockout depend on it."""


def redraw_of(loaded: Loaded, number: int) -> Redraw | None:
    """Why a drawn round is to be drawn again; None if nothing changed after the draw."""
    view = loaded.views[number - 1]
    if gone := left_after_draw(view, loaded.players):
        return Redraw(gettext("%(names)s left after the draw: draw again.", names=listed(gone)), must=True)
    if not is_stale(loaded, number):
        return None
    why = gettext("The standings, the field or the settings changed after this draw: draw again.")
    return Redraw(why, must=view.stage.one_wins)


def _as_seen(request: Request) -> tuple[Rules, Format, tuple[Seat, ...], Room, Seat | None]:
    """The inputs that affect a draw. Locks are left out, because they are set after it."""
    return replace(request.rules, locked=()), request.format, request.seats, request.room, request.ringer


def room_of(event: Event, games: int, fixed: Iterable[int], pool: Sequence[str] = ()) -> Room:
    """The usable tables, lowest first, and the scenario ``pool`` if each table draws its own scenario.

    Without a set number of tables there are as many as ``games``, and the ``fixed`` ones. In a team event ``games`` are
    matches, and tables and ``fixed`` are blocks of tables.
    """
    usable = usable_blocks(event, event.team_size, games, fixed)
    return Room(tuple(usable), event.top_tables, tuple(pool), event.tables_vary)


def usable_blocks(event: Event, size: int, games: int, fixed: Iterable[int]) -> list[int]:
    """The blocks of ``size`` tables that are all usable, lowest first: all, or enough for the games and the fixed ones.

    Blocks of one are tables.
    """
    out = frozenset(event.tables_out or ())
    if event.tables is not None:
        return blocks_of((table for table in range(1, event.tables + 1) if table not in out), size)
    whole = (block for block in count(1) if out.isdisjoint(block_tables(block, size)))
    fixed_blocks = {block for block in fixed if out.isdisjoint(block_tables(block, size))}
    return sorted({*islice(whole, games), *fixed_blocks})


def draws_for_each_table(event: Event, the_round: Round) -> bool:
    """Whether each table of this round draws its own scenario: if the event says so and no scenario was chosen."""
    chosen = the_round.scenario is not None and not the_round.scenario_drawn
    return each_table_draws(event) and not chosen
