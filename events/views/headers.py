"""What every answer says to the browser beside its page."""

from flask import request
from werkzeug.wrappers import Response

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def add_headers(response: Response) -> Response:
    """What every answer says to the browser. Pages depend on who asks, so no cache may share them."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.scheme == "https":
        response.headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains"
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.vary.add("Cookie")
    return response
