"""Passkeys of accounts, of players and of people's own pages: what browsers are asked, and the checks of their answers.

A device signs the service's challenge after it has checked the person by a finger, a face or a PIN, so that a passkey
counts as two factors. It names its owner itself, so nobody types a name.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

from sqlmodel import Session, select
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from events.accounts.actions import use_once
from events.store.errors import Refused
from events.visitors.queries import passkeys_of
from languages.words import N_, gettext, ngettext
from models.people import Account, Passkey
from models.person import Person
from models.play import Player

Owner = Account | Player | Person
LASTS = timedelta(minutes=10)
"""How long a challenge can be answered."""
MOST = 10
"""The most passkeys of one owner."""
LONGEST = 20_000
"""The most characters of a browser's answer."""
UNKNOWN = N_("This passkey is not known here. It may have been removed. Sign in another way.")
WRONG = N_("The passkey was not accepted. Try again, or sign in another way.")


@dataclass(frozen=True)
class Party:
    """The service as passkeys know it: the host that they belong to, and the address of its pages."""

    host: str
    origin: str


def party_at(public: str, host: str) -> Party | None:
    """The service for a page at ``host``; None where browsers offer no passkeys.

    ``public`` is OVERSEER_ADDRESS; without one, passkeys work at localhost. Browsers want https or localhost, no IP.
    """
    address = urlsplit(public or f"http://{host}")
    name = address.hostname or ""
    works = name == "localhost" or (address.scheme == "https" and _named(name))
    if not works or address.netloc.lower() != host.lower():
        return None
    return Party(name, f"{address.scheme}://{address.netloc.lower()}")


def _named(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return True
    return False


def new_challenge() -> str:
    """A new challenge: 256 random bits."""
    return secrets.token_urlsafe(32)


def options_for_new(party: Party, known: Sequence[Passkey], called: str, challenge: str) -> str:
    """What the browser is asked for a new passkey, as JSON; ``called`` is how devices show its owner."""
    return options_to_json(
        generate_registration_options(
            rp_id=party.host,
            rp_name="Overseer",
            user_name=called,
            user_id=base64url_to_bytes(_handle(known, challenge)),
            challenge=base64url_to_bytes(challenge),
            timeout=LASTS // timedelta(milliseconds=1),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(base64url_to_bytes(passkey.credential)) for passkey in known
            ],
        )
    )


def _handle(known: Sequence[Passkey], challenge: str) -> str:
    """The owner's handle: that of the passkeys so far, or a new one, which follows from the random challenge."""
    return known[0].handle if known else bytes_to_base64url(hashlib.sha256(f"handle {challenge}".encode()).digest())


def add_passkey(
    s: Session, owner: Owner, answer: str, party: Party, challenge: str, name: str, now: datetime
) -> Passkey:
    """Store the passkey of a browser's answer. Raises Refused."""
    existing = passkeys_of(s, owner)
    if len(existing) >= MOST:
        raise Refused(
            ngettext("At most %(num)s passkey. Remove one first.", "At most %(num)s passkeys. Remove one first.", MOST)
        )
    use_once(s, challenge, now, LASTS)
    with _refusing_wrong():
        made = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    credential = bytes_to_base64url(made.credential_id)
    key = bytes_to_base64url(made.credential_public_key)
    if max(len(credential), len(key)) > 1400 or find_passkey(s, credential) is not None:
        raise Refused(gettext(WRONG))
    passkey = Passkey(
        account_id=owner.id if isinstance(owner, Account) else None,
        player_id=owner.id if isinstance(owner, Player) else None,
        person_id=owner.id if isinstance(owner, Person) else None,
        credential=credential, public_key=key, handle=_handle(existing, challenge), sign_count=made.sign_count,
        name=name, added_at=now,
    )  # fmt: skip
    s.add(passkey)
    return passkey


def options_to_sign_in(party: Party, challenge: str) -> str:
    """What the browser is asked to sign in, as JSON. It offers the person's passkeys by itself."""
    return options_to_json(
        generate_authentication_options(
            rp_id=party.host,
            challenge=base64url_to_bytes(challenge),
            timeout=LASTS // timedelta(milliseconds=1),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
    )


def credential_in(answer: str) -> str:
    """The credential's id in a browser's answer, not verified; "" if it is malformed."""
    with _refusing_wrong():
        text = json.loads(answer)["id"]
        return text if isinstance(text, str) else ""


def find_passkey(s: Session, credential: str, *, lock: bool = False) -> Passkey | None:
    """The passkey with this id; ``lock`` reads it anew and locks its row until the transaction ends."""
    query = select(Passkey).where(Passkey.credential == credential)
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    return s.exec(query).first()


def owner_of(s: Session, passkey: Passkey) -> Owner:
    if passkey.account_id is not None:
        return s.get_one(Account, passkey.account_id)
    if passkey.person_id is not None:
        return s.get_one(Person, passkey.person_id)
    return s.get_one(Player, passkey.player_id)


def use_passkey(s: Session, answer: str, party: Party, challenge: str, now: datetime) -> Owner:
    """The owner of the passkey that signed the challenge. Raises Refused.

    Of two simultaneous answers to one challenge only the first succeeds.
    """
    passkey = find_passkey(s, credential_in(answer), lock=True)
    if passkey is None:
        raise Refused(gettext(UNKNOWN))
    use_once(s, challenge, now, LASTS)
    with _refusing_wrong():
        handle = json.loads(answer)["response"]["userHandle"]
        if not hmac.compare_digest(handle.rstrip("=").encode(), passkey.handle.encode()):
            raise Refused(gettext(WRONG))
        used = verify_authentication_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=0,
            require_user_verification=True,
        )
        # A passkey that is backed up is on several devices, and each counts its own uses.
        if not used.credential_backed_up and passkey.sign_count and used.new_sign_count <= passkey.sign_count:
            raise Refused(gettext(WRONG))
    passkey.sign_count, passkey.used_at = used.new_sign_count, now
    return owner_of(s, passkey)


@contextmanager
def _refusing_wrong() -> Iterator[None]:
    """Refuse a browser's answer that cannot be read or is not what was asked."""
    try:
        yield
    except (WebAuthnException, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Refused(gettext(WRONG)) from error


def remove_passkey(s: Session, owner: Owner, passkey_id: int) -> bool:
    """Remove one of the owner's passkeys. Returns whether it was there."""
    passkey = next((passkey for passkey in passkeys_of(s, owner) if passkey.id == passkey_id), None)
    if passkey is not None:
        s.delete(passkey)
    return passkey is not None
