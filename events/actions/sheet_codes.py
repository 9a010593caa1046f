"""The codes on scoresheets: whoever holds the sheet finds the form."""

import secrets

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L, O and U: read from paper and typed on a phone."""


def sheet_code() -> str:
    """A new code for a game's sheet."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(8))
