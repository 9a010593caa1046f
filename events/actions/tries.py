"""Sign-ins that failed: counted so that guessing is slow, and so that nobody keeps an organiser out by guessing badly.

A browser that has signed in with an account before is counted by itself: whatever strangers do with the name, its owner
gets in. All other browsers share the account's count, and each address of the network has one, over all accounts, wide
enough for a hall behind one address.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.names import name_key
from models.people import SignInAttempt

WINDOW = timedelta(minutes=15)
MOST = {"name": 10, "browser": 10, "client": 60}
"""Failures within the window, by what they are counted for."""


@dataclass(frozen=True)
class Tried:
    """A sign-in: as whom, from which known browser ("" for any other), and from which address of the network."""

    name: str
    browser: str
    client: str

    @property
    def counts(self) -> dict[str, str]:
        """Under what it is counted, by kind."""
        if self.browser:
            return {"browser": self.browser}
        return {"name": name_key(self.name), "client": self.client}


def must_wait(s: Session, tried: Tried, now: datetime) -> bool:
    """Whether so many failed that even the right password has to wait."""
    for kind, key in tried.counts.items():
        query = select(func.count()).where(
            SignInAttempt.kind == kind, SignInAttempt.name_key == key, col(SignInAttempt.at) > now - WINDOW
        )
        if s.exec(query).one() >= MOST[kind]:
            return True
    return False


def record(s: Session, tried: Tried, now: datetime) -> None:
    """Remember one that failed, and forget those that no longer count."""
    for old in s.exec(select(SignInAttempt).where(col(SignInAttempt.at) <= now - WINDOW)):
        s.delete(old)
    s.add_all(SignInAttempt(kind=kind, name_key=key, at=now) for kind, key in tried.counts.items())
