"""Names of other programs against the names of an edition, and what an import reports.

Tolerated are case, spacing, accents, punctuation, a plural, a sorting prefix ("zU ") and the edition's own aliases.
What differs in anything else is not matched: near names are offered, never taken.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from validators.battle_mode.edition import Edition
from validators.names import fold, nearest

Sort = Literal["model", "item", "mod", "perk", "card"]

_SORTING = re.compile(r"z[A-Z]{1,2}\s+(?=\S)")
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’`´")
_ENOUGH_TO_BE_SOMEWHERE = 3


@dataclass(frozen=True)
class Match:
    """A name of the edition, what kind of thing it is, and whether the file spells it so (case and spacing aside)."""

    sort: Sort
    name: str
    exact: bool


@dataclass(frozen=True)
class Names:
    """Every name of one edition, by sort and loose spelling. A spelling that fits two names is in none."""

    by_sort: Mapping[Sort, Mapping[str, str]]
    factions: Mapping[str, str]

    def match(self, name: str, *sorts: Sort) -> Match | None:
        """The one name that this spelling stands for, among these sorts and in their order."""
        for spelling in dict.fromkeys((name, without_sorting(name))):
            key = loose(spelling)
            for sort in sorts:
                found = self.by_sort[sort].get(key)
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
        keys = (loose(without_sorting(part)) for part in parts)
        return next((self.factions[key] for key in keys if key in self.factions), None)


@lru_cache(maxsize=8192)
def loose(name: str) -> str:
    """A name without case, accents, punctuation, spacing and plural: what two spellings of one name share."""
    plain = unicodedata.normalize("NFKD", name.translate(_APOSTROPHES))
    letters = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return "".join(map(_singular, _WORD.findall(letters)))


def without_sorting(name: str) -> str:
    """A name without the prefix that catalogues use to sort it ("zU Settler")."""
    return _SORTING.sub("", name.strip(), count=1) if _SORTING.match(name.strip()) else name.strip()


def _singular(word: str) -> str:
    if len(word) <= _ENOUGH_TO_BE_SOMEWHERE or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if re.search(r"(ch|sh|x|ss|z)es$", word) else word[:-1]


@lru_cache(maxsize=16)
def names_of(edition: Edition) -> Names:
    """The names of an edition."""
    models = [entry.name for faction in edition.factions.values() for entry in faction.models.values()]
    aliases = edition.aliases
    return Names(
        by_sort={
            "model": by_loose_spelling(models, aliases),
            "item": by_loose_spelling((item.name for item in edition.items.values()), aliases),
            "mod": by_loose_spelling((mod.name for mod in edition.mods.values()), aliases),
            "perk": by_loose_spelling((perk.name for perk in edition.perks.values()), aliases),
            "card": by_loose_spelling((card.name for card in edition.leader_cards.values()), aliases),
        },
        factions=by_loose_spelling((faction.name for faction in edition.factions.values()), {}),
    )


def by_loose_spelling(names: Iterable[str], aliases: Mapping[str, str]) -> dict[str, str]:
    """Names by their loose spelling and that of their aliases (folded alias to folded name), without the spellings that
    fit two names.
    """
    own = {fold(name): name for name in names}
    pairs = [(loose(name), name) for name in own.values()]
    pairs += [(loose(alias), own[name]) for alias, name in aliases.items() if name in own]
    fitting: dict[str, set[str]] = {}
    for key, name in pairs:
        fitting.setdefault(key, set()).add(name)
    return {key: found.pop() for key, found in fitting.items() if len(found) == 1}


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
