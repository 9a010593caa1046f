"""The signed cookie that says who somebody is, dated by the server's one clock and tolerant of that being set back."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature, SignatureExpired, TimestampSigner, URLSafeTimedSerializer


class ClockSigner(TimestampSigner):
    """Dates what it signs by the clock of the service."""

    def __init__(self, *args: Any, clock: Callable[[], datetime], **kwargs: Any) -> None:
        """As TimestampSigner, with the clock beside."""
        super().__init__(*args, **kwargs)
        self.clock = clock

    def get_timestamp(self) -> int:
        """Now, in seconds since 1970."""
        return int(self.clock().timestamp())


class Sessions(SecureCookieSessionInterface):
    """Flask's own, but that nobody is signed out when the machine's clock is set back.

    A cookie of the hour that comes again seems to be from the future, and itsdangerous calls that expired: everybody
    in the hall would be a stranger for as long as the clock was set back.
    """

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What signs and reads the cookie."""
        made = super().get_signing_serializer(app)
        if made is not None:
            made.signer = ClockSigner
            made.signer_kwargs = made.signer_kwargs | {"clock": app.extensions["overseer_clock"]}
        return made

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Whom the cookie names; nobody where it is none of ours, or older than a session lasts."""
        serializer, sent = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app))
        if serializer is None or not sent:
            return super().open_session(app, request)
        try:
            said = serializer.loads(sent, max_age=int(app.permanent_session_lifetime.total_seconds()))
        except SignatureExpired as ended:
            if ended.date_signed is None or ended.date_signed <= app.extensions["overseer_clock"]():
                return self.session_class()
            said = serializer.loads(sent)
        except BadSignature:
            return self.session_class()
        return self.session_class(said)
