"""The lines of a draft: who meets whom, with their records, and why."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from events.rounds.bracket import ways_to
from events.rounds.outcome import is_locked, pairs_drawn
from events.store.players import by_name, entry_state
from events.store.roles import role_of
from events.store.rounds import RoundView, request_drawn
from events.store.team_queries import order_at_boards, seat_id
from events.store.tournaments import Loaded
from events.tournament.pairing.notes import Note, NoteKind, notes_in
from events.tournament.pairing.request import Request, usual_reason
from events.tournament.pairing.seats import Pair, Seat
from events.tournament.pairing.words import bye_reason, sentence
from events.tournament.records import FREE, Record
from events.tournament.standings import Standings
from events.tournament.tie_breaks import UNPLAYED
from events.tournament.tournament import NO_EXTRAS, Tournament
from languages.words import counted_points, gettext, ngettext
from models.play import Game, Player, PlayerState
from models.team import Team, TeamMatch

Weight = Literal["usual", "odd", "bad"]
BAD = frozenset({
    NoteKind.REMATCH, NoteKind.REMATCH_NEEDED, NoteKind.SECOND_BYE, NoteKind.SECOND_BYE_HIGHER,
})  # fmt: skip
USUAL = frozenset({
    NoteKind.BYE_ASKED, NoteKind.STAND_IN, NoteKind.BYE_LOWEST, NoteKind.SECOND_BYE_LOWEST, NoteKind.BYE_ONLY_PLAYER,
    NoteKind.TABLE_AGAIN, NoteKind.SCENARIO_AGAIN,
})  # fmt: skip


@dataclass(frozen=True)
class Reason:
    """Why two players are paired; the weight says how unusual the reason is."""

    weight: Weight
    text: str


@dataclass(frozen=True)
class DraftSide:
    """A player or team of a draft, with its record so far; "" before the first round."""

    player: Player | Team
    record: str
    role: str = ""
    """The role in the game's scenario; "" for none."""
    boards: tuple[str, ...] = ()
    """The names of a team's players with their roles, by board; "" for an empty board."""


@dataclass(frozen=True)
class DraftRow:
    """One game of a draft, or one match of teams; ``b`` is None for a bye."""

    game: Game | TeamMatch
    place: int | None
    """The table, or the block of tables; None for a bye."""
    a: DraftSide
    b: DraftSide | None
    reasons: tuple[Reason, ...]
    locked: bool
    scenario: str = ""
    """The scenario of this table; "" for a bye and of teams."""
    drawn: bool = True
    """False for a requested bye and for the stand-in's game, which cannot be locked."""


def draft_rows(loaded: Loaded, view: RoundView) -> list[DraftRow]:
    """The games of a draft by table, or its matches of teams, byes last."""
    request, outcome = request_drawn(view.round), view.round.outcome or {}
    drawn = pairs_drawn(outcome) if outcome.get("hand_changed") else None
    roles = {
        id_: role.said
        for game in view.games
        for id_ in (game.a_id, game.b_id)
        if id_ is not None and (role := role_of(view.scenario_at(game), game, id_))
    }
    seat: Callable[[int], str] = seat_id if view.matches else str
    if not view.matches:
        lines = player_lines(loaded, request)
    else:
        names = {p.id: f"{p.name} ({roles[p.id]})" if p.id in roles else p.name for p in loaded.players}
        lines = team_lines(loaded.t, view.teams, request)
        for team in view.teams:
            order = order_at_boards(loaded.event, loaded.players, team)
            boards = tuple("" if id_ is None else names[id_] for id_ in order)
            lines[seat_id(team.id)] = replace(lines[seat_id(team.id)], boards=boards)

    def row_of(game: Game | TeamMatch) -> DraftRow:
        a, b = seat(game.a_id), None if game.b_id is None else seat(game.b_id)
        notes = tuple(n for n in notes_in(game.notes) if n.kind != NoteKind.TABLE_AGAIN or not view.stage.by_days)
        why = reasons(request, Pair(a, b or "", notes), view.now.team_size)
        if b and drawn is not None and frozenset((game.a_id, game.b_id)) not in drawn:
            why = (Reason("usual", gettext("paired by hand")), *(why if notes else ()))
        locked = is_locked(view.round, a, b)
        if isinstance(game, TeamMatch):
            return DraftRow(game, game.block, lines[a], lines[b] if b else None, why, locked)
        return DraftRow(
            game,
            game.table_number,
            replace(lines[a], role=roles.get(game.a_id, "")),
            replace(lines[b], role=roles.get(game.b_id or 0, "")) if b else None,
            why,
            locked,
            own.name if (own := view.scenario_at(game)) and b else "",
            not game.asked and (request.ringer is None or request.ringer.id not in (a, b)),
        )

    return [row_of(game) for game in view.matches or view.games]


def not_drawn(loaded: Loaded, view: RoundView) -> dict[str, list[Player | Team]]:
    """The players and teams that a draft leaves out, by the reason why."""
    sides = {id_ for game in view.matches or view.games for id_ in (game.a_id, game.b_id)}
    rows: dict[str, list[Player | Team]] = {}
    for team in sorted(view.teams, key=by_name):
        if team.id not in sides:
            why = gettext("Dropped") if team.dropped_after is not None else gettext("Not checked in")
            rows.setdefault(why, []).append(team)
    of_teams, out = loaded.t.rules.teams, view.stage.one_wins and view.round.number > 1
    for player in sorted(loaded.players, key=by_name):
        is_drawn = player.state == PlayerState.CHECKED_IN if of_teams else player.id in sides
        if (player.team_id if of_teams else player.id) in sides and is_drawn:
            continue
        if of_teams and player.team_id not in {None, *sides}:
            continue  # the team is named
        rows.setdefault(_why_not_drawn(loaded, player, out=out), []).append(player)
    return rows


def _why_not_drawn(loaded: Loaded, player: Player, *, out: bool) -> str:
    """``out``: the draft is of a knockout in play."""
    state = entry_state(loaded.event, player)
    if player.state == PlayerState.DROPPED:
        return gettext("Disqualified") if state == "disqualified" else gettext("Dropped")
    if state in ("held", "approval"):
        return gettext("Waiting for approval")
    if state == PlayerState.WAITING:
        return gettext("Waiting list")
    if out:
        return gettext("Not in the knockout")
    if player.state == PlayerState.REGISTERED:
        return gettext("Not checked in")
    if loaded.t.rules.teams:
        return gettext("In no team")
    return gettext("Stand-in, not needed") if player.ringer else gettext("Checked in after the draw")


def player_lines(loaded: Loaded, request: Request) -> dict[str, DraftSide]:
    """All players by seat id, with their records and the points used by the draw.

    Round robins use no points; their players have those of the standings, those of a knockout their way to this round.
    """
    if request.format.kind == "knockout":
        ways = ways_to(loaded, request)
        return {str(player.id): DraftSide(player, ways.get(str(player.id), "")) for player in loaded.players}
    so_far = loaded.t.records(request.round - 1)
    seats = {seat.id: seat for seat in request.seats}
    if request.format.kind != "swiss":
        seats = {id_: replace(seat, points=so_far[id_].points) for id_, seat in seats.items() if id_ in so_far}
    return {
        str(player.id): DraftSide(
            player, record_in_words(seats.get(str(player.id)), so_far.get(str(player.id)), request.round)
        )
        for player in loaded.players
    }


def team_lines(t: Tournament, teams: Sequence[Team], request: Request) -> dict[str, DraftSide]:
    """These teams by seat id, with their records and the points used by the draw."""
    so_far = Standings(t, NO_EXTRAS).records(request.round - 1)
    seats = {seat.id: seat for seat in request.seats}
    return {
        id_: DraftSide(team, record_in_words(seats.get(id_), so_far.get(id_), request.round))
        for team in teams
        if (id_ := seat_id(team.id))
    }


def reasons(request: Request, pair: Pair, team_size: int = 1) -> tuple[Reason, ...]:
    """The reasons for a pair, at least one. A bye has "" for an opponent."""
    if pair.notes or not pair.b:
        fixed = request.format.kind != "swiss"
        listed = reasons_of(pair.notes, team_size, sentence if pair.b else bye_reason)
        listed = tuple(replace(reason, weight="usual") for reason in listed) if fixed else listed
        return listed if fixed or pair.b else (*listed, *_why_this_bye(request, pair))
    if request.format.kind != "swiss":
        return (Reason("usual", gettext("by the plan of the format")),)
    seats = {seat.id: seat for seat in request.seats}
    if pair.a not in seats or pair.b not in seats:
        return ()
    return (Reason("usual", usual_reason(request, seats[pair.a], seats[pair.b])),)


def _why_this_bye(request: Request, pair: Pair) -> tuple[Reason, ...]:
    """How the bye was chosen among several candidates; empty if there was only one."""
    bye = next((seat for seat in request.seats if seat.id == pair.a), None)
    alike = [seat for seat in request.seats if bye and (seat.points, bool(seat.byes)) == (bye.points, bool(bye.byes))]
    if len(alike) < 2 or not any(note.kind == NoteKind.BYE_LOWEST for note in pair.notes):
        return ()
    return (
        Reason(
            "usual",
            ngettext(
                "of this %(num)s player, the one whose bye leaves the best pairs; else by lot",
                "of these %(num)s players, the one whose bye leaves the best pairs; else by lot",
                len(alike),
            ),
        ),
    )


def reasons_of(
    notes: Sequence[Note], team_size: int = 1, worded: Callable[[Note, int], str] = sentence
) -> tuple[Reason, ...]:
    """The notes on a pair or a bye, each with its weight."""
    return tuple(Reason(_weight(note.kind), worded(note, team_size)) for note in notes)


def _weight(kind: NoteKind) -> Weight:
    return "usual" if kind in USUAL else "bad" if kind in BAD else "odd"


def record_in_words(seat: Seat | None, record: Record | None, number: int) -> str:
    """The record before this round: "6 points, 1-0-0, 1 bye"; "" before the first."""
    if seat is None or record is None or number == 1:
        return ""
    kinds = Counter(unplayed.kind for unplayed in record.unplayed)
    free = [f"{kinds[kind]} {gettext(UNPLAYED[kind][kinds[kind] != 1])}" for kind in FREE if kinds[kind]]
    return ", ".join([counted_points(seat.points), f"{record.wins}-{record.draws}-{record.losses}", *free])
