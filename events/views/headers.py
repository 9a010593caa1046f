"""The headers that every response carries."""

from flask import request
from werkzeug.wrappers import Response

DENIED_FEATURES = (
    "accelerometer", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
"""Browser features that no page of ours uses. Copying a link to the clipboard (clipboard-write) stays allowed."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in DENIED_FEATURES),
}


def add_headers(response: Response) -> Response:
    """Set the headers of a response. Pages depend on the visitor, so no shared cache may keep them."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.scheme == "https":
        response.headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains"
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.vary.add("Cookie")
    return response
