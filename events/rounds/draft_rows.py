"""The rows of a draft's page: pairs with records and reasons; and the costs of the draft."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from events.pairing.explain import Cost, Judged, certificate_in_words, compared, differences, judged, points, verdict
from events.pairing.request import Request, usual_reason
from events.pairing.seats import Certificate, Pair, Seat
from events.play.rounds import RoundView, request_drawn, role_of
from events.rounds.draft import best_costs, costs_now, is_locked, pairs_drawn
from events.standings.queries import entrants, played, scheme_of
from events.standings.records import Record, records
from models.event import Event
from models.play import Game, Player
from models.team import Team

Weight = Literal["usual", "odd", "bad"]
BAD = ("rematch", "second bye")
USUAL = (
    "bye asked for",
    "a stand-in",
    "bye: lowest group",
    "second bye: every player has had one; lowest group",
    "bye: the only",
)


@dataclass(frozen=True)
class Reason:
    """Why two players are paired; the weight says how unusual the reason is."""

    weight: Weight
    text: str


@dataclass(frozen=True)
class Line:
    """A player or team of a draft, with its record so far; "" before the first round."""

    player: Player | Team
    record: str
    role: str = ""
    """The role in the game's scenario; "" for none."""


@dataclass(frozen=True)
class DraftRow:
    """One game of a draft; ``b`` is None for a bye."""

    game: Game
    a: Line
    b: Line | None
    reasons: tuple[Reason, ...]
    locked: bool
    scenario: str
    """The scenario of this table; "" for a bye."""
    drawn: bool
    """False for a requested bye and for the stand-in's game, which cannot be locked."""


@dataclass(frozen=True)
class Costs:
    """The cost of a round compared with another draw's, in words."""

    rows: tuple[Cost, ...]
    judged: Judged
    verdict: str
    differences: str
    """The differences, without saying which draw is better."""
    certificate: str = ""
    """Whether a better draw exists; "" once the round was changed manually."""
    method: str = ""


def draft_rows(event: Event, view: RoundView, players: Sequence[Player], views: Sequence[RoundView]) -> list[DraftRow]:
    """The games of a draft by table, byes last."""
    request = request_drawn(view.round)
    lines = player_lines(event, request, players, views)
    outcome = view.round.outcome or {}
    by_hand = bool(outcome.get("hand_changed"))
    drawn = pairs_drawn(outcome) if by_hand else {}
    away = leaders_away(request, view.games, {player.id: player.name for player in players}, by_hand=by_hand)
    return [
        DraftRow(
            game,
            _in_role(view, game, lines[str(game.a_id)], game.a_id),
            _in_role(view, game, lines[str(game.b_id)], game.b_id) if game.b_id is not None else None,
            (
                *_reasons_of_draft(request, game, changed=by_hand and frozenset((game.a_id, game.b_id)) not in drawn),
                *((Reason("usual", away[game.id]),) if game.id in away else ()),
            ),
            is_locked(view.round, game.a_id, game.b_id),
            scenario.name if (scenario := view.scenario_at(game)) and game.b_id is not None else "",
            not game.asked and (request.ringer is None or request.ringer.id not in (str(game.a_id), str(game.b_id))),
        )
        for game in view.games
    ]


def leaders_away(request: Request, games: Sequence[Game], names: Mapping[int, str], *, by_hand: bool) -> dict[int, str]:
    """Why leaders are not at the first tables, by game id; empty if they are."""
    seats = {seat.id: seat for seat in request.seats}
    played = [game for game in games if game.b_id is not None and {str(game.a_id), str(game.b_id)} <= seats.keys()]
    if request.round == 1 or request.format.kind != "swiss" or not played:
        return {}
    sums = {game.id: seats[str(game.a_id)].points + seats[str(game.b_id)].points for game in played}
    if len(set(sums.values())) == 1:
        return {}
    leading = [game for game in played if sums[game.id] == max(sums.values())]
    usable = request.room.tables or tuple(range(1, len(played) + 1))
    wanted = (usable if request.room.top_first else tuple(sorted(usable)))[: len(leading)]
    away = [game for game in leading if game.table_number not in wanted]
    at = {game.table_number: game for game in played}
    found = {}
    for game, table in zip(away, [one for one in wanted if at.get(one) not in leading], strict=True):
        couple = [seats[str(one)] for one in (game.a_id, game.b_id)]
        again = [names[int(seat.id)] for seat in couple if table in seat.tables]
        others = [seats[str(one)] for one in (at[table].a_id, at[table].b_id)] if table in at else []
        why = "seated by hand" if by_hand else "so that fewer players have a table again"
        if not request.room.top_first:
            why = "this event draws its tables by lot"
        elif any(seat.fixed_table == game.table_number for seat in couple):
            why = "at a player's fixed table"
        elif any(seat.fixed_table == table for seat in others):
            why = f"table {table} is another player's fixed table"
        elif game.table_number in usable and again:
            why = f"not at table {table}, where {' and '.join(again)} played before"
        found[game.id] = f"leaders: {why}"
    return found


def _in_role(view: RoundView, game: Game, line: Line, player_id: int) -> Line:
    role = role_of(view.scenario_at(game), game, player_id)
    return line if role is None else replace(line, role=role.name)


def player_lines(
    event: Event, request: Request, players: Sequence[Player], views: Sequence[RoundView]
) -> dict[str, Line]:
    """All players by seat id, with their records and the points used by the draw.

    Brackets and round robins use no points; their players have those of the standings.
    """
    so_far = records(played(event, views, request.round - 1), entrants(event, players), scheme_of(event))
    seats = {seat.id: seat for seat in request.seats}
    if request.format.kind != "swiss":
        seats = {id_: replace(seat, points=so_far[id_].points) for id_, seat in seats.items() if id_ in so_far}
    return {
        str(player.id): Line(
            player, record_in_words(seats.get(str(player.id)), so_far.get(str(player.id)), request.round)
        )
        for player in players
    }


def _reasons_of_draft(request: Request, game: Game, *, changed: bool) -> tuple[Reason, ...]:
    """The reasons for a game of a draft. ``changed``: it is a pair that the organiser made."""
    if changed and game.b_id is not None and not game.notes:
        return (Reason("usual", "paired by hand"),)
    return reasons(request, Pair(str(game.a_id), str(game.b_id or ""), tuple(game.notes)))


def reasons(request: Request, pair: Pair) -> tuple[Reason, ...]:
    """The reasons for a pair, at least one. A bye has "" for an opponent."""
    if pair.notes or not pair.b:
        fixed = request.format.kind != "swiss"
        found = tuple(Reason("usual" if fixed else _weight(note), note) for note in pair.notes)
        return found if fixed or pair.b else (*found, *_why_this_bye(request, pair))
    if request.format.kind != "swiss":
        return (Reason("usual", "by the plan of the format"),)
    seats = {seat.id: seat for seat in request.seats}
    if pair.a not in seats or pair.b not in seats:
        return ()
    return (Reason("usual", usual_reason(request, seats[pair.a], seats[pair.b])),)


def _why_this_bye(request: Request, pair: Pair) -> tuple[Reason, ...]:
    """How the bye was chosen among several candidates; empty if there was only one."""
    own = next((seat for seat in request.seats if seat.id == pair.a), None)
    alike = [seat for seat in request.seats if own and (seat.points, bool(seat.byes)) == (own.points, bool(own.byes))]
    if len(alike) < 2 or not any(note.startswith("bye: lowest group") for note in pair.notes):
        return ()
    return (Reason("usual", f"of these {len(alike)} players, the one whose bye leaves the best pairs; else by lot"),)


def reasons_of(notes: Sequence[str]) -> tuple[Reason, ...]:
    """The notes on a pair or a bye, each with its weight."""
    return tuple(Reason(_weight(note), note) for note in notes)


def draft_costs(view: RoundView) -> Costs:
    """The cost of a drawn round compared with the best draw."""
    request, outcome = request_drawn(view.round), view.round.outcome or {}
    costs = compare_costs(request, costs_now(view.round), best_costs(view.round))
    known = Certificate(**outcome["certificate"])
    certificate = certificate_in_words(known)
    if outcome.get("hand_changed") or request.format.kind != "swiss":
        certificate = ""
    elif request.rules.locked:
        certificate = "The best draw is the one without locks."
    return replace(costs, certificate=certificate, method=known.by)


def compare_costs(
    request: Request, here: Mapping[str, int], there: Mapping[str, int], other: str = "the best draw"
) -> Costs:
    """Compare the costs of two draws; ``other`` is the second draw's name."""
    rows = compared(here, there, request.rules)
    return Costs(rows, judged(rows), verdict(rows, other), differences(rows))


def _weight(note: str) -> Weight:
    if note.startswith(USUAL):
        return "usual"
    return "bad" if note.startswith(BAD) else "odd"


def record_in_words(seat: Seat | None, record: Record | None, number: int) -> str:
    """The record before this round: "6 points, 2-0-0"; "" before the first."""
    if seat is None or record is None or number == 1:
        return ""
    words = f"{points(seat.points)}, {record.wins}-{record.draws}-{record.losses}"
    byes = len(record.bye_rounds)
    return words + (f", {byes} {'bye' if byes == 1 else 'byes'}" if byes else "")
