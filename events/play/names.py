"""Names of people, clubs and events, entries of two players, and mail addresses: what is allowed and what is equal."""

import re
import unicodedata

from events.play.errors import Refused

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Zero-width and direction marks, blanks that count as letters: two names that differ only in these look the same."""


WEB_ADDRESS = re.compile(r"://|(?<!\w)www\.|\w\.[a-z]{2,24}(:\d{1,5})?/", re.IGNORECASE)
"""Clear cases alone: a scheme, "www.", or a domain with a path. "St. Mary" and "A.B" are names."""
NO_WEB_ADDRESS = "A name cannot contain a web address."


def has_web_address(name: str) -> bool:
    """Whether the name contains a web address, also one in wide letters or with invisible characters inside."""
    return WEB_ADDRESS.search(unicodedata.normalize("NFKC", INVISIBLE.sub("", name))) is not None


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


LOOK_ALIKES = str.maketrans(
    {
        # Cyrillic
        "а": "a", "в": "b", "г": "r", "е": "e", "з": "3", "і": "i", "к": "k", "м": "m", "н": "h", "о": "o", "п": "n",
        "р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ь": "b", "ѕ": "s", "ј": "j", "ѵ": "v", "һ": "h", "ү": "y",
        "ө": "o", "ғ": "f", "ӏ": "l", "ԁ": "d", "ԛ": "q", "ԝ": "w",
        # Greek, by its capitals: in a Latin word a small Greek letter is seen as a mixture
        "α": "a", "β": "b", "ε": "e", "ζ": "z", "η": "h", "ι": "i", "κ": "k", "μ": "m", "ν": "n", "ο": "o", "ρ": "p",
        "τ": "t", "υ": "y", "χ": "x", "ϳ": "j",
        # Armenian and Cherokee
        "օ": "o", "ս": "u", "հ": "h", "ո": "n", "ց": "g", "յ": "j", "լ": "l", "զ": "q",
        "Ꭰ": "d", "Ꭱ": "r", "Ꭲ": "t", "Ꭺ": "a", "Ꭻ": "j", "Ꭼ": "e", "Ꮃ": "w", "Ꮇ": "m", "Ꮋ": "h", "Ꮐ": "g", "Ꮓ": "z",
        "Ꮥ": "s", "Ꮩ": "v", "Ꮪ": "s", "Ꮮ": "l", "Ꮯ": "c", "Ꮲ": "p", "Ꮶ": "k", "Ᏼ": "b",
        # Latin letters for phonetics
        "ɑ": "a", "ɡ": "g", "ɩ": "i", "ɪ": "i", "ʀ": "r", "ɴ": "n", "ʏ": "y", "ᴀ": "a", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e",
        "ᴋ": "k", "ᴍ": "m", "ᴏ": "o", "ᴘ": "p", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w", "ᴢ": "z",
        # Figures and signs
        "0": "o", "1": "l", "|": "l", "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-", "–": "-",
    }
)  # fmt: skip
"""Letters that look like a Latin one, small or as a capital. Our own list: what a reader across the desk mixes up."""
ACCENTS = re.compile("[\u0300-\u036f]")
"""Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are letters of their own and stay."""
LIKE_LATIN = {
    "LATIN": "Latin",
    "GREEK": "Greek",
    "CYRILLIC": "Cyrillic",
    "ARMENIAN": "Armenian",
    "CHEROKEE": "Cherokee",
}
"""Scripts with letters in common, by the first word of their characters' names."""


def look_alike_key(name: str) -> str:
    """Equal for two names that look the same on paper: other scripts' letters, accents, 0/O, 1/l/I, rn/m folded.

    Spaces and punctuation do not count.
    """
    apart = unicodedata.normalize("NFD", name_key(name).translate(PLAIN))
    latin = ACCENTS.sub("", apart).translate(LOOK_ALIKES).replace("i", "l")
    shapes = "".join(c for c in latin.replace("rn", "m").replace("vv", "w") if unicodedata.category(c)[0] not in "ZP")
    return unicodedata.normalize("NFC", shapes)[:160].strip()


def mixed_scripts(name: str) -> tuple[str, ...]:
    """The scripts that one word of the name mixes, of those whose letters look alike: Latin and Cyrillic, say."""
    scripts: list[str] = []
    for character in unicodedata.normalize("NFKC", name) + " ":
        kind = unicodedata.category(character)[0]
        script = LIKE_LATIN.get(unicodedata.name(character, "").split(" ")[0]) if kind == "L" else None
        if script and script not in scripts:
            scripts.append(script)
        elif kind not in "LM":  # the word ends
            if len(scripts) > 1:
                return tuple(scripts)
            scripts = []
    return ()


def visible(name: str) -> bool:
    """Whether anything of the name can be seen."""
    return any(unicodedata.category(character)[0] not in "ZC" for character in INVISIBLE.sub("", name))


def slug_of(name: str, otherwise: str = "event") -> str:
    """A readable address: the name's plain letters, digits and hyphens, 50 at most; ``otherwise`` if none is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:50].strip("-") or otherwise


BETWEEN = " & "
LONGEST_NAME = 80
"""Of an entry's name, both names together."""


def entry_name(name: str, partner: str) -> str:
    """The name of the entry: "Ann & Bob", or just "Ann" without a partner."""
    return f"{name}{BETWEEN}{partner}" if partner else name


def first_name(entry: str, partner: str) -> str:
    """The first of the two names of an entry: what ``entry_name`` was made from."""
    return entry.removesuffix(f"{BETWEEN}{partner}") if partner else entry


def split_entry(text: str) -> tuple[str, str]:
    """Both names of a line such as "Ann & Bob"; the second is "" where there is one."""
    name, _, partner = text.partition(BETWEEN)
    return name.strip(), partner.strip()


def people_in(entry: str, partner: str) -> set[str]:
    """The people of an entry, by the keys that names are compared by."""
    return {name_key(one) for one in (first_name(entry, partner), partner) if one}


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
