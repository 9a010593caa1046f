"""Forms: sign-in, set-up, invitations and codes."""

from wtforms import BooleanField, HiddenField, PasswordField, RadioField
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired, EqualTo, Length

from events.accounts.passkeys import LONGEST
from events.accounts.tokens import AREAS
from events.store.visitor import WORDS
from events.web.forms import SiteForm, account_name, name_text, number, text
from languages.words import lazy_gettext
from models.staff import Role

NO_ANSWER = lazy_gettext("The browser sent no passkey. Try again.")


def known_password() -> PasswordField:
    return PasswordField(
        lazy_gettext("Password"), [DataRequired(lazy_gettext("Please type your password.")), Length(max=200)]
    )


class CodeForm(SiteForm):
    """A code from the app, or a spare code."""

    code = text(
        lazy_gettext("Code"),
        40,
        description=lazy_gettext("The six digits that your app shows now, or one of your spare codes."),
    )


class OwnForm(CodeForm):
    old = known_password()


class ConfirmForm(SiteForm):
    """The password again, before passkeys are changed."""

    old = known_password()


class PasskeyForm(SiteForm):
    credential = HiddenField("Passkey", [DataRequired(NO_ANSWER), Length(max=LONGEST, message=NO_ANSWER)])


class NewPasskeyForm(PasskeyForm):
    called = text(lazy_gettext("Name of this passkey"), 60)


class KnownForm(SiteForm):
    name = text(lazy_gettext("Name"), 80)
    password = known_password()


class InviteForm(SiteForm):
    role = RadioField(lazy_gettext("As"), choices=[SelectChoice(role.value, WORDS[role].capitalize()) for role in Role])


class TokenForm(SiteForm):
    name = name_text(lazy_gettext("Name of the program"), 60, description=lazy_gettext("The journal has this name."))
    days = number(lazy_gettext("Days until it ends"), 1, 366)
    role = RadioField(
        lazy_gettext("Area"), choices=[SelectChoice(role.value, WORDS[role].capitalize()) for role in AREAS]
    )
    old = known_password()


def new_password(label: str) -> PasswordField:
    return PasswordField(
        label,
        [
            DataRequired(lazy_gettext("Please choose a password.")),
            Length(10, 200, lazy_gettext("From 10 to 200 characters.")),
        ],
        description=lazy_gettext(
            "At least 10 characters. Three words you will remember are better than one clever one."
        ),
    )


class SetUpForm(SiteForm):
    name = account_name(lazy_gettext("Your name"), description=lazy_gettext("Shown to players and in the journal."))
    password = new_password(lazy_gettext("Password"))


class SignInForm(SiteForm):
    name = text(lazy_gettext("Name"), 80)
    password = known_password()


class NewPasswordForm(SiteForm):
    password = new_password(lazy_gettext("New password"))
    again = PasswordField(
        lazy_gettext("New password again"),
        [EqualTo("password", lazy_gettext("The two new passwords differ. Type it again."))],
    )


class PasswordForm(NewPasswordForm):
    old = PasswordField(
        lazy_gettext("Current password"),
        [DataRequired(lazy_gettext("Please type your current password.")), Length(max=200)],
    )
    tokens = BooleanField(lazy_gettext("End the tokens of my programs too"), default=True)
