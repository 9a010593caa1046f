"""Whether a reported Fallout Skirmish result can be, and what it is worth."""

from collections.abc import Iterator

from validators.fallout_skirmish.scenarios import LINES
from validators.scenario import Answers, Doubt, Question, Scenario, Score, Side


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; what is left out counts as not controlled."""
    questions = {question.key: question for question in scenario.questions}
    wrong = [
        *(
            Doubt((), f"{str(key)[:40]!r} is no question of {scenario.name}", True)
            for key in answers
            if key not in questions
        ),
        *(doubt for key, value in answers.items() if (q := questions.get(key)) for doubt in _one(q, value)),
    ]
    if wrong:
        return tuple(wrong)
    return (*_held_twice(answers), *_nothing_held(answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    """The numbers of the lines whose markers each side controls; more VP win."""
    return Score(a=_points(answers, "a"), b=_points(answers, "b"))


def _points(answers: Answers, side: Side) -> int:
    return sum(line.vp for line in LINES if answers.get(f"{side}.{line.key}", 0) == 1)


def _one(question: Question, value: object) -> Iterator[Doubt]:
    """What is wrong with one answer by itself."""
    place = f"player {question.side.upper()}, {question.label.lower()}"
    if question.kind == "choice":
        if value not in ("", *question.choices):
            yield Doubt((question.key,), f"{place}: one of the twelve objectives", True)
    elif not isinstance(value, int) or isinstance(value, bool):
        yield Doubt((question.key,), f"{place}: a whole number is asked", True)
    elif not question.least <= value <= question.most:
        yield Doubt((question.key,), f"{place}: 1 for a marker that is controlled, 0 for any other", True)


def _held_twice(answers: Answers) -> Iterator[Doubt]:
    for line in LINES:
        keys = (f"a.{line.key}", f"b.{line.key}")
        if all(answers.get(key, 0) == 1 for key in keys):
            yield Doubt(keys, f"Both players control the marker of line {line.line}; one at most can", True)


def _nothing_held(answers: Answers) -> Iterator[Doubt]:
    if not any(answers.get(f"{side}.{line.key}", 0) for side in ("a", "b") for line in LINES):
        yield Doubt((), "Nobody controls any marker at the end: is that right?", False)
