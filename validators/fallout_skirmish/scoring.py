"""Whether a reported Fallout Skirmish result can be, and what it is worth."""

from collections.abc import Iterator

from validators.answers import by_themselves
from validators.fallout_skirmish.scenarios import LINES
from validators.scenario import Answers, Doubt, Question, Scenario, Score, Side


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; what is left out counts as not controlled."""
    wrong = tuple(by_themselves(scenario, answers, _out_of_bounds, one_of="the twelve objectives"))
    if wrong:
        return wrong
    return (*_held_twice(answers), *_nothing_held(answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    """The numbers of the lines whose markers each side controls; more VP win."""
    return Score(a=_points(answers, "a"), b=_points(answers, "b"))


def _points(answers: Answers, side: Side) -> int:
    return sum(line.vp for line in LINES if answers.get(f"{side}.{line.key}", 0) == 1)


def _out_of_bounds(question: Question, value: int) -> str:
    return "1 for a marker that is controlled, 0 for any other"


def _held_twice(answers: Answers) -> Iterator[Doubt]:
    for line in LINES:
        keys = (f"a.{line.key}", f"b.{line.key}")
        if all(answers.get(key, 0) == 1 for key in keys):
            yield Doubt(keys, f"Both players control the marker of line {line.line}; one at most can", True)


def _nothing_held(answers: Answers) -> Iterator[Doubt]:
    if not any(answers.get(f"{side}.{line.key}", 0) for side in ("a", "b") for line in LINES):
        yield Doubt((), "Nobody controls any marker at the end: is that right?", False, at_the_end=True)
