"""What cannot be in a scenario file: figures that contradict each other."""

from collections.abc import Iterator
from itertools import combinations

from validators.battle_mode.scenario_shape import LimitsPart, ScenarioFile
from validators.names import fold
from validators.scenario import Fault


def contradictions(file: ScenarioFile) -> Iterator[Fault]:
    """What no single field shows."""
    rounds, first = file.game_rounds, file.scoring_from
    if first > rounds:
        yield Fault(("scoring_from",), f"is game round {first}, but the game ends after {rounds}")
    yield from _limits(file.limits, file.most)
    yield from _objectives(file)
    for field, words in (("choices", file.choices), ("objectives.kinds", file.objectives.kinds)):
        for at, word in enumerate(words):
            if fold(word) in map(fold, words[:at]):
                yield Fault((*field.split("."), at), f"is {word}, which stands there already")
    if len(file.choices) == 1:
        yield Fault(("choices",), "holds one entry: that leaves nothing to choose")
    if 2 * file.deployment_inches > file.table_inches:
        yield Fault(
            ("deployment_inches",),
            f"is {file.deployment_inches}, but half the table is {file.table_inches / 2:g} inches deep",
        )
    yield from _markers(file)


def _limits(limits: LimitsPart, most: int) -> Iterator[Fault]:
    refused, asked, one = limits.together_refused, limits.together_asked, limits.one_asked
    for name, limit, all_there_is in (
        ("together_refused", refused, 2 * most),
        ("together_asked", asked, 2 * most),
        ("one_asked", one, most),
    ):
        if limit and limit.above >= all_there_is:
            who = "one player scores" if limit is one else "both together score"
            yield Fault(("limits", name, "above"), f"is {limit.above}, but {who} {all_there_is} at most anyway")
    if refused and refused.above < most:
        yield Fault(
            ("limits", "together_refused", "above"), f"is {refused.above}, but one player alone may score {most}"
        )
    if refused and asked and asked.above >= refused.above:
        yield Fault(
            ("limits", "together_asked", "above"), f"is {asked.above}, but above {refused.above} is refused anyway"
        )


def _objectives(file: ScenarioFile) -> Iterator[Fault]:
    objectives = file.objectives
    if objectives.each > len(objectives.kinds) * objectives.most_of_a_kind:
        yield Fault(
            ("objectives", "each"),
            f"is {objectives.each}, but {len(objectives.kinds)} kinds, each {objectives.most_of_a_kind} times "
            f"at most, give {len(objectives.kinds) * objectives.most_of_a_kind}",
        )


def _markers(file: ScenarioFile) -> Iterator[Fault]:
    table = file.table_inches
    for at, marker in enumerate(file.markers):
        for axis, inches in (("x", marker.x), ("y", marker.y)):
            if inches > table:
                yield Fault(("markers", at, axis), f"is {inches:g}, off the table of {table} inches")
    for (first, one), (second, other) in combinations(enumerate(file.markers), 2):
        if (one.x, one.y) == (other.x, other.y):
            yield Fault(
                ("markers", second, "x"),
                f"is {other.x:g}, and y {other.y:g}: there stands marker {first + 1}, {one.label}",
            )
