"""Flask's session cookie, whose date is ignored: each sign-in in it has its own end (``events.sign_ins``)."""

from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner, URLSafeTimedSerializer


class UndatedSigner(TimestampSigner):
    """Accepts a signature of any date: itsdangerous rejects one from the future as expired.

    Otherwise a clock that is set back, or that of another host a moment behind, would sign everybody out.
    """

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: Any = False) -> Any:
        """The value, if the signature is ours."""
        return super().unsign(signed_value, None, return_timestamp)


class Sessions(SecureCookieSessionInterface):
    """Flask's own sessions with that signer."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What signs and reads the cookie; None without a secret key."""
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = UndatedSigner
        return serializer
