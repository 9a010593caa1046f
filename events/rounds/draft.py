"""Changes by hand to a draft: players or teams swapped, tables and scenarios set, pairs locked; and undo."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session

from events.rounds.drawing import drawn_or_refused, game_row
from events.rounds.outcome import (
    best_costs,
    costs_now,
    is_locked,
    keep_costs,
    keep_lock,
    pairs_drawn,
    steps_by_hand,
)
from events.rounds.seatings import Seating, as_pairs, odd_now, seatings, swapped
from events.rounds.team_boards import lay_boards
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.roles import draw_roles
from events.store.rounds import games_of, request_drawn
from events.store.scenarios import mixed_scales, scenarios_of
from events.store.scoring import tie_breaks_of
from events.store.team_queries import matches_of, names_of, seat_id, team_pairs, teams_of
from events.store.undo import put_back
from events.tournament.pairing.explain import compared
from events.tournament.pairing.notes import PAIRED_DOWN, Note, NoteKind, note_rows, notes_in
from events.tournament.pairing.request import Evaluation, Request, evaluate, stand_in_notes
from events.tournament.pairing.seats import Pair
from events.tournament.pairing.words import sentences
from events.web.parsing import as_text
from languages.message import Text, counted_message, joined, message, worded
from languages.words import N_, apart, gettext, listed
from models.event import Event, Round
from models.play import Game
from models.settings import MOST_TABLES
from models.team import TeamMatch


@dataclass(frozen=True)
class _Drawn:
    """A draft with what it seats, by their ids: players, or teams."""

    round: Round
    seated: tuple[Seating, ...]
    names: Mapping[int, str]
    notes: Mapping[int, Sequence[Note]]
    """On each pairing, by its first player or team."""
    of_teams: bool

    def seat(self, id_: int | None) -> str | None:
        """The id in the draw."""
        return None if id_ is None else seat_id(id_) if self.of_teams else str(id_)

    def is_locked(self, seating: Seating) -> bool:
        return is_locked(self.round, self.seat(seating.a) or "", self.seat(seating.b))

    def whom(self, seating: Seating) -> list[str]:
        return [self.names[id_] for id_ in (seating.a, seating.b) if id_ is not None]


def _drawn(event: Event, the_round: Round) -> _Drawn:
    if matches := matches_of(the_round):
        seated = tuple(Seating(match.a_id, match.b_id, match.block) for match in matches)
        notes = {match.a_id: notes_in(match.notes) for match in matches}
        return _Drawn(the_round, seated, names_of(teams_of(event)), notes, of_teams=True)
    games = games_of(the_round)
    notes = {game.a_id: notes_in(game.notes) for game in games}
    return _Drawn(the_round, seatings(games), {p.id: p.name for p in event.players}, notes, of_teams=False)


def _seat(act: Act, the_round: Round, wanted: Sequence[Seating]) -> Evaluation:
    """Seat a draft as wanted. Boards of new matches are laid anew, with new codes; unchanged games keep theirs."""
    if not matches_of(the_round):
        return seat_as_wanted(act.s, the_round, wanted)
    s, there = act.s, {(match.a_id, match.b_id, match.block): match for match in matches_of(the_round)}
    kept = {(seating.a, seating.b, seating.table) for seating in wanted}
    gone = [match for key, match in there.items() if key not in kept]
    numbers = {match.id for match in gone}
    for game in [game for game in the_round.games if game.match_id in numbers]:
        the_round.games.remove(game)
    s.flush()  # delete the games before their matches
    for match in gone:
        the_round.matches.remove(match)
    s.flush()  # delete the old matches before adding new ones of the same teams
    for a, b, block in kept - there.keys():
        the_round.matches.append(TeamMatch(a_id=a, b_id=b, block=block, notes=[]))
    s.flush()  # assigns the new matches' ids for their games
    matches = matches_of(the_round)
    lay_boards(act, the_round, matches, act.event.players)
    pairs, bye = team_pairs(matches)
    return _evaluate(the_round, pairs, bye, {seat_id(match.a_id): match for match in matches})


def lock(act: Act, number: int, a: int, b: int | None, *, locked: bool) -> None:
    """Lock a pair of players or teams in a draft, or a bye (``b`` is None), so that a new draw keeps it; or unlock it.

    Repeating it changes nothing. Raises Refused.
    """
    drawn = _drawn(act.event, draft_or_refused(act.event, number, teams=True))
    pair = next((seating for seating in drawn.seated if {a, b} == {seating.a, seating.b}), None)
    if pair is None:
        raise Refused(gettext("This pair is no longer in the draft."))
    ringer = request_drawn(drawn.round).ringer
    if ringer is not None and ringer.id in (str(a), str(b)):
        raise Refused(gettext("The stand-in plays the player with the bye: there is nothing to lock."))
    if drawn.is_locked(pair) == locked:
        return
    what = lock_words(joined(drawn.whom(pair), "and"), number, bye=b is None, locked=locked)
    keep_lock(drawn.round, drawn.seat(a) or "", drawn.seat(b), locked=locked)
    note(act, "lock" if locked else "unlock", what, **{"teams" if drawn.of_teams else "players": [a, b]})


def lock_words(whom: object, number: int, *, bye: bool, locked: bool) -> Text:
    """The journal's sentence about a locked or unlocked pair, or bye."""
    text = N_("Locked %(names)s in round %(number)s") if locked else N_("Unlocked %(names)s in round %(number)s")
    if bye:
        of_bye = N_("Locked the bye of %(names)s in round %(number)s")
        text = of_bye if locked else N_("Unlocked the bye of %(names)s in round %(number)s")
    return message(text, names=whom, number=number)


def undo_draft_change(act: Act, number: int) -> str:
    """Undo the last manual change to a draft. Returns its description. Raises Refused."""
    the_round = draft_or_refused(act.event, number, teams=True)
    steps = steps_by_hand(act.s, the_round)
    if not steps:
        raise Refused(gettext("There are no changes by hand to undo."))
    write, what = steps.popitem()
    put_back(act, write)
    note(act, "undo-step", message("Undid: %(step)s", step=what), of=write, costs=costs_now(the_round))
    return worded(what)


def draft_or_refused(event: Event, number: int, *, teams: bool = False) -> Round:
    """The drawn round, if it can be changed manually, one of teams only with ``teams``. Raises Refused."""
    the_round = drawn_or_refused(event, number)
    if not teams and matches_of(the_round):
        raise Refused(gettext("In this event teams are swapped, not players: use the page of the round."))
    if request_drawn(the_round).format.kind != "swiss":
        raise Refused(gettext("This format has a fixed plan: players cannot be moved by hand."))
    return the_round


def seat_as_wanted(s: Session, the_round: Round, wanted: Sequence[Seating]) -> Evaluation:
    """Seat a round of players as wanted, update every game's notes, and store its costs."""
    rearrange(s, the_round, wanted)
    draw_roles(s, s.get_one(Event, the_round.event_id), the_round, the_round.seed)
    games = games_of(the_round)
    pairs, bye = as_pairs(request_drawn(the_round), seatings(games))
    return _evaluate(the_round, pairs, bye, {str(game.a_id): game for game in games})


def _evaluate(
    the_round: Round, pairs: Sequence[Pair], bye: str | None, rows: Mapping[str, Game | TeamMatch]
) -> Evaluation:
    """Update the notes on all games or matches, by their first seat, and store the costs of the draft."""
    request, outcome = request_drawn(the_round), the_round.outcome or {}
    drawn = _as_drawn(outcome, rows.values())
    evaluation = evaluate(request, pairs, bye, proven=drawn and outcome["certificate"]["proven"])
    kept = pairs_drawn(outcome)
    pairs = tuple(
        pair if frozenset(int(id_.removeprefix("t")) for id_ in (pair.a, pair.b)) in kept else _by_hand(pair)
        for pair in evaluation.pairs
    )
    evaluation = replace(evaluation, pairs=pairs)
    notes = {pair.a: pair.notes for pair in evaluation.pairs}
    if bye is not None:
        notes[bye] = stand_in_notes(evaluation.bye_notes) if request.ringer else evaluation.bye_notes
    if bye is not None and request.ringer is not None:
        notes[request.ringer.id] = notes[bye]
    for seat, row in rows.items():
        if (new := notes.get(seat)) is not None:
            row.notes = note_rows(new)
    keep_costs(the_round, evaluation, as_drawn=drawn)
    return evaluation


def rearrange(s: Session, the_round: Round, wanted: Sequence[Seating]) -> None:
    """Replace the changed games; the others keep their rows and sheets."""
    games = games_of(the_round)
    old = dict(zip(seatings(games), games, strict=True))
    for seating, game in old.items():
        if seating not in wanted:
            the_round.games.remove(game)
    s.flush()  # delete the old rows before adding new ones with the same players, tables and codes
    for seating in wanted:
        if seating not in old:
            asked, scenario = seating.asked, seating.scenario
            the_round.games.append(game_row(seating.a, seating.b, seating.table, (), scenario, asked=asked))
    s.flush()  # assigns the new games' ids


def _by_hand(pair: Pair) -> Pair:
    """The pair without the draw's reason for its unequal points."""
    notes = (replace(note, kind=NoteKind.PAIR_DOWN) if note.kind in PAIRED_DOWN else note for note in pair.notes)
    return replace(pair, notes=tuple(notes))


def _as_drawn(outcome: Mapping[str, Any], rows: Iterable[Game | TeamMatch]) -> bool:
    """Whether these games or matches are those of the draw, with its tables and scenarios; the bye follows."""
    now = {
        frozenset((row.a_id, row.b_id)): (row.table_number, row.scenario)
        if isinstance(row, Game)
        else (row.block, None)
        for row in rows
    }
    return pairs_drawn(outcome).items() <= now.items()


def swap(act: Act, number: int, one: int, other: int) -> dict[int, str]:
    """Exchange two players or teams of a draft, or the bye; warnings by the first of a pairing. Raises Refused."""
    drawn = _drawn(act.event, draft_or_refused(act.event, number, teams=True))
    wanted = swapped(drawn.seated, one, other, teams=drawn.of_teams)
    for seating in set(drawn.seated) - set(wanted):
        if drawn.is_locked(seating):
            whom = listed(drawn.whom(seating))
            if seating.b is None:
                raise Refused(gettext("%(name)s is locked: unlock first.", name=whom))
            raise Refused(gettext("%(names)s are locked: unlock first.", names=whom))
    what = message(
        "Swapped %(name)s and %(other)s in round %(number)s",
        name=drawn.names[one],
        other=drawn.names[other],
        number=number,
    )
    warnings, costs = _changed(act, drawn, wanted)
    who = "teams" if drawn.of_teams else "players"
    note(act, "swap-teams" if drawn.of_teams else "swap", what, **{who: [one, other]}, **costs)
    return warnings


def set_game(act: Act, number: int, player: int, table: int | None, scenario: str) -> dict[int, str]:
    """Move this player's game to a table, set its scenario, or both. Returns warnings. Raises Refused."""
    if table is None and not scenario:
        raise Refused(gettext("Choose a table or a scenario."), "table")
    warnings = {} if table is None else set_table(act, number, player, table)
    return warnings | (set_scenario(act, number, player, scenario) if scenario else {})


def set_table(act: Act, number: int, player: int, table: int) -> dict[int, str]:
    """Move this player's game to a table; a game at that table takes the old one. Returns warnings. Raises Refused."""
    event = act.event
    drawn = _drawn(event, draft_or_refused(event, number))
    before, game = drawn.seated, _game_with(drawn.seated, player)
    most = event.tables or MOST_TABLES
    if not 1 <= table <= most:
        raise Refused(gettext("The event has tables 1 to %(most)s.", most=most), "table")
    if table in (event.tables_out or ()):
        raise Refused(gettext("Table %(table)s is out of order.", table=table), "table")
    if table == game.table:
        raise Refused(gettext("They sit at table %(table)s already.", table=table), "table")
    wanted = _moved(before, {game.table: table, table: game.table})
    text = N_("Set %(name)s and %(other)s to table %(table)s in round %(number)s")
    what = message(text, name=drawn.names[game.a], other=drawn.names[game.b or 0], table=table, number=number)
    warnings, costs = _changed(act, drawn, wanted)
    note(act, "set-table", what, players=[game.a, game.b], tables=[game.table, table], **costs)
    return warnings


def _moved(seated: Iterable[Seating], tables: Mapping[int | None, int | None]) -> list[Seating]:
    return [replace(seating, table=tables.get(seating.table, seating.table)) for seating in seated]


def leading(request: Request, games: Iterable[Game]) -> tuple[list[Game], list[tuple[Game, int]]]:
    """The games of the most points together, and those of them away from the first tables, with the table to go to.

    Both are empty in round 1 and where all games are equal.
    """
    seats = {seat.id: seat for seat in request.seats}
    played = [game for game in games if game.b_id is not None and {str(game.a_id), str(game.b_id)} <= seats.keys()]
    sums = {game.id: seats[str(game.a_id)].points + seats[str(game.b_id)].points for game in played}
    if request.round == 1 or request.format.kind != "swiss" or len(set(sums.values())) < 2:
        return [], []
    leaders = [game for game in played if sums[game.id] == max(sums.values())]
    usable = request.room.tables or tuple(range(1, len(played) + 1))
    first = (usable if request.room.top_first else tuple(sorted(usable)))[: len(leaders)]
    held = {game.table_number for game in leaders}
    away = [game for game in leaders if game.table_number not in first]
    return leaders, list(zip(away, [table for table in first if table not in held], strict=True))


def leaders_first(act: Act, number: int) -> dict[int, str]:
    """Exchange tables so that the games of the most points are at the first ones. Returns warnings. Raises Refused."""
    the_round = draft_or_refused(act.event, number)
    games = games_of(the_round)
    leaders, away = leading(request_drawn(the_round), games)
    if not away:
        raise Refused(gettext("The leaders are at the first tables already."))
    tables: dict[int | None, int | None] = {}
    for game, table in away:
        tables |= {game.table_number: table, table: game.table_number}
    wanted = _moved(seatings(games), tables)
    what = message("Put the leaders of round %(number)s at %(tables)s", number=number, tables=leaders_at(leaders, away))
    warnings, costs = _changed(act, _drawn(act.event, the_round), wanted)
    note(act, "set-table", what, players=[game.a_id for game, _ in away], **costs)
    return warnings


def leaders_at(leaders: Sequence[Game], away: Sequence[tuple[Game, int]]) -> Text:
    """The first tables in words: "table 1", "tables 1, 2"."""
    moved = {game.id: table for game, table in away}
    tables = [moved.get(game.id, game.table_number or 0) for game in leaders]
    return counted_message("table %(tables)s", "tables %(tables)s", len(tables), tables=as_text(tables))


def set_scenario(act: Act, number: int, player: int, scenario: str) -> dict[int, str]:
    """Set the scenario of this player's game; all others keep theirs. Returns warnings.

    ``scenario`` is the id of any scenario of the event's game, in its pool or not. Raises Refused.
    """
    event = act.event
    the_round = draft_or_refused(event, number)
    drawn = _drawn(event, the_round)
    before, game = drawn.seated, _game_with(drawn.seated, player)
    scenarios = scenarios_of(event)
    was = game.scenario or the_round.scenario
    if scenario not in scenarios:
        raise Refused(gettext("This scenario is not available. Choose another scenario."), "scenario")
    if scenario == was:
        raise Refused(gettext("They play %(name)s already.", name=scenarios[scenario].name), "scenario")
    changed = replace(game, scenario=None if scenario == the_round.scenario else scenario)
    wanted = [changed if seating is game else seating for seating in before]
    text = N_("Set the scenario of table %(table)s to %(scenario)s in round %(number)s")
    what = message(text, table=game.table, scenario=scenarios[scenario].name, number=number)
    warnings, costs = _changed(act, drawn, wanted)
    all_played = {seating.scenario or the_round.scenario or "" for seating in wanted if seating.b is not None}
    if mixed_scales(system_of(event), tie_breaks_of(event), all_played):
        warnings[game.a] = gettext(
            "the scenarios of this round score on different scales: their victory points cannot be compared"
        )
        costs["warnings"] = [*warnings.values()]
    note(act, "set-scenario", what, players=[game.a, game.b], scenarios=[was, scenario], **costs)
    return warnings


def _game_with(seated: Iterable[Seating], player: int) -> Seating:
    """The game of this player. Raises Refused for a bye."""
    game = next((seating for seating in seated if player in (seating.a, seating.b)), None)
    if game is None or game.b is None:
        raise Refused(gettext("Choose a game of this round."), "player")
    return game


def _changed(act: Act, drawn: _Drawn, wanted: Sequence[Seating]) -> tuple[dict[int, str], dict[str, Any]]:
    """Seat a draft as wanted.

    Returns warnings about the changed pairings if the draft is worse, and details for the journal. Every odd note on a
    changed match of teams is a warning.
    """
    costs_before = costs_now(drawn.round)
    evaluation = _seat(act, drawn.round, wanted)
    if drawn.of_teams:
        after = _drawn(act.event, drawn.round)
        changed = [seating.a for seating in after.seated if seating not in drawn.seated and after.notes[seating.a]]
        warnings = {id_: apart(sentences(after.notes[id_], act.event.team_size)) for id_ in changed}
    else:
        compared_to = compared(evaluation.costs, costs_before, request_drawn(drawn.round).rules)
        harm = any(cost.counted and cost.judged == "worse" for cost in compared_to)
        notes = {frozenset((seating.a, seating.b)): drawn.notes[seating.a] for seating in drawn.seated}
        warnings = odd_now(evaluation, drawn.seated, wanted, drawn.names, notes) if harm else {}
    costs = {"engine": best_costs(drawn.round), "costs": evaluation.costs, "warnings": [*warnings.values()]}
    return warnings, costs
