"""A published round of an event as the file that anybody can check: from rows to the pure document."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from sqlmodel import Session

from events.pairing.discreet import discreet
from events.pairing.explain import explain
from events.pairing.levels import count_levels
from events.pairing.pairings_file import FORMAT, AtEvent, Named, Output, PairingsFile, Published
from events.pairing.request import Request, from_document, of_the_field
from events.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Placement
from events.reading import games_of, players_of
from events.team_reading import is_team_event, matches_of, seat_id, teams_of
from models.event import Event, Round


def pairings_of(s: Session, event: Event, the_round: Round) -> PairingsFile | None:
    """What a published round was drawn from, what was drawn, and what was published where hands changed it.

    None for a round that no engine drew. Nobody's wish to be kept apart stands in it (``pairing.discreet``).
    """
    if the_round.inputs is None or the_round.outcome is None:
        return None
    asked = from_document(the_round.inputs)
    drawn = drawn_then(the_round.outcome)
    request = discreet(asked, drawn)
    output = output_of(request, drawn)
    pairs, byes = shown(s, event, the_round)
    names = {str(player.id): player.name for player in players_of(s, event)}
    if is_team_event(event):
        names = {seat_id(team.id): team.name for team in teams_of(s, event)}
    seen = {id_ for seat in request.seats for id_ in (seat.id, *seat.opponents)} | {*byes}
    seen |= {id_ for pair in pairs for id_ in (pair.a, pair.b)}
    return PairingsFile(
        format=FORMAT,
        event=AtEvent(event.slug, event.name),
        round=the_round.number,
        algorithm=drawn.algorithm,
        seed=request.seed,
        inputs=request,
        output=output,
        published=by_hand(request, output, pairs, byes),
        scenario=the_round.scenario or "",
        players=tuple(Named(id_, names[id_]) for id_ in sorted(seen, key=lambda id_: (len(id_), id_)) if id_ in names),
        version=version("overseer-desk"),
    )


def drawn_then(outcome: Mapping[str, Any]) -> Draw:
    """The draw as the round keeps it, without the notes on its pairs."""
    tables, scenarios = (outcome.get(name) or [None] * len(outcome["pairs"]) for name in ("tables", "scenarios"))
    placed = zip(outcome["pairs"], tables, scenarios, strict=True)
    placement, (a, b, table, *scenario) = outcome.get("placement"), outcome.get("stand_in") or ("", "", None)
    return Draw(
        pairs=tuple(Pair(a, b, table=table, scenario=scenario) for (a, b), table, scenario in placed),
        bye=outcome["bye"],
        levels=Levels(**outcome["levels"]),
        certificate=Certificate(**outcome["certificate"]),
        seed=0,
        algorithm=outcome["algorithm"],
        notes=tuple(outcome["notes"]),
        idle=tuple(Idle(id_, tuple(notes)) for id_, notes in outcome.get("idle", ())),
        placement=Placement(**placement) if placement else None,
        stand_in=Pair(a, b, table=table, scenario=next(iter(scenario), None)) if a else None,
    )


def shown(s: Session, event: Event, the_round: Round) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Who plays whom as it was published, at which table, by which scenario where it has its own; and who plays nobody.

    Of a team event the teams.
    """
    if is_team_event(event):
        matches = matches_of(s, the_round)
        pairs = tuple(Pair(seat_id(m.a_id), seat_id(m.b_id), table=m.block) for m in matches if m.b_id is not None)
        return pairs, tuple(seat_id(m.a_id) for m in matches if m.b_id is None)
    games = games_of(s, the_round)
    pairs = tuple(
        Pair(str(g.a_id), str(g.b_id), table=g.table_number, scenario=g.scenario) for g in games if g.b_id is not None
    )
    return pairs, tuple(str(g.a_id) for g in games if g.b_id is None)


def output_of(request: Request, drawn: Draw) -> Output:
    """What was drawn, with levels and notes that know no more of wishes than the request does."""
    pairs, levels = drawn.pairs, drawn.levels
    if request.format.kind == "swiss":
        proven = drawn.certificate.proven
        pairs, _ = explain(request.round, request.seats, pairs, drawn.bye, request.rules, proven=proven)
        counted = count_levels(request.round, request.seats, pairs, drawn.bye, request.rules)
        levels = replace(levels, kept_apart=counted.kept_apart)
    return Output(pairs, drawn.bye, levels, drawn.certificate, drawn.notes, drawn.idle, drawn.placement, drawn.stand_in)


def by_hand(request: Request, output: Output, pairs: tuple[Pair, ...], byes: tuple[str, ...]) -> Published | None:
    """What was published, where it is not what was drawn."""
    seated = {seat.id for seat in request.seats}
    byes = tuple(sorted(id_ for id_ in byes if id_ in seated))  # who asked for a bye was not in the draw
    if as_set(pairs) == as_set(output.games) and set(byes) == output.without_game:
        return None
    levels = None
    if request.format.kind == "swiss":
        counted, bye = of_the_field(request, pairs, next(iter(byes), None))
        levels = count_levels(request.round, request.seats, counted, bye, request.rules)
    return Published(pairs, byes, levels)


def as_set(pairs: Sequence[Pair]) -> set[tuple[frozenset[str], int | None, str | None]]:
    """Who plays whom at which table and by which scenario, in whatever order."""
    return {(frozenset((pair.a, pair.b)), pair.table, pair.scenario) for pair in pairs}
