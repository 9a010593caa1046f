"""The bracket as its page shows it, and the way of its players to a draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from events.store.outcomes import CONCEDED, ending_by_name, own_score
from events.store.rounds import RoundView, knockout_title, no_opponent
from events.store.tournaments import Loaded
from events.tournament.boards import Board
from events.tournament.pairing.knockout import Match, rounds, size_for, stage
from events.tournament.pairing.request import Request, bracket_of_seats
from events.tournament.tournament import Tournament
from languages.words import N_, gettext
from models.play import Absent, Game, GameState
from validators.scenario import Score


@dataclass(frozen=True)
class ShownSide:
    """One side of a match; ``player_id`` is None for an empty place or an undecided player."""

    player_id: int | None
    seed: int | None
    vp: str
    """The victory points, or the letter of a result; "" if there are none."""
    won: bool
    waits: bool = False
    """Whether the player is not known yet."""


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
    won: str
    """What its winner has done."""


@dataclass(frozen=True)
class ShownRound:
    """A round of the bracket; ``number`` is None before it is planned."""

    name: str
    number: int | None
    matches: tuple[ShownMatch, ...]


def shown_bracket(t: Tournament, views: Sequence[RoundView]) -> tuple[list[ShownRound], ShownMatch | None]:
    """The rounds of the bracket by these visible rounds of the event, and the match for third place."""
    bracket = t.bracket()
    if bracket is None:
        return [], None
    seeds = {id_: place for place, id_ in enumerate(bracket.seeds, start=1)}
    knockout = [view for view in views if view.stage.one_wins and view.round.inputs is not None]
    shown_rounds: list[ShownRound] = []
    third: ShownMatch | None = None
    before: tuple[Match, ...] = ()
    for number, matches in enumerate(rounds(bracket)):
        view = knockout[number] if number < len(knockout) else None
        feeding = [before if match.third else before[2 * at : 2 * at + 2] for at, match in enumerate(matches)]
        shown_here = [_shown(t, match, view, seeds, fed) for match, fed in zip(matches, feeding, strict=True)]
        before = matches
        third = next((shown_match for match, shown_match in zip(matches, shown_here, strict=True) if match.third), None)
        name = knockout_title(view.round) if view else str(stage(size_for(len(seeds)) >> number, many=True))
        ordinary = tuple(shown_match for match, shown_match in zip(matches, shown_here, strict=True) if not match.third)
        shown_rounds.append(ShownRound(name, view.round.number if view else None, ordinary))
    return shown_rounds, third


def ways_to(loaded: Loaded, request: Request) -> dict[str, str]:
    """How each player of a knockout's draw got there: "seed 2, won 4 : 1", "seed 3 of 8, from the standings"."""
    form, before = request.format, request.round - 1
    if loaded.t.bracket(before) is None:
        seeds = bracket_of_seats(form, request.seats, request.seed).seeds
        given = gettext("set by the organiser") if request.round == 1 else gettext("from the standings")
        origins = [given if id_ in form.order else gettext("by lot") for id_ in seeds]
        text, all_ = N_("seed %(seed)s of %(seeds)s, %(origin)s"), len(seeds)
        numbered = enumerate(zip(seeds, origins, strict=True), start=1)
        return {id_: gettext(text, seed=seed, seeds=all_, origin=origin) for seed, (id_, origin) in numbered}
    ways: dict[str, str] = {}
    for game in loaded.views[before - 1].games:
        board = loaded.t.boards[game.id]
        ways[board.a] = _way_of(game, board, "a")
        if board.b is not None:
            ways[board.b] = _way_of(game, board, "b")
    places = {id_: place for place, id_ in enumerate(loaded.t.seeds, start=1)}
    return {id_: gettext("seed %(seed)s, %(way)s", seed=places[id_], way=way) for id_, way in ways.items()}


def _way_of(game: Game, board: Board, side: Literal["a", "b"]) -> str:
    """The result of a game of the bracket, from one side."""
    if board.b is None:
        return no_opponent(game)
    if board.absent is not None and board.winner != "draw":
        return gettext("won by no-show") if board.winner == side else gettext("no-show")
    score = own_score(board.score, side)
    figures = score.figures if score else ""
    if board.unplayed:
        text = N_("not played, went through") if board.through == side else N_("not played, out")
    elif board.winner == "draw":
        text = N_("drawn %(figures)s, went through") if board.through == side else N_("drawn %(figures)s, out")
    else:
        text = N_("won %(figures)s") if board.winner == side else N_("lost %(figures)s")
    return " ".join(gettext(text, figures=figures).split()).replace(" ,", ",")


def _shown(
    t: Tournament, match: Match, view: RoundView | None, seeds: dict[str, int], feeding: Sequence[Match]
) -> ShownMatch:
    game = _game_of(match, view)
    figures: dict[int | None, str] = {}
    note = ""
    if view is not None and game is not None:
        board = t.boards[game.id]
        if board.score is not None:
            figures = {game.a_id: board.score.shown("a"), game.b_id: board.score.shown("b")}
        note = _note_on(game, board.score, board.card)
    alone = not note and match.winner is not None and (game is None or game.b_id is None)
    bye = alone and not feeding and None in (match.a, match.b)
    note = gettext("walk-over") if alone and not bye else note

    def side(place: int, id_: str | None) -> ShownSide:
        player = int(id_) if id_ else None
        waits = id_ is None and any(fed.open for fed in (feeding if match.third else feeding[place : place + 1]))
        return ShownSide(
            player, seeds.get(id_ or ""), figures.get(player, ""), bool(id_ and id_ == match.winner), waits
        )

    shared = match.third and not match.open and not match.winner and match.a and match.b
    note = gettext("not played: third place is shared") if shared and not note else note
    final = bool(view and view.round.bracket == 2)
    won = gettext("is third") if match.third else gettext("won the final") if final else gettext("went through")
    return ShownMatch(side(0, match.a), side(1, match.b), game, match.open, note, bye, won)


def _note_on(game: Game, score: Score | None, card: str | None) -> str:
    """How a game ended, if its figures do not show it; ``card`` is the side that won by a card."""
    confirmed = game.state == GameState.CONFIRMED
    decided = gettext("decided by the organiser") if game.goes_through else ""
    ending = gettext("conceded") if game.ending in CONCEDED else ending_by_name(game.ending, "", "")
    ending = ending if confirmed else ""
    lost = gettext("lost by a card") if card else ""
    parts: tuple[str, ...] = (ending, decided, lost) if ending else ()
    if score is not None:
        drawn = (gettext("drawn"), decided) if score.outcome == "draw" and confirmed else ()
        parts = (*drawn, ending, lost)
    elif game.absent is not None:
        parts = (gettext("nobody came"), decided) if game.absent == Absent.BOTH else (gettext("no-show"),)
    return ", ".join(filter(None, parts))


def _game_of(match: Match, view: RoundView | None) -> Game | None:
    for game in view.games if view else ():
        if str(game.a_id) in (match.a, match.b) and (game.b_id is None or str(game.b_id) in (match.a, match.b)):
            return game
    return None
