"""The codes on scoresheets: with its code, anybody who holds a sheet finds the form of its game."""

import secrets

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L, O and U: read from paper and typed on a phone."""
LENGTH = 10
"""49 bits, so that guessing is hopeless and a right code need never be refused. Sheets printed before have eight."""


def sheet_code() -> str:
    """A new code for a game's sheet."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(LENGTH))
