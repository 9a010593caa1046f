"""Forms: messages, mail addresses and notices."""

from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, PasswordField, SelectField, SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired, Length
from wtforms.widgets import CheckboxInput, ListWidget

from events.messages.actions import Draft
from events.messages.queries import GROUPS, groups
from events.web.forms import lines, mail_address
from events.web.forms import text as web_text
from events.web.parsing import whole_number
from events.web.request import db, mail_server, now
from models.event import Event


class NoticesForm(FlaskForm):
    """The occasions for which a player is notified."""

    wanted = SelectMultipleField(
        "Notify me about", option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False),
    )  # fmt: skip


class LostLinkForm(FlaskForm):
    """The mail address given at registration."""

    mail = mail_address("Mail address", required=True, description="The address that you gave when you registered.")


class MessageForm(FlaskForm):
    """A message and its recipients."""

    recipients = SelectField("To")
    chosen = SelectMultipleField(
        "Chosen by hand", coerce=whole_number, option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False)
    )
    subject = web_text("Subject", 120)
    text = lines("Text", 4000, required=True)
    mail = BooleanField(
        "Also by mail", description="Sent to players who gave an address. All players read it on their page."
    )
    shown = SelectField("Show the copy of", coerce=whole_number, validate_choice=False, default=0)
    key = HiddenField()

    def offer(self, event: Event) -> None:
        """Set the choices to the groups and their current players."""
        found = groups(db(), event, now())
        self.recipients.choices = [
            SelectChoice(group, label if group == "chosen" else f"{label} ({len(found[group])})")
            for group, label in GROUPS.items()
        ]
        self.chosen.choices = [SelectChoice(p.id, p.name) for p in found["chosen"]]
        if not (mail_server() and event.mail_asked):
            del self.mail

    def draft(self) -> Draft:
        """The message as typed."""
        return Draft(
            self.recipients.data,
            self.subject.data,
            "\n".join(self.text.data.splitlines()),
            frozenset(self.chosen.data or ()),
            bool(self.mail.data) if "mail" in self else False,
        )


class AllowForm(FlaskForm):
    """Whether players may give a mail address."""

    allowed = BooleanField(
        "Players may give a mail address",
        description="When they register, and on their own pages. Only organisers see it. Unticking this deletes "
        "every address.",
    )


class AddressForm(FlaskForm):
    """The mail address of one player or account."""

    mail = mail_address("Mail address", description="Leave blank to delete it.")


class AccountAddressForm(AddressForm):
    """An account's mail address, and its password again."""

    old = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])
