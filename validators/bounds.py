"""What a force allows of the figures of a report: nobody loses, kills or keeps more than the list holds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from validators.scenario import Answers, Doubt


@dataclass(frozen=True)
class Bound:
    """The figures of ``questions``, added, are at most ``most``, for that is what the force holds.

    ``what`` says in a few words what is added ("points lost"). With ``exact``, less than ``most`` is odd as well.
    """

    questions: tuple[str, ...]
    most: int
    what: str
    exact: bool = False


def outside(bounds: Iterable[Bound], answers: Answers) -> Iterator[Doubt]:
    """What of these answers the forces do not allow: more is refused, less than an exact figure is asked about.

    The messages name no figure of a force, as whoever reports may not be allowed to read it.
    """
    for bound in bounds:
        told = sum(value for key in bound.questions if isinstance(value := answers.get(key, 0), int))
        place = f"player {bound.questions[0][0].upper()}, {bound.what}"
        if told > bound.most:
            yield Doubt(bound.questions, f"{place}: {told} is more than the list holds", True)
        elif bound.exact and told != bound.most:
            yield Doubt(bound.questions, f"{place}: {told} is not what the list says; is that right?", False)
