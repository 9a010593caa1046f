"""The form of a new webhook."""

from wtforms import RadioField
from wtforms.fields import SelectChoice

from events.web.forms import SiteForm, link, text
from languages.words import lazy_gettext
from models.webhook import WebhookKind


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
    address = text(lazy_gettext("Address"), 500, also=link)
