"""``overseer verify FILE --key KEY`` for an archive; the key may be at the club's address."""

import http.client
import json
from contextlib import closing
from urllib.parse import urlsplit

from events.messages.outgoing import shut_down
from events.setup.archive_check import ArchiveCheck, check_archive
from events.setup.signing import fingerprint, fingerprint_in
from service.conversations import conversation

SECONDS = 10
MOST_BYTES = 10_000
KEY_PATH = "/.well-known/overseer-key.json"


def checked_archive(data: bytes, key: str) -> ArchiveCheck:
    """Check an archive; ``key`` is the expected fingerprint or the club's address, "" for none."""
    try:
        wanted = _wanted(key)
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException) as failed:
        hint = "Give the fingerprint, the key in base 64, its page as text, or the club’s https:// address."
        return ArchiveCheck("unreadable", [f"{key} gives no key ({type(failed).__name__}). {hint}"])
    return check_archive(data, wanted)


def _wanted(key: str) -> str:
    """The fingerprint that a key or an address means. Raises OSError, ValueError, KeyError or TypeError."""
    if not key.startswith("https://"):
        return fingerprint_in(key)
    url = urlsplit(key)
    with (
        closing(http.client.HTTPSConnection(url.netloc, timeout=SECONDS)) as connection,
        conversation(lambda: shut_down(connection.sock), 2 * SECONDS),
    ):
        connection.request("GET", KEY_PATH)
        return fingerprint(json.loads(connection.getresponse().read(MOST_BYTES))["key"])
