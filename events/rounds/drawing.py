"""Drawing a round: loaded as a picture, decided without the database, then stored."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, func, select

from events.rounds.byes import players_asking_bye
from events.rounds.formats import plan_rounds, store_plan
from events.rounds.inputs import draws_for_each_table, request_of
from events.rounds.outcome import costs_of, keep_draw, kept_locks, outcome_of
from events.rounds.queries import Picture, Plan, picture_to_draw
from events.rounds.team_boards import lay_matches
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import check_takes_place, note
from events.store.roles import assign_roles, without_roles
from events.store.rounds import RoundView, round_of, stage_in
from events.store.scenarios import MIXED, mixed_scales
from events.store.scoring import tie_breaks_of
from events.store.team_queries import playing
from events.tournament.pairing.history import to_rows
from events.tournament.pairing.notes import Note, NoteKind, note_rows
from events.tournament.pairing.request import Request, drawn_round, to_document
from events.tournament.pairing.seats import Draw
from events.web.parsing import sheet_code
from languages.message import counted_message, message
from languages.words import N_, gettext, ngettext
from models.event import Event, Round, RoundKind, RoundState
from models.journal import JournalEntry
from models.play import Game, Player, PlayerState


@dataclass(frozen=True)
class Decision:
    plan: Plan
    """The rounds from this one on; () if they stay as they are."""
    request: Request
    drawn: Draw
    free: Draw | None
    """The draw without locks; None if no pair is locked."""
    scenario: str | None
    """None if each table has its own."""


def draw_round(act: Act, number: int, seed: int, *, over: str | None = None) -> Round:
    """Draw a round as a draft: pairs, bye, tables and scenario. A drawn round is redrawn.

    ``over`` is the seed of the draw shown on the page, "" for none; another draw is not replaced. None replaces any
    draw. The inputs and the output are stored with the round. Raises Refused.
    """
    event = act.event
    check_takes_place(event)
    picture = picture_to_draw(event, number)
    if over is not None and picture.round.state == RoundState.DRAWN and over != str(picture.round.seed):
        raise Refused(
            gettext(
                "Round %(number)s was drawn a moment ago, and this is that draw. Draw again to replace it.",
                number=number,
            )
        )
    decision = decide_draw(picture, seed)
    store_draw(act, picture, decision)
    return picture.round


def decide_draw(picture: Picture, seed: int) -> Decision:
    """Draw the round of this picture, without changing any row. Raises Refused."""
    plan = plan_rounds(picture)
    picture = replace(picture, plan=plan)
    free = request_of(picture, seed)
    locked = kept_locks(picture.round, free)
    request = replace(free, rules=replace(free.rules, locked=locked))
    _check_room(picture, request)
    drawn = drawn_round(request)
    scenario = None if draws_for_each_table(picture.event, picture.round) else _scenario_of(picture, seed)
    return Decision(plan, request, drawn, drawn_round(free) if locked else None, scenario)


def _tables(event: Event, request: Request) -> str:
    """The number of tables: "5", "5 in order"."""
    count = len(request.room.tables)
    return gettext("%(count)s in order", count=count) if event.tables_out else str(count)


def _check_room(picture: Picture, request: Request) -> None:
    """Raises Refused if there are too few tables, or no scenarios for them."""
    event = picture.event
    games = (len(request.seats) + (request.ringer is not None)) // 2
    if games > len(request.room.tables):
        tables = _tables(event, request)
        if picture.view.teams:
            raise Refused(
                ngettext(
                    "%(num)s match needs %(boards)s tables side by side, and the event has %(tables)s: set more "
                    "tables in the settings.",
                    "%(num)s matches need %(boards)s tables side by side each, and the event has %(tables)s: set more "
                    "tables in the settings.",
                    games,
                    boards=picture.view.now.team_size,
                    tables=tables,
                )
            )
        raise Refused(
            ngettext(
                "%(num)s game needs a table, and the event has %(tables)s: set more tables in the settings.",
                "%(num)s games need a table each, and the event has %(tables)s: set more tables in the settings.",
                games,
                tables=tables,
            )
        )
    if draws_for_each_table(event, picture.round) and not request.room.scenarios:
        raise Refused(gettext("The pool has no scenario that a table could draw: choose some in the settings."))
    if mixed_scales(system_of(event), tie_breaks_of(event), request.room.scenarios):
        raise Refused(gettext(MIXED))


def _scenario_of(picture: Picture, seed: int) -> str | None:
    """The scenario of the round, drawn unless one was chosen. Raises Refused if none is left to draw."""
    the_round = picture.round
    if the_round.scenario is not None and not the_round.scenario_drawn:
        return the_round.scenario
    stay = picture.views[: picture.number - 1 + len(picture.plan)] if picture.plan else picture.views
    others = [view.round.scenario for view in stay if view.round is not the_round]
    return draw_scenario(picture.event, [*picture.scenarios], others, picture.kind[0], seed)


def draw_scenario(event: Event, ids: Sequence[str], others: Sequence[str | None], kind: RoundKind, seed: int) -> str:
    """Draw a scenario for a round. Raises Refused if none is left.

    ``ids`` are those of all scenarios, ``others`` those of the other rounds.
    """
    pool = [text for text in ids if text in event.scenario_pool]
    free = [text for text in pool if text not in others]
    if not free and not stage_in(event, kind).by_points:  # scenarios may repeat, least used first
        pool = pool or [text for text in ids if text in others]
        free = [text for text in pool if others.count(text) == min(map(others.count, pool))]
    if not free:
        raise Refused(
            gettext("Every scenario of the pool was played or is planned: choose one for this round in the settings.")
        )
    return random.Random(seed).choice(free)  # noqa: S311 - no secret


def times_drawn(s: Session, event: Event, number: int) -> int:
    """How often the round was drawn, by the journal: also draws that were discarded, or that a restore removed."""
    drawn = select(func.count()).where(JournalEntry.event_id == event.id, JournalEntry.verb == "draw-round")
    return s.exec(drawn.where(col(JournalEntry.details)["round"].as_integer() == number)).one()


def count_of_draw(s: Session, event: Event, the_round: Round) -> str:
    """Which draw of the round this is, and of how many if later ones were taken back; "" if it was not counted."""
    if not (count := (the_round.outcome or {}).get("count")):
        return ""
    made = times_drawn(s, event, the_round.number)
    return gettext("%(page)s of %(pages)s", page=count, pages=made) if made > count else str(count)


def store_draw(act: Act, picture: Picture, decision: Decision) -> None:
    """Store a draw in place of the round's earlier one, with the planned rounds, and note it in the journal."""
    s, the_round, number = act.s, picture.round, picture.number
    request, drawn = decision.request, decision.drawn
    store_plan(picture, decision.plan)
    for player in picture.players:  # also those who arrived after an earlier draw of this round
        if player.state == PlayerState.CHECKED_IN:
            player.entered_round = min(player.entered_round, number)
    for team in playing(picture.view.teams, picture.players):
        team.entered_round = min(team.entered_round, number)
    clear_round(s, picture.view)
    before, outcome, locked = the_round.outcome, outcome_of(drawn), request.rules.locked
    if decision.free is not None:
        outcome |= {"locked": [list(pair) for pair in locked], "free": costs_of(decision.free)}
    outcome["count"] = 1 + times_drawn(s, picture.event, number)
    if decision.scenario != the_round.scenario:
        the_round.scenario, the_round.scenario_drawn = decision.scenario, decision.scenario is not None
    the_round.state, the_round.seed = RoundState.DRAWN, request.seed
    keep_draw(the_round, to_document(request), outcome | {"before": to_rows(picture.earlier.past)})
    if picture.view.teams:
        lay_matches(act, the_round, drawn, picture.players)
    else:
        games = [*_games_drawn(drawn, players_asking_bye(picture.players, number))]
        earlier = (game for view in picture.views[: number - 1] for game in view.games)
        assign_roles(without_roles(the_round, games, picture.scenarios), earlier, request.seed)
        the_round.games.extend(games)
    first, again = N_("Drew round %(number)s: %(games)s"), N_("Drew round %(number)s anew: %(games)s")
    games_in = counted_message("%(num)s game", "%(num)s games", len(drawn.pairs))
    if locked:
        games_in = message("%(games)s, %(locked)s locked", games=games_in, locked=len(locked))
    note(
        act,
        "draw-round",
        message(again if before else first, number=number, games=games_in),
        round=number,
        seed=request.seed,
        outcome=outcome,
        before=before and {k: v for k, v in before.items() if k not in ("steps", "before")},
    )


def _games_drawn(drawn: Draw, out: Iterable[Player]) -> Iterator[Game]:
    """The games of a draw, its byes, and the requested byes of the players in ``out``."""
    for pair in (*drawn.pairs, *((drawn.stand_in,) if drawn.stand_in else ())):
        yield game_row(int(pair.a), int(pair.b), pair.table, pair.notes, pair.scenario)
    if drawn.bye is not None and drawn.stand_in is None:
        yield game_row(int(drawn.bye), None, None, drawn.notes)
    for idle in drawn.idle:
        yield game_row(int(idle.id), None, None, idle.notes)
    for player in out:
        yield game_row(player.id, None, None, (Note(NoteKind.BYE_ASKED),), asked=True)


def clear_round(s: Session, view: RoundView) -> None:
    """Delete the games of a drawn round, and its team matches."""
    view.round.games.clear()
    s.flush()  # delete the games before their matches, and before those of a new draw
    view.round.matches.clear()
    s.flush()  # delete the old matches before adding those of a new draw


def game_row(
    a: int,
    b: int | None,
    table: int | None,
    notes: Sequence[Note],
    scenario: str | None = None,
    *,
    asked: bool = False,
) -> Game:
    """A new game, with a new sheet code."""
    return Game(
        a_id=a, b_id=b, table_number=table, code=sheet_code(), notes=note_rows(notes),
        asked=asked, scenario=scenario,
    )  # fmt: skip


def drawn_or_refused(event: Event, number: int) -> Round:
    """The round if it is drawn and unpublished. Raises Refused."""
    the_round = round_of(event, number)
    if the_round is None or the_round.state != RoundState.DRAWN:
        raise Refused(gettext("Round %(number)s is not a draw that waits to be published.", number=number))
    return the_round
