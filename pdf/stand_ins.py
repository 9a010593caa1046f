"""Readable words in place of what no typeface here can show: emoji, and scripts without a font.

"🦊 Fox 🏳️‍🌈" prints as "[fox face] Fox [rainbow flag]", and a letter that no font holds by its Unicode name.
"""

import re
import unicodedata
from collections.abc import Callable

Covers = Callable[[str], bool]

_PICTURE = "[\u231a-\u23ff\u25a0-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_TONE = "[\U0001f3fb-\U0001f3ff]"
_PART = f"{_PICTURE}(?:\ufe0f|{_TONE})*"
EMOJI = re.compile(
    "(?P<flag>[\U0001f1e6-\U0001f1ff]{2})"
    "|(?P<region>\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)"
    "|(?P<keycap>[0-9#*]\ufe0f?\u20e3)"
    f"|(?P<picture>{_PART}(?:\u200d{_PART})*)"
)
# Sequences whose parts do not add up to their meaning.
_SEQUENCES = {
    "\U0001f3f3\U0001f308": "rainbow flag",
    "\U0001f3f3\u26a7": "transgender flag",
    "\U0001f3f4\u2620": "pirate flag",
}
_GENDER = {"\u2640": "woman", "\u2642": "man"}
_SHORTER = {"skull and crossbones": "skull", "waving white flag": "white flag", "heavy black heart": "heart"}
MOST_MARKS = 3
"""Accents kept on one letter; a tower of them would run into the lines above and below."""


def _say(character: str) -> str:
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    if name.startswith("U+"):
        return name
    name = name.lower()
    return _SHORTER.get(name, name)


def _emoji_words(match: re.Match[str]) -> str:
    text = match.group()
    if match["flag"]:
        return "flag " + "".join(chr(ord(c) - 0x1F1E6 + ord("A")) for c in text)
    if match["region"]:
        return "flag " + "".join(chr(ord(c) - 0xE0000) for c in text[1:-1]).upper()
    if match["keycap"]:
        return text[0]
    parts = re.sub(f"[\ufe0f\u200d]|{_TONE}", "", text) or text[0]
    if parts in _SEQUENCES:
        return _SEQUENCES[parts]
    return " ".join(_GENDER.get(c, _say(c)) if i else _say(c) for i, c in enumerate(parts))


def _letter_words(character: str) -> tuple[str, str]:
    """The script and the short name of a letter: ("Thai", "ko kai")."""
    name = unicodedata.name(character, "")
    script, _, rest = name.partition(" ")
    if not rest or script == "CJK":
        return "", f"U+{ord(character):04X}"
    rest = re.sub(r"^(.* )?(LETTER|SYLLABLE|CHARACTER|VOWEL SIGN|SIGN)[ -]", "", rest)
    return script.capitalize(), rest.lower()


def _spelled(run: str) -> str:
    """One stand-in for a run of letters without a font: "[Thai ko kai, kho khai]"."""
    words: list[str] = []
    last = ""
    for character in run:
        script, word = _letter_words(character)
        words.append(f"{script} {word}" if script and script != last else word)
        last = script
    return f"[{', '.join(words)}]"


def _without_codes(text: str) -> str:
    """One line of characters that show: no controls, no direction overrides, no variation selectors."""
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category in ("Zs", "Zl", "Zp") or character in "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85":
            kept.append(" ")
        elif category == "Cs":
            kept.append("\ufffd")
        elif category not in ("Cc", "Cf") and not (
            "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
        ):
            kept.append(character)
    return " ".join("".join(kept).split())


def _plainer(character: str, covers: Covers) -> str:
    """The same letter written plainer ("𝓕" as "F", "ǟ" as "a" with accents), or "" if that has no font."""
    for other in (
        unicodedata.normalize("NFKC", character),
        unicodedata.normalize("NFD", character),
        unicodedata.normalize("NFKD", character),
    ):
        if other != character and all(covers(c) for c in other):
            return other
    return ""


def readable(text: str, covers: Covers) -> str:
    """The text as one line in which every character is covered by a typeface.

    Composed accents first (NFC); line breaks become spaces; controls and direction overrides go; emoji
    sequences become one stand-in; an accent that no font holds is left off its letter.
    """
    shown = _readable(text, covers)
    if unicodedata.is_normalized("NFC", shown):
        return shown
    return _readable(shown, covers)  # an accent stands by its letter now that what was between them is gone


def _readable(text: str, covers: Covers) -> str:
    def picture(match: re.Match[str]) -> str:
        found = match.group()
        if len(found) == 1 and ord(found) < 0x1F000 and covers(found):
            return found
        return f"[{_emoji_words(match)}]"

    text = _without_codes(EMOJI.sub(picture, unicodedata.normalize("NFC", text)))
    result: list[str] = []
    strange = ""
    marks = 0
    for character in text:
        is_mark = unicodedata.category(character) == "Mn"
        marks = marks + 1 if is_mark else 0
        shown = character if covers(character) else _plainer(character, covers)
        if not shown and (strange or unicodedata.combining(character) == 0):
            strange += character
            continue
        if strange:
            result.append(_spelled(strange))
            strange = ""
        if shown and marks <= MOST_MARKS:
            result.append(shown)
    if strange:
        result.append(_spelled(strange))
    return "".join(result)
