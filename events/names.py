"""Names of people, clubs and events: which characters are taken, and how two names are compared."""

import re
import unicodedata

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Zero-width and direction marks, blanks that count as letters: two names that differ only in these look the same."""


def forbidden_character(text: str, *, lines: bool = False) -> str | None:
    """The first character that is not taken from anybody, or None.

    Control characters and lone surrogates are refused because the databases disagree on them, and direction
    overrides because they turn the text around them. ``lines`` allows line ends and tabs.
    """
    for character in text:
        if lines and character in "\n\r\t":
            continue
        if unicodedata.category(character) in ("Cc", "Cs") or character in "\u202a\u202b\u202c\u202d\u202e\u2028\u2029":
            return character
    return None


def tidy(text: str) -> str:
    """The text composed (NFC), without space at its ends, and with single spaces inside."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def name_key(name: str) -> str:
    """What a name is compared by: compatibility forms, case and invisible marks folded away, 160 characters at most."""
    folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", name)).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())[:160]


PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
"""Letters that a keyboard without them types otherwise, and that no decomposition takes apart."""


def search_key(text: str) -> str:
    """What a name is looked for by: as it is compared (``name_key``), and with its accents off."""
    apart = unicodedata.normalize("NFKD", name_key(text).translate(PLAIN))
    bare = "".join(character for character in apart if not unicodedata.combining(character))
    return unicodedata.normalize("NFC", bare)


def visible(name: str) -> bool:
    """Whether anything of the name can be seen."""
    return any(unicodedata.category(character)[0] not in "ZC" for character in INVISIBLE.sub("", name))


def slug_of(name: str, otherwise: str = "event") -> str:
    """A readable address: the name's plain letters, digits and hyphens, 50 at most; ``otherwise`` if none is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:50].strip("-") or otherwise
