"""Common slips in writing down a result, each as a test of figures."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from validators.scenario import Answers, Scenario, Side


def of_a_side(scenario: Scenario, answers: Answers, side: Side) -> tuple[int, ...]:
    """A side's score in each scoring game round; a missing round counts as 0."""
    return tuple(int(answers.get(key) or 0) for key in keys_of(scenario, side))


def keys_of(scenario: Scenario, side: Side) -> list[str]:
    """The keys of a side's scoring game rounds, in order."""
    return [one.key for one in scenario.questions if one.side == side and one.kind == "vp" and one.most > 0]


def digits_exchanged(one: int, other: int) -> bool:
    """Whether two digits are swapped: 12 and 21."""
    return one != other and min(one, other) > 9 and str(one) == str(other)[::-1]


def nought_more(one: int, other: int) -> bool:
    """Whether one figure has an extra zero: 3 and 30."""
    return 0 < min(one, other) * 10 == max(one, other)


def running_totals(right: Sequence[int], written: Sequence[int]) -> bool:
    """Whether the written figures are the running totals of the right ones, up to the last written game round."""
    to = _written(written)
    return tuple(accumulate(right))[:to] == tuple(written)[:to] and not any(right[to:])


def taken_apart(figures: Sequence[int]) -> tuple[int, ...] | None:
    """The figures whose running totals these are; None if they cannot be running totals, or for a single figure."""
    to = _written(figures)
    totals = (0, *figures[:to])
    if to < 2 or any(later < earlier for earlier, later in pairwise(totals)):
        return None
    return (*(later - earlier for earlier, later in pairwise(totals)), *figures[to:])


def _written(figures: Sequence[int]) -> int:
    """The number of the last game round that scored."""
    return max((place for place, figure in enumerate(figures, 1) if figure), default=0)


def total_in_one_round(right: Sequence[int], written: Sequence[int]) -> bool:
    """Whether one written figure is the total of the right ones, while the others are right or missing."""
    wrong = [(was, says) for was, says in zip(right, written, strict=True) if was != says]
    return sum(says == sum(right) for _, says in wrong) == 1 and sum(says != 0 for _, says in wrong) == 1


def shifted(right: Sequence[int], written: Sequence[int]) -> bool:
    """Whether the figures are the same, all one place earlier or later."""
    return any(right) and ((*right[1:], 0) == tuple(written) or (0, *right[:-1]) == tuple(written))
