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
        return self.kind.sort, self.change, self.moment.value

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
    """Cases that have each pair of a sort of kinds, a change and a moment that exists; kinds of a sort take turns."""
    by_values = defaultdict[tuple[str, ...], list[Case]](list)
    for case in every_case():
        by_values[case.values].append(case)
    pairs = {pair for values in by_values for pair in combinations(values, 2)}

    def exists(values: Sequence[str]) -> bool:
        every_pair = all(pair in pairs for pair in combinations(values, 2))
        return every_pair and (len(values) < 3 or tuple(values) in by_values)

    parameters = [[*dict.fromkeys(kind.sort for kind in KINDS)], [*CHANGES], [moment.value for moment in Moment]]
    chosen = dict.fromkeys(map(tuple, AllPairs(parameters, filter_func=exists)))
    missing = pairs - {pair for values in chosen for pair in combinations(values, 2)}
    for values in by_values:  # pairs that the filter left without a third value
        if found := missing & set(combinations(values, 2)):
            chosen[values] = None
            missing -= found
    turns = Counter[Kind]()
    cases = []
    for values in chosen:
        case = min(by_values[values], key=lambda case: turns[case.kind])
        turns[case.kind] += 1
        cases.append(case)
    return tuple(cases)


@dataclass(frozen=True)
class Looks:
    """What is done after the change of a case."""

    patterns: tuple[str, ...]
    """Addresses to open."""
    ends: bool
    """Whether it is brought to its end."""
    restored: bool
    """Whether its archive is taken into another database."""


CHEAP, PAPERS = 6, 4
"""How many pages a case of the covering set opens at most; in how many sorts of kinds each paper is opened."""


def planned(patterns: Sequence[str]) -> Mapping[Case, Looks]:
    """For the covering set: each page at least once for each sort of kinds and group of changes; each paper in some.

    An end for each sort of kinds and each moment, an archive also for each group of changes.
    """
    opened, counts = defaultdict[str, set[str]](set), Counter[str]()
    ended, restored, found = set[str](), set[str](), dict[Case, Looks]()
    for case in covering_set():
        both = {case.kind.sort, GROUP_OF[case.change]}
        values = both | {case.moment.value}
        pages = [pattern for pattern in patterns if not is_paper(pattern) and not both <= opened[pattern]]
        papers = [
            pattern
            for pattern in patterns
            if is_paper(pattern) and counts[pattern] < PAPERS and case.kind.sort not in opened[pattern]
        ]
        pages.sort(key=lambda text: (len(both & opened[text]), counts[text]))
        papers.sort(key=lambda text: counts[text])
        some = (*pages[:CHEAP], *papers[:1])
        for text in some:
            opened[text] |= both
            counts[text] += 1
        ends = not {case.kind.sort, case.moment.value} <= ended
        again = not ends and not values <= restored
        found[case] = Looks(some, ends, again)
        ended |= values if ends else set()
        restored |= values if again else set()
    return found
