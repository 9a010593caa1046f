"""The bracket for its page, and the file of a published round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

from sqlmodel import Session

from events.play.brackets import bracket_of, knockout_views
from events.play.outcomes import CONCEDED, ending_by_name, score_of
from events.play.players import players_of
from events.play.rounds import RoundView, games_of, rounds_of, stage_of
from events.play.rulings import won_by_card
from events.play.team_queries import is_team_event, matches_of, seat_id, teams_of
from events.rounds.draft import team_pairs
from events.tournament.pairing.certificate import (
    FORMAT,
    AtEvent,
    Digests,
    Named,
    Output,
    PairingsFile,
    Published,
    digests_in,
    digests_of,
    discreet,
)
from events.tournament.pairing.explain import explain
from events.tournament.pairing.history import past_in
from events.tournament.pairing.knockout import Match, rounds, size_for, stage
from events.tournament.pairing.levels import count_levels
from events.tournament.pairing.notes import notes_in
from events.tournament.pairing.request import Request, from_document, of_the_field
from events.tournament.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Placement
from models.event import Event, Round
from models.play import Absent, Game, GameState
from validators.scenario import Scenario, Score


@dataclass(frozen=True)
class ShownSide:
    """One side of a match; ``player_id`` is None for an empty place or an undecided player."""

    player_id: int | None
    seed: int | None
    vp: str
    """The victory points, or the letter of a result; "" if there are none."""
    won: bool


@dataclass(frozen=True)
class ShownMatch:
    """One match. ``game`` is None before the draw, and for a bye or a walk-over."""

    a: ShownSide
    b: ShownSide
    game: Game | None
    open: bool
    """Whether the winner is still open."""
    note: str
    """A note after the result: "walk-over", "drawn, decided by the organiser"."""
    bye: bool


@dataclass(frozen=True)
class ShownRound:
    """A round of the bracket; ``number`` is None before it is planned."""

    name: str
    number: int | None
    matches: tuple[ShownMatch, ...]


def shown_bracket(event: Event, views: Sequence[RoundView]) -> tuple[list[ShownRound], ShownMatch | None]:
    """The rounds of the bracket by these visible rounds of the event, and the match for third place."""
    bracket = bracket_of(event, views)
    if bracket is None:
        return [], None
    seeds = {id_: place for place, id_ in enumerate(bracket.seeds, start=1)}
    knockout = [view for view in knockout_views(views) if view.round.inputs is not None]
    found: list[ShownRound] = []
    third: ShownMatch | None = None
    for number, matches in enumerate(rounds(bracket)):
        view = knockout[number] if number < len(knockout) else None
        shown_here = [_shown(event, match, view, seeds, first=number == 0) for match in matches]
        third = next((one for match, one in zip(matches, shown_here, strict=True) if match.third), None)
        name = stage_of(view.round) if view else stage(size_for(len(seeds)) >> number, many=True)
        ordinary = tuple(one for match, one in zip(matches, shown_here, strict=True) if not match.third)
        found.append(ShownRound(name, view.round.number if view else None, ordinary))
    return found, third


def _shown(event: Event, match: Match, view: RoundView | None, seeds: dict[str, int], *, first: bool) -> ShownMatch:
    game = _game_of(match, view)
    figures: dict[int | None, str] = {}
    note = ""
    if view is not None and game is not None:
        score = score_of(event, view.round.number, view.scenario_at(game), game)
        if score is not None:
            figures = {game.a_id: score.shown("a"), game.b_id: score.shown("b")}
        note = _note_on(game, score, won_by_card(event, view.round.number, game))
    alone = not note and match.winner is not None and (game is None or game.b_id is None)
    bye = alone and first and None in (match.a, match.b)
    note = "walk-over" if alone and not bye else note

    def side(id_: str | None) -> ShownSide:
        player = int(id_) if id_ else None
        return ShownSide(player, seeds.get(id_ or ""), figures.get(player, ""), id_ is not None and id_ == match.winner)

    nobody = view is not None and game is None
    return ShownMatch(side(match.a), side(match.b), game, match.winner is None and not nobody, note, bye)


def _note_on(game: Game, score: Score | None, card: str | None) -> str:
    """How a game ended, if its figures do not show it; ``card`` is the side that won by a card."""
    confirmed = game.state == GameState.CONFIRMED
    decided = "decided by the organiser" if game.goes_through else ""
    ending = "conceded" if game.ending in CONCEDED else ending_by_name(game.ending, "", "")
    ending = ending if confirmed else ""
    lost = "lost by a card" if card else ""
    parts: tuple[str, ...] = (ending, decided, lost) if ending else ()
    if score is not None:
        drawn = ("drawn", decided) if score.outcome == "draw" and confirmed else ()
        parts = (*drawn, ending, lost)
    elif game.absent is not None:
        parts = ("nobody came", decided) if game.absent == Absent.BOTH else ("no-show",)
    return ", ".join(filter(None, parts))


def _game_of(match: Match, view: RoundView | None) -> Game | None:
    for game in view.games if view else ():
        if str(game.a_id) in (match.a, match.b) and (game.b_id is None or str(game.b_id) in (match.a, match.b)):
            return game
    return None


def scores_of(event: Event, view: RoundView) -> dict[int, Score]:
    """The scores of a round's games by game id, without games that have none."""
    scores = {g.id: score_of(event, view.round.number, view.scenario_at(g), g) for g in view.games}
    return {id_: score for id_, score in scores.items() if score is not None}


def scenarios_by_game(view: RoundView) -> dict[int, Scenario]:
    """The scenarios of a round's games by game id."""
    return {g.id: scenario for g in view.games if (scenario := view.scenario_at(g))}


def pairings_of(s: Session, event: Event, the_round: Round) -> PairingsFile | None:
    """The file of a published round; None if its draw is not stored. Wishes are hidden, see ``discreet``."""
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
    before, digests = the_round.outcome.get("before"), digests_published(the_round)
    published_before = [digests_published(one) for one in rounds_of(s, event) if one.number < the_round.number]
    file = PairingsFile(
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
        earlier=tuple(one.whole if one else "" for one in published_before),
        published_digests=digests,
    )
    return replace(file, digests=digests_of(file))


def digests_published(the_round: Round) -> Digests | None:
    """The digests published with a round; None for a round of an older version."""
    stored = (the_round.outcome or {}).get("digests")
    return digests_in(stored) if stored else None


def drawn_then(outcome: Mapping[str, Any]) -> Draw:
    """The draw as stored with the round, without notes on its pairs."""
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
        notes=notes_in(outcome["notes"]),
        idle=tuple(Idle(id_, notes_in(notes)) for id_, notes in outcome.get("idle", ())),
        placement=Placement(**placement) if placement else None,
        stand_in=Pair(a, b, table=table, scenario=next(iter(scenario), None)) if a else None,
    )


def shown(s: Session, event: Event, the_round: Round) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The published pairs with tables and scenarios, and the players without a game; in a team event, teams."""
    if is_team_event(event):
        pairs, bye = team_pairs(matches_of(s, the_round))
        return pairs, () if bye is None else (bye,)
    games = games_of(s, the_round)
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
