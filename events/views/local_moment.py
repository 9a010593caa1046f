"""The form field for a day and an hour at the event's place, which asks where that hour comes twice."""

from datetime import datetime
from typing import Any

from markupsafe import Markup
from wtforms import DateTimeLocalField, Field
from wtforms.form import BaseForm
from wtforms.utils import unset_value
from wtforms.validators import Optional, StopValidation
from wtforms.widgets import DateTimeLocalInput

from events.moments import ahead_of_utc, in_utc, moments_of
from events.views.fields import ZONES, sensible_year

WHICH = "-which"
"""Behind a field's name: which of two moments is meant, in UTC."""


class WhichInput(DateTimeLocalInput):
    """The day and the hour; and where that hour comes twice, the choice of which it is."""

    def __call__(self, field: Field, **kwargs: Any) -> Markup:
        """The input, and behind it a choice of two where one is needed."""
        typed: Markup = super().__call__(field, **kwargs)
        if not isinstance(field, LocalMomentField) or len(field.moments) < 2:
            return typed
        options = [
            Markup('<option value="{}"{}>The {}: {}, {}</option>').format(
                moment.isoformat(),
                Markup(" selected") if moment == field.moment else "",
                word,
                ahead_of_utc(moment, field.zone),
                in_utc(moment, field.zone),
            )
            for word, moment in zip(("earlier", "later"), field.moments, strict=True)
        ]
        name, id_ = f"{field.name}{WHICH}", f"{field.id}{WHICH}"
        return typed + Markup('<select name="{}" id="{}" aria-label="{}, which of the two">{}</select>').format(
            name, id_, field.label.text, Markup().join(options)
        )


class LocalMomentField(DateTimeLocalField):
    """A day and an hour as a clock at the event's place shows them; ``zone`` is set before the form is checked."""

    widget = WhichInput()
    zone = "UTC"
    which = ""
    """The moment chosen where two are possible; "" where nobody was asked yet."""

    def process(self, formdata: Any, data: Any = unset_value, extra_filters: Any = None) -> None:
        """Read what was typed, and what was chosen beside it."""
        super().process(formdata, data, extra_filters)
        chosen = formdata.getlist(f"{self.name}{WHICH}") if formdata is not None else []
        self.which = chosen[0] if chosen else ""

    def pre_validate(self, form: BaseForm) -> None:
        """Refuse an hour that does not exist, ask of one that comes twice. Raises StopValidation."""
        if self.data is None or self.zone not in ZONES:
            return
        sensible_year(form, self)
        if not self.moments:
            raise StopValidation("There is no such time on that day: the clocks go forward over it.")
        if len(self.moments) > 1 and self.which not in [moment.isoformat() for moment in self.moments]:
            raise StopValidation(
                "This hour comes twice on that day: the clocks go back over it. Look which of the two is chosen, and "
                "send it again."
            )

    @property
    def moments(self) -> tuple[datetime, ...]:
        """What is typed or stored, in UTC, the earlier first: none, one, or two moments."""
        if not isinstance(self.data, datetime) or self.zone not in ZONES or not 1 < self.data.year < 9999:
            return ()
        return moments_of(self.data, self.zone)

    @property
    def moment(self) -> datetime | None:
        """The moment that is meant, in UTC: of two the one chosen, else the one stored, else the later."""
        found = self.moments
        if len(found) < 2:
            return found[0] if found else None
        chosen = [moment for moment in found if moment.isoformat() == self.which]
        stored = found[self.data.fold] if self.raw_data is None else found[-1]
        return chosen[0] if chosen else stored


def moment(label: str, **kwargs: Any) -> LocalMomentField:
    """An optional day and hour at the event's place. Its ``moment`` is what is meant, in UTC."""
    formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
    return LocalMomentField(label, [Optional()], format=formats, **kwargs)
