"""Accounts of staff, the one-time links that create organisers, and the passkeys of accounts, players and own pages."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, false, text
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, new_secret
from models.facts import Opens, opening

ANEW = Opens(anew=new_secret, always=True)
"""A part of each sign-in: everybody signs in again."""
SAME_ACCOUNT = Opens(same=("id", "name_key"))


class Account(SQLModel, table=True):
    """A person who signs in. ``Staff`` has their roles at events."""

    __tablename__ = "organiser"  # named when there was only one role

    id: int = Field(default=None, primary_key=True)
    name: str = Field(max_length=80)
    name_key: str = Field(max_length=160, unique=True)
    """The name for comparison: without case, look-alike letters unified."""
    password_hash: str = Field(max_length=200, sa_column_kwargs=opening(SAME_ACCOUNT))
    session_key: str = Field(max_length=64, sa_column_kwargs=opening(ANEW))
    """Part of each session of this person. A new value signs out everywhere."""
    created_at: datetime = Field(sa_type=UTCDateTime)
    runs_club: bool = Field(default=False, sa_column_kwargs=opening(SAME_ACCOUNT, server_default=false()))
    """Whether they may create events, scenarios and editions. An account made by an invitation to one event may not."""
    language: str = Field(default="", max_length=8, sa_column_kwargs={"server_default": text("''")})
    """The language of the account's mails. Empty: none chosen."""
    totp_secret: str = Field(
        default="", max_length=300, sa_column_kwargs=opening(SAME_ACCOUNT, server_default=text("''"))
    )
    """The secret of the second factor, encrypted (``events/accounts/actions.py``); "": none."""
    totp_step: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The time step of the last accepted code: that code and older ones are rejected."""
    spare_codes: str = Field(
        default="", max_length=600, sa_column_kwargs=opening(SAME_ACCOUNT, server_default=text("''"))
    )
    """Digests of the unused spare codes, separated by spaces."""


class AccountMail(SQLModel, table=True):
    """An account's mail address. Until it is confirmed, only the mail that asks goes to it."""

    __tablename__ = "account_mail"

    id: int = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="organiser.id", ondelete="CASCADE", unique=True)
    mail: str = Field(max_length=254)
    key: str | None = Field(max_length=43)
    """Random, in the link that confirms the address; None for addresses that were confirmed before there were keys."""
    given_at: datetime | None = Field(sa_type=UTCDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class SetUpLink(SQLModel, table=True):
    """A one-time link that creates an organiser. Only the token's hash is stored."""

    __tablename__ = "set_up_link"

    id: int = Field(default=None, primary_key=True)
    token_hash: str = Field(max_length=64, unique=True, sa_column_kwargs=opening(Opens("used_at", always=True)))
    created_at: datetime = Field(sa_type=UTCDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    account_id: int | None = Field(default=None, foreign_key="organiser.id")
    """The account whose password the link resets. None: it creates an organiser."""


class EndedSignIn(SQLModel, table=True):
    """A sign-in that was signed out, of an account or a player's device: copies of its cookie are rejected.

    Also a passkey's challenge that was answered: a copy of the answer is rejected.
    """

    __tablename__ = "ended_sign_in"

    id: int = Field(default=None, primary_key=True)
    sign_in: str = Field(max_length=64, unique=True)
    """The cookie's number, which is no longer valid; or the challenge."""
    until: datetime = Field(sa_type=UTCDateTime)
    """When the cookie or the challenge expires: the row can then be deleted."""


class StaffSignIn(SQLModel, table=True):
    """A sign-in of an account, listed so that the person can end it from another browser."""

    __tablename__ = "staff_sign_in"

    id: int = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="organiser.id", ondelete="CASCADE", index=True)
    sign_in: str = Field(max_length=64, unique=True)
    """The cookie's number."""
    browser: str = Field(max_length=60)
    """Which browser on which system, as it said."""
    at: datetime = Field(sa_type=UTCDateTime)


class SignInAttempt(SQLModel, table=True):
    """A failed sign-in, stored to limit guessing (``events/accounts/actions.py``)."""

    __tablename__ = "sign_in_attempt"

    id: int = Field(default=None, primary_key=True)
    name_key: str = Field(max_length=160, index=True)
    """The name for comparison, the browser's mark, or a digest of the address."""
    at: datetime = Field(sa_type=UTCDateTime)
    kind: str = Field(default="name", max_length=10, sa_column_kwargs={"server_default": "name"})
    """What the failure counts against: an account's name, a known browser, or a client's address."""


OWNERS = ("account_id", "player_id", "person_id")
ONE_OF_THREE = " + ".join(f"(CASE WHEN {owner} IS NULL THEN 0 ELSE 1 END)" for owner in OWNERS) + " = 1"


class Passkey(SQLModel, table=True):
    """A passkey of an account, of a player of one event, or of a person's page."""

    __table_args__ = (CheckConstraint(ONE_OF_THREE, name="one_owner"),)

    id: int = Field(default=None, primary_key=True)
    account_id: int | None = Field(default=None, foreign_key="organiser.id", ondelete="CASCADE", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", ondelete="CASCADE", index=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    credential: str = Field(max_length=1400, unique=True, sa_column_kwargs=opening(Opens(goes=True)))
    """The id that the device gave it, in base 64."""
    public_key: str = Field(max_length=1400)
    handle: str = Field(max_length=64)
    """Random; the device keeps it as the owner's name for it. All passkeys of one owner share it."""
    sign_count: int = Field(sa_type=BigInteger)
    """The device's count of uses, which only grows; 0 from devices that do not count."""
    name: str = Field(max_length=60)
    added_at: datetime = Field(sa_type=UTCDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
