"""The order of a ladder, and who may challenge whom. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from events.tournament.figures import Result
from languages.message import Text, counted_message, message


@dataclass(frozen=True)
class Challenge:
    """One challenge, in the order of making."""

    challenger: str
    challenged: str
    result: Result | None
    """None while the challenge is open."""

    @property
    def won(self) -> bool:
        """Whether the challenger won, in play or by the other player's no-show."""
        result = self.result
        if result is None or result.absent in ("a", "both") or result.ending == "not_played":
            return False
        return result.absent == "b" or result.winner == "a"


def ladder_order(entered: Iterable[str], challenges: Iterable[Challenge]) -> list[str]:
    """The ladder, first place first. A challenger who wins takes the challenged player's place, who moves down by one.

    ``entered`` is the order at the start. Challenges count in the order of making, so a late result or a correction
    needs no repair.
    """
    order = list(entered)
    for challenge in challenges:
        if challenge.won and {challenge.challenger, challenge.challenged} <= {*order}:
            here, there = order.index(challenge.challenger), order.index(challenge.challenged)
            if there < here:
                order.insert(there, order.pop(here))
    return order


def why_not_challenged(
    order: Sequence[str], challenges: Sequence[Challenge], own: str, other: str, above: int | None
) -> Text:
    """Why a player cannot challenge another now, in a sentence; "" if possible.

    On a ladder, ``above`` is how many places above their own players may challenge. None allows any opponent.
    """
    if own == other or not {own, other} <= {*order}:
        return message("This player is not on the ladder now.")
    if above is not None:
        distance = order.index(own) - order.index(other)
        if distance < 1:
            return message("Challenge a player above you.")
        if distance > above:
            return counted_message(
                "Challenge a player at most %(num)s place above you.",
                "Challenge a player at most %(num)s places above you.",
                above,
            )
    waiting = {
        id_
        for challenge in challenges
        if challenge.result is None
        for id_ in (challenge.challenger, challenge.challenged)
    }
    if own in waiting:
        return message("You have an open challenge: play it first.")
    if other in waiting:
        return message("This player has an open challenge.")
    last = next(
        (challenge for challenge in reversed(challenges) if own in (challenge.challenger, challenge.challenged)), None
    )
    if last is not None and other in (last.challenger, last.challenged):
        return message("You played this player last: play another one first.")
    return ""
