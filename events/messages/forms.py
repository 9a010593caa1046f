"""Forms: messages, mail addresses and notices."""

from wtforms import BooleanField, HiddenField, SelectField, SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget

from events.accounts.forms import known_password
from events.messages.actions import Draft
from events.messages.queries import groups
from events.web.forms import SiteForm, lines, mail_address
from events.web.forms import text as web_text
from events.web.parsing import whole_number
from events.web.request import mail_server, now
from languages.words import gettext, lazy_gettext
from models.event import Event
from models.message import GROUPS


class NoticesForm(SiteForm):
    wanted = SelectMultipleField(
        lazy_gettext("Notify me about"), option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False),
    )  # fmt: skip


class LostLinkForm(SiteForm):
    mail = mail_address(
        lazy_gettext("Mail address"),
        required=True,
        description=lazy_gettext("The address that you gave when you registered."),
    )


class MessageForm(SiteForm):
    recipients = SelectField(lazy_gettext("To"))
    chosen = SelectMultipleField(
        lazy_gettext("Chosen by hand"),
        coerce=whole_number,
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
    )
    subject = web_text(lazy_gettext("Subject"), 120)
    text = lines(lazy_gettext("Text"), 4000, required=True)
    mail = BooleanField(
        lazy_gettext("Also by mail"),
        description=lazy_gettext("Sent to players who gave an address. All players read it on their page."),
    )
    shown = SelectField(lazy_gettext("Show the copy of"), coerce=whole_number, validate_choice=False, default=0)
    key = HiddenField()

    def offer(self, event: Event) -> None:
        rows = groups(event, now())
        self.recipients.choices = [
            SelectChoice(group, gettext(label) if group == "chosen" else f"{gettext(label)} ({len(rows[group])})")
            for group, label in GROUPS.items()
        ]
        self.chosen.choices = [SelectChoice(p.id, p.name) for p in rows["chosen"]]
        if not (mail_server() and event.mail_asked):
            del self.mail

    def draft(self) -> Draft:
        return Draft(
            self.recipients.data,
            self.subject.data,
            "\n".join(self.text.data.splitlines()),
            frozenset(self.chosen.data or ()),
            bool(self.mail.data) if "mail" in self else False,
        )


class AllowForm(SiteForm):
    allowed = BooleanField(
        lazy_gettext("Players may give a mail address"),
        description=lazy_gettext(
            "When they register, and on their own pages. Only organisers see it. Unticking this deletes every address."
        ),
    )


class AddressForm(SiteForm):
    mail = mail_address(lazy_gettext("Mail address"), description=lazy_gettext("Leave blank to delete it."))


class AccountAddressForm(AddressForm):
    old = known_password()
