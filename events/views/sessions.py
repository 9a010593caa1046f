"""The signed cookie that says who somebody is, dated by the server's one clock and tolerant of that being set back."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, SignatureExpired, TimestampSigner, URLSafeTimedSerializer

DATED_ANEW = timedelta(days=1)
"""A cookie that is older is dated anew; one that is younger is left as it is, and not signed for every answer."""


class ClockSigner(TimestampSigner):
    """Dates what it signs by the clock of the service."""

    def __init__(self, *args: Any, clock: Callable[[], datetime], **kwargs: Any) -> None:
        """As TimestampSigner, with the clock beside."""
        super().__init__(*args, **kwargs)
        self.clock = clock

    def get_timestamp(self) -> int:
        """Now, in seconds since 1970."""
        return int(self.clock().timestamp())


class DatedSession(SecureCookieSession):
    """What the cookie says, and when it was signed; None for one that was not sent."""

    signed_at: datetime | None = None


class Sessions(SecureCookieSessionInterface):
    """Flask's own, but that nobody is signed out when the machine's clock is set back.

    A cookie of the hour that comes again seems to be from the future, and itsdangerous calls that expired: everybody
    in the hall would be a stranger for as long as the clock was set back.
    """

    session_class = DatedSession

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What signs and reads the cookie."""
        made = super().get_signing_serializer(app)
        if made is not None:
            made.signer = ClockSigner
            made.signer_kwargs = made.signer_kwargs | {"clock": app.extensions["overseer_clock"]}
        return made

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Whether the answer brings the cookie: when something of it changed, and once a day so that it lasts."""
        signed_at = getattr(session, "signed_at", None)
        if session.modified or signed_at is None:
            return super().should_set_cookie(app, session)
        now: datetime = app.extensions["overseer_clock"]()
        return session.permanent and now - signed_at >= DATED_ANEW

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Whom the cookie names; nobody where it is none of ours, or older than a session lasts."""
        serializer, sent = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app))
        if serializer is None or not sent:
            return super().open_session(app, request)
        try:
            lasts = int(app.permanent_session_lifetime.total_seconds())
            said, signed_at = serializer.loads(sent, max_age=lasts, return_timestamp=True)
        except SignatureExpired as ended:
            if ended.date_signed is None or ended.date_signed <= app.extensions["overseer_clock"]():
                return self.session_class()
            said, signed_at = serializer.loads(sent), ended.date_signed
        except BadSignature:
            return self.session_class()
        opened = self.session_class(said)
        opened.signed_at = signed_at
        return opened
