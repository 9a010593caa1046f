"""Rejecting passwords that attackers guess first.

Most common passwords are shorter than the ten characters required. The others are digits, neighbouring keys, one word
with digits, and repetitions; rules find more of these than a list. A list of frequently leaked passwords comes with a
package, so no password is ever sent over the network.
"""

import re
from functools import cache

SWAPPED = str.maketrans("@013457$!", "aoleastsi")
"""Digits and signs that stand for letters, as in p@ssw0rd."""
RUNS = (
    "qwertzuiop", "qwertyuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn", "01234567890",
    "abcdefghijklmnopqrstuvwxyz", "qazwsxedcrfvtgb", "1qaz2wsx3edc4rfv", "q1w2e3r4t5y6u7i8", "1q2w3e4r5t6y7u8i",
    "a1b2c3d4e5f6", "1a2b3c4d5e6f", "a1s2d3f4g5h6", "adgjmptw",
)  # fmt: skip
"""Neighbouring keys in order; also matched in reverse."""
WORDS = [
    "password", "passwort", "passwords", "motdepasse", "contrasena", "parola", "secret", "letmein", "welcome",
    "willkommen", "hello", "hallo", "admin", "administrator", "iloveyou", "ihateyou", "iloveme", "loveyou",
    "lovely", "love", "forever", "princess", "prinzessin", "sunshine", "sunflower", "football", "fussball",
    "baseball", "basketball", "volleyball", "softball", "soccer", "hockey", "chocolate", "schokolade", "strawberry",
    "butterfly", "superman", "batman", "spiderman", "superstar", "starwars", "pokemon", "minecraft", "dragonball",
    "dragon", "harrypotter", "warhammer", "fallout", "overseer", "wasteland", "tournament", "liverpool",
    "barcelona", "realmadrid", "manchester", "chelsea", "arsenal", "elizabeth", "christian", "christina",
    "christopher", "alexander", "alexandra", "stephanie", "jonathan", "jennifer", "jessica", "michelle", "michael",
    "sebastian", "internet", "computer", "microsoft", "facebook", "google", "linkedin", "myspace", "whatever",
    "trustno", "changeme", "freedom", "summer", "winter", "spring", "autumn", "sommer", "monday", "friday",
    "babygirl", "angel", "jesus", "blink", "undertaker", "metallica", "linkinpark", "thunder", "shadow", "master",
    "killer", "monkey", "bestfriend", "cheese", "letmeinnow", "access", "test", "guest", "user", "friends",
    "friendster", "teddybear", "hellokitty", "spongebob", "tinkerbell", "twilight", "slipknot", "rockstar",
    "runescape", "hollywood", "california",
]  # fmt: skip
COMMON = re.compile(rf"(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})")
LEAST = 10
"""The least length of a password."""
FEWEST = 5
"""The least number of different characters."""
LEFT = 4
"""The least number of characters that remain without common words and runs of keys."""


def is_guessed(password: str, name: str = "") -> bool:
    """Whether attackers guess this password first; the account's ``name`` counts as a common word."""
    plain = password.casefold()
    if plain in leaked():
        return True
    if plain.isdigit() or len(set(plain)) < FEWEST or re.fullmatch(r"(.{1,9}?)\1+.{0,2}", plain):
        return True
    for text in (plain, plain.translate(SWAPPED)):
        left = text
        for part in re.findall(r"\w{3,}", name.casefold()):
            left = left.replace(part, "")
        left = _without_runs(COMMON.sub("", left))
        if len(re.sub(r"[\d\W_]", "", left)) < LEFT and len(left) < len(text):
            return True
    return False


@cache
def leaked() -> frozenset[str]:
    """The most frequently leaked passwords of an accepted length."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - megabytes, loaded when needed

    return frozenset(one.casefold() for one in FREQUENCY_LISTS["passwords"] if len(one) >= LEAST)


def _without_runs(text: str) -> str:
    """The text without runs of three or more neighbouring keys."""
    for run in RUNS:
        for keys in (run, run[::-1]):
            for size in range(len(keys), 2, -1):
                for start in range(len(keys) - size + 1):
                    text = text.replace(keys[start : start + size], "")
    return text
