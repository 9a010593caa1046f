"""Accounts, staff roles, invitations, second factors, and counting of failed sign-ins.

The secret of a second factor (RFC 6238) is encrypted with a key derived from the installation's secret.
"""

import base64
import functools
import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

import pyotp
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlmodel import Session, col, func, select

from events.accounts.queries import PLAYER_LASTS, SignIn, account_role
from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from events.play.visitor import WORDS
from events.web.parsing import CODE_ALPHABET, name_key
from models.event import Event
from models.people import Account, EndedSignIn, SetUpLink, SignInAttempt
from models.staff import Invitation, Role, Staff


def end_sign_in(s: Session, held: SignIn, now: datetime) -> None:
    """End one sign-in, and delete the stored numbers of expired ones."""
    for old in s.exec(select(EndedSignIn).where(col(EndedSignIn.until) <= now)):
        s.delete(old)
    known = s.exec(select(EndedSignIn).where(EndedSignIn.sign_in == held.number)).first()
    if known is None:
        s.add(EndedSignIn(sign_in=held.number, until=now + PLAYER_LASTS))


def end_all(s: Session, account: Account) -> None:
    """End all sign-ins of an account; the caller signs its own browser in again."""
    account.session_key = secrets.token_urlsafe(24)
    s.add(account)


LASTS = timedelta(days=7)
"""How long an invitation stays open."""
LAST_OWNER = "{name} is the only owner. Make another person an owner first."


def invite(act: Act, role: Role, by: Account) -> tuple[Invitation, str]:
    """A new invitation and its token. Only the token's hash is stored."""
    token = secrets.token_urlsafe(24)
    invitation = Invitation(
        event_id=act.event.id,
        role=role,
        token_hash=_hash(token),
        created_at=act.now,
        created_by=by.id,
        expires_at=act.now + LASTS,
    )
    act.s.add(invitation)
    act.s.flush()  # assigns the id for the page
    note(act, "invite-staff", f"Invited a {WORDS[role]}", invitation=invitation.id, role=role.value)
    return invitation, token


def withdraw(act: Act, invitation: Invitation) -> None:
    """End an open invitation. Raises Refused."""
    if why_ended(invitation, act.now):
        raise Refused(why_ended(invitation, act.now))
    invitation.withdrawn_at = act.now
    text = f"Withdrew an invitation as {WORDS[invitation.role]}"
    note(act, "withdraw-invitation", text, invitation=invitation.id)


def find_invitation(s: Session, token: str) -> Invitation | None:
    """The invitation with this token, open or ended."""
    return s.exec(select(Invitation).where(Invitation.token_hash == _hash(token))).first()


def why_ended(invitation: Invitation, now: datetime) -> str:
    """The reason why an invitation has ended, in a sentence; "" while it is open."""
    if invitation.used_at is not None:
        return "This invitation has already been used."
    if invitation.withdrawn_at is not None:
        return "This invitation was withdrawn."
    if now >= invitation.expires_at:
        return "This invitation has expired."
    return ""


def accept(s: Session, event: Event, invitation: Invitation, account: Account, now: datetime) -> Staff:
    """Give the account the invitation's role, and mark the invitation as used. Raises Refused."""
    if why_ended(invitation, now):
        raise Refused(why_ended(invitation, now) + " Ask the event’s owner for a new one.")
    has = account_role(s, event, account)
    if has is not None:
        raise Refused(
            f"{account.name} is {WORDS[has]} at this event already. Only an owner can change that. The invitation "
            "stays open for another person."
        )
    invitation.used_at, invitation.used_by = now, account.id
    staff = Staff(event_id=event.id, account_id=account.id, role=invitation.role, since=now)
    s.add(staff)
    words = WORDS[invitation.role]
    note(
        Act(s, event, f"{words} {account.name}", now),
        "join-staff",
        f"{account.name} joined as {words}",
        account=account.id,
        invitation=invitation.id,
    )
    return staff


def change_role(act: Act, staff: Staff, role: Role) -> None:
    """Give a member of staff another role. Raises Refused for the last owner."""
    name = act.s.get_one(Account, staff.account_id).name
    if staff.role == role:
        return
    if staff.role == Role.OWNER:
        _keep_an_owner(act.s, act.event, staff, name)
        _withdraw_all_of(act.s, act.event, staff.account_id, act.now)
    was, staff.role = staff.role, role
    text = f"Changed the role of {name} from {WORDS[was]} to {WORDS[role]}"
    note(act, "change-role", text, account=staff.account_id, before=was.value, after=role.value)


def remove_staff(act: Act, staff: Staff) -> None:
    """Remove a member of staff and withdraw their open invitations. Raises Refused for the last owner."""
    name = act.s.get_one(Account, staff.account_id).name
    if staff.role == Role.OWNER:
        _keep_an_owner(act.s, act.event, staff, name)
    _withdraw_all_of(act.s, act.event, staff.account_id, act.now)
    act.s.delete(staff)
    text = f"{name} is no longer {WORDS[staff.role]}"
    note(act, "leave-staff", text, account=staff.account_id, before=staff.role.value)


def adopt_orphaned_events(s: Session, account: Account, now: datetime) -> None:
    """Give this organiser all events without an owner, such as those created in the shell."""
    owned = select(Staff.event_id).where(Staff.role == Role.OWNER)
    for event in s.exec(select(Event).where(col(Event.id).not_in(owned))):
        row = s.exec(select(Staff).where(Staff.event_id == event.id, Staff.account_id == account.id)).first()
        if row is None:
            row = Staff(event_id=event.id, account_id=account.id, role=Role.OWNER, since=now)
        row.role = Role.OWNER
        s.add(row)


def _keep_an_owner(s: Session, event: Event, staff: Staff, name: str) -> None:
    others = select(Staff).where(Staff.event_id == event.id, Staff.role == Role.OWNER, Staff.id != staff.id)
    if s.exec(others).first() is None:
        raise Refused(LAST_OWNER.format(name=name))


def _withdraw_all_of(s: Session, event: Event, account_id: int, now: datetime) -> None:
    made = select(Invitation).where(Invitation.event_id == event.id, Invitation.created_by == account_id)
    for invitation in s.exec(made):
        if not why_ended(invitation, now):
            invitation.withdrawn_at = now


# OWASP's second choice for argon2id, 19 MiB and two passes, takes some 17 ms here; the library's default takes 132.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
ENDED = "This link was already used, was replaced by a newer one, or has expired after an hour."
LINK_LASTS = timedelta(hours=1)
"""How long an unused link is valid. The server can create another at any time."""


def make_set_up_link(s: Session, now: datetime) -> str:
    """A new one-time token for creating an organiser. Ends all earlier unused ones."""
    return _make_link(s, None, now)


def make_password_link(s: Session, account: Account, now: datetime) -> str:
    """A new one-time token for setting this account's password. Ends all earlier unused ones."""
    return _make_link(s, account.id, now)


def _make_link(s: Session, account_id: int | None, now: datetime) -> str:
    unused = select(SetUpLink).where(col(SetUpLink.used_at).is_(None), SetUpLink.account_id == account_id)
    for link in s.exec(unused):
        s.delete(link)
    token = secrets.token_urlsafe(24)
    s.add(SetUpLink(token_hash=_hash(token), created_at=now, account_id=account_id))
    return token


def find_set_up_link(s: Session, token: str, now: datetime, *, lock: bool = False) -> SetUpLink | None:
    """The valid link with this token, or None; ``lock`` locks its row until the transaction ends."""
    query = select(SetUpLink).where(SetUpLink.token_hash == _hash(token))
    link = s.exec(query.with_for_update() if lock else query).first()
    good = link is not None and link.used_at is None and link.created_at <= now < link.created_at + LINK_LASTS
    return link if good else None


def any_organiser(s: Session) -> bool:
    """Whether any set-up link has been used yet."""
    return s.exec(select(Account)).first() is not None


def set_up_organiser(s: Session, token: str, name: str, password: str, now: datetime) -> Account:
    """Create an organiser and mark the link as used. Raises Refused if the name is taken.

    Events without an owner become the organiser's.
    """
    link = find_set_up_link(s, token, now, lock=True)
    if link is None or link.account_id is not None:
        raise Refused(ENDED)
    if s.exec(select(Account).where(Account.name_key == name_key(name))).first() is not None:
        raise Refused(
            "This name is taken. Choose another. If it is your account and you lost the "
            "password, ask the administrator for a link from `overseer password-link`.",
            "name",
        )
    link.used_at = now
    organiser = Account(
        name=name, name_key=name_key(name), created_at=now, runs_club=True, password_hash=HASHER.hash(password),
        session_key=secrets.token_urlsafe(24),
    )  # fmt: skip
    s.add(organiser)
    s.flush()  # assigns the id for the session and the events
    adopt_orphaned_events(s, organiser, now)
    return organiser


def set_new_password(s: Session, token: str, password: str, now: datetime) -> Account:
    """Set the password of a password link's account, end its sign-ins, and mark the link as used. Raises Refused."""
    link = find_set_up_link(s, token, now, lock=True)
    account = s.get(Account, link.account_id) if link is not None and link.account_id is not None else None
    if link is None or account is None:
        raise Refused(ENDED)
    link.used_at = now
    change_password(s, account, password)
    return account


def make_account(s: Session, name: str, password: str, now: datetime) -> Account:
    """Create an account for an invited person, who does not run the club. Raises Refused if the name is taken."""
    if s.exec(select(Account).where(Account.name_key == name_key(name))).first() is not None:
        said = "This name is taken. If it is yours, sign in with your password. Otherwise enter your full name."
        raise Refused(said, "name")
    account = Account(
        name=name, name_key=name_key(name), created_at=now, password_hash=HASHER.hash(password),
        session_key=secrets.token_urlsafe(24),
    )  # fmt: skip
    s.add(account)
    s.flush()  # assigns the id for its role
    return account


def sign_in(s: Session, name: str, password: str) -> Account | None:
    """The account with this name and password, or None."""
    organiser = s.exec(select(Account).where(Account.name_key == name_key(name))).first()
    try:
        HASHER.verify(organiser.password_hash if organiser else _dummy_hash(), password)
    except VerifyMismatchError:
        return None
    return organiser


def change_password(s: Session, account: Account, password: str) -> None:
    """Set the account's password and end all its sessions; the caller signs its own browser in again."""
    account.password_hash = HASHER.hash(password)
    end_all(s, account)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@functools.cache
def _dummy_hash() -> str:
    """Verified for an unknown name, so that the answer takes as long as for a known one."""
    return HASHER.hash(secrets.token_urlsafe())


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
    """Turn off the second factor."""
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
    left = [one for one in kept if not hmac.compare_digest(one, digest)]
    account.spare_codes = " ".join(left)
    return len(left) < len(kept)


def _digest(code: str) -> str:
    return hashlib.sha256(f"spare code {code}".encode()).hexdigest()


ATTEMPTS = 0x4F56_5341
"""PostgreSQL's advisory lock for counting attempts (OVSA). SQLite has only one writer."""


@dataclass(frozen=True)
class Limit:
    """At most ``most`` attempts of one kind and key within the window."""

    kind: str
    most: int
    window: timedelta


BY_NAME = Limit("name", 10, timedelta(minutes=15))
BY_BROWSER = Limit("browser", 10, timedelta(minutes=15))
BY_ADDRESS = Limit("client", 60, timedelta(minutes=15))
BY_NAME_AND_ADDRESS = Limit("both", 3, timedelta(minutes=15))
"""Counted only once the address has reached its own limit."""
CODES = Limit("code", 60, timedelta(minutes=15))
"""Wrong sheet codes, by address."""
SIGN_UPS = Limit("sign-up", 90, timedelta(minutes=5))
"""Sign-ups for one event, by address. In a hall, 60 phones register within five minutes."""
SIGN_UPS_BY_BROWSER = Limit("phone", 5, timedelta(minutes=10))
LOST_LINKS = Limit("lost link", 20, timedelta(minutes=15))
"""Requests for lost links, by address."""
CALLS = Limit("call", 6, timedelta(minutes=15))
"""Calls for a judge, by player."""
KEPT = timedelta(minutes=15)
"""The longest window. Older attempts are deleted."""


class TooMany(Refused):
    """A limit is reached. The message says when to try again."""

    status = 429


@dataclass(frozen=True)
class Tried:
    """A sign-in attempt: account name, known browser ("" if unknown), and network address."""

    name: str
    browser: str
    client: str

    @property
    def counts(self) -> dict[Limit, str]:
        """The counting keys by limit."""
        if self.browser:
            return {BY_BROWSER: self.browser}
        name = name_key(self.name)
        both = hashlib.sha256(f"{self.client} {name}".encode()).hexdigest()
        return {BY_NAME: name, BY_ADDRESS: self.client, BY_NAME_AND_ADDRESS: both}


def must_wait(s: Session, tried: Tried, now: datetime) -> bool:
    """Whether a limit is reached, so that even the right password must wait."""
    reached = {limit for limit, key in tried.counts.items() if is_reached(s, limit, key, now)}
    return bool(reached & {BY_NAME, BY_BROWSER}) or {BY_ADDRESS, BY_NAME_AND_ADDRESS} <= reached


def start_sign_in(s: Session, tried: Tried, now: datetime) -> Sequence[int] | None:
    """Count a sign-in before its password is checked. Returns the rows' ids, or None if it must wait."""
    _lock(s)
    if must_wait(s, tried, now):
        return None
    # An address at its limit adds no more rows, so that a flood cannot fill the table.
    counts = {
        limit: key for limit, key in tried.counts.items()
        if limit != BY_ADDRESS or not is_reached(s, limit, key, now)
    }  # fmt: skip
    return _add(s, counts, now)


def succeeded(s: Session, attempt: Sequence[int]) -> None:
    """Delete the count of a successful sign-in."""
    _lock(s)
    for row in s.exec(select(SignInAttempt).where(col(SignInAttempt.id).in_(attempt))):
        s.delete(row)


def count_attempt(s: Session, counts: Mapping[Limit, str], now: datetime) -> Limit | None:
    """Count an attempt under these limits and keys. If a limit is reached, returns it without counting."""
    _lock(s)
    reached = next((limit for limit, key in counts.items() if is_reached(s, limit, key, now)), None)
    if reached is None:
        _add(s, counts, now)
    return reached


def is_reached(s: Session, limit: Limit, key: str, now: datetime) -> bool:
    """Whether the limit is reached."""
    query = select(func.count()).where(
        SignInAttempt.kind == limit.kind, SignInAttempt.name_key == key, col(SignInAttempt.at) > now - limit.window
    )
    return s.exec(query).one() >= limit.most


def _lock(s: Session) -> None:
    """Let one host at a time count attempts."""
    if s.connection().dialect.name == "postgresql":
        s.connection().execute(select(func.pg_advisory_xact_lock(ATTEMPTS)))


def _add(s: Session, counts: Mapping[Limit, str], now: datetime) -> Sequence[int]:
    for old in s.exec(select(SignInAttempt).where(col(SignInAttempt.at) <= now - KEPT)):
        s.delete(old)
    rows = [SignInAttempt(kind=limit.kind, name_key=key, at=now) for limit, key in counts.items()]
    s.add_all(rows)
    s.flush()  # assigns the ids that a success deletes
    return [row.id for row in rows]
