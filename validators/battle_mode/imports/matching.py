"""Names of other programs against the names of an edition, and what an import reports.

Tolerated are the written forms of a name (``names.ByName``) and a sorting prefix ("zU "). What differs in anything else
is not matched: near names are offered, never taken.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from validators.battle_mode.edition import Edition
from validators.names import ByName, fold, name_table, nearest

Sort = Literal["model", "item", "mod", "perk", "card"]

_SORTING = re.compile(r"z[A-Z]{1,2}\s+(?=\S)")


@dataclass(frozen=True)
class Match:
    """A name of the edition, what kind of thing it is, and whether the file spells it so (case and spacing aside)."""

    sort: Sort
    name: str
    exact: bool


@dataclass(frozen=True)
class Names:
    """Every name of one edition, by sort."""

    by_sort: Mapping[Sort, ByName[str]]
    factions: ByName[str]
    built_in: ByName[str]
    """What some model has built in."""

    def match(self, name: str, *sorts: Sort) -> Match | None:
        """The one name that this spelling stands for, among these sorts and in their order."""
        for spelling in dict.fromkeys((name, without_sorting(name))):
            for sort in sorts:
                found = self.by_sort[sort].find(spelling)
                if found is not None:
                    return Match(sort, found, fold(without_sorting(name)) == fold(found))
        return None

    def near(self, name: str, *sorts: Sort) -> tuple[str, ...]:
        """Up to three names of these sorts that are near to this one."""
        known = tuple(dict.fromkeys(n for sort in sorts for n in self.by_sort[sort].values()))
        return nearest(without_sorting(name)[:80], known)

    def faction(self, name: str) -> str | None:
        """The faction that a catalogue's name speaks of: the name itself, or one of its parts between dashes."""
        parts = [name, *re.split(r"\s[-–—]\s|:", name)[::-1]]
        found = (self.factions.find(without_sorting(part)) for part in parts)
        return next((faction for faction in found if faction), None)


def without_sorting(name: str) -> str:
    """A name without the prefix that catalogues use to sort it ("zU Settler")."""
    return _SORTING.sub("", name.strip(), count=1) if _SORTING.match(name.strip()) else name.strip()


@lru_cache(maxsize=16)
def names_of(edition: Edition) -> Names:
    """The names of an edition."""
    entries = [entry for faction in edition.factions.values() for entry in faction.models.values()]
    models = [entry.name for entry in entries]
    aliases = edition.aliases
    return Names(
        by_sort={
            "model": name_table(models, aliases),
            "item": name_table((item.name for item in edition.items.values()), aliases),
            "mod": name_table((mod.name for mod in edition.mods.values()), aliases),
            "perk": name_table((perk.name for perk in edition.perks.values()), aliases),
            "card": name_table((card.name for card in edition.leader_cards.values()), aliases),
        },
        factions=name_table(faction.name for faction in edition.factions.values()),
        built_in=name_table((name for entry in entries for name in entry.built_in), aliases),
    )


MOST_REMARKS = 60
MOST_OFFERS = 30
"""Unknown names that near ones are looked for: each look costs milliseconds."""

_Unknown = tuple[str, tuple[Sort, ...]]


class Remarks:
    """The remarks of one import, or of one way of reading a part of it."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._said: dict[str | _Unknown, None] = dict.fromkeys(first)

    def say(self, sentence: str) -> None:
        """Add a sentence that was not said yet."""
        self._said.setdefault(sentence)

    def match(self, written: str, match: Match) -> None:
        """Say what a name was read as, where the file spells it otherwise."""
        if not match.exact:
            self.say(f"{without_sorting(written)}: read as {match.name}.")

    def unknown(self, written: str, *sorts: Sort) -> None:
        """Say that a name is none of these sorts; near names are searched for at the end."""
        self._said.setdefault((without_sorting(written), sorts))

    def take(self, other: "Remarks") -> None:
        """Add the remarks of the way that was chosen."""
        self._said |= other._said

    def sentences(self, names: Names) -> tuple[str, ...]:
        """The sentences, the last with the number of those left out."""
        sentences: list[str] = []
        offers = 0
        for remark in list(self._said)[:MOST_REMARKS]:
            if isinstance(remark, tuple):
                offers += 1
                remark = _sentence(remark, names if offers <= MOST_OFFERS else None)
            sentences.append(remark)
        rest = len(self._said) - len(sentences)
        return (*sentences, f"And {rest} more.") if rest else tuple(sentences)


def _sentence(unknown: _Unknown, names: Names | None) -> str:
    written, sorts = unknown
    near = names.near(written, *sorts) if names else ()
    offer = f" Near: {', '.join(near)}." if near else ""
    return f"{written}: not known to the edition, kept as it is.{offer}"
