"""Lines of the production server: how long the request is that comes on one, and how one is closed."""

import re

from gunicorn.workers import gthread

from events.lanes import KEPT

LENGTHS = re.compile(rb"\r\n(content-length|transfer-encoding|expect)[ \t]*:([^\r\n]*)", re.IGNORECASE)


def missing(came: bytes | bytearray) -> int | None:
    """How many bytes are still to come of a request, at least; None where that is more than is kept, or is not told."""
    head, ended, body = came.lstrip(b"\r\n").partition(b"\r\n\r\n")
    if not ended:
        return 1 if len(came) < KEPT else None
    told = [(name.lower(), value.strip()) for name, value in LENGTHS.findall(head)]
    if not told:
        return 0
    name, value = told[0]
    if len(told) > 1 or name != b"content-length" or re.fullmatch(rb"[0-9]{1,7}", value) is None or int(value) > KEPT:
        return None
    return max(0, int(value) - len(body))


def changes_something(came: bytes | bytearray) -> bool:
    """Whether a request is none that only looks."""
    return not came.lstrip(b"\r\n").startswith((b"GET ", b"HEAD "))


class Line(gthread.TConn):  # type: ignore[misc]  # gunicorn tells no types
    """A line whose end is not waited for in the loop, for two seconds at most as gunicorn does, where all was read."""

    whole = False

    def close(self, graceful: bool = False) -> None:
        """Close it; ``graceful`` reads on what else was sent, so that the answer is not cut off by it."""
        super().close(graceful=graceful and not self.whole)
