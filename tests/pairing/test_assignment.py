"""The solver of assignments by levels, where one number a place cannot hold all of them."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from events.pairing.tables import Level, cheapest_assignment


@pytest.mark.parametrize("seed", range(60))
def test_levels_too_large_for_one_number_are_settled_one_after_the_other(seed: int) -> None:
    dice = Random(seed)
    shape = rows, columns = dice.randint(2, 4), dice.randint(4, 5)

    def level(worths: list[int]) -> Level:
        return np.array(dice.choices(worths, k=rows * columns)).reshape(shape)

    levels = [level([0, 1, 2**20]), level([0, 2**14, 2**22]), level([0, 5, 5, 2**18])]
    lots = np.array([dice.getrandbits(32) for _ in range(rows * columns)], np.uint32).reshape(shape)

    def cost(chosen: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sum(int(one[row, column]) for row, column in enumerate(chosen)) for one in levels)

    found = tuple(cheapest_assignment(levels, lots))
    assert cost(found) == min(map(cost, permutations(range(columns), rows)))


def test_what_cannot_be_reckoned_exactly_is_refused() -> None:
    huge = np.full((2, 2), 2**40)
    with pytest.raises(ValueError, match="2 pairs on 2 tables are too many to be placed exactly"):
        cheapest_assignment([huge, huge], np.zeros((2, 2), np.uint32))


def test_of_level_assignments_the_lots_choose() -> None:
    flat = np.zeros((2, 3), np.int8)
    lots = np.array([[2**31, 5, 7], [2, 2**30, 4]], np.uint32)
    assert cheapest_assignment([flat], lots) == [1, 0]
    assert cheapest_assignment([flat], lots[::-1]) == [0, 1]
