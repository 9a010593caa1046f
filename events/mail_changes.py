"""The mails about a player's changed address: what they say, and the link by which the address until now agrees."""

from datetime import timedelta

from itsdangerous import BadSignature, URLSafeSerializer

from events.message_text import Template

GOOD_FOR = timedelta(hours=1)
"""So long the link agrees, counted from when the change was asked for."""
ABOUT_ADDRESS = "address"
"""Whom these messages are for, as ``Message.recipients`` says it: nobody can choose it for a message of their own."""
AGREE = "agree"
"""The placeholder of the link. Only the mail has it: on a page stands ``NOT_HERE``."""
NOT_HERE = "(the link is in the mail alone)"

ASKED = Template(
    "Address to be changed",
    ABOUT_ADDRESS,
    "{event}: another mail address?",
    "Hello {name},\n\nsomebody asked on your page of {event} that mails go to another address. If it was you, open "
    "this link within an hour and press the button there:\n\n{agree}\n\nIf it was not you, do nothing: mails go on to "
    "this address. But tell the organiser, who gives you a new private link: somebody else has your phone, or the link "
    "of until now.",
)
CHANGED = Template(
    "Address changed",
    ABOUT_ADDRESS,
    "{event}: mails come here now",
    "Hello {name},\n\nmails of {event} come to this address from now on. The one until now gets none any more.\n\n"
    "Your page: {link}",
)


def change_token(secret: str | bytes | None, key: str) -> str:
    """The token by which the address until now agrees to the change of this key."""
    return _signer(secret).dumps(key)


def change_key(secret: str | bytes | None, token: str) -> str:
    """The key of the change that the token was made for; "" where we did not sign it."""
    try:
        return str(_signer(secret).loads(token))
    except (BadSignature, ValueError, TypeError):
        return ""


def _signer(secret: str | bytes | None) -> URLSafeSerializer:
    # The salt is the purpose: a token made for anything else agrees to nothing.
    return URLSafeSerializer(secret or "", salt="mail-change")
