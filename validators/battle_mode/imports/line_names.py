"""The names in a line of a list: the words between two separators count only as known names throughout."""

import re
from dataclasses import dataclass
from itertools import pairwise

from validators.battle_mode.imports.figures import LONGEST_NAME
from validators.battle_mode.imports.lines import Line
from validators.battle_mode.imports.matching import PARTS
from validators.battle_mode.imports.vocabulary import NEAR, Found, Vocabulary

MOST_IN_A_NAME = 10
"""The most tokens in one name."""
NUMBERS = {
    word: number
    for number, words in enumerate(
        ("a an one ein eine einen jeden", "two both pair zwei dwa dwie dwoch", "three drei trzy trzech",
         "four vier cztery", "five fünf pięć", "six sechs", "seven sieben", "eight acht", "nine neun", "ten zehn"),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
COUNTING = frozenset(("stk", "stück", "szt", "pcs", "pieces", "of", "pair"))
"""Words between a number and the name that it counts."""
SOME_OF_THEM = frozenset(("of", "them", "these", "those", "which", "also", "with", "w", "/", "has", "have", "mit"))
"""Words between the number of some of the models before and what they have: "2 with", "one of them has"."""

_TWIN = re.compile(r"[A-G]|#\d{1,2}")
"""What tells one of two models with one name from the other: "Raider #2"."""

_Tiles = list[tuple[int, Found]]
"""Names next to each other, with the token after each."""


@dataclass(frozen=True)
class Expected:
    """What the next name of a line can be.

    ``part`` says that it is rather a part than a model, ``below`` that the line is below a model's, ``first`` that no
    name stands before it, ``model`` that no model does; ``of`` is the name of the model whose parts follow.
    """

    part: bool
    below: bool
    first: bool
    model: bool
    of: str


class LineNames:
    """The names in one line."""

    def __init__(self, line: Line, words: Vocabulary) -> None:
        self.line, self.words = line, words

    def from_token(self, start: int, expected: Expected, *, short: bool) -> _Tiles | None:
        """The known names that the words from here to the next separator are made of; None if they are not.

        ``short`` says that some may be short for a name.
        """
        found = self._tiled(start, expected, short, {})
        return None if found is None or self._is_another_name(found) else found

    def between(self, start: int, end: int) -> str:
        """The text from one token to before another."""
        return self.line.text[self.line.tokens[start].start : self.line.tokens[end - 1].end]

    def begin_at(self, place: int) -> bool:
        """Whether a name may begin at this token."""
        kind = self.line.tokens[place].kind if place < len(self.line.tokens) else ""
        return kind == "word" or (kind == "number" and self.begin_with_figure(place))

    def begin_with_figure(self, place: int) -> bool:
        """Whether a number is the beginning of a name."""
        most = min(len(self.line.tokens), place + MOST_IN_A_NAME)
        return any(
            self.words.sort(self.between(place, end), part=True)
            for end in range(most, place + 1, -1)
            if not any(token.kind in ("cost", "copies", "each") for token in self.line.tokens[place:end])
        )

    def misspelt(self, piece: str, expected: Expected) -> Found | None:
        """An unknown piece of a list that is very similar to one known name, under its own name."""
        line = self.line
        listed = line.dots or line.indent or not expected.first or any(token.kind == "cost" for token in line.tokens)
        if not listed or not re.search(r"[^\W\d]{3}", piece) or len(piece) > LONGEST_NAME:
            return None
        sort = None if self.words.is_ambiguous(piece, expected.of) else self.words.names.misspelt(piece, NEAR)
        return Found(sort, piece) if sort else None

    def _is_another_name(self, tiles: _Tiles) -> bool:
        """Whether a model or the same part directly follows another, or what is not its model a faction."""
        fields = self.words.names.fields
        return any(
            (one.sort == after.sort == "model")
            or (one.name == after.name)
            or (one.sort == "faction" and after.sort in ("model", *PARTS) and not fields(one.name, after.name))
            for (_, one), (_, after) in pairwise(tiles)
        )

    def _tiled(self, start: int, expected: Expected, short: bool, known: dict[int, _Tiles | None]) -> _Tiles | None:
        if start not in known:
            known[start] = self._tiles(start, expected, short, known)
        return known[start]

    def _tiles(self, start: int, expected: Expected, short: bool, known: dict[int, _Tiles | None]) -> _Tiles | None:
        tokens = self.line.tokens
        if start >= len(tokens) or tokens[start].kind not in ("word", "number"):
            return []
        if tokens[start].kind == "number" and not self.begin_with_figure(start):
            return []
        most = start
        while most < min(len(tokens), start + MOST_IN_A_NAME) and tokens[most].kind not in ("cost", "copies", "each"):
            most += 1
        for end in range(most, start, -1):
            kinds = [token.kind for token in tokens[start:end]]
            if kinds[-1] not in ("word", "close", "number") or kinds.count("open") != kinds.count("close"):
                continue
            name = self.between(start, end)
            if self._is_joined(start, end, name):
                continue
            found = self.words.find(name, part=expected.part, of=expected.of, begins=self._begins(start, expected))
            if found is None and short and {*kinds} <= {"word", "number", "open", "close"}:
                found = self._short(name, expected)
            if found:
                after = end + (found.sort == "model" and self._is_twin(end))
                rest = self._tiled(after, expected, short, known)
                if rest is not None:
                    return [(after, found), *rest]
        return None

    def _is_twin(self, place: int) -> bool:
        """Whether a letter or a number stands here that only tells one model from another of its name."""
        tokens = self.line.tokens[place : place + 2]
        ends = len(tokens) == 1 or (len(tokens) == 2 and tokens[1].kind not in ("word", "number"))
        return ends and _TWIN.fullmatch(tokens[0].text) is not None

    def _begins(self, start: int, expected: Expected) -> bool:
        """Whether no name stands before this token, so that a model's is expected."""
        before = self.line.tokens[:start]
        return not expected.below and all(token.kind not in ("word", "cost", "separator") for token in before)

    def _short(self, name: str, expected: Expected) -> Found | None:
        """A model before any other, or a part where a list has one; with a doubt if words of it are in brackets."""
        part = None
        if expected.of and (expected.part or self.line.dots or self.line.indent):
            part = self.words.short_part(name, expected.of)
        model = self.words.short_model(name) if expected.model else None
        found = (part or model) if expected.below else (model or part)
        return found._replace(doubt=f"{name}: read as {found.name}") if found and "(" in name else found

    def _is_joined(self, start: int, end: int, name: str) -> bool:
        """Whether words on both sides of a separator only together, and turned round, are a name, but each is one."""
        tokens = self.line.tokens
        inner = (place for place in range(start + 1, end) if tokens[place].kind in ("separator", "open"))
        first = next(inner, None)
        if first is None or not self.words.sort(self.between(start, first), part=True):
            return False
        tail = self.between(first + 1, end).rstrip(")]}")
        if tokens[first].kind == "open" and not self._is_part(tail):
            return False
        return not self.words.names.spelt(name)

    def _is_part(self, tail: str) -> bool:
        """Whether words in brackets are a part by themselves; only a Leader has a card."""
        sort = self.words.sort(tail, part=True)
        return sort is not None and (sort != "card" or "leader" in self.line.text.casefold())
