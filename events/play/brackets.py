"""The knockout of an event: its seeds, the winners of its rounds, and the names of its stages."""

from collections.abc import Mapping, Sequence

from events.pairing import request
from events.pairing.knockout import Bracket, stage
from events.pairing.request import Request, from_document
from events.play.outcomes import Ended, result_by, winning_side
from events.play.queries import RoundView
from events.play.rounds import RoundSummary
from models.event import Event, EventFormat, EventState, Round, RoundKind, RoundState
from models.play import Game, GameState, Side
from validators.scenario import Answers, Scenario

NO_CHANGES: Mapping[int, int | None] = {}


def knockout_views(views: Sequence[RoundView]) -> list[RoundView]:
    """The rounds of the knockout, planned ones too."""
    return [view for view in views if view.round.kind == RoundKind.KNOCKOUT]


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
    seeds = request.bracket_of(first.format, first.seats, first.seed).seeds
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
        side = None if game.goes_through is None else "a" if game.goes_through == Side.A else "b"
    return {"a": game.a_id, "b": game.b_id}.get(side or "")


def request_drawn(the_round: Round) -> Request:
    """The stored request of a drawn round."""
    assert the_round.inputs is not None  # noqa: S101 - it is drawn
    return from_document(the_round.inputs)


def stage_of(the_round: Round) -> str:
    """The stage of a knockout round, such as "quarter-finals"; "" for any other round."""
    return stage(the_round.bracket, many=True) if the_round.bracket else ""


def format_pages(event: Event, rounds: Sequence[Round | RoundSummary]) -> list[tuple[str, str, str]]:
    """The extra pages of the event's format: name, label and endpoint of each, once a round is published."""
    published = [one for one in rounds if one.state == RoundState.PUBLISHED]
    pages = []
    if event.season is not None and (published or event.state == EventState.IN_PROGRESS):
        pages.append(("season", "Season", "leagues.home"))
        if event.campaign is not None:
            pages.append(("campaign", "Campaign", "campaigns.home"))
    if event.format == EventFormat.ROUND_ROBIN and published:
        pages.append(("crosstable", "Cross table", "standings.crosstable"))
    if any(one.kind == RoundKind.KNOCKOUT for one in published):
        pages.append(("bracket", "Bracket", "knockout.bracket"))
    return pages
