"""User text as one line of characters that can be drawn, and what of it belongs together.

Controls and direction overrides go, so that no name can turn the text around it; emoji sequences stay whole.
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
JOINERS = "\u200c\u200d"
MOST_MARKS = 3
"""Accents kept on one letter; a tower of them would run into the lines above and below."""


def one_line(text: str, held: Callable[[str], bool]) -> str:
    """The text as one line: composed (NFC), without codes; letters that no face has in a plainer form that one has."""
    for _ in range(4):  # taking one thing out can bring others together
        before, text = text, _once(text, held)
        if text == before:
            break
    return text


def _once(text: str, held: Callable[[str], bool]) -> str:
    text = unicodedata.normalize("NFC", text)
    kept: list[str] = []
    at = 0
    for match in EMOJI.finditer(text):
        kept += [_cleaned(text[at : match.start()], held), match.group()]
        at = match.end()
    return " ".join("".join([*kept, _cleaned(text[at:], held)]).split())


def _cleaned(text: str, held: Callable[[str], bool]) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" else 0
        if category in ("Zs", "Zl", "Zp") or character in "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85":
            kept.append(" ")
        elif category == "Cs":
            kept.append("\ufffd")
        elif character in JOINERS:
            # They shape Arabic and Indic letters; elsewhere they would only hide.
            if kept and (unicodedata.combining(kept[-1]) == 9 or unicodedata.bidirectional(kept[-1]) == "AL"):
                kept.append(character)
        elif category not in ("Cc", "Cf") and not _selects(character) and marks <= MOST_MARKS:
            kept += _plainer(character, held)
    return "".join(kept)


def _selects(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _plainer(character: str, held: Callable[[str], bool]) -> str:
    if not held(character):
        for form in ("NFKC", "NFD", "NFKD"):
            other = unicodedata.normalize(form, character)
            if other != character and all(map(held, other)):
                return other
    return character


def clusters(text: str) -> Iterator[str]:
    """What is drawn as one: a letter with its accents, an emoji sequence."""
    if text.isascii():
        yield from text
        return
    at = 0
    while at < len(text):
        emoji = EMOJI.match(text, at)
        end = emoji.end() if emoji else at + 1
        while end < len(text) and (
            unicodedata.category(text[end]).startswith("M") or text[end] in JOINERS or text[end - 1] in JOINERS
        ):
            end += 1
        yield text[at:end]
        at = end
