"""Checks of a report's answers, by themselves and against the forces. The same in every game."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from languages.words import N_, gettext, listed
from validators.names import shown
from validators.scenario import PLAYER, SIDES, Answers, Doubt, Question, Scenario, Side


def figure(answers: Answers, key: str) -> int:
    """The number answered; 0 if none was."""
    value = answers.get(key, 0)
    return value if isinstance(value, int) else 0


def earned(scenario: Scenario, answers: Answers, side: Side) -> int:
    """The victory points of a side's answers by their questions' ``worth``; the game says whose they are."""
    total = 0
    for question in scenario.questions:
        answer = answers.get(question.key, 0)
        if question.side != side or not question.worth:
            continue
        if question.kind == "choice":
            total += question.worth[question.choices.index(answer)] if answer in question.choices else 0
        else:
            total += question.worth[0] * figure(answers, question.key)
    return total


OutOfBounds = Callable[[Question, int], str]
"""Words for a number outside its question's bounds."""


def not_in_range(question: Question, value: int) -> str:
    """The words of most games."""
    return gettext("%(number)s is not 0 to %(most)s", number=shown(value), most=question.most)


def invalid_answers(
    scenario: Scenario, answers: Answers, out_of_bounds: OutOfBounds = not_in_range, one_of: str = ""
) -> Iterator[Doubt]:
    """All invalid answers: to unknown questions, of the wrong kind, or out of bounds. All are rejected.

    ``one_of`` describes the choices if there are too many to list.
    """
    questions = {question.key: question for question in scenario.questions}
    for key, value in answers.items():
        question = questions.get(key)
        if question is None:
            stranger = N_("%(key)s is not a question of %(scenario)s")
            yield Doubt((), gettext(stranger, key=repr(str(key)[:40]), scenario=scenario.name), True)
        elif wrong := _wrong(question, value, out_of_bounds, one_of):
            yield Doubt((key,), f"{PLAYER[question.side]}, {question.in_sentence}: {wrong}", True)


def _wrong(question: Question, value: object, out_of_bounds: OutOfBounds, one_of: str) -> str:
    """What is wrong with one answer; "" if it is valid."""
    if question.kind == "choice":
        choices = one_of or listed([gettext(choice) for choice in question.choices], style="or")
        return "" if value in ("", *question.choices) else gettext("choose one of %(choices)s", choices=choices)
    if not isinstance(value, int) or isinstance(value, bool):
        return gettext("enter a whole number")
    return "" if 0 <= value <= question.most else out_of_bounds(question, value)


def not_noted(answers: Answers, what: str, asked: tuple[str, str]) -> Iterator[Doubt]:
    """A doubt about the sides whose deciding choice is missing, in the sentence for one side or for both."""
    left = [side for side in SIDES if not answers.get(f"{side}.{what}")]
    if left:
        message = gettext(asked[len(left) > 1], player=PLAYER[left[0]], other=PLAYER[left[-1]])
        yield Doubt(tuple(f"{side}.{what}" for side in left), message, False)


By = Literal["list", "army", "muster", "forfeit"]
"""A list, the army of a campaign in a battle, what a group mustered, or a group that mustered nothing."""
_MORE: Mapping[By, str] = {
    "list": N_("%(player)s, %(what)s: %(reported)s is more than the list holds"),
    "army": N_("%(player)s, %(what)s: %(reported)s is more than its army has in a battle"),
    "muster": N_("%(player)s, %(what)s: %(reported)s is more than was mustered"),
    "forfeit": N_(
        "%(player)s, %(what)s: %(reported)s is more than was mustered: "
        "the group forfeits the battle, which the desk records"
    ),
}
_OTHER: Mapping[By, str] = {
    "list": N_("%(player)s, %(what)s: %(reported)s is not what the list holds. Is that right?"),
    "muster": N_("%(player)s, %(what)s: %(reported)s is not what was mustered. Is that right?"),
    "forfeit": N_(
        "%(player)s, %(what)s: %(reported)s is not what was mustered: "
        "the group forfeits the battle, which the desk records. Is that right?"
    ),
}
_AGAINST: Mapping[By, str] = {
    "list": N_(
        "%(player)s, %(what)s: %(reported)s and “%(given)s” do not agree with what the list holds. Is that right?"
    ),
    "army": N_(
        "%(player)s, %(what)s: %(reported)s and “%(given)s” do not agree with what its army has in a battle. "
        "Is that right?"
    ),
    "muster": N_(
        "%(player)s, %(what)s: %(reported)s and “%(given)s” do not agree with what was mustered. Is that right?"
    ),
    "forfeit": N_(
        "%(player)s, %(what)s: %(reported)s and “%(given)s” do not agree with what was mustered: "
        "the group forfeits the battle, which the desk records. Is that right?"
    ),
}


@dataclass(frozen=True)
class Bound:
    """The most that the sum of some questions' figures can be, by the force: ``what`` names it ("points lost").

    With ``exact``, a lower sum is unusual too.
    """

    questions: tuple[str, ...]
    most: int
    what: str
    exact: bool = False
    by: By = "list"
    """What holds the force."""
    choice: tuple[str, str] | None = None
    """A choice question, and the answer that is expected if and only if the sum is the most.

    Example: a force has routed exactly if it lost all models with Charisma.
    """

    @property
    def side(self) -> Side:
        return next(side for side in SIDES if self.questions[0].startswith(f"{side}."))


def asked_bounds(scenario: Scenario, *bounds: Bound) -> tuple[Bound, ...]:
    """The bounds all of whose figures the scenario asks for."""
    asked = {question.key for question in scenario.questions}
    return tuple(bound for bound in bounds if bound.questions and asked.issuperset(bound.questions))


def beyond_bounds(bounds: Iterable[Bound], answers: Answers) -> Iterator[Doubt]:
    """The answers that the forces do not allow: a higher sum is rejected, a lower one than an exact bound is queried.

    The messages contain no figure of a force, because the reporting player may not be allowed to see it.
    """
    for bound in bounds:
        reported = sum(value for key in bound.questions if isinstance(value := answers.get(key, 0), int))
        about = {"player": PLAYER[bound.side], "what": gettext(bound.what), "reported": reported}
        if reported > bound.most:
            yield Doubt(bound.questions, gettext(_MORE[bound.by], **about), True)
        elif bound.exact and reported != bound.most:
            yield Doubt(bound.questions, gettext(_OTHER[bound.by], **about), False)
        elif (
            bound.choice
            and (given := answers.get(bound.choice[0]))
            and (given == bound.choice[1]) != (reported == bound.most)
        ):
            message = gettext(_AGAINST[bound.by], given=gettext(str(given)), **about)
            yield Doubt((bound.choice[0],), message, False)
