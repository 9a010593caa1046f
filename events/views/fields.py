"""Form fields with the bounds that every field of its kind has, and how a refusal finds its field."""

from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

from flask_wtf import FlaskForm
from wtforms import Field, Form, IntegerField, StringField, TextAreaField
from wtforms.form import BaseForm
from wtforms.validators import (
    DataRequired,
    InputRequired,
    Length,
    NumberRange,
    Optional,
    StopValidation,
    ValidationError,
)

from events.errors import Refused
from events.mail_addresses import LONGEST, read_address
from events.names import INVISIBLE, NO_WEB_ADDRESS, has_web_address, tidy
from events.typed import unfit

ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))]


Check = Callable[[Form, Field], None]


def text(label: str, length: int, *, required: bool = True, also: Check | None = None, **kwargs: Any) -> StringField:
    """One line of text, tidied, without characters that cannot be printed; ``also`` checks what else it must be."""
    need = DataRequired(f"Please fill in: {label.lower()}.") if required else Optional()
    checks = [need, Length(max=length, message=f"At most {length} characters."), printable, *([also] if also else [])]
    return StringField(label, checks, filters=[lambda value: tidy(value or "")], **kwargs)


def name_text(label: str, length: int, *, required: bool = True, **kwargs: Any) -> StringField:
    """The name of a person, club or team: one line of text without a web address."""
    return text(label, length, required=required, also=no_web_address, **kwargs)


def account_name(label: str, **kwargs: Any) -> StringField:
    """The name of a new account: one line of text without invisible characters."""
    return text(label, 80, also=no_invisible, **kwargs)


def no_web_address(_: Form, field: Field) -> None:
    """Refuse a name that contains a web address: mails carry names. Raises ValidationError."""
    if has_web_address(field.data):
        raise ValidationError(NO_WEB_ADDRESS)


def no_invisible(_: Form, field: Field) -> None:
    """Refuse characters that nobody sees: with them two names look the same. Raises ValidationError."""
    if INVISIBLE.search(field.data):
        raise ValidationError("A name cannot contain invisible characters. Type it again by hand.")


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

    def pre_validate(self, form: BaseForm) -> None:
        """What is no number is told once, without bounds that it could not keep. Raises StopValidation."""
        if self.process_errors and any(str(value).strip() for value in self.raw_data or ()):
            raise StopValidation


def mail_address(label: str, **kwargs: Any) -> StringField:
    """An optional mail address."""
    keys = {"type": "email", "autocomplete": "email", "inputmode": "email", "maxlength": LONGEST}
    filters = [lambda value: (value or "").strip()]
    return StringField(label, [Optional(), one_address], filters=filters, render_kw=keys, **kwargs)


def one_address(_: Form, field: Field) -> None:
    """Refuse what is no mail address. Raises ValidationError."""
    try:
        read_address(field.data)
    except Refused as refused:
        raise ValidationError(refused.message) from refused


FIRST_YEAR, LAST_YEAR = 2000, 2200


def sensible_year(_: Form, field: Field) -> None:
    """Refuse a date that is a slip of the finger. Raises ValidationError."""
    if field.data is not None and not FIRST_YEAR <= field.data.year <= LAST_YEAR:
        raise ValidationError(f"A year from {FIRST_YEAR} to {LAST_YEAR} is needed.")


def printable(_: Form, field: Field) -> None:
    """Refuse control characters, lone surrogates, direction overrides and towers of accents. Raises ValidationError."""
    if why := unfit(field.data):
        raise ValidationError(why)


def printable_lines(_: Form, field: Field) -> None:
    """The same, for text of several lines."""
    if why := unfit(field.data, lines=True):
        raise ValidationError(why)


def show_at_field(form: FlaskForm, refused: Refused) -> None:
    """Put a refusal where the form shows it: at its field, or at the top."""
    if refused.field in form:
        form[refused.field].errors = [*form[refused.field].errors, refused.message]
    else:
        form.form_errors.append(refused.message)
    for name, message in refused.also:
        form[name].errors = [*form[name].errors, message]
