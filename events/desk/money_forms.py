"""Forms of one player's payments: what the player pays, a payment, and what is given back."""

from typing import Any

from wtforms import HiddenField, SelectField, StringField
from wtforms.fields import SelectChoice

from events.registration.payments import WAYS
from events.store.errors import Refused
from events.web.forms import SiteForm, choices_in, text
from languages.money import as_typed, sum_typed, without_currency
from languages.words import gettext, lazy_gettext
from models.play import LONGEST_REFERENCE, LONGEST_WAY

LONGEST_SUM = 14


def amount_field(label: str, **kwargs: Any) -> StringField:
    return text(label, LONGEST_SUM, required=False, render_kw={"inputmode": "decimal"}, **kwargs)


class FeeForm(SiteForm):
    currency = HiddenField()
    fee = amount_field(
        lazy_gettext("To pay"),
        description=lazy_gettext("Only if it differs from the event’s fee, as for members. 0 for nothing."),
    )


class PaymentForm(SiteForm):
    """A sum that was paid or given back, in the ``currency`` that the page has shown."""

    currency = HiddenField()
    amount = amount_field(lazy_gettext("Amount"))
    how = SelectField(
        lazy_gettext("How"), choices=[*choices_in(WAYS), SelectChoice("", lazy_gettext("In another way"))]
    )
    other = text(lazy_gettext("Which other way"), LONGEST_WAY, required=False)
    reference = text(
        lazy_gettext("Reference"),
        LONGEST_REFERENCE,
        required=False,
        description=lazy_gettext("Of the bank or in your books."),
    )

    @property
    def way(self) -> str:
        """The way to store. Raises Refused."""
        if not self.how.data and not self.other.data:
            raise Refused(gettext("Please fill this in."), "other")
        return str(self.how.data or self.other.data)


def amount_in(field: StringField, currency: str, *, zero: bool = False) -> int | None:
    """The typed sum in minor units; None for none. Raises Refused at the field."""
    if not field.data:
        return None
    typed = without_currency(field.data, currency)
    if zero and typed == "0":
        return 0
    try:
        return sum_typed(typed, currency)
    except ValueError:
        example = as_typed(1200, currency)
        raise Refused(gettext("Enter an amount such as %(example)s.", example=example), field.short_name) from None
