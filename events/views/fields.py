"""Form fields with the bounds that every field of its kind has, and how a refusal finds its field."""

from typing import Any
from zoneinfo import available_timezones

from flask_wtf import FlaskForm
from wtforms import Field, Form, IntegerField, StringField, TextAreaField
from wtforms.validators import DataRequired, InputRequired, Length, NumberRange, Optional, ValidationError

from events.errors import Refused
from events.names import forbidden_character, tidy

ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))]


def text(label: str, length: int, *, required: bool = True, **kwargs: Any) -> StringField:
    """One line of text, tidied, without characters that cannot be printed."""
    need = DataRequired(f"Please fill in: {label.lower()}.") if required else Optional()
    checks = [need, Length(max=length, message=f"At most {length} characters."), printable]
    return StringField(label, checks, filters=[lambda value: tidy(value or "")], **kwargs)


def lines(label: str, length: int, *, required: bool = False, **kwargs: Any) -> TextAreaField:
    """Several lines of text."""
    need = DataRequired(f"Please fill in: {label.lower()}.") if required else Optional()
    checks = [need, Length(max=length, message=f"At most {length} characters."), printable_lines]
    return TextAreaField(label, checks, filters=[lambda value: (value or "").strip()], **kwargs)


def number(label: str, least: int, most: int, *, required: bool = True, **kwargs: Any) -> IntegerField:
    """A whole number within bounds, with the bounds on the input as well."""
    need = InputRequired(f"A number from {least} to {most} is needed.") if required else Optional()
    bounds = NumberRange(least, most, f"From {least} to {most}.")
    keys = {"min": least, "max": most, "inputmode": "numeric"} | kwargs.pop("render_kw", {})
    return WholeNumberField(label, [need, bounds], render_kw=keys, **kwargs)


class WholeNumberField(IntegerField):
    """A whole number; what was typed stays on the page when it is none."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the typed text. Raises ValueError with words for the page."""
        try:
            super().process_formdata([value.strip()[:20] for value in valuelist])
        except ValueError as error:
            raise ValueError("Please type a whole number.") from error


def printable(_: Form, field: Field) -> None:
    """Refuse control characters, lone surrogates and direction overrides. Raises ValidationError."""
    if forbidden_character(field.data or "") is not None:
        raise ValidationError("It holds a character that cannot be printed; please type it anew.")


def printable_lines(_: Form, field: Field) -> None:
    """The same, for text of several lines."""
    if forbidden_character(field.data or "", lines=True) is not None:
        raise ValidationError("It holds a character that cannot be printed; please type it anew.")


def show_at_field(form: FlaskForm, refused: Refused) -> None:
    """Put a refusal where the form shows it: at its field, or at the top."""
    if refused.field and refused.field in form:
        form[refused.field].errors = [*form[refused.field].errors, refused.message]
    else:
        form.form_errors.append(refused.message)
