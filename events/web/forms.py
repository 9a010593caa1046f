"""Form fields with their limits, local times, and errors shown at their fields."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any, cast
from zoneinfo import available_timezones

from babel.support import LazyProxy
from flask import request
from flask_wtf import FlaskForm
from markupsafe import Markup
from wtforms import (
    BooleanField,
    DateTimeLocalField,
    Field,
    Form,
    HiddenField,
    IntegerField,
    SelectField,
    StringField,
    TextAreaField,
    TimeField,
)
from wtforms.fields import SelectChoice
from wtforms.form import BaseForm
from wtforms.meta import DefaultMeta
from wtforms.utils import unset_value
from wtforms.validators import (
    DataRequired,
    InputRequired,
    Length,
    NumberRange,
    Optional,
    StopValidation,
    ValidationError,
)
from wtforms.widgets import DateTimeLocalInput, HiddenInput

from events.store.errors import Refused, Stale
from events.tournament.clock import NO_SUCH_HOUR, ahead_of_utc, in_utc, utc_times_of
from events.web.parsing import (
    INVISIBLE,
    LONGEST,
    NO_LINK,
    NO_WEB_ADDRESS,
    has_web_address,
    is_link,
    read_address,
    tidy,
    tidy_name,
    unfit,
)
from languages.words import ENGLISH, N_, gettext, language, lazy_gettext, ngettext
from validators.calculator import Asked
from validators.strict_json import fingerprint

ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))]
Check = Callable[[Form, Field], None]
FIRST_YEAR, LAST_YEAR = 2000, 2200


def _refusing(why: Callable[[Any], str | None]) -> Check:
    """A validator: ``why`` returns what is wrong with a value, or nothing."""

    def check(_: Form, field: Field) -> None:
        if said := why(field.data):
            raise ValidationError(said)

    return check


no_web_address = _refusing(lambda name: gettext(NO_WEB_ADDRESS) if has_web_address(name) else "")  # mails contain names
link = _refusing(lambda typed: "" if not typed or is_link(typed) else gettext(NO_LINK))
no_invisible = _refusing(  # with them, two names look the same
    lambda name: gettext("A name cannot contain invisible characters. Type it again.") if INVISIBLE.search(name) else ""
)
sensible_year = _refusing(
    lambda day: (
        ""
        if day is None or FIRST_YEAR <= day.year <= LAST_YEAR
        else gettext("Enter a year from %(first)s to %(last)s.", first=FIRST_YEAR, last=LAST_YEAR)
    )
)
printable, printable_lines = _refusing(unfit), _refusing(partial(unfit, lines=True))
"""Reject unprintable characters and too many accents, in one line or in several."""


class SiteMeta(DefaultMeta):
    """The language of WTForms' own errors, such as that of a choice that is not offered, and how fields are drawn."""

    @property
    def locales(self) -> list[str]:
        """The reader's language, else English."""
        return [language(), ENGLISH]

    def render_field(self, field: Field, render_kw: dict[str, object]) -> Markup:
        """A hidden field has no id: a page can have several forms with the same hidden fields."""
        hidden = {"id": False} if isinstance(field.widget, HiddenInput) else {}
        markup: Markup = super().render_field(field, hidden | render_kw)
        return markup


class SiteForm(FlaskForm):
    Meta = SiteMeta


STALE = N_(
    "This was changed after you opened it, perhaps in another tab. Your entries are kept below; save again to replace "
    "that change."
)


class OpenedForm(SiteForm):
    """A form that replaces several values. ``was`` is the fingerprint of those it was opened with."""

    was = HiddenField()
    stale = False

    @property
    def status(self) -> int:
        """The HTTP status of its page."""
        return 409 if self.stale else 422 if self.errors else 200

    def check_unchanged(self, values: object) -> None:
        """Raise Stale if these stored values are others than the form was opened with. Sent again, it replaces them."""
        opened, self.was.data = self.was.data, fingerprint(values)
        self.stale = opened != self.was.data
        if self.stale:
            raise Stale(gettext(STALE))


class RowForm(Form):
    Meta = SiteMeta


NEEDED = lazy_gettext("Please fill this in.")


def _at_most(length: int) -> Length:
    message = LazyProxy(
        lambda: ngettext("At most %(num)s character.", "At most %(num)s characters.", length), enable_cache=False
    )
    return Length(max=length, message=cast(str, message))


def text(
    label: str, length: int, *, required: bool = True, also: Check | None = None,
    read: Callable[[str], str] = tidy, **kwargs: Any,
) -> StringField:  # fmt: skip
    """One line of printable text, tidied by ``read``; ``also`` is a further validator."""
    need = DataRequired(NEEDED) if required else Optional()
    checks = [
        need,
        _at_most(length),
        printable,
        *([also] if also else []),
    ]
    return StringField(label, checks, filters=[lambda value: read(value or "")], **kwargs)


def name_text(label: str, length: int, *, required: bool = True, **kwargs: Any) -> StringField:
    """The name of a person, club or team: one line of text without a web address."""
    return text(label, length, required=required, also=no_web_address, read=tidy_name, **kwargs)


def account_name(label: str, **kwargs: Any) -> StringField:
    """The name of a new account: one line of text without invisible characters."""
    return text(label, 80, also=no_invisible, **kwargs)


def lines(label: str, length: int, *, required: bool = False, whole: bool = True, **kwargs: Any) -> TextAreaField:
    """Several lines of text. If it is not ``whole``, the view checks each line when it reads them."""
    need = DataRequired(NEEDED) if required else Optional()
    checks = [
        need,
        _at_most(length),
        *([printable_lines] if whole else []),
    ]
    return TextAreaField(label, checks, filters=[lambda value: (value or "").strip()], **kwargs)


def number(label: str, least: int, most: int, *, required: bool = True, **kwargs: Any) -> IntegerField:
    """A whole number within bounds. The input has the bounds too."""
    wanted = lazy_gettext("Enter a number from %(least)s to %(most)s.", least=least, most=most)
    need = InputRequired(wanted) if required else Optional()
    bounds = NumberRange(least, most, wanted)
    keys = {"min": least, "max": most, "inputmode": "numeric"} | kwargs.pop("render_kw", {})
    return WholeNumberField(label, [need, bounds], render_kw=keys, **kwargs)


class WholeNumberField(IntegerField):
    """A whole number. An invalid value stays on the page."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the value. Raises ValueError with a message for the page."""
        try:
            super().process_formdata([value.strip()[:20] for value in valuelist])
        except ValueError as error:
            raise ValueError(gettext("Enter a whole number.")) from error

    def pre_validate(self, form: BaseForm) -> None:
        """Stop after the error of an invalid number, so that the bounds add no second error. Raises StopValidation."""
        if self.process_errors and any(str(value).strip() for value in self.raw_data or ()):
            raise StopValidation


def asked_field(ask: Asked, **kwargs: Any) -> Field:
    kwargs |= {"description": ask.help, "default": ask.default}
    if ask.kind == "yes":
        return BooleanField(ask.label, false_values=("false", "", "0"), **kwargs)
    if ask.kind == "choice":
        return SelectField(ask.label, choices=[SelectChoice(value, label) for value, label in ask.choices], **kwargs)
    if ask.kind == "text":
        return text(ask.label, ask.most or 60, required=ask.default is None, **kwargs)
    return number(ask.label, ask.least, ask.most, required=ask.default is not None, **kwargs)


def answers_in(form: FlaskForm, asks: Iterable[Asked]) -> dict[str, int | str]:
    """The answers of a valid form to these questions, without blank ones; a ticked box is 1."""
    answers = ((ask.key, form[ask.key].data) for ask in asks)
    return {key: int(value) if isinstance(value, bool) else value for key, value in answers if value is not None}


def choices_in(words: Mapping[Any, str]) -> list[SelectChoice]:
    return [SelectChoice(value, lazy_gettext(label)) for value, label in words.items()]


def mail_address(label: str, *, required: bool = False, **kwargs: Any) -> StringField:
    need = DataRequired(lazy_gettext("Enter your mail address.")) if required else Optional()
    keys = {"type": "email", "autocomplete": "email", "inputmode": "email", "maxlength": LONGEST}
    filters = [lambda value: (value or "").strip()]
    return StringField(label, [need, one_address], filters=filters, render_kw=keys, **kwargs)


def one_address(_: Form, field: Field) -> None:
    """Reject an invalid mail address. Raises ValidationError."""
    try:
        read_address(field.data)
    except Refused as refused:
        raise ValidationError(refused.message) from refused


def show_at_field(form: FlaskForm, refused: Refused) -> int:
    """Show a Refused's message at its field, or at the top of the form; returns its HTTP status."""
    if refused.field in form:
        form[refused.field].errors = [*form[refused.field].errors, refused.message]
    else:
        form.form_errors.append(refused.message)
    for name, message in refused.also:
        form[name].errors = [*form[name].errors, message]
    return refused.status


@contextmanager
def refusals_at(form: FlaskForm) -> Iterator[None]:
    """Show a Refused that the block raises as ``show_at_field`` does, and go on after the block."""
    try:
        yield
    except Refused as refused:
        show_at_field(form, refused)


WHICH = "-which"
"""The suffix of the field that chooses between two times, in UTC."""


class WhichInput(DateTimeLocalInput):
    """An input for a local time, with a choice if the time occurs twice."""

    def __call__(self, field: Field, **kwargs: Any) -> Markup:
        rendered: Markup = super().__call__(field, **kwargs)
        if not isinstance(field, LocalMomentField) or len(field.moments) < 2:
            return rendered
        options = [
            Markup('<option value="{}"{}>{}: {}, {}</option>').format(
                moment.isoformat(),
                Markup(" selected") if moment == field.moment else "",
                word,
                ahead_of_utc(moment, field.zone),
                in_utc(moment, field.zone),
            )
            for word, moment in zip((gettext("The earlier"), gettext("The later")), field.moments, strict=True)
        ]
        name, id_ = f"{field.name}{WHICH}", f"{field.id}{WHICH}"
        return rendered + Markup('<select name="{}" id="{}" aria-label="{}">{}</select>').format(
            name, id_, gettext("%(label)s, which of the two", label=field.label.text), Markup().join(options)
        )


class LocalMomentField(DateTimeLocalField):
    widget = WhichInput()
    zone = "UTC"
    which = ""
    """The chosen one of two possible times; "" if none is chosen yet."""

    def process(self, formdata: Any, data: Any = unset_value, extra_filters: Any = None) -> None:
        super().process(formdata, data, extra_filters)
        chosen = formdata.getlist(f"{self.name}{WHICH}") if formdata is not None else []
        self.which = chosen[0] if chosen else ""

    def pre_validate(self, form: BaseForm) -> None:
        """Reject a time that does not occur, and ask for a choice if it occurs twice. Raises StopValidation."""
        if self.data is None or self.zone not in ZONES:
            return
        sensible_year(form, self)
        if not self.moments:
            raise StopValidation(gettext(NO_SUCH_HOUR))
        if len(self.moments) > 1 and self.which not in [moment.isoformat() for moment in self.moments]:
            raise StopValidation(
                gettext(
                    "This time occurs twice on that day, because the clocks go back. Choose one of the two and send "
                    "the form again."
                )
            )

    @property
    def moments(self) -> tuple[datetime, ...]:
        """The possible UTC times, the earlier first: none, one or two."""
        if not isinstance(self.data, datetime) or self.zone not in ZONES or not 1 < self.data.year < 9999:
            return ()
        return utc_times_of(self.data, self.zone)

    @property
    def moment(self) -> datetime | None:
        """The time in UTC. Of two, the chosen one, else the stored one, else the later."""
        moments = self.moments
        if len(moments) < 2:
            return moments[0] if moments else None
        chosen = [moment for moment in moments if moment.isoformat() == self.which]
        stored = moments[self.data.fold] if self.raw_data is None else moments[-1]
        return chosen[0] if chosen else stored


def moment(label: str, **kwargs: Any) -> LocalMomentField:
    """An optional local time; its ``moment`` is the time in UTC."""
    formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
    return LocalMomentField(label, [Optional()], format=formats, **kwargs)


class DayTimeField(TimeField):
    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the value. Raises ValueError with a message for the page."""
        try:
            super().process_formdata(valuelist)
        except ValueError as error:
            raise ValueError(gettext("Enter a time such as 14:30.")) from error

    @property
    def clock(self) -> str:
        """The time as "HH:MM"; "" for none."""
        return self.data.strftime("%H:%M") if self.data else ""


def day_time(label: str, **kwargs: Any) -> DayTimeField:
    return DayTimeField(label, [Optional()], format=["%H:%M", "%H:%M:%S"], **kwargs)


def typed(wanted: str) -> bool:
    """Whether the form's "typed" field confirms this text, ignoring case and space."""
    return " ".join(request.form.get("typed", "")[:200].split()).casefold() == wanted.casefold()
