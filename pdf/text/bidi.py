"""The Unicode Bidirectional Algorithm (UAX 9) for a line that runs from left to right.

A line here has no paragraphs, embeddings or isolates: `pdf.text.characters` takes their codes out. That leaves the
rules W1 to W7, N0 to N2, I1 and L2. HarfBuzz mirrors brackets (L4) and keeps marks with their letters (L3).
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
"""A letter for each class of characters that a line can hold: "o" has no direction."""


def needs(text: str) -> bool:
    """Whether anything in the text runs from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def levels(text: str) -> list[int]:
    """The level of each character: even ones run from left to right."""
    first = "".join(KINDS.get(unicodedata.bidirectional(character), "L") for character in text)

    def all_as(kind: str) -> Callable[[re.Match[str]], str]:
        return lambda found: kind * len(found[0])

    kinds = re.sub(r"^\^+", all_as("L"), first)
    kinds = re.sub(r"(.)\^+", lambda found: found[1] * len(found[0]), kinds)  # W1
    kinds = re.sub(r"A[^LR]*", lambda found: found[0].replace("1", "2"), kinds)  # W2
    kinds = kinds.replace("A", "R")  # W3
    kinds = re.sub(r"(?<=1)[+,](?=1)", "1", re.sub(r"(?<=2),(?=2)", "2", kinds))  # W4
    kinds = re.sub(r"(?<!%)%+(?=1)|(?<=1)%+", all_as("1"), kinds)  # W5
    kinds = re.sub(r"[+,%]", "o", kinds)  # W6
    kinds = re.sub(r"(^|L)[^R]*", lambda found: found[0].replace("1", "L"), kinds)  # W7
    kinds = _brackets(text, first, kinds)
    kinds = re.sub(r"(?<=[R12])o+(?=[R12])", all_as("R"), kinds)  # N1, N2
    return [{"R": 1, "1": 2, "2": 2}.get(kind, 0) for kind in kinds]


def _brackets(text: str, first: str, kinds: str) -> str:
    """N0: a pair of brackets takes the direction of what is in it, or of what is before it."""
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
            side = "L"
        elif kinds[start + 1 : end].strip("o"):
            side = "R" if kinds[:start].rstrip("o")[-1:] in ("R", "1", "2") else "L"
        else:
            continue
        for i in (end, start):
            marks = len(first[i + 1 :]) - len(first[i + 1 :].lstrip("^"))
            kinds = kinds[:i] + side * (1 + marks) + kinds[i + 1 + marks :]
    return kinds


def visual(levels_of: Sequence[int]) -> list[int]:
    """L2: the places of these pieces in the order in which they are drawn from left to right."""
    order = list(range(len(levels_of)))
    for level in (2, 1):
        runs = groupby([(levels_of[place] >= level, place) for place in order], itemgetter(0))
        order = [place for turned, run in runs for _, place in (reversed(list(run)) if turned else run)]
    return order
