"""Whether a reported Battle Mode result can be, and what it is worth."""

from collections.abc import Iterator, Mapping

from validators.battle_mode.scenarios import (
    DEFEND_YOUR_STASH,
    EXTRACT_THE_INFORMATION,
    GAME_ROUNDS,
    HOLD_THE_LINE,
    SCENARIOS,
    SCRAPYARD,
)
from validators.contract import Answers, Doubt, Question, Scenario, Score, Side

_BY_ID: Mapping[str, Scenario] = {scenario.id: scenario for scenario in SCENARIOS}

MANY_SEARCHES = 6
"""VP of one player in one round of Scrapyard above which the organiser is asked (no limit is printed)."""


def check_answers(scenario_id: str, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; a figure left out counts as 0.

    Raises KeyError for a scenario that is not one of these five.
    """
    scenario = _BY_ID[scenario_id]
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


def score(scenario_id: str, answers: Answers) -> Score:
    """Victory points of both sides: the game rounds and the objective markers. Raises KeyError as above."""
    scenario = _BY_ID[scenario_id]
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
    """What both players' figures for one round say together."""
    for game_round in range(scenario.scoring_from, GAME_ROUNDS + 1):
        keys = (f"a.r{game_round}", f"b.r{game_round}")
        a, b = (_figure(answers, key) for key in keys)
        when = f"game round {game_round}"
        if scenario is HOLD_THE_LINE and a + b > 2:
            yield Doubt(
                keys,
                f"{when}: {a} and {b} VP are {a + b} together; two markers give at most 2 together",
                True,
            )
        if scenario is DEFEND_YOUR_STASH and a % 2 and b % 2:
            yield Doubt(
                keys,
                f"{when}: {a} and {b} VP both count the middle marker (1 VP), which one player at most can hold",
                True,
            )
        if scenario is EXTRACT_THE_INFORMATION and a + b > 3:
            yield Doubt(
                keys,
                f"{when}: {a} and {b} VP are {a + b} together; read as each of three markers once a round, "
                "3 would be the most",
                False,
            )
        if scenario is SCRAPYARD:
            for key, value in zip(keys, (a, b), strict=True):
                if value > MANY_SEARCHES:
                    yield Doubt(
                        (key,),
                        f"{when}: player {key[0].upper()} with {value} VP in one round, is that right?",
                        False,
                    )


def _nothing_scored(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    if score(scenario.id, answers) == Score(0, 0):
        yield Doubt((), "Nobody scored in the whole game, neither rounds nor objective markers: is that right?", False)
