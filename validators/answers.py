"""What is wrong with a report's answers by themselves, alike in every game; what they say together is the game's."""

from collections.abc import Callable, Iterator

from validators.scenario import Answers, Doubt, Question, Scenario

OutOfBounds = Callable[[Question, int], str]
"""Words for a number that is not what its question takes."""


def by_themselves(
    scenario: Scenario, answers: Answers, out_of_bounds: OutOfBounds, one_of: str = ""
) -> Iterator[Doubt]:
    """Every answer to no question of the scenario, and every one of the wrong kind or out of its bounds; all refused.

    ``one_of`` names the choices where they are too many to be listed.
    """
    questions = {question.key: question for question in scenario.questions}
    yield from not_asked(scenario, answers)
    for key, value in answers.items():
        if (question := questions.get(key)) and (wrong := _wrong(question, value, out_of_bounds, one_of)):
            place = f"player {question.side.upper()}, {question.label.lower()}"
            yield Doubt((key,), f"{place}: {wrong}", True)


def not_asked(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """A refusal for each answer to no question."""
    asked = {question.key for question in scenario.questions}
    for key in answers:
        if key not in asked:
            yield Doubt((), f"{str(key)[:40]!r} is no question of {scenario.name}", True)


def _wrong(question: Question, value: object, out_of_bounds: OutOfBounds, one_of: str) -> str:
    """What is wrong with one answer; "" for nothing."""
    if question.kind == "choice":
        return "" if value in ("", *question.choices) else f"one of {one_of or ' or '.join(question.choices)}"
    if not isinstance(value, int) or isinstance(value, bool):
        return "a whole number is asked"
    return "" if question.least <= value <= question.most else out_of_bounds(question, value)
