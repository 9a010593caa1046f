"""Force lists as text: of roster programs, of the game's own builders, and as players paste them.

There is one grammar. A line names models, or parts of the model above it; a name counts only if the whole piece of the
line between two separators is made of known names. Parts follow after ``:``, ``with``, in brackets, between commas or
on lines of their own. Copies and costs may stand before or after a name. Every other line, and every other piece of a
line, is listed as not read.

More than 400 lines because the lines of a text share the models and the title read so far.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from languages.words import gettext, noted
from validators.battle_mode.imports.entries import read_line
from validators.battle_mode.imports.figures import LONGEST_NAME, MOST_OF_ONE, a_name
from validators.battle_mode.imports.lines import NOT_MEANT, Line, lines_of
from validators.battle_mode.imports.matching import PARTS, Names
from validators.battle_mode.imports.numbering import numbering
from validators.battle_mode.imports.selections import Roster, Selection, Unread
from validators.battle_mode.imports.short_names import faction_in
from validators.battle_mode.imports.titles import faction_of, is_plain, may_be_model, pieces_of
from validators.battle_mode.imports.vocabulary import Entry, Read, Vocabulary, parts_of
from validators.names import loose

BATTLESCRIBE = "BattleScribe text"
NEW_RECRUIT = "New Recruit text"
BUILDER = "text of a list builder"
PASTED = noted("pasted text")
HINT = noted("Write each model in a line, and its parts below it or after it: “2x Settler (80 caps)”")
NAME_LINE = "Force name:"
CARDS_HEADING = "Cards"


class _TextReader:
    """The roster in a text, and the state after the lines so far."""

    def __init__(self, lines: Sequence[Line], words: Vocabulary, bare: str) -> None:
        self.words, self.bare = words, bare
        self.roster = Roster(PASTED, hint=HINT)
        self.reads: list[Read] = []
        self._in_cards = False
        self._model: Entry | None = None
        self.models: list[Entry] = []
        self._cards: list[Selection] = []
        self._part: tuple[Line, Entry] | None = None
        """The part read last, with its line."""
        self._lost = False
        """Whether the model above was not read, so that nobody knows whose the parts are."""
        self._not_had: list[tuple[int, str]] = []
        """What models do not have, with its line."""
        self._model_line: Line | None = None
        self._priced = False
        self._untitled = True
        """Whether no line was read yet but the faction and the size, so that the next may be the force's name."""
        self._left_out: list[Line] = []
        """Lines that name what is not taken, such as those below "Bench:"."""
        places = [line.place for line in lines if line.place is not None]
        self._numbered = places == list(range(1, len(places) + 1))
        self._end = lines[-1] if lines else None
        leaves_out = False
        quoted = _quoted_from(lines, words.names)
        for number, line in enumerate(lines):
            if self.models and (_ORIGINAL.match(line.raw) or number == quoted):
                self._left_out += lines[number:]
                break
            if NOT_MEANT.search(line.raw):
                self._left_out.append(line)
            leaves_out &= not line.gap and not line.heading and not _TOTAL.search(line.text)
            if (match := _NOT_TAKEN.match(line.text)) or leaves_out:
                leaves_out |= match is not None and (match[1] == line.text or line.text.endswith(":"))
                self._left_out.append(line)
            else:
                self._take(line)
        self._finish(lines)

    def _take(self, line: Line) -> None:
        if line.raw.startswith(NAME_LINE) and not self.roster.name:
            self.roster.name = a_name(line.raw.removeprefix(NAME_LINE), f"line {line.number}")[:LONGEST_NAME]
            return
        if not line.tokens or (line.text.casefold().startswith("created with") and len(line.text) < 80):
            return
        if line.title and "(" in line.text and self.roster.format == PASTED:
            self.roster.format = BATTLESCRIBE
        if line.heading:
            self._in_cards = loose(line.text) == loose(CARDS_HEADING)
        elif self._in_cards:
            kind, _, name = line.text.partition(": ")
            self._cards.append(Selection(a_name(kind, ""), mark="card", categories=(a_name(name, ""),) if name else ()))
            return
        read = read_line(
            line, self.words, self.bare, self._model, below=self._model is not None and self._is_deeper(line)
        )
        self._not_had += [(line.number, piece) for piece in read.left_out]
        if line.title and read.unread:  # such as the force and its faction: no names of a list
            read.figures[:0] = [entry.cost for entry in read.entries if entry.cost is not None]
            read.entries = []
        first = not self.models
        if (name := _alone(read, self.words)) and (line.heading or (first and self.words.names.is_faction(name))):
            read.figures += [entry.cost for entry in read.entries if entry.cost is not None]
            read.entries = []
            read.factions += [name] if self.words.names.is_faction(name) else []
        if first and (named := self._titled(read)):
            read.entries, read.factions = [], [named]
        elif first and len(read.entries) > 1 and self._names_faction(read.entries[0]):
            read.factions.append(read.entries.pop(0).name)
        if self._names_unknown_model(read):
            self._model, self._lost = None, True
        if read.entries:
            if line.place and not self._numbered:
                self._number(read, line.place)
            self._add(read)
        elif not read.unread and not read.factions and not read.labels and read.figures:
            self._lone_figures(read)
        elif read.unread or read.figures or read.factions:
            self._other(read)
        self._untitled = self._untitled and is_plain(line, self.words)

    def _titled(self, read: Read) -> str:
        """The faction in a first line that otherwise names only a model in short, or another faction's."""
        models = bool(read.entries) and not read.unread and all(entry.sort == "model" for entry in read.entries)
        named = faction_in(read.line.text, self.words.names.factions()) if models else ""
        bare = not any(entry.counted or entry.below or entry.cost is not None for entry in read.entries)
        own = any(self.words.names.fields(named, entry.name) and not entry.written for entry in read.entries)
        return named if bare and not own else ""

    def _names_faction(self, entry: Entry) -> bool:
        """Whether a model's name before others is rather a faction's: "Raiders: 3 Raiders"."""
        bare = not entry.counted and not entry.below and entry.cost is None
        return bare and self.words.names.is_faction(entry.name) and not self.words.names.spelt(entry.name)

    def _names_unknown_model(self, read: Read) -> bool:
        """Whether a line of parts begins with words that were not read, and is not below the model above it."""
        only_parts = read.entries and not any(entry.sort == "model" for entry in read.entries)
        return bool(read.begins_unread and only_parts and not self._is_deeper(read.line))

    def _is_deeper(self, line: Line) -> bool:
        """Whether a line stands below that of the model above it, by its bullets or its indent."""
        above = self._model_line
        return above is not None and (line.dots, line.indent) > (above.dots, above.indent)

    def _number(self, read: Read, place: int) -> None:
        """A number before a line in a text that is not numbered throughout: in brackets, the copies."""
        first = read.entries[0]
        if read.line.raw.lstrip(" \t>-*•").startswith("(") and not first.counted and place <= MOST_OF_ONE:
            first.copies, first.counted = place, True
        else:
            read.figures.append(place)

    def _add(self, read: Read) -> None:
        line = read.line
        for entry in read.entries:
            self._priced |= entry.cost is not None
            if entry.sort == "model":
                self._add_model(line, entry)
            elif self._model is None and not self._lost and entry.sort in ("heroic", "leader", "card", "label"):
                read.unread.append(line.text)
            elif self._model is None:
                read.unread.append(entry.name)
                read.figures.append(entry.cost)
            else:
                self._add_part(self._model, line, entry)
        if read.unread or read.figures or line.stamp:
            self.reads.append(read)

    def _add_model(self, line: Line, entry: Entry) -> None:
        unit = self.models[-1] if self.models else None
        entry.doubt = entry.doubt or self._doubt(line, entry)
        if unit and self._is_deeper(line) and unit.line != line.number and self._holds(unit, entry):
            unit.below.append(entry)
        else:
            self.models.append(entry)
            self._model_line = line
        self._model, self._part, self._lost = entry, None, False

    def _doubt(self, line: Line, entry: Entry) -> str:
        """Why a name alone in its line may be no model: it is a part's, too, or who signs a message."""
        if _OPTION.match(line.text):
            return f"{line.text}: one of several options"
        if entry.counted or entry.below or entry.cost is not None or not self._model:
            return ""
        if self.words.sort(entry.written or entry.name, part=True) in PARTS:
            return f"{entry.name}: a model, or a part of {self._model.name}"
        return (
            f"{line.text}: read as {entry.name}"
            if entry.written and not line.dots and (line.gap or line is self._end)
            else ""
        )

    def _holds(self, unit: Entry, entry: Entry) -> bool:
        """Whether a model's line is a unit that holds the model of a deeper line: its cost covers both."""
        if loose(unit.name) == loose(entry.name):
            return unit.cost is not None and not [part for part in unit.below if part.sort != "model"]
        own = self.words.price(unit) or 0
        return unit.cost is not None and unit.cost >= own * unit.copies + (entry.cost or 1)

    def _add_part(self, model: Entry, line: Line, entry: Entry) -> None:
        last_line, last = self._part or (None, None)
        deeper = last_line is not None and (line.dots, line.indent) > (last_line.dots, last_line.indent)
        if entry.sort == "mod" and last and last.sort == "item" and deeper:
            last.below.append(entry)
            return
        next_to = {one.name for one in self.models if one.line == model.line} - {model.name}
        if next_to and line.number != model.line:
            entry.doubt = f"{entry.name}: of {model.name}, or of {' or '.join(sorted(next_to))}"
        model.below.append(entry)
        self._part = (line, entry)

    def _lone_figures(self, read: Read) -> None:
        """A line of a figure alone: the cost of the entry before it, in a list whose columns were lost."""
        last = self._part[1] if self._part else self._model
        alone = len(read.line.tokens) == 1 and read.line.text[:1].isdigit()
        if (
            last
            and last.cost is None
            and alone
            and read.figures[0] is not None
            and not (read.line is self._end and not self._priced)
        ):
            last.cost = read.figures[0]
            self._priced = True
        elif read.line is self._end and self.roster.total is None:
            self.roster.total = read.figures[0]
        else:
            self.reads.append(read)

    def _other(self, read: Read) -> None:
        """A line without a name of a list: a title, a heading, a total, or words."""
        line = read.line
        cost = next((token.value for token in line.tokens if token.kind == "cost"), None)
        first = not self.models and not self._cards
        names = self.words.names
        plain = is_plain(line, self.words)
        faction = next((name for part in (read.factions or pieces_of(line)) if (name := names.faction(part))), "")
        if first and not faction:
            faction = faction_of(line, self.words)
        if faction and not self.roster.faction:
            self.roster.faction = faction
        is_total = _TOTAL.search(line.text) is not None and not _LIMIT.search(line.text)
        figures = _total_of(line) if is_total else read.figures
        figure = next(iter(figures), None)
        if (line.title or is_total) and figure is not None and self.roster.total in (None, figure):
            self.roster.total = figure
            if loose(line.text).startswith("listtotal"):
                self.roster.format = BUILDER
            return
        if first and not line.heading and not line.stamp and not self.roster.name and not line.dots:
            if cost is not None and (title := _title(line)):
                self.roster.format, self.roster.total = NEW_RECRUIT, cost
                self.roster.faction = self.roster.faction or title[0]
                self.roster.name = title[1]
                return
            if self._untitled and not plain and not faction and not may_be_model(line, self.words, title=True):
                self.roster.name = a_name(line.text[:LONGEST_NAME], "")
                return
        if plain and faction and None not in read.figures:
            return
        lost = first and may_be_model(line, self.words, title=line.heading)
        if line.heading and not read.figures and not lost and (faction or _PLAIN_HEADING.fullmatch(line.text)):
            return
        self.reads.append(read)
        if (
            not self._is_deeper(line)
            and (cost is not None or not self._priced)
            and not line.stamp
            and not is_total
            and not line.heading
        ):
            self._model, self._lost = None, True

    def _finish(self, lines: Sequence[Line]) -> None:
        self.roster.selections = [_selection(model, self.words) for model in self.models] + self._cards
        last = max((entry.line for model in self.models for entry in (model, *model.below)), default=0)
        stamps = [re.sub(r"[\d:/.,]+", "", read.line.stamp) for read in self.reads]
        self.roster.unread = [
            _unread(read, listed=not read.entries and self._may_be_part(read.line, last))
            for number, read in enumerate(self.reads)
            if read.unread or read.figures or not read.entries or stamps[number] not in stamps[:number]
        ]
        raws = {line.number: line.raw for line in lines}
        self.roster.unread += [Unread(line.number, _shown(line.raw)) for line in self._left_out]
        self.roster.unread += [Unread(*one) for one in self._not_had]
        for model in self.models:
            self.roster.unread += [
                Unread(part.line, _shown(raws[part.line]), (part.cost,), True) for part in self._odd(model)
            ]
        self.roster.notes = tuple(
            gettext("%(written)s: read as %(name)s.", written=entry.written, name=entry.name)
            for model in self.models
            for entry in (model, *parts_of(model))
            if entry.written
        )
        flags = any(part.sort == "leader" for model in self.models for part in model.below)
        self.roster.in_order = self.roster.format not in (BATTLESCRIBE, NEW_RECRUIT)
        self.roster.marks_leader = flags or self.roster.format in (BATTLESCRIBE, NEW_RECRUIT)

    def _may_be_part(self, line: Line, last: int) -> bool:
        """Whether a line that was not read may be a part of the list: it has a known name, or it stands in a list
        without costs.
        """
        if line.number <= min((model.line for model in self.models), default=0):
            return may_be_model(line, self.words, title=False)
        if line.heading or line.stamp:
            return False
        in_list = line.number < last or self.roster.format == BATTLESCRIBE
        known = self.words.mentions(line.text) or self.words.is_ambiguous(line.text, "")
        return (in_list and not self._priced) or known or _REPEATED.fullmatch(line.text) is not None

    def _odd(self, model: Entry) -> Iterator[Entry]:
        """The parts whose cost is another than the edition's, on a model without a cost that would show it."""
        for part in model.below if model.cost is None else ():
            costs = self.words.costs(part)
            if part.cost is not None and costs and part.cost not in costs | {cost * model.copies for cost in costs}:
                yield part


_TOTAL = re.compile(
    r"\b(?:total|sum|summe|suma|somme|razem|gesamt|insgesamt|altogether|in all|spent|used"
    r"|(?:army|list|force) (?:points|cost))\b|^=",
    re.IGNORECASE,
)
_NOT_TAKEN = re.compile(
    r"(\W*(?:bench(?:ed)?|maybe|perhaps|side ?board|reserves?|spares?|alternatives?|cut|substitutes?|subs|swaps?"
    r"|optional|considered|considering|ersatz|ersatzbank|next time|later|if [^:]*|ideas?|unsure|undecided|wish ?list"
    r"|unused|not (?:taken|used|included|bought|fielded)|(?:left|dropped) out|left at home)"
    r"(?:\s+(?:list|models?|units?))?\s*(?::|-\s|$))"
    r"|\W*(?:not?|nicht|without|instead of|will bring|(?:left|dropped) out|left at home)\b(?!.*\b(?:but|sondern)\b)",
    re.IGNORECASE,
)
"""What stands before models or parts that a player does not take; a heading also before the lines below it."""
_ORIGINAL = re.compile(
    r"\W*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)\b"
    r"|\W*on .{1,80} wrote:|\W*am .{1,80} schrieb.{0,60}:",
    re.IGNORECASE,
)
"""What stands before an older message that a mail quotes."""
_OPTION = re.compile(r"\W*(?:option|variante?|version|either|or|oder)(?:\s+\w{1,2})?\s*[:)]", re.IGNORECASE)
_REPEATED = re.compile(r"\W*(?:ditto|dito|same(?: again)?|idem|another|again|as above)\W*", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:limit|max|maximum|size|left|remaining|game)\b", re.IGNORECASE)
_PLAIN_HEADING = re.compile(r"[^\W\d][^\d]{0,60}")


def _quoted_from(lines: Sequence[Line], names: Names) -> int:
    """Where a quoted list begins that ends the text, after lines without a quotation; else the number of lines."""
    answered = len(lines)
    while answered and lines[answered - 1].raw.startswith(">"):
        answered -= 1
    models = any(names.names_model(line.text) for line in lines[answered:])
    return answered if models and not any(">" in line.raw for line in lines[:answered]) else len(lines)


def _alone(read: Read, words: Vocabulary) -> str:
    """The one name in a line if it is a model's in the plural, without a number: perhaps a heading. Else ""."""
    if len(read.entries) != 1 or read.unread or read.figures:
        return ""
    entry = read.entries[0]
    if entry.sort != "model" or entry.counted or entry.below:
        return ""
    if entry.cost is not None and (entry.cost < 100 or not words.names.is_faction(entry.name)):
        return ""
    match = words.names.match(entry.name, "model")
    return "" if match is None or match.exact else entry.name


def _total_of(line: Line) -> list[int | None]:
    """The figures of a line that states a total: its costs, else the numbers after the word for it, else those before;
    none is the size after "/". In a table the last comes first.
    """
    word = _TOTAL.search(line.text)
    numbers = [
        token
        for before, token in pairwise([None, *line.tokens])
        if token and token.kind in ("number", "cost") and not (before and before.text == "/")
    ]
    costs = [token for token in numbers if token.kind == "cost"]
    found = costs or [token for token in numbers if word and token.start >= word.start()] or numbers
    return [token.value for token in (found[::-1] if "|" in line.text or ";" in line.text else found)]


def _title(line: Line) -> tuple[str, str] | None:
    """Faction and name in New Recruit's first line: both and the cost between dashes."""
    words, dash, _ = line.text.rpartition(" - [")
    faction, _, name = words.partition(" - ")
    return (faction[:LONGEST_NAME], name[:LONGEST_NAME].strip(" -")) if dash else None


def _unread(read: Read, *, listed: bool) -> Unread:
    """A line that was not read; ``listed`` says that in a list without any cost it may name a part of the force."""
    line = read.line
    pieces = [*filter(None, [line.stamp]), *read.unread]
    text = " … ".join(pieces) if read.entries and pieces else line.raw
    priced = bool(read.figures) or listed or (bool(read.entries) and not _only_labels(read))
    priced |= not read.entries and any(token.kind == "cost" for token in line.tokens)
    return Unread(line.number, _shown(text), tuple(read.figures), priced, read.unread[0] if read.unread else "")


def _only_labels(read: Read) -> bool:
    """Whether the pieces of a line that were not read are words before a colon, or who wrote a message."""
    return all(f"{piece}:" in read.line.text for piece in read.unread[read.line.stamp != "" :])


def _shown(text: str) -> str:
    """The beginning of a line as typed, without what cannot be shown."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:200]).strip()


def _selection(entry: Entry, words: Vocabulary) -> Selection:
    """An entry as a selection, with all totals that its cost can mean."""
    below = [_selection(part, words) for part in entry.below]
    name = {"heroic": "Heroic", "leader": "Leader", "leadercard": "Leader card"}.get(entry.sort, entry.name)
    selection = Selection(a_name(name, ""), entry.copies, children=below, line=entry.line)
    selection.doubt, selection.for_each = entry.doubt, entry.each
    if entry.cost is None:
        return selection
    whole = entry.cost * entry.copies if entry.each else entry.cost
    if entry.sort != "model":
        selection.per_model = entry.cost == (words.price(entry) or 0) * entry.copies or entry.each
        selection.stated = whole
        selection.caps = None if below else whole
        return selection
    wholes = [whole] if entry.each or entry.copies == 1 else [whole, whole * entry.copies]
    price = words.price(entry) or 0
    if price and entry.cost in (price, price * entry.copies):
        kids = sum(_costs(part, words) for part in entry.below)
        wholes += [one + more for one in wholes for more in (kids, kids * entry.copies) if more]
    selection.stated, selection.stated_as = whole, tuple(dict.fromkeys(wholes))
    selection.caps = None if below else whole
    return selection


def _costs(part: Entry, words: Vocabulary) -> int:
    """The cost of a part with those below it, as the text or else the edition says."""
    own = part.cost * part.copies if part.each and part.cost else part.cost
    if own is None:
        own = (words.price(part) or 0) * part.copies
    price = (words.price(part) or 0) * part.copies
    return own + (sum(_costs(one, words) for one in part.below) if own == price else 0)


def read_texts(text: str, names: Names, own: str = "") -> Iterator[Roster]:
    """Every reading of a text, the most likely first: numbers without a unit after a name are costs, or copies.

    Names are looked up in the faction that the text names, else in that of the most models with a full name, the
    player's ``own`` before others.
    """
    lines = list(lines_of(text, Vocabulary(names).knows))
    first = _TextReader(lines, Vocabulary(names), "cost").roster
    by_models = names.fielding((model.name for model in first.selections), own)
    words = Vocabulary(names, names.faction(first.faction) or next(iter(by_models), own))
    readers = [_TextReader(lines, words, bare) for bare in ("cost", "copies")]
    if numbers := numbering(lines, readers[0].models, words):
        for reader in readers:
            reader.roster.unread += numbers.asked(reader.models, words, as_copies=True)
        others = [_TextReader(numbers.lines, words, bare) for bare in ("cost", "copies")]
        for reader in others:
            reader.roster.unread += numbers.asked(reader.models, words, as_copies=False)
        readers = others if numbers.proven else readers + others
    yield from (reader.roster for reader in readers)
