"""The form of a new webhook."""

from flask_wtf import FlaskForm
from wtforms import RadioField
from wtforms.fields import SelectChoice

from events.web.forms import link, text
from models.webhook import WebhookKind


class WebhookForm(FlaskForm):
    """An address and the form of its calls."""

    name = text("Name", 80, description="Only the desk reads it.")
    kind = RadioField(
        "Form",
        choices=[
            SelectChoice(
                WebhookKind.DISCORD.value, "Discord: a message for each round in a channel, edited as the round goes on"
            ),
            SelectChoice(WebhookKind.SIGNED.value, "A program: a signed call for each change (Standard Webhooks)"),
        ],
        default=WebhookKind.DISCORD.value,
    )
    address = text("Address", 500, also=link)
