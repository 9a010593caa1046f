"""The second factor of an account: codes that count with the time (RFC 6238), and spare ones for a lost phone.

The secret that codes are counted from is stored encrypted with a key of the installation (``key_from``).
"""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from functools import lru_cache

import pyotp
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
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


PURPOSE = b"overseer: secrets of second factors, 1"
"""What the key is derived for: the installation's secret gives each purpose a key of its own."""


@lru_cache(maxsize=4)
def key_from(installation_secret: str) -> Fernet:
    """The key for secrets of second factors, from the installation's secret (OVERSEER_SECRET or its file)."""
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(installation_secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))


def decrypted(stored: str, key: Fernet) -> str | None:
    """The secret that is stored; None if it was encrypted with the key of another installation."""
    try:
        return key.decrypt(stored).decode()
    except InvalidToken:
        return None


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


def turn_on(s: Session, account: Account, secret: str, step: int, key: Fernet) -> list[str]:
    """Ask for codes from now on, and end every sign-in; gives the spare codes, which are told this once."""
    codes = ["".join(secrets.choice(CODE_ALPHABET) for _ in range(SPARE_LENGTH)) for _ in range(SPARE_CODES)]
    account.totp_secret, account.totp_step = key.encrypt(secret.encode()).decode(), step
    account.spare_codes = " ".join(_digest(code) for code in codes)
    end_all(s, account)
    return codes


def turn_off(s: Session, account: Account) -> None:
    """Ask for no codes any more."""
    account.totp_secret, account.totp_step, account.spare_codes = "", 0, ""
    s.add(account)


def use_code(s: Session, account: Account, code: str, now: datetime, key: Fernet) -> bool:
    """Whether this code, or spare code, is the account's; one that is used is good for nothing any more.

    Inside a change: of two who send one code at once, the second reads what the first has stored.
    """
    s.refresh(account, with_for_update=True)
    if not account.totp_secret:
        return False
    secret = decrypted(account.totp_secret, key)
    step = step_of(secret, code, now) if secret is not None else None
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
