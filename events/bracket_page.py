"""The bracket as a page shows it: each match with its seeds, its game's table and result, and who went through."""

from collections.abc import Sequence
from dataclasses import dataclass

from events.brackets import bracket_of, knockout_views, stage_of
from events.outcomes import ENDINGS, score_of
from events.pairing.knockout import Match, rounds, size_for, stage
from events.reading import RoundView
from events.rulings import won_by_card
from models.event import Event
from models.play import Absent, Game, GameState


@dataclass(frozen=True)
class ShownSide:
    """One side of a match; without ``player_id`` nobody stands there, or it is not known yet who will."""

    player_id: int | None
    seed: int | None
    vp: int | None
    won: bool


@dataclass(frozen=True)
class ShownMatch:
    """One match. ``game`` is None where none is drawn: a coming one, a bye, a walk-over."""

    a: ShownSide
    b: ShownSide
    game: Game | None
    open: bool
    """It is not known yet who goes through."""
    note: str
    """What is to be said beside the figures: "bye", "walk-over", "drawn, decided by the organiser"."""


@dataclass(frozen=True)
class ShownRound:
    """A round of the bracket; ``number`` is None before it is planned."""

    name: str
    number: int | None
    matches: tuple[ShownMatch, ...]


def shown_bracket(event: Event, views: Sequence[RoundView]) -> tuple[list[ShownRound], ShownMatch | None]:
    """The rounds of the bracket as far as these rounds of the event are seen, and the match for third place."""
    bracket = bracket_of(event, views)
    if bracket is None:
        return [], None
    seeds = {id_: place for place, id_ in enumerate(bracket.seeds, start=1)}
    knockout = [view for view in knockout_views(views) if view.round.inputs is not None]
    found: list[ShownRound] = []
    third: ShownMatch | None = None
    for number, matches in enumerate(rounds(bracket)):
        view = knockout[number] if number < len(knockout) else None
        told = [(match, _shown(event, match, view, seeds, first=number == 0)) for match in matches]
        third = next((shown for match, shown in told if match.third), None)
        name = stage_of(view.round) if view else stage(size_for(len(seeds)) >> number, many=True)
        ordinary = tuple(shown for match, shown in told if not match.third)
        found.append(ShownRound(name, view.round.number if view else None, ordinary))
    return found, third


def _shown(event: Event, match: Match, view: RoundView | None, seeds: dict[str, int], *, first: bool) -> ShownMatch:
    game = _game_of(match, view)
    figures: dict[int | None, int] = {}
    note = ""
    card = won_by_card(event, view.round.number, game) if view is not None and game is not None else None
    lost = f"{'B' if card == 'a' else 'A'} lost by a card" if card else ""
    scenario = view.scenario_at(game) if view is not None and game is not None else None
    score = score_of(event, view.round.number, scenario, game) if view is not None and game is not None else None
    if game is not None and score is not None:
        figures = {game.a_id: score.a, game.b_id: score.b}
        drawn = score.outcome == "draw" and game.state == GameState.CONFIRMED
        decided = ", decided by the organiser" if game.goes_through else ""
        ending = ENDINGS[game.ending] if game.ending is not None and game.state == GameState.CONFIRMED else ""
        note = ", ".join(part for part in (f"drawn{decided}" if drawn else "", ending, lost) if part)
    elif game is not None and game.absent is not None:
        decided = ", decided by the organiser" if game.goes_through else ""
        note = f"nobody came{decided}" if game.absent == Absent.BOTH else "no-show"
    elif game is not None and game.ending is not None and game.state == GameState.CONFIRMED:
        decided = "decided by the organiser" if game.goes_through else ""
        note = ", ".join(part for part in (ENDINGS[game.ending], decided, lost) if part)
    elif match.winner is not None and (game is None or game.b_id is None):
        note = "bye" if first and None in (match.a, match.b) else "walk-over"

    def side(id_: str | None) -> ShownSide:
        player = int(id_) if id_ else None
        return ShownSide(player, seeds.get(id_ or ""), figures.get(player), id_ is not None and id_ == match.winner)

    nobody = view is not None and game is None
    return ShownMatch(side(match.a), side(match.b), game, match.winner is None and not nobody, note)


def _game_of(match: Match, view: RoundView | None) -> Game | None:
    for game in view.games if view else ():
        if str(game.a_id) in (match.a, match.b) and (game.b_id is None or str(game.b_id) in (match.a, match.b)):
            return game
    return None
