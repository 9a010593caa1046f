"""The knockout's bracket: who won each game and goes through."""

from collections.abc import Mapping, Sequence

from events.play.outcomes import Ended, result_by, winning_side
from events.play.rounds import NO_CHANGES, RoundView, request_drawn
from events.tournament.pairing import request
from events.tournament.pairing.knockout import Bracket
from models.event import Event, Round, RoundState
from models.play import Game, GameState
from validators.scenario import Answers, Scenario


def knockout_views(views: Sequence[RoundView]) -> list[RoundView]:
    """The rounds of the knockout, planned ones too."""
    return [view for view in views if view.stage.one_wins]


def follows_rounds(the_round: Round, views: Sequence[RoundView]) -> bool:
    """Whether this is the first round of a knockout that follows other rounds."""
    knockout = knockout_views(views)
    return bool(knockout) and the_round.number == knockout[0].round.number > 1


def bracket_of(
    event: Event, views: Sequence[RoundView], instead: Mapping[int, int | None] = NO_CHANGES
) -> Bracket | None:
    """The bracket with the winners of these rounds; None if no knockout round is drawn.

    ``instead`` overrides winners by game id.
    """
    drawn = [view for view in knockout_views(views) if view.round.state != RoundState.PLANNED]
    if not drawn:
        return None
    first = request_drawn(drawn[0].round)
    seeds = request.bracket_of_seats(first.format, first.seats, first.seed).seeds
    return Bracket(seeds, tuple(through(event, view, instead) for view in drawn), event.third_place)


def through(event: Event, view: RoundView, instead: Mapping[int, int | None] = NO_CHANGES) -> tuple[str, ...]:
    """The ids of the players who have advanced from this knockout round so far."""
    found = (instead[game.id] if game.id in instead else winner_of(event, view, game) for game in view.games)
    return tuple(str(id_) for id_ in found if id_ is not None)


def winner_of(event: Event, view: RoundView, game: Game) -> int | None:
    """The player who advances from a knockout game; None if the game is open or its draw is undecided."""
    if game.b_id is None:  # a requested bye advances nobody
        return game.a_id if game.state == GameState.CONFIRMED and not game.asked else None
    return _sent_through(game, winning_side(event, view.round.number, view.scenario_at(game), game))


def winner_by(event: Event, number: int, scenario: Scenario, game: Game, answers: Answers, how: Ended) -> int | None:
    """The player who would advance if a game of round ``number`` had these answers; None as in ``winner_of``."""
    return _sent_through(game, result_by(event, number, scenario, game, answers, how).winner)


def _sent_through(game: Game, side: str | None) -> int | None:
    if side == "draw":
        side = game.goes_through.value if game.goes_through is not None else None
    return {"a": game.a_id, "b": game.b_id}.get(side or "")
