"""The Unicode Bidirectional Algorithm (UAX 9) for one line whose base direction is left to right.

`pdf.text.characters` has already removed embedding, override and isolate controls, so only the rules W1 to W7, N0 to
N2, I1 and L2 are needed. HarfBuzz mirrors brackets (L4) and keeps combining marks with their letters (L3).
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter

OPENING, CLOSING = "([{⁽₍〈〈《「『【〔〖〘〚⟨⟪⟦", ")]}⁾₎〉〉》」』】〕〗〙〛⟩⟫⟧"
KINDS = {
    "L": "L", "R": "R", "AL": "A", "EN": "1", "AN": "2", "ES": "+", "ET": "%", "CS": ",", "NSM": "^",
    "B": "o", "S": "o", "WS": "o", "ON": "o", "BN": "o",
}  # fmt: skip
"""One letter for each bidirectional class that a line can contain; "o" is neutral."""


def needs_reordering(text: str) -> bool:
    """Whether the text contains characters that run from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def levels(text: str) -> list[int]:
    """The embedding level of each character; even levels run from left to right."""
    classes = "".join(KINDS.get(unicodedata.bidirectional(character), "L") for character in text)

    def all_as(kind: str) -> Callable[[re.Match[str]], str]:
        return lambda found: kind * len(found[0])

    kinds = re.sub(r"^\^+", all_as("L"), classes)
    kinds = re.sub(r"(.)\^+", lambda found: found[1] * len(found[0]), kinds)  # W1
    kinds = re.sub(r"A[^LR]*", lambda found: found[0].replace("1", "2"), kinds)  # W2
    kinds = kinds.replace("A", "R")  # W3
    kinds = re.sub(r"(?<=1)[+,](?=1)", "1", re.sub(r"(?<=2),(?=2)", "2", kinds))  # W4
    kinds = re.sub(r"(?<!%)%+(?=1)|(?<=1)%+", all_as("1"), kinds)  # W5
    kinds = re.sub(r"[+,%]", "o", kinds)  # W6
    kinds = re.sub(r"(^|L)[^R]*", lambda found: found[0].replace("1", "L"), kinds)  # W7
    kinds = _brackets(text, classes, kinds)
    kinds = re.sub(r"(?<=[R12])o+(?=[R12])", all_as("R"), kinds)  # N1, N2
    return [{"R": 1, "1": 2, "2": 2}.get(kind, 0) for kind in kinds]


def _brackets(text: str, classes: str, kinds: str) -> str:
    """Rule N0: a pair of brackets takes the direction of its content, or else of the text before it."""
    opened: list[tuple[str, int]] = []
    pairs = []
    for i, character in enumerate(text):
        if kinds[i] == "o" and character in OPENING:
            opened.append((CLOSING[OPENING.index(character)], i))
        elif kinds[i] == "o" and any(closing == character for closing, _ in opened):
            while opened[-1][0] != character:
                opened.pop()
            pairs.append((opened.pop()[1], i))
    for start, end in sorted(pairs):
        if "L" in kinds[start + 1 : end]:
            direction = "L"
        elif kinds[start + 1 : end].strip("o"):
            direction = "R" if kinds[:start].rstrip("o")[-1:] in ("R", "1", "2") else "L"
        else:
            continue
        for i in (end, start):
            marks = len(classes[i + 1 :]) - len(classes[i + 1 :].lstrip("^"))
            kinds = kinds[:i] + direction * (1 + marks) + kinds[i + 1 + marks :]
    return kinds


def visual_order(piece_levels: Sequence[int]) -> list[int]:
    """Rule L2: the indices of the pieces in visual order, from left to right, from the level of each piece."""
    order = list(range(len(piece_levels)))
    for level in (2, 1):
        runs = groupby([(piece_levels[index] >= level, index) for index in order], itemgetter(0))
        order = [index for reverse, run in runs for _, index in (reversed(list(run)) if reverse else run)]
    return order
