"""Ending sign-ins on the server."""

import secrets
from datetime import datetime

from sqlmodel import Session, col, select

from events.sign_ins import PLAYER_LASTS, SignIn
from models.people import Account, EndedSignIn


def end_sign_in(s: Session, held: SignIn, now: datetime) -> None:
    """End one sign-in for good, and forget those that have ended by themselves since."""
    for old in s.exec(select(EndedSignIn).where(col(EndedSignIn.until) <= now)):
        s.delete(old)
    known = s.exec(select(EndedSignIn).where(EndedSignIn.sign_in == held.number)).first()
    if known is None:
        s.add(EndedSignIn(sign_in=held.number, until=now + PLAYER_LASTS))


def end_all(s: Session, account: Account) -> None:
    """End every sign-in of an account; the caller signs its own browser in again."""
    account.session_key = secrets.token_urlsafe(24)
    s.add(account)
