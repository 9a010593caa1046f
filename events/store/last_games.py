"""What leaving an event does to a player's games, decided before it happens."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from events.store.outcomes import missing
from events.store.rounds import RoundView, first_stage
from events.tournament.season import arranged_in
from languages.words import N_, gettext, labelled, ngettext
from models.event import Event, EventState, RoundState
from models.play import Game, GameState, Player, PlayerState


@dataclass(frozen=True)
class OwnGame:
    number: int
    """Of its round."""
    game: Game
    other: int
    """The opponent's id."""


@dataclass(frozen=True)
class Leaving:
    lost: tuple[OwnGame, ...] = ()
    played: tuple[OwnGame, ...] = ()
    """Open games that the player still plays."""
    cancelled: tuple[OwnGame, ...] = ()
    """Challenges that were not accepted."""
    voided: tuple[OwnGame, ...] = ()
    """Games won because the opponent left: a player who leaves games unplayed does not gain by that."""
    off_ladder: bool = False
    """Whether a place on a ladder goes to the next player."""
    in_bracket: bool = False
    """Whether the opponent in a knockout goes through."""


Played = tuple[RoundView, Game]
"""A game with its round."""


def published_games(views: Iterable[RoundView]) -> defaultdict[int, list[Played]]:
    """The games of published rounds by the id of each of their players."""
    games: defaultdict[int, list[Played]] = defaultdict(list)
    for view in views:
        for game in view.games if view.round.state == RoundState.PUBLISHED else ():
            for id_ in filter(None, (game.a_id, game.b_id)):
                games[id_].append((view, game))
    return games


def leaving_of(event: Event, played: Iterable[Played], player: Player, *, at_once: bool = True) -> Leaving:
    """What happens to a player's games, those ``played``, when the player leaves now.

    In a season no open game is left. In other events the player may leave after the games in play, not ``at_once``.
    """
    played = list(played)
    games = [
        OwnGame(view.round.number, game, game.b_id if player.id == game.a_id else game.a_id)
        for view, game in played
        if game.b_id is not None
    ]
    still = [game for game in games if game.game.state == GameState.OPEN]
    in_bracket = any(_is_in_bracket(view, game, player) for view, game in played[-1:])
    if not (at_once or event.season):
        return Leaving(played=tuple(still), in_bracket=in_bracket)
    cancelled = [game for game in still if arranged_in(game.game.arranged).unanswered]
    lost = [game for game in still if game not in cancelled]
    won = [game for game in games if game.game.forfeited and player.id not in missing(game.game, game.game.absent)]
    begun = event.state == EventState.IN_PROGRESS
    off_ladder = begun and first_stage(event).by_ladder
    return Leaving(tuple(lost), (), tuple(cancelled), tuple(won) if lost else (), off_ladder, in_bracket)


def _is_in_bracket(view: RoundView, game: Game, player: Player) -> bool:
    board = next(board for board in view.now.boards if board.id == game.id)
    won = board.advances == str(player.id) and (view.round.bracket or 0) > 2
    return view.stage.one_wins and (won or board.through is None)


def leaving_words(found: Leaving, people: Mapping[int, Player]) -> str:
    """What leaving does to the games, in sentences that name each of them; "" if nothing."""
    lost, voided, cancelled, played = map(len, (found.lost, found.voided, found.cancelled, found.played))
    parts = [
        (found.lost, ngettext("%(num)s open game is lost", "%(num)s open games are lost", lost)),
        (
            found.voided,
            ngettext(
                "%(num)s win over a player who left counts no more",
                "%(num)s wins over players who left count no more",
                voided,
            ),
        ),
        (found.cancelled, ngettext("%(num)s challenge is cancelled", "%(num)s challenges are cancelled", cancelled)),
        (found.played, ngettext("%(num)s game is still to be played", "%(num)s games are still to be played", played)),
    ]
    place = [gettext("The place on the ladder goes to the next player.")] if found.off_ladder else []
    through = [gettext("The opponent in the knockout goes through.")] if found.in_bracket else []
    left = [gettext("A game that is not played is won by the opponent.")] if found.played else []
    return " ".join(
        [*(labelled(words, f"{_named(of, people)}.") for of, words in parts if of), *left, *place, *through]
    )


@dataclass(frozen=True)
class Drop:
    """A way to drop a player: the action, its button, and the question that names what it does."""

    verb: str
    label: str
    question: str


def ways_to_drop(event: Event, player: Player, played: Sequence[Played], people: Mapping[int, Player]) -> list[Drop]:
    """How the desk can drop a player: now, and after the game in play if there is one; none of a dropped player."""
    if player.state == PlayerState.DROPPED:
        return []
    now = leaving_words(leaving_of(event, played, player), people)
    later = leaving_of(event, played, player, at_once=bool(event.season))
    rest = gettext("Results stay, and you can bring them back.")
    if not event.season:
        rest = gettext("%(name)s is not paired again from the next round on.", name=player.name) + f" {rest}"
    if not later.played:
        return [Drop("drop", gettext("Drop"), f"{now} {rest}".strip())]
    return [
        Drop("drop-later", gettext("Drop after this game"), f"{leaving_words(later, people)} {rest}"),
        Drop("drop", gettext("Drop now"), f"{now} {_if_they_came(player)} {rest}"),
    ]


def _if_they_came(player: Player) -> str:
    """What a game lost by leaving is to everybody, and what else to do about a player who was at the table."""
    words = N_(
        "Everybody reads that %(name)s dropped out, and the opponent wins without playing. If they were at the table, "
        "enter the result as conceded first: what was scored so far then stays."
    )
    return gettext(words, name=player.name)


def _named(games: Sequence[OwnGame], people: Mapping[int, Player]) -> str:
    return ", ".join(
        gettext("against %(name)s", name=people[game.other].name)
        if arranged_in(game.game.arranged).challenged
        else gettext("round %(number)s against %(name)s", number=game.number, name=people[game.other].name)
        for game in games
    )
