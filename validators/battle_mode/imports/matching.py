"""Matching names of other programs with an edition's names, and the remarks of an import.

Accepted are the written forms of a name (``names.ByName``) and a sorting prefix ("zU "). Any other difference is not
matched: similar names are offered, never used.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Literal

from languages.words import gettext
from validators.battle_mode.edition import Edition, Item, ModelEntry, Priced
from validators.battle_mode.imports.short_names import ShortNames
from validators.names import ByName, by_name, fold, loose, name_table, nearest

Sort = Literal["model", "item", "mod", "perk", "card"]
PARTS: tuple[Sort, ...] = ("item", "perk", "card", "mod")

_SORTING = re.compile(r"z[A-Z]{1,2}\s+(?=\S)")


@dataclass(frozen=True)
class Match:
    """A name of the edition, its kind, and whether the file spells it the same (ignoring case and spacing)."""

    sort: Sort
    name: str
    exact: bool


class Names:
    """All names of one edition, by kind. ``built_in`` are built-in parts of any model."""

    def __init__(self, edition: Edition) -> None:
        entries = [entry for faction in edition.factions.values() for entry in faction.models.values()]
        self.built_in = name_table((name for entry in entries for name in entry.built_in), edition.file.aliases)
        self.kinds = {loose(word) for group in edition.file.items for word in (group.kind, group.category)}
        """The headings of the item lists: "Rifles", "Weapons"."""
        self._heroic_caps = edition.file.heroic_caps
        self._factions, self._items = edition.factions, edition.items
        self._parts_of: dict[tuple[str, str], Collection[str]] = {}
        self._by_sort: Mapping[Sort, ByName[Item] | ByName[ModelEntry] | ByName[Priced]] = {
            "model": by_name(entries, edition.file.aliases),
            "item": edition.items,
            "mod": edition.mods,
            "perk": edition.perks,
            "card": edition.leader_cards,
        }

    @cached_property
    def _sorts(self) -> dict[str, Sort]:
        return {fold(entry.name): sort for sort, table in self._by_sort.items() for entry in table.values()}

    def match(self, name: str, *sorts: Sort) -> Match | None:
        """The one name with this spelling, among these kinds in order."""
        for spelling in dict.fromkeys((name, without_sorting(name))):
            for sort in sorts:
                found = self._by_sort[sort].find(spelling)
                if found is not None:
                    return Match(sort, found.name, fold(without_sorting(name)) == fold(found.name))
        return None

    def near(self, name: str, *sorts: Sort) -> tuple[str, ...]:
        """Up to three similar names of these kinds."""
        known = tuple(dict.fromkeys(entry.name for sort in sorts for entry in self._by_sort[sort].values()))
        return nearest(without_sorting(name)[:80], known)

    def price(self, sort: str, name: str) -> int | None:
        """The cost of one of a kind, "heroic" included; None if it is unknown or a share of the model's cost."""
        if sort == "heroic":
            return self._heroic_caps
        found = self._by_sort[sort].find(name) if sort in self._by_sort else None  # type: ignore[index]
        return None if found is None or (isinstance(found, Priced) and found.percent) else found.caps

    def misspelt(self, name: str, similar: float) -> str | None:
        """The kind of the one known name that this text nearly is: "model", or "unknown" for any part."""
        found = get_close_matches(fold(name), self._sorts, n=1, cutoff=similar)
        return None if not found else "model" if self._sorts[found[0]] == "model" else "unknown"

    def names_model(self, text: str) -> bool:
        """Whether a known model's name stands in a text, so that the text is no heading and no total."""
        words = f" {_words_of(text)} "
        return any(f" {name} " in words for name in self._models)

    @cached_property
    def _models(self) -> frozenset[str]:
        names = (entry.name for entry in self._by_sort["model"].values())
        return frozenset(map(_words_of, names))

    def fields(self, faction: str, model: str) -> bool:
        """Whether this model is on the faction's list."""
        known = self._factions.find(faction)
        return known is not None and fold(model) in known.models

    def short_models(self, words: str, faction: str) -> tuple[str, ...]:
        """The models of a faction, of all for "", that these words may be short for."""
        return self._short_models.find(words, self._listed(faction), faction)

    def whole_model(self, words: str, faction: str) -> str:
        """The model of a faction that these words name without the faction's own; "" if there is none."""
        return self._short_models.whole(words, self._listed(faction), faction)

    def short_parts(self, words: str, faction: str = "", model: str = "", *, cut: bool = True) -> tuple[str, ...]:
        """The parts that these words may be short for, among those that a model may have, if one is given.

        ``cut`` says that a word may be cut short.
        """
        return self._short_parts.find(words, self._parts(faction, model), model, cut=cut)

    def whole_part(self, words: str, faction: str, model: str) -> str:
        """The part of a model that these words name without the model's own; "" if there is none."""
        return self._short_parts.whole(words, self._parts(faction, model), model)

    def may_have(self, faction: str, model: str, part: str) -> bool:
        """Whether a model of a faction may have this part; True if it is not known there."""
        return part in self._parts(faction, model)

    @cached_property
    def _short_models(self) -> ShortNames:
        return ShortNames(entry.name for entry in self._by_sort["model"].values())

    @cached_property
    def _short_parts(self) -> ShortNames:
        return ShortNames(self._sort_of_part)

    @cached_property
    def _sort_of_part(self) -> dict[str, Sort]:
        return {entry.name: sort for sort in PARTS[::-1] for entry in self._by_sort[sort].values()}

    def _listed(self, faction: str) -> Collection[str]:
        known = self._factions.find(faction)
        if known is None:
            return () if faction else {entry.name for entry in self._by_sort["model"].values()}
        return {entry.name for entry in known.models.values()}

    def _parts(self, faction: str, model: str) -> Collection[str]:
        key = (faction, model)
        if key not in self._parts_of:
            known = self._factions.find(faction)
            entry = known.models.find(model) if known else None
            names = self._sort_of_part.items()
            self._parts_of[key] = {name for name, sort in names if _may_have(entry, sort, name)}
        return self._parts_of[key]

    def usual_parts(self, faction: str, model: str) -> Collection[str]:
        """The items that a model of a faction is usually bought with."""
        known = self._factions.find(faction)
        entry = known.models.find(model) if known else None
        return entry.usual if entry else ()

    def is_unique(self, model: str) -> bool:
        """Whether a force may have this model, or one that shows the same person, once."""
        known = self._by_sort["model"].find(model)
        return isinstance(known, ModelEntry) and known.unique is not None

    def is_used_up(self, item: str) -> bool:
        """Whether a model often has several of this item: a chem, a grenade."""
        known = self._items.find(item)
        return known is not None and (known.category == "Items" or known.kind in ("Thrown", "Mines"))

    def fielding(self, models: Iterable[str], own: str) -> list[str]:
        """The factions that list the most of these models, in the edition's order; only ``own`` if it is among them."""
        known = [match.name for model in models if (match := self.match(model, "model"))]
        counts = {faction: sum(self.fields(faction, model) for model in known) for faction in self.factions()}
        most = max(counts.values(), default=0)
        found = [faction for faction, count in counts.items() if count == most > 0]
        return [own] if own in found else found

    def factions(self) -> list[str]:
        return [faction.name for faction in self._factions.values()]

    def spelt(self, name: str) -> bool:
        """Whether a text is a known name as the edition spells it, but for case and spacing."""
        return fold(name) in self._sorts

    def is_faction(self, name: str) -> bool:
        return self._factions.find(name) is not None

    def faction(self, name: str) -> str | None:
        """The faction in a catalogue's name: the whole name, or a part between dashes."""
        parts = [name, *re.split(r"\s[-–—]\s|:", name)[::-1]]
        found = (self._factions.find(without_sorting(part)) for part in parts)
        return next((faction.name for faction in found if faction), None)


def _may_have(entry: ModelEntry | None, sort: Sort, name: str) -> bool:
    if entry is None or sort == "model":
        return True
    if sort == "item":
        return entry.carries(name)
    return entry.may_have("Leader card" if sort == "card" else sort, name)


def _words_of(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


def without_sorting(name: str) -> str:
    """A name without a catalogue's sorting prefix ("zU Settler")."""
    return _SORTING.sub("", name.strip(), count=1) if _SORTING.match(name.strip()) else name.strip()


MOST_REMARKS = 60
MOST_OFFERS = 30
"""The most unknown names for which similar ones are searched; each search takes milliseconds."""

_Unknown = tuple[str, tuple[Sort, ...]]


def with_offer(sentence: str, near: Sequence[str]) -> str:
    """The sentence, and after it the names that are near."""
    if not near:
        return sentence
    offer = gettext("Near: %(names)s.", names=", ".join(near))
    return f"{sentence} {offer}"


class Remarks:
    """The remarks of one import, or of one reading of a part of it."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._said: dict[str | _Unknown, None] = dict.fromkeys(first)

    def say(self, sentence: str) -> None:
        self._said.setdefault(sentence)

    def name(self, written: str, match: Match | None, *sorts: Sort) -> str:
        """The matched name, noted if the file spells it differently; else the written one, noted as unknown.

        Similar names of these kinds are searched at the end.
        """
        own = without_sorting(written)
        if match is None:
            self._said.setdefault((own, sorts))
        elif not match.exact:
            self.say(gettext("%(written)s: read as %(name)s.", written=own, name=match.name))
        return match.name if match else own

    def take(self, other: "Remarks") -> None:
        self._said |= other._said

    def sentences(self, names: Names) -> tuple[str, ...]:
        """The sentences; the last gives the number of omitted ones."""
        sentences: list[str] = []
        offers = 0
        for remark in list(self._said)[:MOST_REMARKS]:
            if isinstance(remark, tuple):
                written, sorts = remark
                offers += 1
                near = names.near(written, *sorts) if offers <= MOST_OFFERS else ()
                remark = with_offer(gettext("%(name)s: not known to the edition, kept as it is.", name=written), near)
            sentences.append(remark)
        rest = len(self._said) - len(sentences)
        return (*sentences, gettext("And %(count)s more.", count=rest)) if rest else tuple(sentences)
