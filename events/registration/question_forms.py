"""The event's own questions as fields of a form, and the answers of a player."""

from typing import Any, TypeVar

from flask_wtf import FlaskForm
from wtforms import Field, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired, Optional

from events.play.questions import LARGEST_ANSWER, LONGEST_ANSWER, Kind, Question, kept, questions_of
from events.web.forms import number, text
from models.event import Event
from models.play import Player

AnyForm = TypeVar("AnyForm", bound=FlaskForm)


def with_questions(base: type[AnyForm], event: Event, *, at_desk: bool = False) -> type[AnyForm]:
    """The form with a field for each of the event's questions. At the desk none of them must be filled in."""
    fields = {f"answer_{one.id}": _field(one, required=one.required and not at_desk) for one in questions_of(event)}
    return type(base.__name__, (base,), fields) if fields else base


def _field(question: Question, *, required: bool) -> Any:
    if question.kind == Kind.NUMBER:
        return number(question.label, 0, LARGEST_ANSWER, required=required)
    if question.kind == Kind.TEXT:
        return text(question.label, LONGEST_ANSWER, required=required)
    need = DataRequired("Please choose an answer.") if required else Optional()
    first = SelectChoice("", "Please choose" if required else "No answer")
    return SelectField(question.label, [need], choices=[first, *map(SelectChoice, question.choices)])


def shown(event: Event, player: Player) -> dict[str, str | int]:
    """The player's answers by the name of their field."""
    given = kept(questions_of(event), player.answers or {}) or {}
    numbers = {one.id for one in questions_of(event) if one.kind == Kind.NUMBER}
    return {f"answer_{id_}": int(answer) if id_ in numbers else answer for id_, answer in given.items()}


def typed_answers(form: FlaskForm, event: Event) -> dict[str, str]:
    """The answers as typed, by question id."""
    data = {one.id: form[f"answer_{one.id}"].data for one in questions_of(event)}
    return {id_: str(answer) for id_, answer in data.items() if answer not in (None, "")}


def fields_of(form: FlaskForm, event: Event) -> list[Field]:
    """The fields of the questions, in order."""
    return [form[f"answer_{one.id}"] for one in questions_of(event)]
