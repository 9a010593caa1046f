"""Second factors: one-time codes (RFC 6238) and recovery codes.

The secret is encrypted with a key derived from the installation's secret.
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

from events.accounts.actions import end_all
from events.web.parsing import CODE_ALPHABET
from models.people import Account

STEP = 30
"""How long a code is shown, in seconds."""


DRIFT = 1
"""How many steps a phone's clock may be ahead or behind."""


SPARE_CODES, SPARE_LENGTH = 8, 16
"""78 bits each: safe with ten tries in a quarter of an hour. The database stores digests."""


PURPOSE = b"overseer: secrets of second factors, 1"
"""The purpose of the derived key. Each purpose has its own key from the installation's secret."""


@lru_cache(maxsize=4)
def key_from(installation_secret: str) -> Fernet:
    """The key that encrypts second factors' secrets, from the installation's secret (OVERSEER_SECRET or its file)."""
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(installation_secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))


def decrypted(stored: str, key: Fernet) -> str | None:
    """The decrypted secret; None if it was encrypted with another installation's key."""
    try:
        return key.decrypt(stored).decode()
    except InvalidToken:
        return None


def new_secret() -> str:
    """A new secret for an authenticator app: 160 bits in base 32."""
    return pyotp.random_base32()


def address_of(secret: str, name: str) -> str:
    """The address in the QR code: otpauth://..."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name="Overseer")


def code_step(secret: str, code: str, now: datetime) -> int | None:
    """The time step of a valid code, allowing for drift; None for an invalid code."""
    digits = "".join(code.split())
    this = int(now.timestamp()) // STEP
    for step in range(this - DRIFT, this + DRIFT + 1):
        if hmac.compare_digest(digits.encode(), pyotp.TOTP(secret).at(step * STEP).encode()):
            return step
    return None


def turn_on(s: Session, account: Account, secret: str, step: int, key: Fernet) -> list[str]:
    """Turn on the second factor and end all sign-ins. Returns the spare codes, which are shown only once."""
    codes = ["".join(secrets.choice(CODE_ALPHABET) for _ in range(SPARE_LENGTH)) for _ in range(SPARE_CODES)]
    account.totp_secret, account.totp_step = key.encrypt(secret.encode()).decode(), step
    account.spare_codes = " ".join(_digest(code) for code in codes)
    end_all(s, account)
    return codes


def turn_off(s: Session, account: Account) -> None:
    account.totp_secret, account.totp_step, account.spare_codes = "", 0, ""
    s.add(account)


def use_code(s: Session, account: Account, code: str, now: datetime, key: Fernet) -> bool:
    """Use a code or spare code; returns whether it was valid.

    Locks the account's row, so that of two simultaneous requests with one code only the first succeeds.
    """
    s.refresh(account, with_for_update=True)
    if not account.totp_secret:
        return False
    secret = decrypted(account.totp_secret, key)
    step = code_step(secret, code, now) if secret is not None else None
    if step is not None and step > account.totp_step:
        account.totp_step = step
        return True
    digest = _digest("".join(code.upper().replace("-", "").split()))
    kept = account.spare_codes.split()
    left = [text for text in kept if not hmac.compare_digest(text, digest)]
    account.spare_codes = " ".join(left)
    return len(left) < len(kept)


def _digest(code: str) -> str:
    return hashlib.sha256(f"spare code {code}".encode()).hexdigest()
