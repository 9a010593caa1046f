"""Accounts of those who run events, and the one-time links that make the club's organisers."""

from datetime import datetime

from sqlalchemy import false, text
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class Account(SQLModel, table=True):
    """A person who signs in. At which events they do what is in ``Staff``."""

    __tablename__ = "organiser"  # from the days when there were no other roles

    id: int = Field(default=None, primary_key=True)
    name: str = Field(max_length=80)
    name_key: str = Field(max_length=160, unique=True)
    """The name as it is compared: case and look-alike forms folded."""
    password_hash: str = Field(max_length=200)
    session_key: str = Field(max_length=64)
    """Stands in each session of this person; a new one signs out everywhere."""
    created_at: datetime = Field(sa_type=UTCDateTime)
    runs_club: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """May make events of their own, scenarios and editions; one made by an invitation to an event may not."""
    totp_secret: str = Field(default="", max_length=300, sa_column_kwargs={"server_default": text("''")})
    """What the app of a second factor counts from, encrypted (``events/accounts/actions.py``); "": none."""
    totp_step: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The step of time of the last code that was taken: none is taken twice, and no older one."""
    spare_codes: str = Field(default="", max_length=600, sa_column_kwargs={"server_default": text("''")})
    """Digests of the spare codes that are left, with spaces between them."""


class SetUpLink(SQLModel, table=True):
    """A link that makes one organiser of the club, once. Only the token's hash is kept."""

    __tablename__ = "set_up_link"

    id: int = Field(default=None, primary_key=True)
    token_hash: str = Field(max_length=64, unique=True)
    created_at: datetime = Field(sa_type=UTCDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    account_id: int | None = Field(default=None, foreign_key="organiser.id")
    """Whose password the link sets anew. None: it makes a new organiser, and changes no account that exists."""


class EndedSignIn(SQLModel, table=True):
    """A sign-in that was ended here, of an account or of a player's device: a copy of its cookie opens nothing."""

    __tablename__ = "ended_sign_in"

    id: int = Field(default=None, primary_key=True)
    sign_in: str = Field(max_length=64, unique=True)
    """The number that stood in the cookie; of no use to anybody from now on."""
    until: datetime = Field(sa_type=UTCDateTime)
    """When it would have ended by itself: then the row can be forgotten."""


class SignInAttempt(SQLModel, table=True):
    """A sign-in that failed, kept to slow down guessing (``events/accounts/actions.py``)."""

    __tablename__ = "sign_in_attempt"

    id: int = Field(default=None, primary_key=True)
    name_key: str = Field(max_length=160, index=True)
    """The name as it is compared, the browser's mark, or a digest of the address."""
    at: datetime = Field(sa_type=UTCDateTime)
    kind: str = Field(default="name", max_length=10, sa_column_kwargs={"server_default": "name"})
    """What it is counted for: an account's name, a known browser, or a client's address."""
