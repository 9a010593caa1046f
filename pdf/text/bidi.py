"""The Unicode Bidirectional Algorithm (UAX 9) for a line that runs from left to right.

A line here has no paragraphs, embeddings or isolates: `pdf.text.characters` takes their codes out. That leaves the
rules W1 to W7, N0 to N2, I1 and L2. HarfBuzz mirrors brackets (L4) and keeps marks with their letters (L3).
"""

import unicodedata
from collections.abc import Sequence

PAIRS = dict(zip("([{<«⁽₍〈〈《「『【〔〖〘〚⟨⟪⟦", ")]}>»⁾₎〉〉》」』】〕〗〙〛⟩⟫⟧", strict=True))
_CLOSING = {close: open_ for open_, close in PAIRS.items()}
_NEUTRAL = {"B", "S", "WS", "ON", "ES", "ET", "CS", "BN"}


def needs(text: str) -> bool:
    """Whether anything in the text runs from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def levels(text: str) -> list[int]:
    """The level of each character: even ones run from left to right."""
    first = [unicodedata.bidirectional(character) or "L" for character in text]
    kinds = _weak(first)
    _brackets(text, first, kinds)
    _neutral(kinds)
    return [{"R": 1, "EN": 2, "AN": 2}.get(kind, 0) for kind in kinds]


def _weak(first: Sequence[str]) -> list[str]:
    kinds: list[str] = []
    strong = "L"
    for kind in first:
        if kind == "NSM":  # W1
            kind = kinds[-1] if kinds else "L"
        if kind == "EN" and strong == "AL":  # W2
            kind = "AN"
        if kind in ("L", "R", "AL"):
            strong = kind
        kinds.append(kind)
    for i in range(1, len(kinds) - 1):  # W4
        around = kinds[i - 1], kinds[i + 1]
        if (kinds[i] in ("ES", "CS") and around == ("EN", "EN")) or (kinds[i] == "CS" and around == ("AN", "AN")):
            kinds[i] = around[0]
    i = 0
    while i < len(kinds):  # W5
        end = i
        while end < len(kinds) and kinds[end] == "ET":
            end += 1
        if end > i and "EN" in (kinds[i - 1] if i else "", kinds[end] if end < len(kinds) else ""):
            kinds[i:end] = ["EN"] * (end - i)
        i = max(end, i + 1)
    strong = "L"
    for i, kind in enumerate(kinds):  # W3, W6, W7
        kinds[i] = {"AL": "R", "ES": "ON", "ET": "ON", "CS": "ON"}.get(kind, kind)
        if kinds[i] in ("L", "R"):
            strong = kinds[i]
        elif kind == "EN" and strong == "L":
            kinds[i] = "L"
    return kinds


def _brackets(text: str, first: Sequence[str], kinds: list[str]) -> None:
    """N0: a pair of brackets takes the direction of what is in it, or of what is before it."""
    opened: list[tuple[str, int]] = []
    pairs = []
    for i, character in enumerate(text):
        if kinds[i] != "ON":
            continue
        if character in PAIRS and character not in "<«":
            opened.append((character, i))
        elif character in _CLOSING and character not in ">»":
            for place in range(len(opened) - 1, -1, -1):
                if opened[place][0] == _CLOSING[character]:
                    pairs.append((opened[place][1], i))
                    del opened[place:]
                    break
    for start, end in sorted(pairs):
        inside = {_side(kind) for kind in kinds[start + 1 : end]}
        if "L" in inside:
            side = "L"
        elif "R" in inside:
            before = next((_side(kind) for kind in reversed(kinds[:start]) if _side(kind)), "L")
            side = before or "L"
        else:
            continue
        for i in (start, end):
            kinds[i] = side
            for after in range(i + 1, len(kinds)):
                if first[after] != "NSM":
                    break
                kinds[after] = side


def _side(kind: str) -> str:
    return "R" if kind in ("R", "EN", "AN") else "L" if kind == "L" else ""


def _neutral(kinds: list[str]) -> None:
    """N1 and N2: what has no direction takes that of its neighbours, or else of the line."""
    i = 0
    while i < len(kinds):
        end = i
        while end < len(kinds) and kinds[end] in _NEUTRAL:
            end += 1
        if end > i:
            right = i > 0 and end < len(kinds) and _side(kinds[i - 1]) == _side(kinds[end]) == "R"
            kinds[i:end] = ["R" if right else "L"] * (end - i)
        i = max(end, i + 1)


def visual(levels_of: Sequence[int]) -> list[int]:
    """L2: the places of these pieces in the order in which they are drawn from left to right."""
    order = list(range(len(levels_of)))
    for level in range(max(levels_of, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels_of[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = max(end, start + 1)
    return order
