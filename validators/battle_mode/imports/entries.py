"""What stands in one line of a list: the names in it with their copies and costs, and the pieces that were not read.

A piece between two separators counts only if it is made of known names as a whole, or nearly is one known name.

More than 400 lines because the steps of reading one line share what was read so far.
"""

import re
from copy import deepcopy

from validators.battle_mode.imports.figures import MOST_OF_ONE
from validators.battle_mode.imports.line_names import (
    COUNTING,
    MOST_IN_A_NAME,
    NUMBERS,
    SOME_OF_THEM,
    Expected,
    LineNames,
)
from validators.battle_mode.imports.lines import Line, Token, is_negation
from validators.battle_mode.imports.vocabulary import Entry, Found, Read, Vocabulary, parts_of

_NO_FIGURE = re.compile(r"\b(?:page|seite|strona|round|game|table|day)\b", re.IGNORECASE)
_THE_REST = re.compile(r"(?:the |all )?(?:others?|rest|remaining)\b")


class _LineReader:
    """From the tokens of a line to its entries. ``bare`` says what a number without a unit after a name means."""

    def __init__(self, line: Line, words: Vocabulary, bare: str, above: Entry | None, below: bool) -> None:
        self.words, self.bare = words, bare
        self.read = Read(line)
        self._model_above = above
        self._names = LineNames(line, words)
        self._below = below
        self._root: Entry | None = None
        self._all: Entry | None = None
        """The model of which the later ones in the line are some: "4 Raiders, 2 with a rifle"."""
        self._costed: tuple[int, Entry] | None = None
        """The token of the last cost, and what it is the cost of."""
        self._last: Entry | None = None
        self._above: list[tuple[Entry, bool]] = []  # what the next entry is part of, and whether brackets opened it
        self._copies: int | None = None
        self._joined = False
        self._parted = False
        """Whether a separator or a bracket stands after the last entry."""
        self._take()

    def _take(self) -> None:
        tokens = self.read.line.tokens
        place = 0
        while place < len(tokens):
            token = tokens[place]
            if (after := self._some_of_them(place)) is not None:
                place = after
                continue
            match token.kind:
                case "word":
                    place = self._words(place)
                    continue
                case "number" if self._names.begin_with_figure(place):
                    place = self._words(place)
                    continue
                case "open" if (end := self._figures_only(place)) is not None:
                    self._figures(place, end)
                    place = end
                case "open":
                    self._parted = True
                    if self._last:
                        self._above.append((self._last, True))
                case "close":
                    self._close()
                case "separator" if is_negation(token):
                    place = self._left_out(place + 1)
                    continue
                case "separator":
                    self._separate(token)
                case "each":
                    self._each(place)
                case _:
                    self._figure(place, self._names.begin_at(place + 1))
            place += 1
        if self._copies is not None:
            self.read.figures.append(self._copies)
        self._share_out()
        self._sum_up()

    # names

    def _words(self, start: int) -> int:
        tokens, end = self.read.line.tokens, start
        if (
            after := self._take_names(start, short=False)
            or self._counting(start)
            or self._take_names(start, short=True)
        ):
            return after
        while end < len(tokens) and tokens[end].kind in ("word", "number"):
            end += 1
        piece = self._names.between(start, end)
        if (near := self._names.misspelt(piece, self._expected)) is not None:
            self._entry(near, piece)
            return end
        self.read.unread.append(piece)
        self.read.begins_unread |= not self.read.entries
        last = tokens[end - 1]
        self.read.figures += [self._copies] if self._copies is not None else []
        if last.kind == "number" and end == len(tokens) and self._model_above and not _NO_FIGURE.search(piece):
            self.read.figures.append(last.value)
        self._copies = None
        return end

    def _left_out(self, start: int) -> int:
        """Take what a model has not, up to the next comma, cost or bracket that closes; the token after it.

        It is asked about unless it is a kind of item, or what the model usually has.
        """
        tokens, end = self.read.line.tokens, start
        while end < len(tokens) and (
            tokens[end].kind in ("word", "open")
            or (tokens[end].kind == "separator" and tokens[end].text not in (",", ";") and "-" not in tokens[end].text)
            or (tokens[end].kind == "number" and self._names.begin_with_figure(end))
        ):
            end += 1
        piece = self._names.between(start, end) if end > start else ""
        listed = self.words.is_usual(piece, self._expected.of)
        (self.read.left_out if listed else self.read.unread).append(self._names.between(start - 1, end))
        self.read.begins_unread |= not self.read.entries
        return end

    def _take_names(self, start: int, *, short: bool) -> int | None:
        """Take the known names from here to the next separator; the token after them, None if there are others."""
        found = self._names.from_token(start, self._expected, short=short)
        if found is None:
            return None
        end = start
        for after, one in found:
            if one.sort == "label" and not self._is_heading(end, after):
                self.read.unread.append(self._names.between(end, after))
            else:
                self._entry(one, self._names.between(end, after))
            end = after
        return end

    def _is_heading(self, start: int, end: int) -> bool:
        """Whether a word such as "rifles" only says what follows, rather than which part a model has."""
        tokens, line = self.read.line.tokens, self.read.line
        if not self.words.is_kind(self._names.between(start, end)) or line.heading:
            return True
        follows = tokens[end].text if end < len(tokens) else ""
        alone = start == 0 and (follows or not self._below)
        return bool(follows == ":" or (self._root is None and alone and not self.read.entries))

    def _counting(self, start: int) -> int | None:
        """Take a word that counts the next name ("three"), or the number of a line; the token after it."""
        token = self.read.line.tokens[start]
        if token.kind != "word" or not self._names.begin_at(start + 1):
            return None
        word = token.text.casefold().rstrip(".")
        if word in NUMBERS and self._copies is None:
            self._copies = NUMBERS[word]
        elif word in COUNTING and self._copies is not None:
            self._copies = max(self._copies, NUMBERS.get(word, 0))
        elif not word.isdecimal():
            return None
        return start + 1

    @property
    def _expected(self) -> Expected:
        """What the next name can be."""
        after_part = self._last is not None and self._last.sort not in ("heroic", "leader")
        model = self._root or self._model_above
        return Expected(
            part=self._below or self._root is not None or after_part,
            below=self._below,
            first=self._last is None,
            model=self._root is None,
            of=model.name if model else "",
        )

    # entries

    def _entry(self, found: Found, written: str) -> None:
        name, sort = found.name, found.sort
        if sort == "label":
            self.read.labels += 1
            return
        if sort == "faction":
            self.read.factions.append(name)
            return
        entry = Entry(name, sort, self.read.line.number, written="" if name == written else written)
        entry.doubt = found.doubt
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
            if entry.counted and self._root and not self._above and self.words.is_own_model(written):
                entry.doubt = f"{name}: a model, or a part of {self._root.name}"
            elif entry.copies > 1 and self._root and self._may_count_model(entry):
                entry.doubt = f"{entry.copies} {name}: of the item, or of {self._root.name}"
            self._place(entry)
        self._last, self._joined, self._parted = entry, False, False

    def _may_count_model(self, part: Entry) -> bool:
        """Whether the number of a part may be that of the model directly before it: "Raider 2 pipe rifle"."""
        model = self._root
        follows = model is not None and model is self._last and not self._parted and not model.counted
        return follows and not self.words.names.is_used_up(part.name)

    def _some_of_them(self, start: int) -> int | None:
        """The token after "2 with" or "one of them has", which begins some of the models before it; else None."""
        tokens, model = self.read.line.tokens, self._all or self._root
        value, after = tokens[start].value, start + 1
        if tokens[start].kind == "word":
            value = NUMBERS.get(tokens[start].text.casefold())
            spoken = " ".join(token.text.casefold() for token in tokens[start : start + 2])
            if model and model is self._all and (rest := _THE_REST.match(spoken)):
                value, after = model.copies - self._taken(model), start + rest[0].count(" ") + 1
        if model is None or value is None:
            return None
        if not model.counted and [token.text.casefold() for token in tokens[after : after + 2]] == ["of", "them"]:
            model.copies, model.counted = value, True
            return after + 2
        if not model.counted or not 0 < value <= model.copies:
            return None
        begin = after
        while after < len(tokens) and tokens[after].text.casefold() in SOME_OF_THEM:
            after += 1
        if after == begin or tokens[start].kind == "cost" or not self._names.begin_at(after):
            return None
        self._all = model
        some = Entry(model.name, "model", model.line, value, counted=True)
        self.read.entries.append(some)
        self._above.clear()
        self._root = self._last = some
        return after

    def _taken(self, model: Entry) -> int:
        """How many of a group of models have parts of their own so far."""
        return sum(one.copies for one in self.read.entries[self.read.entries.index(model) + 1 :])

    def _share_out(self) -> None:
        """Give what stands before "2 with" to all models, and leave the others without what follows.

        Parts whose numbers add up to that of the models are one each: "2 Raiders: 1 pipe rifle, 1 machete".
        """
        model = self._all
        if model is None:
            self._share_parts()
            return
        some = self.read.entries[self.read.entries.index(model) + 1 :]
        rest = model.copies - self._taken(model)
        if rest < 0 or model.cost is not None:
            self.read.figures.append(model.cost)
        for one in some:
            one.below = [deepcopy(part) for part in model.below if part.sort != "leader"] + one.below
        model.copies, model.cost = max(0, rest), None
        if rest <= 0:
            some[0].below = [part for part in model.below if part.sort == "leader"] + some[0].below
            self.read.entries.remove(model)

    def _share_parts(self) -> None:
        """Share out parts that are one each; a number of a part that is less than that of the models is asked about."""
        model = self._root
        if model and not model.counted and model.cost is None and self.words.is_plural(model):
            model.doubt = model.doubt or f"{model.written or model.name}: read as one"
        if model is None or not model.counted or model.copies < 2 or len(self.read.entries) != 1:
            return
        parts = [part for part in model.below if part.sort in ("item", "unknown", "perk")]
        counted = [part for part in parts if part.counted]
        named = {part.name.casefold() for part in parts}
        if any(part.each for part in (model, *parts)) or len(parts) < 2 or not (counted or len(named) < len(parts)):
            self._doubt_numbers(model, counted)
        elif sum(part.copies for part in parts) == model.copies and (not counted or counted == parts):
            common = [part for part in model.below if part not in parts]
            costs = model.cost
            self.read.entries = [
                Entry(model.name, "model", model.line, part.copies, counted=True, written=model.written)
                for part in parts
            ]
            for one, part in zip(self.read.entries, parts, strict=True):
                part.copies, part.counted = 1, False
                one.below = [*(deepcopy(extra) for extra in common if extra.sort != "leader"), part]
            self.read.entries[0].below += [part for part in common if part.sort == "leader"]
            self.read.figures += [costs] if costs is not None else []
        else:
            self._doubt_numbers(model, counted or parts)

    def _doubt_numbers(self, model: Entry, parts: list[Entry]) -> None:
        for part in parts:
            if part.copies < model.copies and not part.each and not part.doubt and part.cost is None:
                part.doubt = f"{part.copies} {part.name}: of one {model.name}, or of each"

    def _place(self, entry: Entry) -> None:
        if self._joined and entry.sort == "mod" and self._last and self._last.sort in ("item", "built in"):
            self._last.below.append(entry)
            entry.above = self._last
            return
        while self._above and not self._above[-1][1] and not _may_hold(self._above[-1][0], entry):
            self._above.pop()
        above = self._above[-1][0] if self._above else self._root
        if entry.sort in ("heroic", "leader"):
            above = self._root
        entry.above = above
        (above.below if above else self.read.entries).append(entry)

    def _separate(self, token: Token) -> None:
        self._parted = True
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

    def _figures(self, start: int, end: int) -> None:
        """The figures in brackets: of several costs the one in Caps. A count may stand before a name."""
        tokens = self.read.line.tokens
        found = [place for place in range(start, end) if tokens[place].kind in ("cost", "number", "copies", "each")]
        costs = [place for place in found if tokens[place].kind == "cost"]
        caps = [place for place in costs if "cap" in tokens[place].text.casefold()]
        first = start == 0 or tokens[start - 1].kind == "separator"
        for place in found:
            token = tokens[place]
            if token.kind == "each":
                self._each(place)
            elif token.kind == "copies" or not costs or place == (caps or costs)[0]:
                if token.kind != "cost" and token.value is not None and first and self._names.begin_at(end + 1):
                    self._copies = token.value
                else:
                    self._figure(place, False)

    def _each(self, place: int) -> None:
        if self._costed and self._costed[0] == place - 1:
            self._costed[1].each = True
        elif self._last:
            self._last.each = True

    def _figure(self, place: int, name_follows: bool) -> None:
        """A cost, or a number of copies, of the entry before it or of the next one."""
        token, last = self.read.line.tokens[place], self._last
        value = token.value
        if value is None:
            self.read.figures.append(None)
        elif (token.kind == "copies" and name_follows and (token.text[0].isdigit() or last is None)) or (
            token.kind == "number"
            and name_follows
            and not (last and last.cost is None and self._follows(place, "|=@("))
        ):
            self._copies = value
        elif last is None:
            self.read.figures.append(value)
        elif token.kind == "copies" or (token.kind == "number" and self._is_copies(last, value, place)):
            self._count(last, value, place)
        else:
            self._cost(value, place)

    def _follows(self, place: int, signs: str) -> bool:
        """Whether a number stands after one of these signs that set off a cost."""
        token = self.read.line.tokens[place]
        return token.text[0] in signs or self.read.line.text[: token.start].rstrip()[-1:] in tuple(signs)

    def _is_copies(self, entry: Entry, value: int, place: int) -> bool:
        """Whether a number without a unit counts copies: it is less than the cost, or in brackets another one."""
        price = self.words.price(entry)
        if entry.counted or entry.cost is not None or not 0 < value <= MOST_OF_ONE:
            return False
        if self._follows(place, "=@"):
            return False
        if self.bare == "copies":
            return value <= 20
        if price is None:
            return False
        costs = set[int]().union(*map(self.words.costs, self._chain()))
        other = self._in_brackets(place) and entry.sort == "item" and value not in costs
        return value < min(price, 20) or (other and value <= 20)

    def _in_brackets(self, place: int) -> bool:
        tokens = self.read.line.tokens
        return place > 0 and tokens[place - 1].kind == "open"

    def _count(self, last: Entry, value: int, place: int) -> None:
        """Give a number of copies to the entry before it; with a doubt if it may be the model's, or a cost."""
        model, token = self._root, self.read.line.tokens[place]
        if self._costed and self._costed[0] == place - 1 and not self._costed[1].counted:
            last = self._costed[1]
        several_of_one = last.sort == "model" and value > 1 and self.words.names.is_unique(last.name)
        if (last.counted and last.copies != value) or (several_of_one and token.kind == "number"):
            self.read.figures.append(value)
            value = last.copies
        if last.sort != "model" and value > 1:
            of_model = model is not None and not model.counted
            used_up = self.words.names.is_used_up(last.name)
            if of_model and (self._in_brackets(place) or not used_up):
                last.doubt = f"{last.name} {token.text}: of the item, or of {self._expected.of}"
                if (
                    not used_up
                    and model
                    and not self.words.names.is_unique(model.name)
                    and not any(self._names.begin_at(after) for after in range(place + 1, place + 5))
                ):
                    model.doubt, last.doubt, last = last.doubt, "", model
            elif token.kind == "number":
                last.doubt = f"{last.name} {token.text}: a number, or a cost"
        if last.sort == "model" and last.written and token.kind == "number" and re.search(r"\d", last.name):
            last.doubt = f"{last.written} {token.text}: read as {value} of {last.name}"
        last.copies, last.counted = value, True

    def _cost(self, value: int, place: int) -> None:
        """Give a cost to the entry before it, to what that is part of, or to the first of the line: where it fits."""
        chain = self._chain()
        first = chain[-1]
        free = [one for one in chain if one.cost is None]
        fitting = [one for one in free if value in self.words.costs(one)]
        if not free:
            self.read.figures.append(value)
            return
        taker = (fitting or ([first] if first in free else free))[0]
        taker.cost = value
        taker.each |= place > 0 and self.read.line.tokens[place - 1].kind == "each"
        self._costed = place, taker

    def _chain(self) -> list[Entry]:
        """The last entry, what it is part of, and the first of the line: those of which a figure can be the cost."""
        chain: list[Entry] = []
        entry = self._last
        while entry is not None and len(chain) < MOST_IN_A_NAME:
            chain.append(entry)
            entry = entry.above
        first = self._root or self.read.entries[0]
        return [one for one in chain if one is not first] + [first]

    def _sum_up(self) -> None:
        """A figure that is the sum of the line is the cost of its first entry with all parts: "60c + 10c = 140c"."""
        first = self._root or next(iter(self.read.entries), None)
        if first is None or first.cost is None or len(self.read.figures) != 1 or self._all:
            return
        costs = [(part.cost or 0) * (part.copies if part.each else 1) for part in parts_of(first)]
        below = sum(costs)
        own = first.cost
        sums = {own, own + below, own * first.copies + below, (own + below) * first.copies}
        if self.read.figures[0] in sums:
            first.cost, first.each = self.read.figures.pop(), False


def _may_hold(above: Entry, entry: Entry) -> bool:
    """Whether a part can be written below another one."""
    if above.sort == "model":
        return True
    if above.sort in ("leader", "leadercard"):
        return entry.sort == "card" and not above.below
    return above.sort in ("item", "built in", "unknown") and entry.sort in ("mod", "unknown", "built in")


def read_line(line: Line, words: Vocabulary, bare: str, above: Entry | None, *, below: bool) -> Read:
    """What stands in a line. ``bare`` says what a number without a unit after a name means: "cost" or "copies".

    ``above`` is the model that has been read above it, ``below`` says that the line is set off below that model's.
    """
    return _LineReader(line, words, bare, above, below).read
