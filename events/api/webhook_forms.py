"""The form of a new webhook."""

from wtforms import RadioField, SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget

from events.web.forms import SiteForm, choices_in, link, text
from languages.words import N_, lazy_gettext
from models.dispatch import WebhookKind

ALSO = {
    "player.registered": N_("Sign-ups and places"),
    "player.withdrawn": N_("Players who leave"),
    "player.checked_in": N_("Check-in"),
    "list.submitted": N_("Submitted lists"),
    "payment.changed": N_("Payments"),
}
"""The types of calls about what is not public."""


class WebhookForm(SiteForm):
    name = text(lazy_gettext("Name"), 80, description=lazy_gettext("Only the desk reads it."))
    kind = RadioField(
        lazy_gettext("Form"),
        choices=[
            SelectChoice(
                WebhookKind.DISCORD.value,
                lazy_gettext("Discord: a message for each round in a channel, edited as the round goes on"),
            ),
            SelectChoice(
                WebhookKind.SIGNED.value, lazy_gettext("A program: a signed call for each change (Standard Webhooks)")
            ),
        ],
        default=WebhookKind.DISCORD.value,
    )
    also = SelectMultipleField(
        lazy_gettext("A program is also told of"),
        choices=choices_in(ALSO),
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description=lazy_gettext("With the players’ names, and amounts of payments. Tick only what the program needs."),
    )
    address = text(lazy_gettext("Address"), 500, also=link)
