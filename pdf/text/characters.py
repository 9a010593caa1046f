"""Clean user text to one line of drawable characters, and split it into clusters that are drawn as one.

Control characters and direction overrides are removed, so that a name cannot change the direction of the text around
it. Emoji sequences are kept whole.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator

_PICTURE = "[\u231a-\u23ff\u25a0-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_PART = f"{_PICTURE}(?:\ufe0f|[\U0001f3fb-\U0001f3ff])*"
EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
    "|[0-9#*]\ufe0f?\u20e3"
    f"|{_PART}(?:\u200d{_PART})*"
)
NO_BREAK = "\u00a0"
"""Where no line ends; U+202F, the narrow one, becomes this."""
SPACES = re.compile(f"[ {NO_BREAK}]+")
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
JOINERS = "\u200c\u200d"
MAX_MARKS = 3
"""Combining marks kept on one letter; more would run into the lines above and below."""


def one_line(text: str, has_glyph: Callable[[str], bool]) -> str:
    """The text on one line, composed (NFC) and without control characters.

    A character without a glyph (``has_glyph`` is false) is replaced by a compatible form that has glyphs, if there is
    one.
    """
    for _ in range(4):  # removing a character can make a new sequence
        parts = re.split(f"({EMOJI.pattern})", unicodedata.normalize("NFC", text))
        parts[::2] = [_clean(between, has_glyph) for between in parts[::2]]
        previous, text = text, SPACES.sub(lambda run: " " if " " in run[0] else NO_BREAK, "".join(parts)).strip()
        if text == previous:
            break
    return text


def _clean(text: str, has_glyph: Callable[[str], bool]) -> str:
    kept: list[str] = []
    marks = 0
    for character in VARIATION_SELECTORS.sub("", text):
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" else 0
        if character in f"{NO_BREAK}\u202f":
            kept.append(NO_BREAK)
        elif character.isspace():
            kept.append(" ")
        elif category == "Cs":
            kept.append("\ufffd")
        elif character in JOINERS:
            # Joiners shape Arabic and Indic letters; elsewhere they would be invisible characters.
            if kept and (unicodedata.combining(kept[-1]) == 9 or unicodedata.bidirectional(kept[-1]) == "AL"):
                kept.append(character)
        elif category not in ("Cc", "Cf") and marks <= MAX_MARKS:
            kept += _compatible_form(character, has_glyph)
    return "".join(kept)


def _compatible_form(character: str, has_glyph: Callable[[str], bool]) -> str:
    if has_glyph(character):
        return character
    forms = (unicodedata.normalize(form, character) for form in ("NFKC", "NFD", "NFKD"))
    return next((form for form in forms if all(map(has_glyph, form))), character)


def clusters(text: str) -> Iterator[str]:
    """Split the text into units that are drawn as one: a letter with its accents, an emoji sequence."""
    if text.isascii():
        yield from text
        return
    start = 0
    while start < len(text):
        emoji = EMOJI.match(text, start)
        end = emoji.end() if emoji else start + 1
        while end < len(text) and (
            unicodedata.category(text[end]).startswith("M") or text[end] in JOINERS or text[end - 1] in JOINERS
        ):
            end += 1
        yield text[start:end]
        start = end
