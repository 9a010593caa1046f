"""The cases of the sweep: kinds, changes and moments; those that do not exist; and a set that has each pair once."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from allpairspy import AllPairs

from tests.kinds.changes import CHANGES, GROUP_OF, why_left_out
from tests.kinds.looks import is_paper
from tests.kinds.moments import KINDS, Kind, Moment


@dataclass(frozen=True)
class Case:
    """A change in an event of a kind at a moment."""

    kind: Kind
    change: str
    moment: Moment

    def __str__(self) -> str:
        return f"{self.kind.name}: {self.change}, {self.moment}"

    @property
    def values(self) -> tuple[str, str, str]:
        return self.kind.name, self.change, self.moment.value

    @property
    def second(self) -> bool:
        """Whether the change is about player B of a game."""
        return (KINDS.index(self.kind) + [*CHANGES].index(self.change) + [*Moment].index(self.moment)) % 2 == 1


@cache
def every_case() -> tuple[Case, ...]:
    """The whole product but for what does not exist."""
    return tuple(case for case in _product() if not why_left_out(case.change, case.kind, case.moment))


def left_out() -> Counter[str]:
    """How many combinations do not exist, by reason."""
    reasons = (why_left_out(case.change, case.kind, case.moment) for case in _product())
    return Counter(reason for reason in reasons if reason)


def _product() -> list[Case]:
    return [Case(*values) for values in product(KINDS, CHANGES, Moment)]


@cache
def covering_set() -> tuple[Case, ...]:
    """Cases that have each pair of a kind, a change and a moment that exists."""
    by_values = {case.values: case for case in every_case()}
    pairs = {pair for case in by_values.values() for pair in combinations(case.values, 2)}

    def exists(values: Sequence[str]) -> bool:
        return all(pair in pairs for pair in combinations(values, 2)) and (
            len(values) < 3 or tuple(values) in by_values
        )

    parameters = [[kind.name for kind in KINDS], [*CHANGES], [moment.value for moment in Moment]]
    chosen = {values: by_values[values] for values in map(tuple, AllPairs(parameters, filter_func=exists))}
    missing = pairs - {pair for values in chosen for pair in combinations(values, 2)}
    for values, case in by_values.items():  # pairs that the filter left without a third value
        if found := missing & set(combinations(values, 2)):
            chosen[values] = case
            missing -= found
    return tuple(chosen.values())


@dataclass(frozen=True)
class Looks:
    """What is done after the change of a case."""

    patterns: tuple[str, ...]
    """Addresses to open."""
    ends: bool
    """Whether it is brought to its end."""
    restored: bool
    """Whether its archive is taken into another database."""


CHEAP = 3
"""How many addresses that are no papers a case of the covering set opens, of those that it should."""


def planned(patterns: Sequence[str]) -> Mapping[Case, Looks]:
    """For the covering set: each page at least once for each family of kinds and group of changes, each paper for one.

    An end and an archive for each kind, each change and each moment.
    """
    opened, counts = defaultdict[str, set[str]](set), Counter[str]()
    ended, restored, found = set[str](), set[str](), dict[Case, Looks]()
    for case in covering_set():
        both, values = {case.kind.family, GROUP_OF[case.change]}, {*case.values}
        pages = [one for one in patterns if not is_paper(one) and not both <= opened[one]]
        papers = [one for one in patterns if is_paper(one) and not both & opened[one]]
        pages.sort(key=lambda one: (len(both & opened[one]), counts[one]))
        some = (*pages[:CHEAP], *papers[:1])
        for one in some:
            opened[one] |= both
            counts[one] += 1
        ends = not values <= ended
        again = not ends and not values <= restored
        found[case] = Looks(some, ends, again)
        ended |= values if ends else set()
        restored |= values if again else set()
    return found
