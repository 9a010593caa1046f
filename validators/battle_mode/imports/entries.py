"""What stands in one line of a list: the names in it with their copies and costs, and the pieces that were not read.

A piece between two separators counts only if it is made of known names as a whole, or nearly is one known name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from validators.battle_mode.imports.lines import Line, Token
from validators.battle_mode.imports.selections import LONGEST_NAME, MOST_OF_ONE
from validators.battle_mode.imports.vocabulary import Entry, Vocabulary

_MOST_IN_A_NAME = 10
"""The most tokens in one name."""
_NEAR = 0.8
"""How similar a piece of a list must be to a known name to be kept as that name, misspelt."""


@dataclass
class Read:
    """One line interpreted: what stands in it, the pieces that were not read, and the figures of no entry."""

    line: Line
    entries: list[Entry] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    begins_unread: bool = False
    """Whether words before its first entry were not read."""
    figures: list[int | None] = field(default_factory=list)
    factions: list[str] = field(default_factory=list)
    labels: int = 0


_Tiles = list[tuple[int, str, str]]
"""Names next to each other: the token after each, the name and its sort."""


class _LineReader:
    """From the tokens of a line to its entries. ``bare`` says what a number without a unit after a name means."""

    def __init__(self, line: Line, words: Vocabulary, bare: str, *, in_model: bool) -> None:
        self.words, self.bare = words, bare
        self.read = Read(line)
        self._part = in_model and (line.dots > 0 or line.indent > 0)
        self._root: Entry | None = None
        self._last: Entry | None = None
        self._above: list[tuple[Entry, bool]] = []  # what the next entry is part of, and whether brackets opened it
        self._copies: int | None = None
        self._joined = False
        self._take()

    def _take(self) -> None:
        tokens = self.read.line.tokens
        place = 0
        while place < len(tokens):
            token = tokens[place]
            match token.kind:
                case "word":
                    place = self._words(place)
                    continue
                case "number" if self._begins_name(place):
                    place = self._words(place)
                    continue
                case "open" if (end := self._figures_only(place)) is not None:
                    before = tokens[place - 1].kind if place else "separator"
                    self._figures(tokens[place + 1 : end], tokens[end + 1 : end + 2] if before == "separator" else ())
                    place = end
                case "open":
                    if self._last:
                        self._above.append((self._last, True))
                case "close":
                    self._close()
                case "separator":
                    self._separate(token)
                case "each":
                    if self._last and self._last.cost is not None:
                        self._last.each = True
                case _:
                    self._figure(token, tokens[place + 1 : place + 2])
            place += 1
        if self._copies is not None:
            self.read.figures.append(self._copies)

    # names

    def _words(self, start: int) -> int:
        found = self._tiled(start)
        if found is not None and not self._is_another_name(found):
            for _, name, sort in found:
                self._entry(name, sort)
            return found[-1][0]
        tokens, end = self.read.line.tokens, start
        while end < len(tokens) and tokens[end].kind in ("word", "number"):
            end += 1
        piece = self._between(start, end)
        if (near := self._misspelt(piece)) is not None:
            self._entry(piece, near)
        else:
            self.read.unread.append(piece)
            self.read.begins_unread |= not self.read.entries
            self._copies = None
        return end

    def _is_another_name(self, tiles: _Tiles) -> bool:
        """Whether a model directly follows a faction that does not field it, or another model: "Raider Settler"."""
        return any(
            after == "model" and (sort == "model" or (sort == "faction" and not self.words.names.fields(name, model)))
            for (_, name, sort), (_, model, after) in pairwise(tiles)
        )

    def _tiled(self, start: int, known: dict[int, _Tiles | None] | None = None) -> _Tiles | None:
        """The known names that the words from here to the next separator are made of; None if they are not."""
        known = {} if known is None else known
        if start not in known:
            known[start] = self._tiles(start, known)
        return known[start]

    def _tiles(self, start: int, known: dict[int, _Tiles | None]) -> _Tiles | None:
        tokens = self.read.line.tokens
        if start >= len(tokens) or tokens[start].kind not in ("word", "number"):
            return []
        if tokens[start].kind == "number" and not self._begins_name(start):
            return []
        most = start
        while most < min(len(tokens), start + _MOST_IN_A_NAME) and tokens[most].kind not in ("cost", "copies", "each"):
            most += 1
        for end in range(most, start, -1):
            kinds = [token.kind for token in tokens[start:end]]
            if kinds[-1] not in ("word", "close", "number") or kinds.count("open") != kinds.count("close"):
                continue
            name = self._between(start, end)
            if self._is_joined(start, end, name):
                continue
            if sort := self.words.sort(name, part=self._is_part):
                rest = self._tiled(end, known)
                if rest is not None:
                    return [(end, name, sort), *rest]
        return None

    def _is_joined(self, start: int, end: int, name: str) -> bool:
        """Whether words on both sides of a separator only together, and turned round, are a name, but each is one."""
        tokens = self.read.line.tokens
        inner = (place for place in range(start + 1, end) if tokens[place].kind in ("separator", "open"))
        first = next(inner, None)
        if first is None or not self.words.sort(self._between(start, first), part=True):
            return False
        return not self.words.names.spelt(name)

    @property
    def _is_part(self) -> bool:
        """Whether the next name is rather a part's than a model's."""
        after_part = self._last is not None and self._last.sort not in ("heroic", "leader")
        return self._part or self._root is not None or after_part

    def _begins_name(self, place: int) -> bool:
        """Whether a number is the beginning of a name."""
        tokens = self.read.line.tokens
        most = min(len(tokens), place + _MOST_IN_A_NAME)
        return any(
            self.words.sort(self._between(place, end), part=True)
            for end in range(most, place + 1, -1)
            if not any(token.kind in ("cost", "copies", "each") for token in tokens[place:end])
        )

    def _between(self, start: int, end: int) -> str:
        tokens = self.read.line.tokens
        return self.read.line.text[tokens[start].start : tokens[end - 1].end]

    def _misspelt(self, piece: str) -> str | None:
        """The sort of the known name to which an unknown piece of a list is very similar; None if there is none."""
        line = self.read.line
        listed = line.dots or line.indent or self._last or any(token.kind == "cost" for token in line.tokens)
        if not listed or not re.search(r"[^\W\d]{3}", piece) or len(piece) > LONGEST_NAME:
            return None
        return self.words.names.misspelt(piece, _NEAR)

    # entries

    def _entry(self, name: str, sort: str) -> None:
        if sort == "label":
            self.read.labels += 1
            return
        if sort == "faction":
            self.read.factions.append(name)
            return
        entry = Entry(name, sort, self.read.line.number)
        if self._copies is not None:
            entry.copies, entry.counted, self._copies = self._copies, True, None
        if sort == "model":
            self._above.clear()
            flags = [flag for flag in self.read.entries if flag.sort in ("heroic", "leader") and not flag.below]
            if self._root is None and len(flags) == len(self.read.entries):
                entry.below, self.read.entries = flags, []
            self._root = entry
            self.read.entries.append(entry)
        else:
            self._place(entry)
        self._last, self._joined = entry, False

    def _place(self, entry: Entry) -> None:
        if self._joined and entry.sort == "mod" and self._last and self._last.sort in ("item", "built in"):
            self._last.below.append(entry)
            entry.above = self._last
            return
        while self._above and not self._above[-1][1] and not _may_hold(self._above[-1][0], entry):
            self._above.pop()
        above = self._above[-1][0] if self._above else self._root
        entry.above = above
        (above.below if above else self.read.entries).append(entry)

    def _separate(self, token: Token) -> None:
        word = token.text.casefold()
        if word == ":" and self._last:
            self._above.append((self._last, False))
        elif word not in (":", "/", "|", "•", ";", ",") and "-" not in word:
            self._joined = True
        elif word in (",", ";"):
            self._joined = False
        if self._copies is not None:
            self.read.figures.append(self._copies)
            self._copies = None

    def _close(self) -> None:
        while self._above and not self._above[-1][1]:
            self._above.pop()
        if self._above:
            self._last = self._above.pop()[0]

    # figures

    def _figures_only(self, start: int) -> int | None:
        """Where the brackets that open here close, if there are only figures in them."""
        for end in range(start + 1, len(self.read.line.tokens)):
            token = self.read.line.tokens[end]
            if token.kind == "close":
                return end if end > start + 1 else None
            unit = token.kind == "word" and token.text.casefold() in ("pl", "models", "model", "caps", "pts")
            if token.kind not in ("cost", "number", "copies", "each") and token.text not in ",x=" and not unit:
                return None
        return None

    def _figures(self, tokens: Iterable[Token], following: Sequence[Token]) -> None:
        """The figures in brackets: of several costs the one in Caps. ``following`` is what they may stand before."""
        found = [token for token in tokens if token.kind in ("cost", "number", "copies", "each")]
        costs = [token for token in found if token.kind == "cost"]
        caps = [token for token in costs if "cap" in token.text.casefold()]
        for token in found:
            if token.kind == "each":
                if self._last:
                    self._last.each = True
            elif token.kind == "copies" or not costs or token is (caps or costs)[0]:
                prefix = token.kind in ("copies", "number") and any(one.kind == "word" for one in following)
                if prefix and token.value is not None:
                    self._copies = token.value
                else:
                    self._figure(token, ())

    def _figure(self, token: Token, following: Iterable[Token]) -> None:
        """A cost, or a number of copies, of the entry before it or of the next one."""
        last, value = self._last, token.value
        name_follows = any(one.kind in ("word", "number") for one in following)
        if value is None:
            self.read.figures.append(None)
        elif (token.kind == "copies" and name_follows and (token.text[0].isdigit() or last is None)) or (
            token.kind == "number" and name_follows and not (last and last.cost is None and self._follows(token))
        ):
            self._copies = value
        elif last is None:
            self.read.figures.append(value)
        elif token.kind == "copies" or (token.kind == "number" and self._is_copies(last, value)):
            if last.counted and last.copies != value:
                self.read.figures.append(value)
            last.copies, last.counted = value, True
        else:
            self._cost(value)

    def _follows(self, token: Token) -> bool:
        """Whether a number stands after a separator that sets off a cost."""
        before = self.read.line.text[: token.start].rstrip()
        return token.text[:1] in "@=" or before[-1:] in "|=@("

    def _is_copies(self, entry: Entry, value: int) -> bool:
        price = self.words.price(entry)
        if entry.counted or entry.cost is not None or not 0 < value <= MOST_OF_ONE:
            return False
        if self.bare == "copies":
            return value <= 20
        return price is not None and value < min(price, 20)

    def _cost(self, value: int) -> None:
        """Give a cost to the entry before it, to what that is part of, or to the first of the line: where it fits."""
        chain: list[Entry] = []
        entry = self._last
        while entry is not None and len(chain) < _MOST_IN_A_NAME:
            chain.append(entry)
            entry = entry.above
        first = self._root or self.read.entries[0]
        chain += [] if any(one is first for one in chain) else [first]
        free = [one for one in chain if one.cost is None]
        fitting = [one for one in free if value in self.words.costs(one)]
        if fitting or free:
            (fitting or ([first] if first in free else free))[0].cost = value
        else:
            self.read.figures.append(value)


def _may_hold(above: Entry, entry: Entry) -> bool:
    """Whether a part can be written below another one."""
    if above.sort == "model":
        return True
    if above.sort in ("leader", "leadercard"):
        return entry.sort == "card" and not above.below
    return above.sort in ("item", "built in", "unknown") and entry.sort in ("mod", "unknown", "built in")


def read_line(line: Line, words: Vocabulary, bare: str, *, in_model: bool) -> Read:
    """What stands in a line. ``bare`` says what a number without a unit after a name means: "cost" or "copies".

    ``in_model`` is whether a model has been read above it.
    """
    return _LineReader(line, words, bare, in_model=in_model).read
