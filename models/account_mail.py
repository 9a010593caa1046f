"""The mail address of an account, and the mails that wait to be sent to it."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


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


class AccountNotice(SQLModel, table=True):
    """A mail to an account's address that is not sent yet. The mail worker deletes the row."""

    __tablename__ = "account_notice"

    id: int = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="organiser.id", ondelete="CASCADE", index=True)
    browser: str = Field(max_length=60)
    """The browser of a new sign-in; "": the mail asks the address to be confirmed."""
    signed_in_at: datetime = Field(sa_type=UTCDateTime)
    at: datetime = Field(sa_type=UTCDateTime)
    """When it is tried next."""
    attempts: int = Field(default=0)
