"""Right-to-left text put in the order in which it is drawn, Arabic letters joined.

The lines on a sheet run left to right and are short (a name, a club), so of the Unicode Bidirectional
Algorithm (UAX 9) this keeps what such a line needs: one run per stretch of right-to-left text, numbers kept
in their own order, brackets mirrored. Arabic shapes come from Unicode's own presentation forms.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_MIRROR = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_TATWEEL = "\u0640"
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


# By whether the letter joins to the one before it and to the one after it.
_SHAPES = {
    (False, False): "isolated",
    (False, True): "initial",
    (True, True): "medial",
    (True, False): "final",
}


@lru_cache(maxsize=1)
def _forms() -> dict[str, dict[str, str]]:
    """For each Arabic letter or lam-alef pair its shapes: isolated, initial, medial, final."""
    forms: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFBB2), *range(0xFBD3, 0xFC00), *range(0xFE80, 0xFEFD)):
        shape, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        base = "".join(chr(int(letter, 16)) for letter in letters)
        if shape and (len(base) == 1 or (base[0] == "\u0644" and len(base) == 2)):
            forms.setdefault(base, {})[shape.strip("<>")] = chr(code)
    return forms


def _joins(unit: str, shape: str) -> bool:
    return unit == _TATWEEL or shape in _forms().get(unit, {})


def is_rtl(character: str) -> bool:
    """Whether the character runs from right to left by itself."""
    return unicodedata.bidirectional(character) in ("R", "AL")


def join_arabic(text: str, covers: Callable[[str], bool]) -> str:
    """Arabic letters in the shapes that they take next to each other, where a font holds those shapes."""
    forms = _forms()
    units: list[str] = []
    for character in text:
        pair = units[-1] + character if units else ""
        shapes = forms.get(pair, {}) if len(pair) == 2 else {}
        if shapes and all(covers(shape) for shape in shapes.values()):
            units[-1] = pair
        else:
            units.append(character)
    letters = [unit for unit in units if not unicodedata.combining(unit[0])]
    drawn: list[str] = []
    place = -1
    for unit in units:
        if unicodedata.combining(unit[0]):
            drawn.append(unit)
            continue
        place += 1
        before = place > 0 and _joins(letters[place - 1], "initial") and _joins(unit, "final")
        after = place + 1 < len(letters) and _joins(unit, "initial") and _joins(letters[place + 1], "final")
        shape = forms.get(unit, {}).get(_SHAPES[before, after], "")
        drawn.append(shape if shape and covers(shape) else unit)
    return "".join(drawn)


def visual(text: str, covers: Callable[[str], bool]) -> str:
    """The characters of a line in the order in which they are drawn from left to right."""
    if not any(map(is_rtl, text)):
        return text
    result: list[str] = []
    at = 0
    while at < len(text):
        if not is_rtl(text[at]):
            result.append(text[at])
            at += 1
            continue
        end = at
        for i in range(at, len(text)):
            kind = unicodedata.bidirectional(text[i])
            if kind == "L":
                break
            if kind in ("R", "AL", "NSM", "EN", "AN"):
                end = i + 1
        # A bracket opened inside the run closes inside it (rule N0), though nothing right-to-left follows.
        opened = 0
        for i in range(at, len(text)):
            opened += (text[i] in "([{") - (text[i] in ")]}")
            if i == end and text[i] in ")]}" and opened >= 0:
                end += 1
            elif i >= end:
                break
        result.append(_reversed(join_arabic(text[at:end], covers)))
        at = end
    return "".join(result)


def _reversed(run: str) -> str:
    """A right-to-left run turned round: each accent after its letter, each number in its own order."""
    units: list[str] = []
    at = 0
    while at < len(run):
        number = _NUMBER.match(run, at)
        if number:
            units.append(number.group())
        elif units and unicodedata.combining(run[at]):
            units[-1] += run[at]
            at += 1
            continue
        else:
            units.append(run[at].translate(_MIRROR))
        at += len(units[-1])
    return "".join(reversed(units))
