"""Changes by hand to the draft of a round: players swapped, tables and scenarios set, pairs locked; and undo."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session

from events.play.act import Act
from events.play.editions import system_of
from events.play.errors import Refused
from events.play.journal import note
from events.play.players import players_of
from events.play.roles import draw_roles
from events.play.rounds import games_of, request_drawn
from events.play.scenarios import mixed_scales, scenarios_of
from events.play.scoring import tie_breaks_of
from events.play.team_queries import matches_of
from events.rounds.drawing import drawn_or_refused, game_row
from events.rounds.outcome import (
    Locked,
    best_costs,
    costs_now,
    is_locked,
    keep_costs,
    keep_step,
    pairs_drawn,
    pop_step,
    with_lock,
)
from events.tournament.pairing.explain import compared
from events.tournament.pairing.notes import Note, note_rows, notes_in
from events.tournament.pairing.request import Evaluation, Request, evaluate, of_the_field, stand_in_notes
from events.tournament.pairing.seats import Pair
from events.tournament.pairing.words import sentences
from events.web.parsing import MOST_TABLES, as_text
from languages.stated import Stated, stated, stated_many, strung, worded
from languages.words import gettext, labelled, listed, noted
from models.event import Event, Round
from models.play import Game


@dataclass(frozen=True)
class Seating:
    """The players and the table of one game, with its sheet's code; a bye has neither opponent nor table."""

    a: int
    b: int | None
    table: int | None
    code: str = ""
    """"" for a new code, when printed sheets no longer fit."""
    asked: bool = False
    """A bye that the player requested: not drawn, and cannot be moved."""
    scenario: str | None = None
    """The table's own scenario; None for the round's."""


def seatings(games: Iterable[Game]) -> tuple[Seating, ...]:
    """The games of a round as seatings."""
    return tuple(
        Seating(game.a_id, game.b_id, game.table_number, game.code, game.asked, game.scenario) for game in games
    )


def step(
    s: Session, the_round: Round, what: Stated, wanted: Sequence[Seating], locked: Locked | None = None
) -> Evaluation:
    """Change the seats and the locks (None: no change) of a draft as one step that can be undone.

    ``what`` describes the change for the journal and the undo button.
    """
    keep_step(the_round, what, "games", seatings(games_of(s, the_round)), locked)
    return seat_as_wanted(s, the_round, wanted)


def lock(act: Act, number: int, a: int, b: int | None, *, locked: bool) -> None:
    """Lock a pair of a draft, or its bye (``b`` is None), so that a new draw keeps it; or unlock it.

    Repeating it changes nothing. Raises Refused.
    """
    the_round = draft_or_refused(act.s, act.event, number)
    games = games_of(act.s, the_round)
    if not any({a, b} == {game.a_id, game.b_id} for game in games):
        raise Refused(gettext("This pair is no longer in the draft."))
    ringer = request_drawn(the_round).ringer
    if ringer is not None and ringer.id in (str(a), str(b)):
        raise Refused(gettext("The stand-in plays the player with the bye: there is nothing to lock."))
    pair = str(a), None if b is None else str(b)
    if is_locked(the_round, *pair) == locked:
        return
    names = {p.id: p.name for p in players_of(act.s, act.event)}
    whom = strung([names[one] for one in (a, b) if one is not None], "and")
    what = lock_words(whom, number, bye=b is None, locked=locked)
    step(act.s, the_round, what, seatings(games), with_lock(the_round, *pair, locked=locked))
    note(act, "lock" if locked else "unlock", what, players=[a, b])


def lock_words(whom: object, number: int, *, bye: bool, locked: bool) -> Stated:
    """The journal's sentence about a locked or unlocked pair, or bye."""
    text = noted("Locked %(names)s in round %(number)s") if locked else noted("Unlocked %(names)s in round %(number)s")
    if bye:
        of_bye = noted("Locked the bye of %(names)s in round %(number)s")
        text = of_bye if locked else noted("Unlocked the bye of %(names)s in round %(number)s")
    return stated(text, names=whom, number=number)


def undo_draft_change(act: Act, number: int) -> str:
    """Undo the last manual change to a draft. Returns its description. Raises Refused."""
    the_round = draft_or_refused(act.s, act.event, number)
    last = pop_step(the_round)
    seat_as_wanted(act.s, the_round, [Seating(**one) for one in last["games"]])
    note(act, "undo-step", stated("Undid: %(step)s", step=last["what"]), costs=costs_now(the_round))
    return worded(last["what"])


def draft_or_refused(s: Session, event: Event, number: int) -> Round:
    """The drawn round, if it can be changed manually. Raises Refused."""
    the_round = drawn_or_refused(s, event, number)
    if matches_of(s, the_round):
        raise Refused(gettext("In this event teams are swapped, not players: use the page of the round."))
    if request_drawn(the_round).format.kind != "swiss":
        raise Refused(gettext("This format has a fixed plan: players cannot be moved by hand."))
    return the_round


def seat_as_wanted(s: Session, the_round: Round, wanted: Sequence[Seating]) -> Evaluation:
    """Seat a round as wanted, update every game's notes, and store its costs."""
    rearrange(s, the_round, wanted)
    draw_roles(s, s.get_one(Event, the_round.event_id), the_round, the_round.seed)
    games, outcome = games_of(s, the_round), the_round.outcome or {}
    drawn = _as_drawn(outcome, games)
    request = request_drawn(the_round)
    pairs, bye = as_pairs(request, seatings(games))
    evaluation = evaluate(request, pairs, bye, proven=drawn and outcome["certificate"]["proven"])
    notes = {pair.a: pair.notes for pair in evaluation.pairs}
    if bye is not None:
        notes[bye] = stand_in_notes(evaluation.bye_notes) if request.ringer else evaluation.bye_notes
    if bye is not None and request.ringer is not None:
        notes[request.ringer.id] = notes[bye]
    for game in games:
        if (noted := notes.get(str(game.a_id))) is not None:
            game.notes = note_rows(noted)
    keep_costs(the_round, evaluation, as_drawn=drawn)
    return evaluation


def rearrange(s: Session, the_round: Round, wanted: Sequence[Seating]) -> None:
    """Replace the changed games; the others keep their rows and sheets."""
    games = games_of(s, the_round)
    old = dict(zip(seatings(games), games, strict=True))
    for one, game in old.items():
        if one not in wanted:
            s.delete(game)
    s.flush()  # delete the old rows before adding new ones with the same players, tables and codes
    for one in wanted:
        if one not in old:
            game = game_row(the_round, one.a, one.b, one.table, (), one.scenario, asked=one.asked)
            game.code = one.code or game.code
            s.add(game)
    s.flush()  # assigns the new games' ids


def as_pairs(request: Request, seated: Sequence[Seating]) -> tuple[tuple[Pair, ...], str | None]:
    """The pairs and the bye in the engine's terms, without requested byes."""
    pairs = (
        Pair(str(one.a), str(one.b), table=one.table, scenario=one.scenario) for one in seated if one.b is not None
    )
    bye = next((str(one.a) for one in seated if one.b is None and not one.asked), None)
    return of_the_field(request, pairs, bye)


def _as_drawn(outcome: Mapping[str, Any], games: Iterable[Game]) -> bool:
    """Whether these games are those of the draw, with its tables and scenarios; the bye follows from the pairs."""
    now = {frozenset((game.a_id, game.b_id)): (game.table_number, game.scenario) for game in games}
    return pairs_drawn(outcome).items() <= now.items()


def swap(act: Act, number: int, one: int, other: int) -> dict[int, str]:
    """Exchange two players of a draft, the bye included. Returns warnings. Raises Refused."""
    the_round = draft_or_refused(act.s, act.event, number)
    games, names = games_of(act.s, the_round), {p.id: p.name for p in players_of(act.s, act.event)}
    before = seatings(games)
    wanted = swapped(before, one, other)
    for seating in set(before) - set(wanted):
        if is_locked(the_round, str(seating.a), None if seating.b is None else str(seating.b)):
            whom = listed([names[who] for who in (seating.a, seating.b) if who is not None])
            if seating.b is None:
                raise Refused(gettext("%(name)s is locked: unlock first.", name=whom))
            raise Refused(gettext("%(names)s are locked: unlock first.", names=whom))
    what = stated(
        "Swapped %(name)s and %(other)s in round %(number)s", name=names[one], other=names[other], number=number
    )
    warnings, costs = _changed(act.s, the_round, what, games, wanted, names)
    note(act, "swap", what, players=[one, other], **costs)
    return warnings


def set_table(act: Act, number: int, player: int, table: int) -> dict[int, str]:
    """Move this player's game to a table; a game at that table takes the old one. Returns warnings. Raises Refused."""
    s, event = act.s, act.event
    the_round = draft_or_refused(s, event, number)
    games = games_of(s, the_round)
    before = seatings(games)
    game = _game_with(before, player)
    most = event.tables or MOST_TABLES
    if not 1 <= table <= most:
        raise Refused(gettext("The event has tables 1 to %(most)s.", most=most), "table")
    if table in (event.tables_out or ()):
        raise Refused(gettext("Table %(table)s is out of order.", table=table), "table")
    if table == game.table:
        raise Refused(gettext("They sit at table %(table)s already.", table=table), "table")
    names = {p.id: p.name for p in players_of(s, event)}
    tables = {game.table: table, table: game.table}
    wanted = [replace(one, table=tables[one.table], code="") if one.table in tables else one for one in before]
    text = noted("Set %(name)s and %(other)s to table %(table)s in round %(number)s")
    what = stated(text, name=names[game.a], other=names[game.b or 0], table=table, number=number)
    warnings, costs = _changed(s, the_round, what, games, wanted, names)
    note(act, "set-table", what, players=[game.a, game.b], tables=[game.table, table], **costs)
    return warnings


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
    the_round = draft_or_refused(act.s, act.event, number)
    games = games_of(act.s, the_round)
    leaders, away = leading(request_drawn(the_round), games)
    if not away:
        raise Refused(gettext("The leaders are at the first tables already."))
    tables: dict[int | None, int | None] = {}
    for game, table in away:
        tables |= {game.table_number: table, table: game.table_number}
    wanted = [replace(one, table=tables[one.table], code="") if one.table in tables else one for one in seatings(games)]
    what = stated("Put the leaders of round %(number)s at %(tables)s", number=number, tables=leaders_at(leaders, away))
    names = {p.id: p.name for p in players_of(act.s, act.event)}
    warnings, costs = _changed(act.s, the_round, what, games, wanted, names)
    note(act, "set-table", what, players=[game.a_id for game, _ in away], **costs)
    return warnings


def leaders_at(leaders: Sequence[Game], away: Sequence[tuple[Game, int]]) -> Stated:
    """The first tables in words: "table 1", "tables 1, 2"."""
    moved = {game.id: table for game, table in away}
    tables = [moved.get(game.id, game.table_number or 0) for game in leaders]
    return stated_many("table %(tables)s", "tables %(tables)s", len(tables), tables=as_text(tables))


def set_scenario(act: Act, number: int, player: int, scenario: str) -> dict[int, str]:
    """Set the scenario of this player's game; all others keep theirs. Returns warnings.

    ``scenario`` is the id of any scenario of the event's game, in its pool or not. Raises Refused.
    """
    s, event = act.s, act.event
    the_round = draft_or_refused(s, event, number)
    games = games_of(s, the_round)
    before = seatings(games)
    game = _game_with(before, player)
    known = scenarios_of(s, event)
    was = game.scenario or the_round.scenario
    if scenario not in known:
        raise Refused(gettext("This scenario is not available. Choose another scenario."), "scenario")
    if scenario == was:
        raise Refused(gettext("They play %(name)s already.", name=known[scenario].name), "scenario")
    changed = replace(game, scenario=None if scenario == the_round.scenario else scenario, code="")
    wanted = [changed if one is game else one for one in before]
    text = noted("Set the scenario of table %(table)s to %(scenario)s in round %(number)s")
    what = stated(text, table=game.table, scenario=known[scenario].name, number=number)
    names = {p.id: p.name for p in players_of(s, event)}
    warnings, costs = _changed(s, the_round, what, games, wanted, names)
    all_played = {one.scenario or the_round.scenario or "" for one in wanted if one.b is not None}
    if mixed_scales(system_of(event), tie_breaks_of(event), all_played):
        warnings[game.a] = gettext(
            "the scenarios of this round score on different scales: their victory points cannot be compared"
        )
        costs["warnings"] = [*warnings.values()]
    note(act, "set-scenario", what, players=[game.a, game.b], scenarios=[was, scenario], **costs)
    return warnings


def _game_with(seated: Iterable[Seating], player: int) -> Seating:
    """The game of this player. Raises Refused for a bye."""
    game = next((one for one in seated if player in (one.a, one.b)), None)
    if game is None or game.b is None:
        raise Refused(gettext("Choose a game of this round."), "player")
    return game


def _changed(
    s: Session,
    the_round: Round,
    what: Stated,
    games: Sequence[Game],
    wanted: Sequence[Seating],
    names: Mapping[int, str],
) -> tuple[dict[int, str], dict[str, Any]]:
    """Seat a draft of these games as wanted, as one step.

    Returns warnings about the changed games if the draft is worse, and details for the journal. ``names`` are the
    players' by id.
    """
    before, known = seatings(games), {frozenset((game.a_id, game.b_id)): notes_in(game.notes) for game in games}
    costs_before = costs_now(the_round)
    evaluation = step(s, the_round, what, wanted)
    compared_to = compared(evaluation.costs, costs_before, request_drawn(the_round).rules)
    harm = any(cost.counted and cost.judged == "worse" for cost in compared_to)
    warnings = odd_now(evaluation, before, wanted, names, known) if harm else {}
    costs = {"engine": best_costs(the_round), "costs": evaluation.costs, "warnings": [*warnings.values()]}
    return warnings, costs


def swapped(seated: Sequence[Seating], one: int, other: int) -> tuple[Seating, ...]:
    """The games with these two players exchanged. Raises Refused."""
    where = {player: game for game in seated for player in (game.a, game.b) if player is not None}
    if one == other or one not in where or other not in where:
        raise Refused(gettext("Choose two different players of this round."))
    if where[one].asked or where[other].asked:
        raise Refused(gettext("This player asked for a bye: undo that on the player's page first."))
    if where[one] is where[other]:
        raise Refused(gettext("These two play each other: there is nothing to swap."))
    places = {one: other, other: one}
    return tuple(
        replace(game, a=places.get(game.a, game.a), b=places.get(game.b or 0, game.b), code="")
        if game in (where[one], where[other])
        else game
        for game in seated
    )


NOTHING_KNOWN: Mapping[frozenset[int | None], Collection[Note]] = {}


def odd_now(
    evaluation: Evaluation,
    before: Sequence[Seating],
    after: Sequence[Seating],
    names: Mapping[int, str],
    known: Mapping[frozenset[int | None], Collection[Note]] = NOTHING_KNOWN,
) -> dict[int, str]:
    """Warnings about the changed games, the bye included, by the first player of each.

    Leaves out the notes in ``known``, which the same two players, or the same bye, had before the change.
    """
    changed = {str(game.a) for game in after if game not in before}
    odd: dict[int, str] = {}
    for pair in evaluation.pairs:
        before_it = known.get(frozenset((int(pair.a), int(pair.b))), ())
        notes = [one for one in pair.notes if one not in before_it]
        if pair.a in changed and notes:
            odd[int(pair.a)] = labelled(listed([names[int(pair.a)], names[int(pair.b)]]), ", ".join(sentences(notes)))
    bye = next((game.a for game in after if game.b is None and game not in before), None)
    notes = [one for one in evaluation.bye_notes if one not in known.get(frozenset((bye, None)), ())]
    if bye is not None and notes:
        odd[bye] = labelled(names[bye], ", ".join(sentences(notes)))
    return odd
