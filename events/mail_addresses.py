"""Mail addresses as people type them."""

import re

from events.errors import Refused
from events.names import forbidden_character

LONGEST = 254
"""RFC 5321, 4.5.3.1.3: what fits between the angle brackets of a path."""
ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+)*"  # RFC 5322's dot-atom without "?"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)


def read_address(typed: str, field: str = "mail") -> str:
    """The address, without space at its ends; "" where none was typed. Raises Refused at ``field``.

    Plain ASCII with a dotted domain, as every mail server takes it. Whether anybody reads it, only a mail can tell.
    """
    address = typed.strip()
    if not address:
        return ""
    if len(address) > LONGEST:
        raise Refused(f"At most {LONGEST} characters.", field)
    if forbidden_character(address) is not None or not ADDRESS.fullmatch(address) or len(address.split("@")[0]) > 64:
        raise Refused("This is no mail address like name@example.org.", field)
    return address
