"""Whether a reported result can be, and what it is worth by the scenario's own table."""

from collections.abc import Iterator

from validators.answers import by_themselves
from validators.new_vegas.scenario_file import ROUTED
from validators.numbers import told
from validators.scenario import Answers, Doubt, Outcome, Question, Scenario, Score, Side

_SIDES: tuple[Side, ...] = ("a", "b")


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; a figure left out counts as 0."""
    wrong = tuple(by_themselves(scenario, answers, _out_of_bounds))
    if wrong:
        return wrong
    return (*(doubt for side in _SIDES for doubt in _of_side(answers, side)), *_of_both(answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    """Victory points for the enemy's losses; a force that alone routed has lost, whatever they are."""
    routed = [side for side in _SIDES if answers.get(f"{side}.rout") == ROUTED]
    decided: Outcome | None = None
    if len(routed) == 1:
        decided = "b" if routed == ["a"] else "a"
    return Score(a=_losses(scenario, answers, "b"), b=_losses(scenario, answers, "a"), decided=decided)


def _losses(scenario: Scenario, answers: Answers, side: Side) -> int:
    """What a side's losses are worth to the enemy."""
    total = 0
    for question in scenario.questions:
        answer = answers.get(question.key, 0)
        if question.side != side:
            continue
        if question.kind == "choice":
            total += question.worth[question.choices.index(answer)] if answer in question.choices else 0
        else:
            total += question.worth[0] * _figure(answers, question.key)
    return total


def _figure(answers: Answers, key: str) -> int:
    value = answers.get(key, 0)
    return value if isinstance(value, int) else 0


def _out_of_bounds(question: Question, value: int) -> str:
    return f"{told(value)} is not {question.least} to {question.most}"


def _of_side(answers: Answers, side: Side) -> Iterator[Doubt]:
    lost, leaders = _figure(answers, f"{side}.lost"), _figure(answers, f"{side}.leaders")
    name = f"Player {side.upper()}"
    if leaders > lost:
        keys = (f"{side}.lost", f"{side}.leaders")
        yield Doubt(keys, f"{name}: {leaders} with Charisma among {lost} models lost in all cannot be", True)
    if answers.get(f"{side}.rout") == ROUTED and leaders == 0:
        yield Doubt((f"{side}.rout",), f"{name}'s force routed and lost no model with Charisma: is that right?", False)
    if not answers.get(f"{side}.rout"):
        yield Doubt((f"{side}.rout",), f"{name}'s force is not noted: it counts as standing", False)


def _of_both(answers: Answers) -> Iterator[Doubt]:
    if all(answers.get(f"{side}.rout") == ROUTED for side in _SIDES):
        yield Doubt(("a.rout", "b.rout"), "Both forces routed: is that right?", False)
    elif not any(_figure(answers, f"{side}.lost") or answers.get(f"{side}.rout") == ROUTED for side in _SIDES):
        yield Doubt((), "Nobody lost a model and no force routed: is that right?", False, at_the_end=True)
