"""The bout: two sides fight until one is left standing. What is asked of it, whether that can be, and what it is worth.

Document 002, Combat's Purpose and Ending Combat.
"""

from collections.abc import Iterator

from validators.answers import Bound, not_asked
from validators.contract import Document, EditionInfo
from validators.kit.scenarios import shipped_scenarios
from validators.names import shown
from validators.scenario import Answers, Doubt, Outcome, Question, Scenario, Score, Side
from validators.skill_combat.edition import DATA
from validators.skill_combat.force import looked_up

STANDING, DOWN, SURRENDERED, FLED = "Standing", "Down", "Surrendered", "Fled"
ENDS = (STANDING, DOWN, SURRENDERED, FLED)
"""How a side can end: combat ends when the aggressive ones have surrendered, are killed or incapacitated, or fled."""
MOST_HP = 999


def _questions(side: Side) -> tuple[Question, ...]:
    return (
        Question(f"{side}.end", side, "choice", "How the side ended", choices=ENDS, decides=True,
                 help="Standing as long as one character is. Down: killed or incapacitated."),
        Question(f"{side}.hp", side, "figure", "HP left", most=MOST_HP,
                 help="Of the characters still standing, added; 0 for a side that is not."),
    )  # fmt: skip


SCENARIOS = shipped_scenarios(DATA / "scenarios.json", 24, lambda _: (*_questions("a"), *_questions("b")))

SIDES: tuple[Side, Side] = ("a", "b")


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; what is left out is asked about."""
    wrong = (*not_asked(scenario, answers), *(doubt for side in SIDES for doubt in _shape(side, answers)))
    if wrong:
        return wrong
    return (*(doubt for side in SIDES for doubt in _one(side, answers)), *_both(answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    """HP left of a side that stands, and the last standing as the winner."""
    a, b = (answers.get(f"{side}.end") == STANDING for side in SIDES)
    decided: Outcome = "draw" if a == b else "a" if a else "b"
    return Score(_hp(answers, "a") if a else 0, _hp(answers, "b") if b else 0, decided)


def _hp(answers: Answers, side: Side) -> int:
    value = answers.get(f"{side}.hp", 0)
    return value if isinstance(value, int) else 0


def _shape(side: Side, answers: Answers) -> Iterator[Doubt]:
    place, end, hp = f"player {side.upper()}", answers.get(f"{side}.end", ""), answers.get(f"{side}.hp", 0)
    if end not in ("", *ENDS):
        yield Doubt((f"{side}.end",), f"{place}: choose one of {' or '.join(ENDS)}", True)
    if not isinstance(hp, int) or isinstance(hp, bool):
        yield Doubt((f"{side}.hp",), f"{place}, HP left: enter a whole number", True)
    elif not 0 <= hp <= MOST_HP:
        yield Doubt((f"{side}.hp",), f"{place}, HP left: {shown(hp)}, from 0 to {MOST_HP} can be", True)


def _one(side: Side, answers: Answers) -> Iterator[Doubt]:
    place, end, key = f"player {side.upper()}", answers.get(f"{side}.end", ""), f"{side}.hp"
    if not end:
        yield Doubt((f"{side}.end",), f"{place}: how the side ended is not noted; it counts as not standing", False)
    if end == STANDING and key not in answers:
        yield Doubt((key,), f"{place} stands and no HP left are noted, is that right?", False)
    elif end == STANDING and not _hp(answers, side):
        yield Doubt((key,), f"{place} stands with 0 HP left; enter at least 1", True)
    elif end and end != STANDING and _hp(answers, side):
        yield Doubt(
            (key,), f"{place} is {str(end).lower()} with {_hp(answers, side)} HP of standing characters left", True
        )


def _both(answers: Answers) -> Iterator[Doubt]:
    a, b = (answers.get(f"{side}.end", "") for side in SIDES)
    if a == b == STANDING:
        yield Doubt(("a.end", "b.end"), "Both sides stand: the bout is a draw. Was time up?", False, at_the_end=True)
    elif a and b and STANDING not in (a, b):
        ends = " and ".join(str(end).lower() for end in (a, b))
        yield Doubt(("a.end", "b.end"), f"Nobody stands ({ends}): the bout is a draw. Is that right?", False)


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """No more HP are left than all characters have unhurt."""
    hit_points = sum(one.hit_points.value for one in looked_up(document, edition).characters)
    asked = {question.key for question in scenario.questions}
    return (Bound((f"{side}.hp",), hit_points, "HP left"),) if f"{side}.hp" in asked else ()
