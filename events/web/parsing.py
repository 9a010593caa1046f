"""Checks of text from outside: names, mail addresses, numbers, table numbers, sheet codes; and cells of CSV files.

The two databases reject different values, so everything is checked here first.
"""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable
from itertools import chain, count

from events.store.errors import Refused
from languages.words import N_, gettext, ngettext
from models.settings import MOST_TABLES
from validators.names import PLAIN, normalized, without_accents

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Zero-width and direction marks, and blanks that count as letters: names that differ only in these look the same."""
WEB_ADDRESS = re.compile(r"://|(?<!\w)www\.|\w\.[a-z]{2,24}(:\d{1,5})?/", re.IGNORECASE)
"""Only clear cases: a scheme, "www.", or a domain with a path. "St. Mary" and "A.B" are names."""
NO_WEB_ADDRESS = N_("A name cannot contain a web address.")


def has_web_address(name: str) -> bool:
    """Whether the name contains a web address, even in wide letters or with invisible characters inside."""
    return WEB_ADDRESS.search(normalized("NFKC", INVISIBLE.sub("", name))) is not None


LINK = re.compile(r"https://[a-z0-9.-]+\.[a-z]{2,63}(:\d{1,5})?([/?#][!-~]*)?", re.IGNORECASE)
NO_LINK = N_("Enter an address that begins with https://, without spaces.")


def is_link(address: str) -> bool:
    """Whether this is the https address of a page: nothing that a browser would run, and no user name in it."""
    return LINK.fullmatch(address) is not None


def forbidden_character(text: str, *, lines: bool = False) -> str | None:
    """The first character that is not allowed, or None. ``lines`` allows line ends and tabs.

    Control characters and lone surrogates are rejected because the databases treat them differently, direction
    overrides because they reverse the text around them.
    """
    for character in text:
        if lines and character in "\n\r\t":
            continue
        if unicodedata.category(character) in ("Cc", "Cs") or character in "\u202a\u202b\u202c\u202d\u202e\u2028\u2029":
            return character
    return None


def tidy(text: str) -> str:
    """The text composed (NFC) and trimmed, with single spaces inside."""
    return " ".join(normalized("NFC", text).split())


LEFT_BY_COPYING = re.compile(
    "[\u00ad\u200b\u200e\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]|[\u200c\u200d](?![^\\x00-\u024f])"
)
"""Soft hyphens, byte order marks, zero-width marks, and marks around text of another direction, which pages set
themselves. Not overrides: without them a name reads otherwise. Joiners only where no letter that they shape follows."""


def without_marks(text: str) -> str:
    """The text without the invisible marks that copying leaves in it."""
    return LEFT_BY_COPYING.sub("", text)


def tidy_name(text: str) -> str:
    return tidy(without_marks(text))


def name_key(name: str) -> str:
    """The comparison key of a name: case, compatibility forms and invisible marks folded, at most 160 characters."""
    folded = normalized("NFKC", INVISIBLE.sub("", name)).casefold()
    return " ".join(normalized("NFKC", folded).split())[:160]


def search_key(text: str) -> str:
    """The search key of a name: its comparison key without accents."""
    return without_accents(name_key(text))


_SPELT_OUT = re.compile("([aou])e|(a)a")


def one_spelling(key: str) -> str:
    """A search key in which Mueller, like Müller, is "muller": ae, oe and ue are a, o and u, and aa is a."""
    return _SPELT_OUT.sub(r"\1\2", key)


LOOK_ALIKES = str.maketrans(
    {
        # Cyrillic
        "а": "a", "в": "b", "г": "r", "е": "e", "з": "3", "і": "i", "к": "k", "м": "m", "н": "h", "о": "o", "п": "n",
        "р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ь": "b", "ѕ": "s", "ј": "j", "ѵ": "v", "һ": "h", "ү": "y",
        "ө": "o", "ғ": "f", "ӏ": "l", "ԁ": "d", "ԛ": "q", "ԝ": "w",
        # Greek capitals only: a small Greek letter in a Latin word counts as a mixture of scripts
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
"""Letters that look like a Latin letter, small or as a capital. Compiled for this project."""
ACCENTS = re.compile("[\u0300-\u036f]")
"""Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are letters of their own."""
LIKE_LATIN = {
    "LATIN": "Latin",
    "GREEK": "Greek",
    "CYRILLIC": "Cyrillic",
    "ARMENIAN": "Armenian",
    "CHEROKEE": "Cherokee",
}
"""Scripts that share letter shapes, by the first word of their characters' Unicode names."""


def look_alike_key(name: str) -> str:
    """A key that is equal for names that look the same on paper (other scripts, accents, 0/O, 1/l/I, rn/m).

    Spaces and punctuation do not count.
    """
    apart = normalized("NFD", name_key(name).translate(PLAIN))
    latin = ACCENTS.sub("", apart).translate(LOOK_ALIKES).replace("i", "l")
    shapes = "".join(c for c in latin if unicodedata.category(c)[0] not in "ZP").replace("rn", "m").replace("vv", "w")
    return normalized("NFC", shapes)[:160].strip()


def mixed_scripts(name: str) -> tuple[str, ...]:
    """The similar scripts that one word of the name mixes, such as Latin and Cyrillic; empty if none does."""
    scripts: list[str] = []
    for character in normalized("NFKC", name) + " ":
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
    return any(unicodedata.category(character)[0] not in "ZC" for character in INVISIBLE.sub("", name))


def slug_of(name: str, otherwise: str = "event") -> str:
    """A URL slug of the name's plain letters, digits and hyphens, at most 50 long; ``otherwise`` if none is left."""
    plain = normalized("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:50].strip("-") or otherwise


def stem_of(name: str) -> str:
    """The beginning of a file name for a player's papers, with the letters of any script."""
    kept = (text if unicodedata.category(text)[0] in "LMN" else "-" for text in name.casefold())
    return re.sub("-+", "-", "".join(kept)).strip("-")[:50].strip("-") or "player"


def unused_slug(base: str, taken: Collection[str]) -> str:
    """This slug, or if it is taken the first free one of "base-2", "base-3" and so on."""
    slugs = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(slug for slug in slugs if slug not in taken)


def series_slug(name: str) -> str:
    """The slug of a series. A name without plain letters gets its digest, so that no two share a page."""
    slug = slug_of(name, "series")
    digest = hashlib.sha256(name.encode()).hexdigest()[:6]
    return slug if re.search(r"[a-z]", slug_of(name, "0")) else f"{slug}-{digest}"


BETWEEN = " & "
LONGEST_NAME = 80
"""The longest name of an entry, both names together."""


def entry_name(name: str, partner: str) -> str:
    """The name of an entry: "Ann & Bob", or "Ann" without a partner."""
    return f"{name}{BETWEEN}{partner}" if partner else name


def first_name(entry: str, partner: str) -> str:
    """The first of the two names of an entry; reverses ``entry_name``."""
    return entry.removesuffix(f"{BETWEEN}{partner}") if partner else entry


def split_entry(text: str) -> tuple[str, str]:
    """The two names in "Ann & Bob"; the second is "" for a single name."""
    name, _, partner = text.partition(BETWEEN)
    return name.strip(), partner.strip()


def people_in(entry: str, partner: str) -> set[str]:
    """The comparison keys of the people of an entry."""
    return {name_key(text) for text in (first_name(entry, partner), partner) if text}


LONGEST = 254
"""The longest mail address (RFC 5321, 4.5.3.1.3)."""
ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+)*"  # RFC 5322's dot-atom without "?"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)


def read_address(text: str) -> str:
    """The mail address, trimmed; "" if empty. Raises Refused at the field "mail".

    Only plain ASCII with a dotted domain, which every mail server accepts.
    """
    address = text.strip()
    if not address:
        return ""
    if len(address) > LONGEST:
        raise Refused(ngettext("At most %(num)s character.", "At most %(num)s characters.", LONGEST), "mail")
    if forbidden_character(address) is not None or not ADDRESS.fullmatch(address) or len(address.split("@")[0]) > 64:
        raise Refused(gettext("Enter a mail address such as name@example.org."), "mail")
    return address


CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0, 1, I, L, O and U, which are misread on paper."""
LENGTH = 10
"""49 bits: too many to guess, so attempts need no limit. Older sheets have eight characters."""


def sheet_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(LENGTH))


ONE_TABLE = re.compile(r"(?:t|table)?\s*(?:#\s*)?([0-9]{1,4})", re.IGNORECASE)
"""At most four digits, because a sheet's code is longer."""


def table_typed(text: str) -> int | None:
    """The table of "12", "t12", "table 12" or "#12"; None for anything else."""
    match = ONE_TABLE.fullmatch(text.strip())
    return int(match[1]) if match else None


def code_typed(text: str) -> str:
    """A sheet code in its stored form: capitals, without spaces and hyphens."""
    return text.strip().upper().replace(" ", "").replace("-", "")[:20]


def grouped(code: str) -> str:
    """A code as printed, in two halves: "ABCDE-FGHJK"."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}" if half else code


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers of a text such as "3, 7-9", each once, in order. Raises ValueError with a message for the page."""
    numbers: set[int] = set()
    for part in re.split("[,; ]+", re.sub(" ?[-–—] ?", "-", " ".join(text.split()))):
        if not part:
            continue
        ends = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if ends is None:
            raise ValueError(
                gettext("“%(part)s” is not a table. Enter numbers and ranges, such as 3, 7-9.", part=part[:20])
            )
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not 1 <= first <= last <= MOST_TABLES:
            raise ValueError(
                gettext(
                    "“%(part)s”: enter numbers from 1 to %(most)s, and the lower number of a range first.",
                    part=part,
                    most=MOST_TABLES,
                )
            )
        numbers.update(range(first, last + 1))
    return tuple(sorted(numbers))


def as_text(numbers: Iterable[int]) -> str:
    """The numbers in the form that ``numbers_in`` reads, with runs of three or more as ranges."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in parts)


LARGEST = 2**31 - 1
"""The largest integer of a PostgreSQL column; SQLite accepts larger ones."""
MOST_MARKS = 8
"""The most accents on one letter. Languages need four; hundreds would cover the lines above."""


def whole_number(value: object) -> int:
    """A whole number in plain digits, clamped to ±LARGEST. Raises ValueError for anything else."""
    if isinstance(value, int):
        return max(-LARGEST, min(value, LARGEST))
    figures = value.strip() if isinstance(value, str) else ""
    sign, figures = (-1, figures[1:]) if figures.startswith("-") else (1, figures)
    if not (figures.isascii() and figures.isdecimal()):
        raise ValueError(gettext("Choose a number that is offered here."))
    return sign * (min(int(figures), LARGEST) if len(figures) < 12 else LARGEST)


def number_or_none(value: object) -> int | None:
    """A row's id or version, of one to ten digits; None for any other text."""
    figures = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 11
    return int(str(value)) if figures and int(str(value)) <= LARGEST else None


def unfit(text: str, *, lines: bool = False) -> str:
    """Why a text is rejected, in a sentence; "" if it is accepted. ``lines`` allows line breaks and tabs."""
    if forbidden_character(text, lines=lines) is not None:
        return gettext("It contains a character that cannot be printed. Delete that character.")
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") and not _selects(character) else 0
        if marks > MOST_MARKS:
            return ngettext(
                "It contains more than %(num)s accent on one letter. Type it again.",
                "It contains more than %(num)s accents on one letter. Type it again.",
                MOST_MARKS,
            )
    return ""


LONGEST_REASON = 500
"""The most characters of a judge's reason."""


def judges_reason(text: str) -> str:
    """A judge's reason as one line, tidied. Raises Refused."""
    line = " ".join(text[: LONGEST_REASON * 4 + 100].split())
    if len(line) > LONGEST_REASON:
        raise Refused(
            ngettext(
                "The reason: at most %(num)s character.", "The reason: at most %(num)s characters.", LONGEST_REASON
            )
        )
    if why := unfit(line):
        raise Refused(gettext("The reason: %(why)s", why=why[0].lower() + why[1:]))
    return line


def _selects(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def own_path(text: str) -> str:
    """The text if it is the path of a page here, else "/": nothing that a browser reads as another site's address."""
    plain = text.isascii() and text.isprintable() and not text.startswith("//") and "\\" not in text
    return text if text.startswith("/") and plain else "/"


_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"(?=.{{1,253}}$)(?:{_LABEL}\.)+(?!\d+$|0x){_LABEL}")


def is_host_name(host: str) -> bool:
    """Whether this is the whole name of a host (RFC 1123), in lower case, not an address in any way of writing it."""
    return _NAME.fullmatch(host) is not None
