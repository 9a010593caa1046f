"""Drawing a round: from an event's rows to a request, and from the draw to rows."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import count, islice

from sqlmodel import Session

from events.play.act import Act
from events.play.brackets import knockout_views
from events.play.editions import system_of
from events.play.errors import Refused
from events.play.journal import check_takes_place, note
from events.play.outcomes import result_of
from events.play.players import players_of
from events.play.roles import draw_roles
from events.play.rounds import RoundView, games_of, opens_together, request_drawn, round_of, round_views, rounds_of
from events.play.scenarios import MIXED, mixed_scales, scenarios_of
from events.play.team_queries import is_team_event, matches_of, playing
from events.rounds.byes import players_asking_bye, players_to_draw, stand_in
from events.rounds.formats import format_of, prepare, seated
from events.rounds.team_boards import lay_matches
from events.standings.queries import entrants, match_scheme_of, played, scheme_of
from events.standings.scale import tie_breaks_of
from events.standings.team_standings import matches_played, player_records, team_entrants, team_seats
from events.tournament.pairing.history import Past, to_rows
from events.tournament.pairing.notes import Note, NoteKind, note_rows
from events.tournament.pairing.request import Format, Request, drawn_round, to_document
from events.tournament.pairing.seats import PLAIN, AvoidClubs, Draw, Rules, Seat, rules_of_event, watches_clubs
from events.tournament.pairing.tables import Room, block_tables, blocks_of
from events.tournament.ranking import ranking_rows
from events.tournament.records import past_of, seats_from
from events.tournament.team_ranking import team_results
from events.web.parsing import sheet_code
from models.event import Event, EventState, KeptWhen, Round, RoundKind, RoundState
from models.play import Game, Player, PlayerState


def player_seats(
    event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int, *, ranked: bool
) -> list[Seat]:
    """The seats of the checked-in players; with their ranks in the standings if ``ranked``."""
    here = {str(p.id) for p in players_to_draw(players, number)}
    people = [
        replace(one, entered_round=min(one.entered_round, number)) if one.id in here else one
        for one in entrants(event, players, last=number - 1)
    ]
    results = played(event, views, number - 1, every_bye=True)
    fixed = {str(p.id): p.fixed_table for p in players}
    field = [
        replace(seat, fixed_table=fixed[seat.id])
        for seat in seats_from(results, people, scheme_of(event), number, open_before(event, views, number))
        if seat.id in here
    ]
    if not ranked:
        return field
    places = {row.id: row.rank for row in ranking_rows(results, people, scheme_of(event))}
    return [replace(seat, rank=places[seat.id]) for seat in field]


def past_before(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> tuple[Past, ...]:
    """The earlier results that the seats of round ``number`` count."""
    if is_team_event(event):
        book = player_records(event, players, views, number - 1)
        results, _ = team_results(matches_played(views, number - 1), book)
        return past_of(results, team_entrants(event, views[0].teams, number - 1), match_scheme_of(event), number)
    results, field = played(event, views, number - 1, every_bye=True), entrants(event, players, last=number - 1)
    return past_of(results, field, scheme_of(event), number, open_before(event, views, number))


def open_before(event: Event, views: Sequence[RoundView], number: int) -> tuple[Past, ...]:
    """The open games of rounds before ``number``; only a round robin of players has any."""
    if is_team_event(event):
        return ()
    return tuple(
        Past(view.round.number, "open", str(game.a_id), str(game.b_id), table=game.table_number,
             scenario=None if (scenario := view.scenario_at(game)) is None else scenario.id)
        for view in views[: number - 1]
        for game in view.games
        if game.b_id is not None and result_of(event, view.round.number, view.scenario_at(game), game) is None
    )  # fmt: skip


def ringer_seat(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> Seat | None:
    """The stand-in for the bye, with the tables already used; None if the field is even or there is no stand-in."""
    player = stand_in(players, number)
    if player is None:
        return None
    results = played(event, views, number - 1, every_bye=True)
    games = [r for r in results if str(player.id) in (r.a, r.b) and r.absent is None]
    tables = tuple(r.table for r in games if r.table is not None)
    return Seat(str(player.id), tables=tables, fixed_table=player.fixed_table)


def room_of(event: Event, a_round: Round, games: int, fixed: Iterable[int] = ()) -> Room:
    """The usable tables, lowest first, and the scenario pool if each table draws its own scenario.

    Without a set number of tables there are as many as ``games``, and the ``fixed`` ones. In a team event ``games`` are
    matches, tables and ``fixed`` are blocks of tables, and all of them play one scenario.
    """
    if is_team_event(event):
        out = frozenset(event.tables_out or ())
        return Room(tuple(_blocks(event, games, fixed, out)), event.top_tables)
    pool = tuple(event.scenario_pool) if draws_for_each_table(event, a_round) else ()
    return Room(tuple(tables_of(event, games, fixed)), event.top_tables, pool)


def tables_of(event: Event, games: int, fixed: Iterable[int] = ()) -> list[int]:
    """The usable tables, lowest first: all of the event's; or enough for the games, and the fixed ones."""
    out = frozenset(event.tables_out or ())
    if event.tables is not None:
        return [table for table in range(1, event.tables + 1) if table not in out]
    enough = islice((table for table in count(1) if table not in out), games)
    return sorted({*enough, *(table for table in fixed if table not in out)})


def _blocks(event: Event, matches: int, fixed: Iterable[int], out: frozenset[int]) -> list[int]:
    """The blocks whose tables are all usable, lowest first."""
    size = event.team_size
    if event.tables is not None:
        return blocks_of((table for table in range(1, event.tables + 1) if table not in out), size)
    whole = (block for block in count(1) if out.isdisjoint(block_tables(block, size)))
    fixed_blocks = {block for block in fixed if out.isdisjoint(block_tables(block, size))}
    return sorted({*islice(whole, matches), *fixed_blocks})


def draws_for_each_table(event: Event, a_round: Round) -> bool:
    """Whether each table of this round draws its own scenario: if the event says so and no scenario was chosen."""
    chosen = a_round.scenario is not None and not a_round.scenario_drawn
    return event.scenario_per_table and not chosen and not is_team_event(event)


def draw_round(act: Act, number: int, seed: int, *, over: str | None = None) -> Round:
    """Draw a round as a draft: pairs, bye, tables and scenario. A drawn round is redrawn.

    ``over`` is the seed of the draw shown on the page, "" for none; another draw is not replaced. None replaces any
    draw. The inputs and the output are stored with the round. Raises Refused.
    """
    s, event = act.s, act.event
    check_takes_place(event)
    views, everybody = round_views(s, event), players_of(s, event)
    if reason := why_not_drawn(event, everybody, views, number):
        raise Refused(reason)
    if prepare(s, event, everybody, views, number):
        views = round_views(s, event)
    the_round = next(view.round for view in views if view.round.number == number)
    if over is not None and the_round.state == RoundState.DRAWN and over != str(the_round.seed):
        raise Refused(f"Round {number} was drawn a moment ago, and this is that draw. Draw again to replace it.")
    for player in everybody:  # also those who arrived after an earlier draw of this round
        if player.state == PlayerState.CHECKED_IN:
            player.entered_round = min(player.entered_round, number)
    for team in playing(views[0].teams, everybody):
        team.entered_round = min(team.entered_round, number)
    free = request_of(event, everybody, views, number, seed)
    locked = kept_locks(the_round, free)
    request = replace(free, rules=replace(free.rules, locked=locked))
    _check_room(event, the_round, request)
    drawn = drawn_round(request)
    discard_games(s, the_round)
    if draws_for_each_table(event, the_round):
        the_round.scenario, the_round.scenario_drawn = None, False
    else:
        draw_scenario(s, event, the_round, seed)
    before, outcome = the_round.outcome, outcome_of(drawn)
    counted = past_before(event, everybody, views, number)
    if locked:
        outcome |= {"locked": [list(pair) for pair in locked], "free": costs_of(drawn_round(free))}
    the_round.state, the_round.seed = RoundState.DRAWN, seed
    the_round.inputs, the_round.outcome = to_document(request), outcome | {"before": to_rows(counted)}
    if is_team_event(event):
        lay_matches(s, event, the_round, drawn, act.now)
    else:
        s.add_all(_games_drawn(the_round, drawn, players_asking_bye(everybody, number)))
        draw_roles(s, event, the_round)
    text = f"Drew round {number}{' anew' if before else ''}: {len(drawn.pairs)} games"
    note(
        act,
        "draw-round",
        text + (f", {len(locked)} locked" if locked else ""),
        seed=seed,
        outcome=outcome,
        before=before and {k: v for k, v in before.items() if k not in ("steps", "before")},
    )
    return the_round


def _check_room(event: Event, the_round: Round, request: Request) -> None:
    """Raises Refused if there are too few tables, or no scenarios for them."""
    games = (len(request.seats) + (request.ringer is not None)) // 2
    if games > len(request.room.tables):
        need = "games need a table each"
        if is_team_event(event):
            need = f"matches need {event.team_size} tables side by side each"
        have = f"the event has {len(request.room.tables)}{' in order' if event.tables_out else ''}"
        raise Refused(f"{games} {need}, and {have}: set more tables on the page “Pairing”.")
    if draws_for_each_table(event, the_round) and not request.room.scenarios:
        raise Refused("The pool has no scenario that a table could draw: choose some in the settings.")
    if mixed_scales(system_of(event), tie_breaks_of(event), request.room.scenarios):
        raise Refused(MIXED)


def _games_drawn(the_round: Round, drawn: Draw, out: Iterable[Player]) -> Iterator[Game]:
    """The games of a draw, its byes, and the requested byes of the players in ``out``."""
    for pair in (*drawn.pairs, *((drawn.stand_in,) if drawn.stand_in else ())):
        yield game_row(the_round, int(pair.a), int(pair.b), pair.table, pair.notes, pair.scenario)
    if drawn.bye is not None and drawn.stand_in is None:
        yield game_row(the_round, int(drawn.bye), None, None, drawn.notes)
    for idle in drawn.idle:
        yield game_row(the_round, int(idle.id), None, None, idle.notes)
    for player in out:
        yield game_row(the_round, player.id, None, None, (Note(NoteKind.BYE_ASKED),), asked=True)


Locked = tuple[tuple[str, str | None], ...]
"""Locked pairs of seat ids; a locked bye has None."""


def locked_in(the_round: Round) -> Locked:
    """The locked pairs of a draft."""
    return tuple((a, b) for a, b in (the_round.outcome or {}).get("locked", ()))


def kept_locks(the_round: Round, request: Request) -> Locked:
    """The locks that still apply: both players are still in the field; for a bye, the field is still odd."""
    here = {seat.id for seat in request.seats}
    odd = len(here) % 2 == 1
    return tuple((a, b) for a, b in locked_in(the_round) if a in here and (odd if b is None else b in here))


def costs_of(drawn: Draw) -> dict[str, int]:
    """The cost of a draw on each level, tables after pairs."""
    return asdict(drawn.levels) | (asdict(drawn.placement) if drawn.placement else {})


def request_of(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int, seed: int) -> Request:
    """The inputs of the draw of round ``number``: the checked-in players with their records.

    In a team event the seats are teams, and the tables are blocks of tables.
    """
    rules = rules_of(event, number)
    ranked = number > 1 and rules.method != "random"
    found = (team_seats if is_team_event(event) else player_seats)(event, players, views, number, ranked=ranked)
    # Clubs that are ignored must not make the draw stale.
    field = found if watches_clubs(rules, number) else [replace(seat, club="") for seat in found]
    form = format_of(event, players, views, number)
    field = seated(form, number, field)
    if form.kind != "swiss":
        rules = PLAIN
    here = {seat.id for seat in field}
    rules = replace(rules, keep_apart=tuple(pair for pair in rules.keep_apart if here.issuperset(pair)))
    ringer = None if is_team_event(event) or form.kind == "knockout" else ringer_seat(event, players, views, number)
    games = (len(field) + (ringer is not None)) // 2
    everybody = field if ringer is None else [*field, ringer]
    fixed = [seat.fixed_table for seat in everybody if seat.fixed_table is not None]
    room = room_of(event, views[number - 1].round, games, fixed)
    if not room.scenarios:
        field = [replace(seat, scenarios=()) for seat in field]
    return Request(number, tuple(field), seed, rules, room, form, ringer)


def rules_of(event: Event, number: int) -> Rules:
    """The rules of this round's draw."""
    ways: dict[str, AvoidClubs] = {"first_round": "first_round", "always": "always", "never": "never"}
    apart = tuple(
        (str(pair.a_id), str(pair.b_id))
        for pair in event.kept_apart
        if event.team_size == 1 and (number == 1 or pair.when == KeptWhen.ALWAYS)
    )
    chosen = rules_of_event(event.draw_rules)
    return replace(chosen, avoid_clubs=ways[event.avoid_clubs.value], keep_apart=apart)


def outcome_of(drawn: Draw) -> dict[str, object]:
    """The part of a draw to store with the round."""
    return {
        "pairs": [[p.a, p.b] for p in drawn.pairs],
        "tables": [p.table for p in drawn.pairs],
        "scenarios": [p.scenario for p in drawn.pairs],
        "bye": drawn.bye,
        "levels": asdict(drawn.levels),
        "placement": asdict(drawn.placement) if drawn.placement else None,
        "certificate": asdict(drawn.certificate),
        "algorithm": drawn.algorithm,
        "notes": note_rows(drawn.notes),
        "idle": [[idle.id, note_rows(idle.notes)] for idle in drawn.idle],
        "stand_in": drawn.stand_in and [getattr(drawn.stand_in, name) for name in ("a", "b", "table", "scenario")],
    }


def is_stale(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> bool:
    """Whether the inputs of this drawn round have changed. False for a round that is not drawn."""
    the_round = next((v.round for v in views if v.round.number == number), None)
    if the_round is None or the_round.state != RoundState.DRAWN:
        return False
    out = {game.a_id for game in views[number - 1].games if game.asked}
    if out != {player.id for player in players_asking_bye(players, number)}:
        return True
    return _as_seen(request_drawn(the_round)) != _as_seen(request_of(event, players, views, number, 0))


def _as_seen(request: Request) -> tuple[Rules, Format, tuple[Seat, ...], Room, Seat | None]:
    """The inputs that affect a draw. Locks are left out, because they are set after it."""
    return replace(request.rules, locked=()), request.format, request.seats, request.room, request.ringer


def why_not_drawn(event: Event, players: Sequence[Player], views: Sequence[RoundView], number: int) -> str:
    """Why this round cannot be drawn now, in a sentence; "" if it can."""
    if event.state == EventState.FINISHED:
        return "This event is over."
    if event.state == EventState.DRAFT:
        return "This event is a draft: open registration before you draw a round."
    if (event.season or {}).get("kind", "rounds") != "rounds" and not knockout_views(views):
        return "In this season players challenge each other: no round is drawn."
    if number > len(views):
        return f"This event has {len(views)} rounds; more can be planned in the settings."
    if views[number - 1].round.state == RoundState.PUBLISHED:
        return f"Round {number} is published already."
    together = opens_together(event, views[number - 1].round.kind)
    before = next((v for v in views[: number - 1] if not (v.complete or (together and v.state == "playing"))), None)
    if before is not None:
        state = before.round.state
        if state == RoundState.PUBLISHED:
            count = before.open_games
            games = "1 game has" if count == 1 else f"{count} games have"
            return (
                f"Round {before.round.number} is not complete yet: {games} no {'winner' if before.tied else 'result'}."
            )
        so_far = "drawn but not published" if state == RoundState.DRAWN else "not drawn"
        return f"Round {before.round.number} is {so_far} yet."
    if is_team_event(event) and len(playing(views[0].teams, players)) < 2:
        return "At least two teams must have a player checked in before a round can be drawn."
    if len(players_to_draw(players, number)) < 2:
        return "At least two players must be checked in before a round can be drawn."
    return ""


def discard_games(s: Session, the_round: Round) -> None:
    """Delete the games of a drawn round, and their team matches."""
    for game in games_of(s, the_round):
        s.delete(game)
    s.flush()  # delete the games before their matches
    for match in matches_of(s, the_round):
        s.delete(match)
    s.flush()  # delete the old matches before adding those of a new draw


def game_row(
    the_round: Round,
    a: int,
    b: int | None,
    table: int | None,
    notes: Sequence[Note],
    scenario: str | None = None,
    *,
    asked: bool = False,
) -> Game:
    """A new game of the round, with a new sheet code."""
    return Game(
        round_id=the_round.id, a_id=a, b_id=b, table_number=table, code=sheet_code(), notes=note_rows(notes),
        asked=asked, scenario=scenario,
    )  # fmt: skip


def draw_scenario(s: Session, event: Event, the_round: Round, seed: int) -> None:
    """Draw the scenario of a round, unless one was chosen. Raises Refused if none is left."""
    if the_round.scenario is not None and not the_round.scenario_drawn:
        return
    others = [r.scenario for r in rounds_of(s, event) if r.id != the_round.id]
    pool = [one for one in scenarios_of(s, event) if one in event.scenario_pool]
    free = [one for one in pool if one not in others]
    if not free and the_round.kind != RoundKind.SWISS:  # scenarios may repeat, least used first
        pool = pool or [one for one in scenarios_of(s, event) if one in others]
        free = [one for one in pool if others.count(one) == min(map(others.count, pool))]
    if not free:
        raise Refused("Every scenario of the pool was played or is planned: choose one for this round in the settings.")
    the_round.scenario, the_round.scenario_drawn = random.Random(seed).choice(free), True  # noqa: S311 - no secret


def drawn_or_refused(s: Session, event: Event, number: int) -> Round:
    """The round if it is drawn and unpublished. Raises Refused."""
    the_round = round_of(s, event, number)
    if the_round is None or the_round.state != RoundState.DRAWN:
        raise Refused(f"Round {number} is not a draw that waits to be published.")
    return the_round
