"""The event's questions at sign-up: how they are stored, and which answers are valid."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from models.event import Event
from models.play import Player

MOST_QUESTIONS = 10
MOST_CHOICES = 20
LONGEST_LABEL, LONGEST_ANSWER, LARGEST_ANSWER = 120, 200, 1_000_000


class Kind(StrEnum):
    """The kind of answer."""

    TEXT = "text"
    CHOICE = "choice"
    NUMBER = "number"


@dataclass(frozen=True)
class Question:
    """One question. ``id`` stays the same when the wording changes, so that answers are kept."""

    id: str
    label: str
    kind: Kind = Kind.TEXT
    choices: tuple[str, ...] = ()
    """For a choice; empty for other kinds."""
    required: bool = False
    """Required of players only: the desk may leave it blank."""


def questions_of(event: Event) -> tuple[Question, ...]:
    return tuple(
        Question(
            question["id"], question["label"], Kind(question["kind"]), tuple(question["choices"]), question["required"]
        )
        for question in event.questions or ()
    )


def as_documents(questions: Iterable[Question]) -> list[dict[str, object]] | None:
    """The questions as the event's column stores them; None if there are none."""
    return [
        asdict(question) | {"kind": question.kind.value, "choices": list(question.choices)} for question in questions
    ] or None


def answered(event: Event, player: Player) -> list[tuple[str, str]]:
    """The player's answers with the wording of their questions, without blank ones."""
    given = player.answers or {}
    return [(question.label, given[question.id]) for question in questions_of(event) if given.get(question.id)]


def is_valid_answer(question: Question, answer: str) -> bool:
    """Whether an answer is valid for this question; "" (blank) is."""
    if not answer:
        return True
    if question.kind == Kind.CHOICE:
        return answer in question.choices
    if question.kind == Kind.NUMBER:
        return answer.isascii() and answer.isdecimal() and len(answer) < 8 and int(answer) <= LARGEST_ANSWER
    return len(answer) <= LONGEST_ANSWER


def valid_answers(questions: Sequence[Question], answers: Mapping[str, str]) -> dict[str, str] | None:
    """The answers that are still valid for these questions; None if there are none."""
    return {
        question.id: answers[question.id]
        for question in questions
        if answers.get(question.id) and is_valid_answer(question, answers[question.id])
    } or None


def next_id(questions: Iterable[Question]) -> str:
    """An unused id for a new question."""
    return f"q{1 + max((int(question.id[1:]) for question in questions if question.id[1:].isdigit()), default=0)}"
