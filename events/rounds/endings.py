"""How games ended, in words, for the pages that show them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from events.store.outcomes import CONCEDED, absence, ending_by_name, missing
from events.store.rounds import RoundView
from events.store.scoring import adjustments_of
from events.tournament.tournament import lost_by_card, won_by_card
from events.visitors.event_loading import tournament_in
from events.visitors.loading import event_rounds
from events.web.request import db
from languages.words import gettext
from models.event import Event, Round
from models.play import Game, GameState, Player
from validators.scenario import Score, Side

Conceded = Mapping[int, tuple[str, int]]
"""By conceded game: the winner's id and VP, where more count than were scored."""


@dataclass(frozen=True)
class HowEnded:
    """How a game ended, in words; "" for what does not apply."""

    absent: str
    """Who was absent, and who wins: "Ada did not come: Bo wins"."""
    ending: str
    """How it ended early: "Ada conceded"."""
    conceded: bool
    counts: str
    """What a conceded game counts for its winner, where that is more than the figures: "Bo counts 6 VP"."""
    card: str
    """Who lost the game by a card: "Ada lost by a card"."""


def endings(
    event: Event,
    games: Iterable[Game],
    own: int | None = None,
    *,
    reads: bool = False,
    rounds: Sequence[Round] | None = None,
    conceded: Conceded | None = None,
) -> dict[int, HowEnded]:
    """How these games ended, by id, without those played to the end.

    No-shows are told from the side of the player ``own``, who is addressed if that player ``reads``. ``rounds`` and
    ``conceded`` are loaded only where they are needed.
    """
    by_game: dict[int, HowEnded] = {}
    games = [game for game in games if game.b_id is not None]
    if not games:
        return by_game
    ruled = bool(event.rulings)
    special = [game for game in games if game.absent or game.ending or ruled]
    numbers: dict[int, int] = {}
    if ruled:
        numbers = {round_.id: round_.number for round_ in (event_rounds(event) if rounds is None else rounds)}
    lost = lost_by_card(adjustments_of(event)) if ruled else ()
    if conceded is None and any(_is_conceded(game) for game in special):
        conceded = tournament_in(event).conceded_vp()
    for game in special:
        number = numbers.get(game.round_id, 0)
        winner = won_by_card(lost, number, str(game.a_id), str(game.b_id)) if ruled else None
        reader: Side | None = ("a" if own == game.a_id else "b") if reads else None
        how = HowEnded(
            _absent(event, game, own, reads=reads, by_card=bool(winner)),
            ending_by_name(game.ending, *(_names(game) if game.ending in CONCEDED else ("", "")), reader),
            game.ending in CONCEDED,
            _counts(game, reader, conceded or {}) if _is_conceded(game) else "",
            _lost_by_card(game, winner, reader) if winner else "",
        )
        if how != PLAYED:
            by_game[game.id] = how
    return by_game


def endings_in(event: Event, view: RoundView) -> dict[int, HowEnded]:
    return endings(event, [game for game in view.games if game.state != GameState.OPEN])


def how_ended(event: Event, game: Game) -> HowEnded | None:
    """How one game ended; None if it was played to the end."""
    return endings(event, [game]).get(game.id)


PLAYED = HowEnded("", "", conceded=False, counts="", card="")


def why_won(game: Game, score: Score, people: Mapping[int, Player]) -> str:
    """Why the higher total has not simply won: "Ada’s force routed"; "" if it has."""
    loser = game.b_id if score.outcome == "a" else game.a_id
    return gettext(score.why.named, name=people[loser].name) if score.why and loser else ""


def _is_conceded(game: Game) -> bool:
    return game.ending in CONCEDED and game.state == GameState.CONFIRMED


def _absent(event: Event, game: Game, own: int | None, *, reads: bool, by_card: bool) -> str:
    gone: Collection[int] = missing(game, game.absent)
    people = {id_: db().get_one(Player, id_) for id_ in gone}
    sentence = absence(event, game, people, own, reads=reads)
    if own is not None or len(gone) != 1 or by_card:
        return sentence
    (id_,) = gone
    winner = _names(game)[id_ == game.a_id]
    return gettext("%(said)s: %(winner)s wins", said=sentence, winner=winner)


def _counts(game: Game, reader: Side | None, conceded: Conceded) -> str:
    if game.id not in conceded:
        return ""
    winner, vp = conceded[game.id]
    side = "a" if winner == str(game.a_id) else "b"
    if side == reader:
        return gettext("you count %(vp)s VP", vp=vp)
    return gettext("%(name)s counts %(vp)s VP", name=_names(game)[side == "b"], vp=vp)


def _lost_by_card(game: Game, winner: Side, reader: Side | None) -> str:
    if reader and reader != winner:
        return gettext("You lost by a card")
    return gettext("%(name)s lost by a card", name=_names(game)[winner == "a"])


def _names(game: Game) -> tuple[str, str]:
    a, b = (db().get_one(Player, id_).name if id_ else "" for id_ in (game.a_id, game.b_id))
    return a, b
