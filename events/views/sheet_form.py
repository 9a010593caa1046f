"""The form of a result as it is typed from paper: every question a small box, in the order of the printed sheet."""

from typing import Any

from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import Optional

from events.views.fields import WholeNumberField
from events.views.paper import columns
from events.views.report_form import PLAYED, ending_choices
from models.play import Player
from validators.scenario import Question, Scenario, Side

SIDES: tuple[Side, Side] = ("a", "b")
TYPED = {"type": "text", "inputmode": "numeric", "maxlength": 4, "autocomplete": "off"}
"""A box for figures. No spinning: a wheel or an arrow key must not change what was typed from paper."""


def sheet_form(scenario: Scenario, a: Player, b: Player) -> type[FlaskForm]:
    """A form class with a box for each question that can score, named by the question's key."""
    names: dict[Side, str] = {"a": a.name, "b": b.name}
    fields: dict[str, Any] = {
        "version": HiddenField(), "game": HiddenField(), "sure": BooleanField("Yes, that is right"),
    }  # fmt: skip
    for question in scenario.questions:
        if question.kind == "choice":
            options = [SelectChoice("", "Not noted"), *map(SelectChoice, question.choices)]
            label = f"{names[question.side]}: {question.label}"
            fields[question.key] = SelectField(label, choices=options, validate_choice=False)
        elif question.most > 0:
            # What cannot be goes on to the scenario's own check, which says why.
            label = f"{names[question.side]}: {question.label}"
            fields[question.key] = WholeNumberField(label, [Optional()], render_kw=dict(TYPED))
    fields["ending"] = SelectField("How it ended", choices=ending_choices(a, b), default=PLAYED)
    return type("SheetForm", (FlaskForm,), fields)


def paper_order(scenario: Scenario) -> list[tuple[Side, list[Question]]]:
    """The questions as the printed sheet asks them: row A, row B, then the markers of either."""
    rows: list[tuple[Side, list[Question]]] = []
    for side in SIDES:
        chosen = [q for q in scenario.questions if q.side == side and q.kind == "choice"]
        rows.append((side, [*columns(scenario, side), *chosen]))
    for side in SIDES:
        markers = [q for q in scenario.questions if q.side == side and q.kind == "objectives"]
        if markers:
            rows.append((side, markers))
    return rows
