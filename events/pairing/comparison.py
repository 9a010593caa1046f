"""What a round costs beside another draw of it, level by level, in words that an organiser reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from events.pairing.rules import PLAIN, Rules
from events.pairing.seats import Certificate

Judged = Literal["same", "worse", "better"]


@dataclass(frozen=True)
class Level:
    """A level by its name in files, and how it is told: as a heading, as one count and as many, and what it means."""

    key: str
    label: str
    one: str
    many: str
    means: str
    of: str = ""
    """What the count is of, before it: "the bye 2 groups higher"."""
    ways: tuple[str, str] = ("more", "fewer")


LEVELS = (
    Level("rematches", "Rematches", "rematch", "rematches", "pairs who have met before"),
    Level("second_byes", "Second byes", "second bye", "second byes", "the bye goes to somebody who has had one"),
    Level(
        "bye_height", "Height of the bye", "group", "groups",
        "how many groups of points lie below the player with the bye", "the bye ", ("higher", "lower"),
    ),
    Level(
        "distance", "Distance", "squared step of distance", "squared steps of distance",
        "over all pairs, the square of the step between the two players' groups of points",
    ),
    Level(
        "repeat_floats", "Repeated pair-downs", "repeated pair-down", "repeated pair-downs",
        "players paired down who were paired down before",
    ),
    Level(
        "kept_apart", "Kept apart", "pair that was to be kept apart", "pairs that were to be kept apart",
        "club mates, and pairs that were to be kept apart, who play each other",
    ),
    Level(
        "fixed_missed", "Fixed tables missed", "fixed table missed", "fixed tables missed",
        "players who do not sit at the one table at which they can play",
    ),
    Level(
        "table_repeats", "Tables again", "table again", "tables again",
        "how often players have sat at their table before",
    ),
    Level(
        "table_steps", "Moved from the order", "squared step away from the order", "squared steps away from the order",
        "the square of how far each pair is moved from \"first pair, first table\"",
    ),
    Level(
        "scenario_repeats", "Scenarios again", "scenario again", "scenarios again",
        "how often players have played their scenario before",
    ),
)  # fmt: skip
"""In the order in which the draw looks at them: no saving on a lower one pays for a higher one."""


@dataclass(frozen=True)
class Cost:
    """What a round costs on one level, beside what another draw costs."""

    level: Level
    here: int
    there: int
    looked_at: bool = True
    """False for a level that is switched off."""
    banned: bool = False
    """It stands above the levels that are not."""

    @property
    def judged(self) -> Judged:
        """Whether the round is better or worse than the other draw on this level."""
        return "same" if self.here == self.there else "worse" if self.here > self.there else "better"

    @property
    def difference(self) -> str:
        """ "+2", "−1", or "=": the sign that stands beside the word."""
        apart = self.here - self.there
        return "=" if not apart else f"+{apart}" if apart > 0 else f"\N{MINUS SIGN}{-apart}"


def compared(here: Mapping[str, int], there: Mapping[str, int], rules: Rules = PLAIN) -> tuple[Cost, ...]:
    """The costs of two rounds of the same players, level by level in the order that counts.

    Levels that neither has are left out, keys that are no level are passed over.
    """
    costs = [
        Cost(one, here.get(one.key, 0), there.get(one.key, 0), one.key not in rules.off, one.key in rules.banned)
        for one in LEVELS
        if one.key in here or one.key in there
    ]
    return tuple(sorted(costs, key=lambda cost: not cost.banned))


def judged(costs: Sequence[Cost]) -> Judged:
    """Which of the two is better: the first level that differs decides."""
    return next((cost.judged for cost in costs if cost.looked_at and cost.judged != "same"), "same")


def verdict(costs: Sequence[Cost], other: str = "the engine's best") -> str:
    """The comparison in a sentence or two. ``other`` is what the round is held against."""
    told = differences(costs)
    if not told:
        return f"As good as {other} on every level."
    return f"{judged(costs).capitalize()} than {other}: {told}"


def differences(costs: Sequence[Cost]) -> str:
    """What decides between the two, and what on lower levels speaks against it; "" where nothing differs."""
    differing = [cost for cost in costs if cost.looked_at and cost.judged != "same"]
    if not differing:
        return ""
    first = differing[0]
    said = f"{_count(first)}."
    against = [cost for cost in differing if cost.judged != first.judged]
    if against:
        lower = " and ".join(_count(cost) for cost in against)
        said += f" {lower[:1].upper()}{lower[1:]}: a lower level, which does not make up for it."
    return said


def certificate_in_words(certificate: Certificate) -> str:
    """Whether anything better than the engine's draw can exist, in a sentence."""
    if certificate.proven:
        return f"The engine's is proven: no other pairing is better on these levels ({certificate.by})."
    return f"The engine's is the best found: better ones are possible but were not seen ({certificate.by})."


def _count(cost: Cost) -> str:
    apart = abs(cost.here - cost.there)
    noun = cost.level.one if apart == 1 else cost.level.many
    return f"{cost.level.of}{apart} {noun} {cost.level.ways[cost.here < cost.there]}"
