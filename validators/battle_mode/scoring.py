"""Whether a reported Battle Mode result can be, and what it is worth."""

from collections.abc import Iterator

from validators.scenario import Answers, Doubt, Limits, Question, Scenario, Score, Side


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; a figure left out counts as 0."""
    questions = {question.key: question for question in scenario.questions}
    wrong = [
        *(
            Doubt((), f"{str(key)[:40]!r} is no question of {scenario.name}", True)
            for key in answers
            if key not in questions
        ),
        *(doubt for key, value in answers.items() if (q := questions.get(key)) for doubt in _one(q, value, scenario)),
    ]
    if wrong:
        return tuple(wrong)
    return (*_together(scenario, answers), *_nothing_scored(scenario, answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    """Victory points of both sides: the game rounds and the objective markers."""
    return Score(a=_side_total(scenario, answers, "a"), b=_side_total(scenario, answers, "b"))


def _side_total(scenario: Scenario, answers: Answers, side: Side) -> int:
    return sum(
        _figure(answers, question.key)
        for question in scenario.questions
        if question.side == side and question.kind != "choice"
    )


def _figure(answers: Answers, key: str) -> int:
    value = answers.get(key, 0)
    return value if isinstance(value, int) else 0


def _one(question: Question, value: object, scenario: Scenario) -> Iterator[Doubt]:
    """What is wrong with one answer by itself."""
    place = f"player {question.side.upper()}, {question.label.lower()}"
    if question.kind == "choice":
        if value not in ("", *question.choices):
            yield Doubt((question.key,), f"{place}: one of {' or '.join(question.choices)}", True)
    elif not isinstance(value, int) or isinstance(value, bool):
        yield Doubt((question.key,), f"{place}: a whole number is asked", True)
    elif value < question.least:
        yield Doubt((question.key,), f"{place}: {_short(value)} is below {question.least}", True)
    elif value > question.most and question.most == 0:
        first = scenario.scoring_from
        yield Doubt(
            (question.key,),
            f"{place}: {_short(value)} VP, but {scenario.name} scores from game round {first}",
            True,
        )
    elif value > question.most:
        what = "markers" if question.kind == "objectives" else "VP"
        yield Doubt((question.key,), f"{place}: {_short(value)} {what}, at most {question.most} can be", True)


def _short(value: int) -> str:
    """A number for a message; one of thousands of digits is not written out."""
    return str(value) if abs(value) < 10**9 else "a number far too large"


def _together(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """What the figures of one game round say together."""
    for game_round in range(scenario.scoring_from, scenario.game_rounds + 1):
        keys = (f"a.r{game_round}", f"b.r{game_round}")
        a, b = (_figure(answers, key) for key in keys)
        yield from _bound(scenario.limits, keys, a, b, f"game round {game_round}")


def _bound(limits: Limits, keys: tuple[str, str], a: int, b: int, when: str) -> Iterator[Doubt]:
    refused, asked, one = limits.together_refused, limits.together_asked, limits.one_asked
    together = f"{when}: {a} and {b} VP are {a + b} together"
    if limits.held_by_one and a % 2 and b % 2:
        yield Doubt(
            keys,
            f"{when}: {a} and {b} VP both count {limits.held_by_one} (1 VP), which one player at most can hold",
            True,
        )
    if refused and a + b > refused.above:
        yield Doubt(keys, f"{together}; {refused.why or f'at most {refused.above} can be'}", True)
    elif asked and a + b > asked.above:
        yield Doubt(keys, f"{together}; {asked.why or f'more than {asked.above} is rare'}", False)
    for key, value in zip(keys, (a, b), strict=True):
        if one and value > one.above:
            why = f"; {one.why}" if one.why else ""
            told = f"{when}: player {key[0].upper()} with {value} VP in one round{why}, is that right?"
            yield Doubt((key,), told, False)


def _nothing_scored(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    if score(scenario, answers) == Score(0, 0):
        yield Doubt((), "Nobody scored in the whole game, neither rounds nor objective markers: is that right?", False)
