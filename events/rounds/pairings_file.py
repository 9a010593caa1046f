"""The file of a published round, with which anyone can draw it again."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version

from events.rounds.outcome import drawn_then
from events.store.rounds import games_of
from events.store.team_queries import matches_of, seat_id, team_pairs, teams_of
from events.tournament.pairing.certificate import (
    FORMAT,
    AtEvent,
    Named,
    Output,
    PairingsFile,
    Published,
    discreet,
)
from events.tournament.pairing.explain import explain
from events.tournament.pairing.history import past_in
from events.tournament.pairing.levels import count_levels
from events.tournament.pairing.request import Request, from_document, of_the_field
from events.tournament.pairing.seats import Draw, Pair
from models.event import Event, Round


def pairings_of(event: Event, the_round: Round) -> PairingsFile | None:
    """The file of a published round; None if its draw is not stored. Wishes are hidden, see ``discreet``."""
    if the_round.inputs is None or the_round.outcome is None:
        return None
    asked = from_document(the_round.inputs)
    drawn = drawn_then(the_round.outcome)
    request = discreet(asked, drawn)
    output = output_of(request, drawn)
    pairs, byes = shown(event, the_round)
    names = {str(player.id): player.name for player in event.players}
    names |= {seat_id(team.id): team.name for team in teams_of(event)}
    seen = {id_ for seat in request.seats for id_ in (seat.id, *seat.opponents)} | {*byes}
    seen |= {id_ for pair in pairs for id_ in (pair.a, pair.b)}
    before = the_round.outcome.get("before")
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
        before=None if before is None else past_in(before),
    )


def shown(event: Event, the_round: Round) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The published pairs with tables and scenarios, and the players without a game; in a team event, teams."""
    if matches := matches_of(the_round):
        pairs, bye = team_pairs(matches)
        return pairs, () if bye is None else (bye,)
    games = games_of(the_round)
    pairs = tuple(
        Pair(str(g.a_id), str(g.b_id), table=g.table_number, scenario=g.scenario) for g in games if g.b_id is not None
    )
    return pairs, tuple(str(g.a_id) for g in games if g.b_id is None)


def output_of(request: Request, drawn: Draw) -> Output:
    """The output of the draw, with only the levels and notes that reveal no more wishes than the request."""
    pairs, levels = drawn.pairs, drawn.levels
    if request.format.kind == "swiss":
        proven = drawn.certificate.proven
        pairs, _ = explain(request.round, request.seats, pairs, drawn.bye, request.rules, proven=proven)
        counted = count_levels(request.round, request.seats, pairs, drawn.bye, request.rules)
        levels = replace(levels, kept_apart=counted.kept_apart)
    return Output(pairs, drawn.bye, levels, drawn.certificate, drawn.notes, drawn.idle, drawn.placement, drawn.stand_in)


def by_hand(request: Request, output: Output, pairs: tuple[Pair, ...], byes: tuple[str, ...]) -> Published | None:
    """The published round if it differs from the draw; else None."""
    seated = {seat.id for seat in request.seats}
    byes = tuple(sorted(id_ for id_ in byes if id_ in seated))  # without requested byes, which are not drawn
    if as_set(pairs) == as_set(output.games) and set(byes) == output.without_game:
        return None
    levels = None
    if request.format.kind == "swiss":
        counted, bye = of_the_field(request, pairs, next(iter(byes), None))
        levels = count_levels(request.round, request.seats, counted, bye, request.rules)
    return Published(pairs, byes, levels)


def as_set(pairs: Sequence[Pair]) -> set[tuple[frozenset[str], int | None, str | None]]:
    """The pairs with tables and scenarios, without order."""
    return {(frozenset((pair.a, pair.b)), pair.table, pair.scenario) for pair in pairs}
