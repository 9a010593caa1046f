"""What a game reckons at the table: a page for people and the same as JSON for programs, from the game's own data.

Both are one address with its answers behind it, so that a reckoning can be kept and handed on; nothing is stored.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, SelectField
from wtforms.fields import SelectChoice

from events.views.fields import number
from validators import SYSTEMS
from validators.calculator import Asked, Calculator, Figure, Given
from validators.contract import GameSystem
from validators.sheet import Table

blueprint = Blueprint("calculators", __name__)


@blueprint.get("/rules/<game:system_id>/<calculator_id>")
def page(system_id: str, calculator_id: str) -> ResponseReturnValue:
    """A calculator: its fields with what was asked, or the game's example, and what follows."""
    system, calculator = _calculator(system_id, calculator_id)
    form = _filled(calculator)
    right = form.validate()
    shown = render_template(
        "calculator.html",
        game=system,
        calculator=calculator,
        form=form,
        asked=bool(request.args),
        result=calculator.reckon(_given(form, calculator)) if right else None,
    )
    return shown, 200 if right else 422


@blueprint.get("/api/v1/rules/<game:system_id>/<calculator_id>")
def as_json(system_id: str, calculator_id: str) -> ResponseReturnValue:
    """The same reckoning as JSON; 422 with the faults by field. What is left out has the example's value."""
    system, calculator = _calculator(system_id, calculator_id)
    form = _filled(calculator)
    faults = {key: [f"{key} is no field of this calculator."] for key in request.args if key not in form}
    if not form.validate():
        faults |= {field.name: [str(fault) for fault in field.errors] for field in form if field.errors}
    if faults:
        return jsonify(faults=faults), 422
    given = _given(form, calculator)
    result = calculator.reckon(given)
    return jsonify(
        game=system.id,
        calculator=calculator.id,
        asked=given,
        figures={figure.key: _figure(figure) for figure in (*result.main, *result.figures)},
        tables=[_table(table) for table in result.tables],
    )


def _calculator(system_id: str, calculator_id: str) -> tuple[GameSystem, Calculator]:
    system = SYSTEMS[system_id]
    try:
        return system, system.calculator(calculator_id)
    except KeyError:
        abort(404)


def _filled(calculator: Calculator) -> FlaskForm:
    """The form with the address's answers; what it does not answer has the example's value."""
    answered = {key: values[-1] for key, values in request.args.lists()}  # a box sends its no, then its yes
    values = {key: str(value) for key, value in calculator.defaults.items()} | answered
    fields: dict[str, Any] = {ask.key: _field(ask) for ask in calculator.asks}
    form = type("CalculatorForm", (FlaskForm,), fields)
    return form(formdata=MultiDict(values), meta={"csrf": False})


def _field(ask: Asked) -> Any:
    if ask.kind == "yes":
        return BooleanField(ask.label, false_values=("false", "", "0"), description=ask.help)
    if ask.kind == "choice":
        choices = [SelectChoice(value, label) for value, label in ask.choices]
        return SelectField(ask.label, choices=choices, description=ask.help)
    return number(ask.label, ask.least, ask.most, required=ask.default is not None, description=ask.help)


def _given(form: FlaskForm, calculator: Calculator) -> Given:
    answers = ((ask.key, form[ask.key].data) for ask in calculator.asks)
    return {key: int(value) if isinstance(value, bool) else value for key, value in answers if value is not None}


def _figure(figure: Figure) -> Mapping[str, int | str]:
    return {"label": figure.label, "value": figure.value, "unit": figure.unit, "how": figure.how}


def _table(table: Table) -> Mapping[str, Any]:
    return {
        "title": table.title,
        "heads": [column.head for column in table.columns],
        "rows": [[cell.strip() for cell in row] for row in table.rows],
    }
