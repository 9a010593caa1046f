"""Comparing and finding names in the force lists, a game's own terms, and numbers and lists of names in messages."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, Protocol, TypeVar

from languages.words import ENGLISH, N_, gettext, language

_Entry = TypeVar("_Entry")
_NO_ALIASES: Mapping[str, str] = MappingProxyType({})
_APOSTROPHES = str.maketrans("", "", "'‘’`´ʼ")
_WORD = re.compile(r"[^\W_]+")
_LONGEST_WITHOUT_PLURAL = 3
_TURNED = re.compile(r"([^,()]+)(?:,([^,()]+)|\(([^,()]+)\)| [-–] ([^,()]+))")


@lru_cache(maxsize=16384)
def fold(name: str) -> str:
    """A name for comparison, ignoring case and spacing."""
    return " ".join(name.split()).casefold()


_MOST_MARKS = 30
"""The most marks in a row, as in Unicode's stream-safe text: putting n of them in order takes n² steps."""
_OF_KANA = "\uff9e\uff9f"
"""Letters that become marks."""
_PERHAPS_MARKS = re.compile(rf"(?:[^\w\0-\x7f]|[{_OF_KANA}]){{{_MOST_MARKS + 1},}}")


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """The text in this normal form, in time that grows with its length; of many marks in a row the first are kept."""
    return unicodedata.normalize(form, _PERHAPS_MARKS.sub(_first_marks, text))


def _first_marks(signs: re.Match[str]) -> str:
    kept, marks = [], 0
    for sign in signs[0]:
        marks = marks + 1 if unicodedata.combining(sign) or sign in _OF_KANA else 0
        if marks <= _MOST_MARKS:
            kept.append(sign)
    return "".join(kept)


PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
"""Plain spellings of letters that have no Unicode decomposition."""


def without_accents(text: str) -> str:
    """The text in small letters without accents: "Łódź" gives "lodz"."""
    apart = normalized("NFKD", text.casefold().translate(PLAIN))
    return normalized("NFC", "".join(name for name in apart if not unicodedata.combining(name)))


@lru_cache(maxsize=4096)
def alphabetical(name: str) -> tuple[str, str]:
    """The key by which every list of names is sorted: without case and accents, then as written."""
    return without_accents(" ".join(name.split())), name


_MOST_LETTERS = 12


def first_letters(first: str, last: str, before: str = "", after: str = "") -> str:
    """The letters with which the names of a page begin, from its first to its last name: "A to E", "He to M".

    As many as tell them from the last name of the page before and the first of the page after; of many only the first
    word and the one that differs: "Bartholomew … M".
    """

    def start(name: str, neighbour: str) -> str:
        one, other = (without_accents(" ".join(text.split())) for text in (name, neighbour))
        numbers = (n for n in range(1, len(one) + 1) if one[:n].strip() != other[:n].strip())
        letters = one[: next(numbers, len(one))].strip().title()
        word, _, rest = letters.partition(" ")
        return letters if len(letters) <= _MOST_LETTERS or not rest else f"{word} … {rest.split()[-1]}"

    one, other = start(first, before), start(last, after)
    return one if one == other else gettext("%(first)s to %(last)s", first=one, last=other)


@lru_cache(maxsize=8192)
def loose(name: str) -> str:
    """A name without case, accents, punctuation, spacing, plural and "The" before it, for comparing spellings."""
    plain = normalized("NFKD", name.translate(_APOSTROPHES))
    letters = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    words = _WORD.findall(letters.replace("armour", "armor").replace("&", " and "))
    return "".join(map(_singular, words[words[:1] == ["the"] and len(words) > 1 :]))


def _singular(word: str) -> str:
    """A form that a word shares with its plural; it need not be English: "knife" and "knives" give "knif"."""
    if len(word) > _LONGEST_WITHOUT_PLURAL:
        if word == "children":
            return "child"
        if word.endswith(("ies", "ie")):
            return re.sub(r"ies?$", "y", word)
        if word.endswith("men"):
            return word[:-3] + "man"
        if word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
    return re.sub(r"[fv]e$", "f", re.sub(r"(ch|sh|x|ss|z)e$", r"\1", word))


def _spellings(name: str) -> set[str]:
    """The loose forms of a name: as written, and with the part after a comma or a dash, or in brackets, first."""
    turned = _TURNED.fullmatch(name.strip())
    head, *tails = turned.groups() if turned else (name,)
    return {loose(name), *(loose(f"{tail} {head}") for tail in tails if tail)}


def between_strokes(name: str) -> list[str]:
    """The parts between slashes; single words also with the leading words of the first part."""
    first, *rest = name.split("/")
    shared = first.split()[:-1]
    return [first, *rest, *(" ".join([*shared, part]) for part in rest if len(part.split()) == 1)]


class ByName(dict[str, _Entry]):
    """Entries by their folded names; ``find`` also accepts other spellings of a name.

    Each part of a name with slashes ("Black Widow/Lady Killer") is a spelling; a part of one word shares the words
    before the slash ("Action Boy/Girl": Action Girl). A spelling of two entries finds neither.
    """

    def __init__(self, entries: Iterable[tuple[str, _Entry]], aliases: Mapping[str, str] = _NO_ALIASES) -> None:
        named = list(entries)
        super().__init__((fold(name), entry) for name, entry in named)
        self._names = {fold(name): name for name, _ in named}
        self._aliases = {fold(alias): key for alias, name in aliases.items() if (key := fold(name)) in self}
        forms = [
            (form, fold(name))
            for name, _ in named
            for form in _spellings(name) | set(map(loose, between_strokes(name)))
        ]
        forms += [(form, key) for alias, key in self._aliases.items() for form in _spellings(alias)]
        fitting: dict[str, set[str]] = {}
        for form, key in forms:
            fitting.setdefault(form, set()).add(key)
        self._forms = {form: keys.pop() for form, keys in fitting.items() if form and len(keys) == 1}

    def find(self, name: str) -> _Entry | None:
        """The entry with this name or alias, else the only one with this spelling; None if there is none."""
        return self.get(self._key(name))

    def spelling(self, name: str) -> str:
        """The name as listed of the entry that ``find`` finds; an unknown name as it is."""
        return self._names.get(self._key(name), name)

    def _key(self, name: str) -> str:
        key = fold(name)
        key = self._aliases.get(key, key)
        if key in self:
            return key
        texts = {self._forms[form] for form in _spellings(name) if form in self._forms}
        return texts.pop() if len(texts) == 1 else key


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_Listed = TypeVar("_Listed", bound=_Named)


def by_name(entries: Iterable[_Listed], aliases: Mapping[str, str] = _NO_ALIASES) -> ByName[_Listed]:
    """Entries by their own names."""
    return ByName(((entry.name, entry) for entry in entries), aliases)


def name_table(names: Iterable[str], aliases: Mapping[str, str] = _NO_ALIASES) -> ByName[str]:
    """Names by their folded forms, found in any spelling."""
    return ByName(((name, name) for name in names), aliases)


MOST_SEARCHED = 10
"""The most unknown names for which one rule searches similar names in one list; each search takes milliseconds."""


class NearNames:
    """Suggestions of known names for unknown ones, searched only for the first ten."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def nearest(self, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """Known names similar to this one, closest first; empty after the first ten different names."""
        if len(self._names) < MOST_SEARCHED:
            self._names.add(name)
        return nearest(name, known) if name in self._names else ()


@lru_cache(maxsize=8192)
def nearest(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Up to three known names similar to this one, closest first."""
    by_key = {fold(k): k for k in known}
    return tuple(by_key[key] for key in get_close_matches(fold(name), by_key, n=3, cutoff=0.6))


def shown(value: int) -> str:
    """A number for a message, shortened if it has thousands of digits."""
    return str(value) if abs(value) < 10**9 else "a number far too large"


def told_apart(text: str, name: str, place: int, *, shared: bool) -> str:
    """The name of a part of a force, by ``text`` with its number where another part has the name too."""
    return gettext(text, name=name, number=place + 1) if shared else name


@dataclass(frozen=True)
class Words:
    """A game's own terms for forces and factions, in lower case."""

    force: str = N_("force")
    forces: str = N_("forces")
    a_force: str = N_("a force")
    """With its article."""
    faction: str = N_("faction")
    factions: str = N_("factions")
    led: bool = False
    """Whether a force has a leader, whose name is shown with it."""
    others: tuple[str, ...] = ()
    """Other programs whose force files or texts can be imported."""

    @property
    def said(self) -> "Words":
        return _said(self, language())


@lru_cache(maxsize=64)
def _said(words: Words, code: str) -> Words:
    if code == ENGLISH:
        return words
    return replace(
        words,
        force=gettext(words.force),
        forces=gettext(words.forces),
        a_force=gettext(words.a_force),
        faction=gettext(words.faction),
        factions=gettext(words.factions),
        others=tuple(map(gettext, words.others)),
    )
