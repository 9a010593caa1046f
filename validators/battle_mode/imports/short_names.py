"""Names written shorter than the edition's: "Lanius", "Vet Ranger", "T-60 PA"; and factions by their first letters."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from validators.names import loose

_ABBREVIATIONS = {
    "vet": "veteran", "lt": "lieutenant", "sgt": "sergeant", "col": "colonel", "gen": "general", "cpt": "captain",
    "mister": "mr", "doc": "dr", "doctor": "dr", "pa": "power armor", "lmg": "light machine gun", "am": "anti materiel",
    "amr": "anti materiel rifle", "first": "1 st", "i": "1", "ii": "2", "iii": "3", "whisky": "whiskey",
}  # fmt: skip
_FILLERS = frozenset(("the", "of"))
_LEAST_OF_A_WORD = 3
"""The fewest letters that a word may be cut short to; a word alone keeps one more."""


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    """The words and figures of a text: "T-60 PA" gives t, 60, pa."""
    plain = re.sub(r"['‘’`´ʼ]|(?<=\d)s\b", "", text)
    chunks = re.findall(r"\d+|[^\W\d_]+", plain)
    return tuple(word for chunk in chunks if (word := loose(chunk)) and word not in _FILLERS)


@lru_cache(maxsize=8192)
def _written_out(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for word in words for one in _ABBREVIATIONS.get(word, word).split())


class ShortNames:
    """Names that are found by some of their words."""

    def __init__(self, names: Iterable[str]) -> None:
        self._named = {name: {_words(name), _written_out(_words(name))} for name in names}
        self._holding: dict[str, set[str]] = defaultdict(set)
        for name, forms in self._named.items():
            for form in forms:
                for word in form:
                    for end in {len(word), *range(_LEAST_OF_A_WORD, len(word))}:
                        self._holding[word[:end]].add(name)

    def whole(self, written: str, among: Collection[str], shared: str) -> str:
        """The one name that is this text but for words that these names share, such as their faction's; else "".

        The shared words are not left out if they alone are a name, as "Raider" is.
        """
        drop = frozenset(_words(shared))
        if any(_words(name) == _words(shared) for name, _ in self._candidates(shared, among)):
            drop = frozenset()
        found = [
            name
            for name, form in self._candidates(written, among)
            if any(tuple(word for word in own if word not in drop) == form for own in self._named[name])
        ]
        return found[0] if len(set(found)) == 1 else ""

    def find(self, written: str, among: Collection[str], shared: str, *, cut: bool = True) -> tuple[str, ...]:
        """The name that this text is but for shared words, else all names that hold its words in their order.

        With ``cut`` a word may be cut short: "plasma def".
        Of several, the one whose words the others hold, too: the plain one of "Feral Ghoul" and "Weak Feral Ghoul".
        """
        if whole := self.whole(written, among, shared):
            return (whole,)
        held = self._candidates(written, among, cut=cut)
        found = sorted({name for name, form in held if any(len(word) > 1 for word in form)})
        plain = [name for name in found if all(_within(_words(name), _words(other), cut=False) for other in found)]
        return tuple(plain[:1] or found)

    def _candidates(
        self, written: str, among: Collection[str], *, cut: bool = False
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Each name that holds the words of a text in their order, with these words."""
        for form in _forms(written):
            for name in set.intersection(*(self._holding.get(word, set()) for word in form)):
                if name in among and any(_within(form, own, cut=cut) for own in self._named[name]):
                    yield name, form


def _forms(written: str) -> set[tuple[str, ...]]:
    words = _words(written)
    return {words, _written_out(words)} - {()}


def _within(words: tuple[str, ...], others: tuple[str, ...], *, cut: bool) -> bool:
    """Whether all words stand among the others in this order; ``cut`` says that they may be cut short."""
    rest = iter(others)
    least = _LEAST_OF_A_WORD + (len(words) == 1)
    return all(any(_is_word(word, other, least if cut else None) for other in rest) for word in words)


def _is_word(word: str, other: str, least: int | None) -> bool:
    return word == other or (least is not None and len(word) >= least and other.startswith(word))


def faction_in(text: str, factions: Iterable[str]) -> str:
    """The one faction that a title names, by its words or their first letters; "" for none or several."""
    words = _words(text)
    known = {name: _words(name) for name in factions}
    spoken = {name: own for name, own in known.items() if _follows(own, words) or (words and _follows(words, own))}
    found = [name for name, own in spoken.items() if not any(_longer(other, own) for other in spoken.values())]
    letters = {"".join(word[0] for word in re.findall(r"\w+", name)).casefold(): name for name in known}
    found = found or [letters[word] for word in words if len(word) > 1 and word in letters]
    return found[0] if len(set(found)) == 1 else ""


def _follows(own: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(words[place : place + len(own)] == own for place in range(len(words)))


def _longer(other: tuple[str, ...], own: tuple[str, ...]) -> bool:
    return len(other) > len(own) and _follows(own, other)
