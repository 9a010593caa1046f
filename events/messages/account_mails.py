"""The mail address of an account, and the mails to it: one that asks, then one about each sign-in on a new browser."""

import secrets
from datetime import datetime

from itsdangerous import BadSignature, URLSafeSerializer
from sqlmodel import Session, col, select

from events.accounts import limits
from events.accounts.limits import Limit
from events.messages import permits
from events.messages.permits import A_DAY, Cause
from events.store.errors import Refused
from languages.words import N_, gettext, ngettext
from models.dispatch import Dispatch, DispatchKind, queued
from models.people import Account, AccountMail

ADDRESSES = Limit("mail-acct", 3, A_DAY)
"""Addresses that one account may give."""
ASKS = (
    N_("Confirm your mail address"),
    N_(
        "The account “{name}” at {links} gave this address, to be mailed when it is used on a new browser.\n\n"
        "If that is you, open this link and press the button:\n{confirm}\n\nIf not, ignore this mail: no more come.\n"
    ),
)
SIGNED_IN = (
    N_("New sign-in: {browser}"),
    N_(
        "Your account “{name}” at {links} was signed in on {at}, on a browser that it was not used with before: "
        "{browser}.\n\nIf that was you, you need do nothing.\n\nIf not, open {links}/account, sign that browser out, "
        "and choose a new password.\n\n-- \nTo stop these mails, delete the mail address on that page.\n"
    ),
)


def address_of_account(s: Session, account: Account) -> AccountMail | None:
    return s.exec(select(AccountMail).where(AccountMail.account_id == account.id)).first()


def give_account_address(s: Session, account: Account, mail: str, now: datetime) -> None:
    """Store an account's address and queue the mail that asks; "" deletes the address. Raises Refused."""
    held = address_of_account(s, account)
    if held is not None and held.mail == mail:
        return
    waiting = s.exec(select(Dispatch).where(Dispatch.account_id == account.id)).all()
    if held is not None and held.confirmed_at is not None and any(row.about for row in waiting):
        raise Refused(
            gettext("A mail about a new sign-in is on its way to your address. Try again in some minutes."), "mail"
        )
    for row in waiting:
        s.delete(row)  # not for another address
    if held is not None:
        s.delete(held)
        s.flush()  # deletes the old address before the new one is added
    if not mail:
        return
    if limits.count_attempt(s, {ADDRESSES: str(account.id)}, now) is not None:
        raise Refused(
            ngettext(
                "You have reached the limit of %(num)s address in 24 hours. Try tomorrow.",
                "You have reached the limit of %(num)s addresses in 24 hours. Try tomorrow.",
                ADDRESSES.most,
            ),
            "mail",
        )
    address = AccountMail(account_id=account.id, mail=mail, key=secrets.token_urlsafe(32), given_at=now)
    if why := permits.why_not(s, None, address, Cause.STRANGER, now):
        raise Refused(why, "mail")
    s.add(address)
    s.add(queued(DispatchKind.ACCOUNT, now, account_id=account.id))


def confirm_account_address(s: Session, address: AccountMail, now: datetime) -> None:
    address.confirmed_at = now
    permits.forget_asked(s, address)


def account_mail_token(secret: str, address: AccountMail) -> str:
    """The token of the link that confirms an address: random, not made from account and address."""
    return str(_signer(secret).dumps(address.key))


def address_by_token(s: Session, secret: str, token: str, now: datetime) -> AccountMail | None:
    """The address that a link confirms, once and until another mail may ask."""
    try:
        key = str(_signer(secret).loads(token))
    except BadSignature:
        return None
    waiting = (col(AccountMail.confirmed_at).is_(None), col(AccountMail.given_at) > now - permits.CONFIRMING.window)
    return s.exec(select(AccountMail).where(AccountMail.key == key, *waiting)).first()


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="account-mail")
