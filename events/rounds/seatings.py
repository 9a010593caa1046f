"""Who sits where in a round: seatings of games or matches, exchanged, and what is odd about new ones."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from events.store.errors import Refused
from events.tournament.pairing.notes import Note
from events.tournament.pairing.request import Evaluation, Request, of_the_field
from events.tournament.pairing.seats import Pair
from events.tournament.pairing.words import sentences
from languages.words import gettext, labelled, listed
from models.play import Game


@dataclass(frozen=True)
class Seating:
    """The players and the table of one game, or the teams and the block of tables of one match.

    A bye has neither opponent nor table. Only games have the rest.
    """

    a: int
    b: int | None
    table: int | None
    asked: bool = False
    """A bye that the player requested: not drawn, and cannot be moved."""
    scenario: str | None = None
    """The table's own scenario; None for the round's."""


def seatings(games: Iterable[Game]) -> tuple[Seating, ...]:
    return tuple(Seating(game.a_id, game.b_id, game.table_number, game.asked, game.scenario) for game in games)


def as_pairs(request: Request, seated: Sequence[Seating]) -> tuple[tuple[Pair, ...], str | None]:
    """The pairs and the bye in the engine's terms, without requested byes."""
    pairs = (
        Pair(str(seating.a), str(seating.b), table=seating.table, scenario=seating.scenario)
        for seating in seated
        if seating.b is not None
    )
    bye = next((str(seating.a) for seating in seated if seating.b is None and not seating.asked), None)
    return of_the_field(request, pairs, bye)


def swapped(seated: Sequence[Seating], number: int, other: int, *, teams: bool = False) -> tuple[Seating, ...]:
    """The pairings with these two players or ``teams`` exchanged. Raises Refused."""
    where = {player: game for game in seated for player in (game.a, game.b) if player is not None}
    if number == other or number not in where or other not in where:
        of_players = gettext("Choose two different players of this round.")
        raise Refused(gettext("Choose two different teams of this round.") if teams else of_players)
    if where[number].asked or where[other].asked:
        raise Refused(gettext("This player asked for a bye: undo that on the player's page first."))
    if where[number] is where[other]:
        raise Refused(gettext("These two play each other: there is nothing to swap."))
    places = {number: other, other: number}
    return tuple(
        replace(game, a=places.get(game.a, game.a), b=places.get(game.b or 0, game.b))
        if game in (where[number], where[other])
        else game
        for game in seated
    )


NOTHING_KNOWN: Mapping[frozenset[int | None], Collection[Note]] = {}


def odd_now(
    evaluation: Evaluation,
    before: Sequence[Seating],
    after: Sequence[Seating],
    names: Mapping[int, str],
    notes_before: Mapping[frozenset[int | None], Collection[Note]] = NOTHING_KNOWN,
) -> dict[int, str]:
    """Warnings about the changed games, the bye included, by the first player of each.

    Leaves out the notes in ``notes_before``, which the same two players, or the same bye, had before the change.
    """
    changed = {str(game.a) for game in after if game not in before}
    odd: dict[int, str] = {}
    for pair in evaluation.pairs:
        before_it = notes_before.get(frozenset((int(pair.a), int(pair.b))), ())
        notes = [note for note in pair.notes if note not in before_it]
        if pair.a in changed and notes:
            odd[int(pair.a)] = labelled(listed([names[int(pair.a)], names[int(pair.b)]]), ", ".join(sentences(notes)))
    bye = next((game.a for game in after if game.b is None and game not in before), None)
    notes = [note for note in evaluation.bye_notes if note not in notes_before.get(frozenset((bye, None)), ())]
    if bye is not None and notes:
        odd[bye] = labelled(names[bye], ", ".join(sentences(notes)))
    return odd
