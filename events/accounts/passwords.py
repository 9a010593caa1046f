"""Passwords that attackers guess first."""

import re

LONGEST = 72
"""The letters that count; zxcvbn reads no more."""
SAFE = 3
"""The least score of zxcvbn, of 4: at least 100 million guesses."""
WORDS = (
    "overseer", "fallout", "wasteland", "warhammer", "tournament", "passwort", "motdepasse", "contrasena", "parola",
    "willkommen", "sommer", "fussball", "schokolade", "qwertzuiop", "azertyuiop", "yxcvbnm", "qsdfghjklm",
)  # fmt: skip
"""What it does not know: the product's own words, and other languages' first guesses."""


def is_guessed(password: str, name: str = "") -> bool:
    """Whether attackers guess this password first; the account's ``name`` counts as a common word."""
    from zxcvbn import zxcvbn  # noqa: PLC0415 - megabytes, loaded when needed

    parts = re.findall(r"\w{3,}", name[:LONGEST].casefold())
    common = [*WORDS, *parts, "".join(parts)]
    score: int = zxcvbn(password[:LONGEST].casefold(), common)["score"]
    return password.isdigit() or score < SAFE
