"""Forms: sign-in, set-up, invitations and codes."""

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, RadioField
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired, EqualTo, Length

from events.accounts.passkeys import LONGEST
from events.accounts.tokens import AREAS
from events.play.visitor import WORDS
from events.web.forms import account_name, name_text, number, text
from models.staff import Role

NO_ANSWER = "The browser sent no passkey. Try again."


class CodeForm(FlaskForm):
    """A code from the app, or a spare code."""

    code = text("Code", 40, description="The six digits that your app shows now, or one of your spare codes.")


class OwnForm(CodeForm):
    """The password and a code, to turn the second factor on or off."""

    old = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


class ConfirmForm(FlaskForm):
    """The password again, before passkeys are changed."""

    old = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


class PasskeyForm(FlaskForm):
    """A browser's answer to a passkey's challenge."""

    credential = HiddenField("Passkey", [DataRequired(NO_ANSWER), Length(max=LONGEST, message=NO_ANSWER)])


class NewPasskeyForm(PasskeyForm):
    """The same for a new passkey."""

    called = text("Name of this passkey", 60)


class KnownForm(FlaskForm):
    """Name and password of an existing account."""

    name = text("Name", 80)
    password = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


class InviteForm(FlaskForm):
    """The role for an invitation."""

    role = RadioField("As", choices=[SelectChoice(role.value, WORDS[role].capitalize()) for role in Role])


class TokenForm(FlaskForm):
    """A new token of a program."""

    name = name_text("Name of the program", 60, description="The journal has this name.")
    days = number("Days until it ends", 1, 366)
    role = RadioField("Area", choices=[SelectChoice(role.value, WORDS[role].capitalize()) for role in AREAS])


def new_password(label: str) -> PasswordField:
    """A field for a new password."""
    return PasswordField(
        label,
        [DataRequired("Please choose a password."), Length(10, 200, "From 10 to 200 characters.")],
        description="At least 10 characters. Three words you will remember are better than one clever one.",
    )


class SetUpForm(FlaskForm):
    """An organiser's name and first password."""

    name = account_name("Your name", description="Shown to players and in the journal.")
    password = new_password("Password")


class SignInForm(FlaskForm):
    """Name and password."""

    name = text("Name", 80)
    password = PasswordField("Password", [DataRequired("Please type your password."), Length(max=200)])


class NewPasswordForm(FlaskForm):
    """A new password."""

    password = new_password("New password")
    again = PasswordField("New password again", [EqualTo("password", "The two new passwords differ. Type it again.")])


class PasswordForm(NewPasswordForm):
    """A new password for one's own account."""

    old = PasswordField("Current password", [DataRequired("Please type your current password."), Length(max=200)])
