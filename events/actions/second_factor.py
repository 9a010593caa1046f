"""The second factor of an account: codes that count with the time (RFC 6238), and spare ones for a lost phone."""

import hashlib
import hmac
import secrets
from datetime import datetime

import pyotp
from sqlmodel import Session

from events.actions.sheet_codes import CODE_ALPHABET
from events.actions.sign_ins import end_all
from models.people import Account

STEP = 30
"""Seconds for which a code stands."""
DRIFT = 1
"""Steps that a phone's clock may be early or late."""
SPARE_CODES, SPARE_LENGTH = 8, 16
"""78 bits each: found by nobody in the ten tries of a quarter of an hour, nor in the database, where digests are."""


def new_secret() -> str:
    """A secret for an app: 160 bits in base 32."""
    return pyotp.random_base32()


def address_of(secret: str, name: str) -> str:
    """What an app reads from the square: otpauth://..."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name="Overseer")


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """Of which step of time the code is, if of one about now; None for any other."""
    typed = "".join(code.split())
    this = int(now.timestamp()) // STEP
    for step in range(this - DRIFT, this + DRIFT + 1):
        if hmac.compare_digest(typed.encode(), pyotp.TOTP(secret).at(step * STEP).encode()):
            return step
    return None


def turn_on(s: Session, account: Account, secret: str, step: int) -> list[str]:
    """Ask for codes from now on, and end every sign-in; gives the spare codes, which are told this once."""
    codes = ["".join(secrets.choice(CODE_ALPHABET) for _ in range(SPARE_LENGTH)) for _ in range(SPARE_CODES)]
    account.totp_secret, account.totp_step = secret, step
    account.spare_codes = " ".join(_digest(code) for code in codes)
    end_all(s, account)
    return codes


def turn_off(s: Session, account: Account) -> None:
    """Ask for no codes any more."""
    account.totp_secret, account.totp_step, account.spare_codes = "", 0, ""
    s.add(account)


def use_code(s: Session, account: Account, code: str, now: datetime) -> bool:
    """Whether this code, or spare code, is the account's; one that is used is good for nothing any more.

    Inside a change: of two who send one code at once, the second reads what the first has stored.
    """
    s.refresh(account, with_for_update=True)
    if not account.totp_secret:
        return False
    step = step_of(account.totp_secret, code, now)
    if step is not None and step > account.totp_step:
        account.totp_step = step
        return True
    digest = _digest("".join(code.upper().replace("-", "").split()))
    kept = account.spare_codes.split()
    left = [one for one in kept if not hmac.compare_digest(one, digest)]
    account.spare_codes = " ".join(left)
    return len(left) < len(kept)


def _digest(code: str) -> str:
    return hashlib.sha256(f"spare code {code}".encode()).hexdigest()
