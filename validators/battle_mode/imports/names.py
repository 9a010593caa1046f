"""The names of an edition, found in the words of a line: whole, without the faction's own words, short, or misspelt.

An index of whole names by their letters, and of single words, answers everything: no name is compared with every other.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from languages.words import ngettext
from validators.battle_mode.edition import Edition, Item, ModelEntry, Priced
from validators.battle_mode.imports.words import form
from validators.contract import UnreadableForce
from validators.faults import of_file
from validators.names import ByName, between_strokes

Sort = Literal["model", "item", "perk", "card", "mod", "built in", "faction", "kind", "heroic", "leader"]
PARTS: tuple[Sort, ...] = ("item", "perk", "card", "mod")
MOST_UNKNOWN = 200
"""The most different words of a text that are in no list."""
MOST_COMPARED = 200_000
"""The most comparisons of words for one text: a large list needs some hundreds."""
MOST_CHOICES = 6
_LONG_ENOUGH = 5
_SHORTEST_CUT = 3


@dataclass(frozen=True)
class Name:
    """A name of the edition; ``marks`` are the separators within it: "Gun Nut (Heavy)"."""

    sort: Sort
    name: str
    marks: str = ""


class Names:
    """All names of one edition, and the words of a text looked up in them."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._exact: defaultdict[str, dict[Name, None]] = defaultdict(dict)
        self._own: dict[tuple[str, str], str] = {}
        """A model of a faction by its name without the faction's own words: "Heavy Trooper"."""
        self._by_word: defaultdict[str, dict[Name, None]] = defaultdict(dict)
        self._scopes: dict[tuple[str, str], frozenset[str]] = {}
        self.compared = 0
        self._fill()

    def _fill(self) -> None:
        edition = self.edition
        sorts: list[tuple[Sort, Iterable[str]]] = [
            ("model", {entry.name: None for faction in edition.factions.values() for entry in faction.models.values()}),
            *((sort, [entry.name for entry in self.table(sort).values()]) for sort in PARTS),
            ("faction", [faction.name for faction in edition.factions.values()]),
        ]
        spelt: defaultdict[str, list[Name]] = defaultdict(list)
        for sort, names in sorts:
            for name in names:
                entry = Name(sort, name, _marks(name))
                spelt[form(name)].append(entry)
                for spelling in {name, *between_strokes(name)}:
                    self._exact[form(spelling)][entry] = None
                for word in words_of(name):
                    self._by_word[word][entry] = None
        for alias, name in edition.file.aliases.items():
            self._exact[form(alias)] |= {replace(entry, marks=_marks(alias)): None for entry in spelt[form(name)]}
        built_in = {part for faction in edition.factions.values() for model in faction.models.values()
                    for part in model.built_in}  # fmt: skip
        for name in built_in:
            self._exact[form(name)][Name("built in", name, "(),:/&")] = None
        for group in edition.file.items:
            for word in (group.kind, group.category):
                self._exact[form(word)].setdefault(Name("kind", word))
        for faction in edition.factions.values():
            faction_words = words_of(faction.name)
            for model in faction.models.values():
                rest = [word for word in words_of(model.name) if word not in faction_words]
                if rest and len(rest) < len(words_of(model.name)):
                    self._own.setdefault((faction.name, "".join(rest)), model.name)

    def table(self, sort: Sort) -> ByName[Item] | ByName[Priced]:
        edition = self.edition
        if sort == "item":
            return edition.items
        return {"mod": edition.mods, "perk": edition.perks}.get(sort, edition.leader_cards)

    def whole(self, key: str, marks: Collection[str]) -> tuple[Name, ...]:
        """The names with these letters, if separators that stand within the words are in the name too."""
        names = self._exact.get(key, ())
        return tuple(name for name in names if not marks or set(marks) <= set(name.marks))

    def own_model(self, faction: str, key: str) -> str:
        """The model of a faction that this names without the faction's own words; "" for none."""
        return self._own.get((faction, key), "")

    def model(self, name: str, faction: str) -> ModelEntry | None:
        return self.edition.model(name, faction)

    def models_of(self, faction: str) -> frozenset[str]:
        """The models of a faction, of all for ""."""
        return self._scope(faction, "")

    def parts_of(self, faction: str, model: str) -> frozenset[str]:
        """Everything that a model may have bought for it; all parts if the model or its options are not known."""
        return self._scope(faction, model or "?")

    def _scope(self, faction: str, model: str) -> frozenset[str]:
        key = (faction, model)
        if key not in self._scopes:
            self._scopes[key] = frozenset(self._listed(faction) if not model else self._parts(faction, model))
        return self._scopes[key]

    def _listed(self, faction: str) -> Iterator[str]:
        this_faction = self.edition.factions.find(faction) if faction else None
        for place in [this_faction] if this_faction else self.edition.factions.values():
            yield from (entry.name for entry in place.models.values())

    def _parts(self, faction: str, model: str) -> Iterator[str]:
        entry = self.model(model, faction)
        for sort in PARTS:
            for row in self.table(sort).values():
                name = row.name
                if entry is None or entry.options_unknown:
                    yield name
                elif sort == "item":
                    if entry.carries(name) or name in entry.usual or name in entry.built_in:
                        yield name
                elif entry.may_have("Leader card" if sort == "card" else sort, name):  # type: ignore[arg-type]
                    yield name

    def short(self, words: tuple[str, ...], sorts: Collection[Sort]) -> tuple[list[Name], bool]:
        """The names of these sorts that hold all these words in their order, and whether a word was cut short."""
        plain = [self._by_word.get(word) for word in words]
        if all(plain):
            whole = [name for name in plain[0] or () if name.sort in sorts and _in_order(words, name.name)]
            if whole:
                return whole, False
        names: dict[Name, None] | None = None
        for word in words:
            longer = {name: None for full in self._longer(word) for name in self._by_word[full]}
            names = longer if names is None else {name: None for name in names if name in longer}
        self._count(len(names or ()))
        return [name for name in names or () if name.sort in sorts and _in_order(words, name.name)], True

    def cut_short(self, word: str, sorts: Collection[Sort]) -> list[Name]:
        longer = (full for full in self._longer(word) if full.startswith(word) and full != word)
        return [name for full in longer for name in self._by_word[full] if name.sort in sorts]

    def by_initials(self, word: str, sorts: Collection[Sort]) -> list[Name]:
        """The names of two to five words that begin with these letters: "lmg"."""
        return [name for name in self._initials.get(word, ()) if name.sort in sorts]

    @cached_property
    def _initials(self) -> dict[str, list[Name]]:
        names = dict.fromkeys(name for entry in self._by_word.values() for name in entry)
        short: defaultdict[str, list[Name]] = defaultdict(list)
        for name in names:
            short["".join(word[0] for word in words_of(name.name))].append(name)
        return {key: found for key, found in short.items() if 3 <= len(key) <= 5}

    def _longer(self, word: str) -> Iterator[str]:
        """The words of names that this is, begins, or is short for ("pvt")."""
        if word in self._by_word:
            yield word
        if len(word) < 2 or any(map(str.isdigit, word)):
            return
        at = bisect_left(self._sorted, word[0])
        while at < len(self._sorted) and self._sorted[at][0] == word[0]:
            self._count(1)
            if self._sorted[at] != word and is_short_for(word, self._sorted[at]):
                yield self._sorted[at]
            at += 1

    def near(self, word: str) -> list[str]:
        if len(word) < _LONG_ENOUGH:
            return []
        ways = {word, *_shortened(word)}
        close = {other for way in ways for other in self._near.get(way, ())}
        self._count(len(close))
        return sorted(other for other in close if _one_letter_off(word, other))

    def count_unknown(self, words: Iterable[str]) -> None:
        """Raises UnreadableForce if too many different words of a text are in no list."""
        if len({word for word in words if not self.knows(word)}) > MOST_UNKNOWN:
            self._refuse()

    def _count(self, comparisons: int) -> None:
        self.compared += comparisons
        if self.compared > MOST_COMPARED:
            self._refuse()

    def _refuse(self) -> None:
        wrong = ngettext("more than %(num)s word of it is in no list", "more than %(num)s words of it are in no list",
                         MOST_UNKNOWN)  # fmt: skip
        raise UnreadableForce(of_file(wrong))

    def knows(self, word: str) -> bool:
        return word in self._by_word or word in self._exact

    def with_word(self, word: str) -> tuple[Name, ...]:
        return tuple(self._by_word.get(word, ()))

    def with_any(self, words: Iterable[str], scope: Collection[str], sorts: Collection[Sort]) -> list[Name]:
        """The names of a scope that share most of these words, exactly or but for one letter."""
        shared: defaultdict[Name, int] = defaultdict(int)
        for word in words:
            for near_word in {word, *self.near(word)}:
                for name in self._by_word.get(near_word, ()):
                    if name.sort in sorts and name.name in scope:
                        shared[name] += 1
        self._count(len(shared))
        most = max(shared.values(), default=0)
        return [name for name, count in shared.items() if count == most][:MOST_CHOICES]

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._by_word)

    @cached_property
    def _near(self) -> dict[str, list[str]]:
        """The words of names by themselves and by what is left of each without one of its letters."""
        words_by_form: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._by_word:
            if len(word) >= _LONG_ENOUGH - 1 and word.isalpha():
                for way in {word, *_shortened(word)}:
                    words_by_form[way].append(word)
        return words_by_form


def _marks(name: str) -> str:
    return "".join(mark for mark in "(,:/&" if mark in name) + "-" * (" - " in name)


def words_of(text: str) -> list[str]:
    return [word for piece in _pieces(text) if (word := form(piece))]


def _pieces(text: str) -> Iterator[str]:
    word = ""
    for letter in text + " ":
        if letter.isalnum() or letter in "'’":
            word += letter
        else:
            yield word
            word = ""


def _in_order(words: tuple[str, ...], name: str) -> bool:
    """Whether these words are words of the name, in its order, perhaps cut short."""
    rest = iter(words_of(name))
    return all(any(word == other or is_short_for(word, other) for other in rest) for word in words)


def is_short_for(short: str, word: str) -> bool:
    """Whether a word is the beginning of another, or some of its letters with the first and the last: "sgt", "pvt"."""
    if len(short) >= _SHORTEST_CUT and word.startswith(short) and short != word:
        return True
    rest = iter(word)
    ends = (short[:1], short[-1:]) == (word[:1], word[-1:])
    return ends and 2 <= len(short) <= 4 and len(word) > len(short) + 1 and all(letter in rest for letter in short)


def _shortened(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


def _one_letter_off(word: str, other: str) -> bool:
    """Whether one letter is another, is missing, is too many, or two neighbours changed places."""
    if word == other:
        return False
    if len(word) == len(other):
        differ = [at for at in range(len(word)) if word[at] != other[at]]
        swapped = len(differ) == 2 and differ[1] == differ[0] + 1 and word[differ[0]] == other[differ[1]]
        return len(differ) == 1 or (swapped and word[differ[1]] == other[differ[0]])
    longer, shorter = sorted((word, other), key=len, reverse=True)
    return len(longer) == len(shorter) + 1 and shorter in _shortened(longer)
