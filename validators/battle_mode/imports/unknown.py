"""What words that are no whole name may stand for: misspelt, cut short, or a part of a name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from validators.battle_mode.imports.names import MOST_CHOICES, PARTS, Name, Names, Sort

_MOST_WAYS = 9
_LETTERS_AND_DIGITS = re.compile(r"([^\W\d_]+)(\d+)|(\d+)([^\W\d_]+)")


@dataclass(frozen=True)
class Guess:
    """The names that words may stand for; ``is_sure`` if there is one, and nothing else is near."""

    names: tuple[Name, ...]
    is_sure: bool


class Unknown:
    """Looks up what is no whole name; each run of words once."""

    def __init__(self, names: Names, faction: str) -> None:
        self.names, self.faction = names, faction
        self._guesses: dict[tuple[tuple[str, ...], str | None], Guess | None] = {}

    def guess(self, words: tuple[str, ...], owner: str | None) -> Guess | None:
        """The models of the faction that these words may be, or the parts of the model ``owner`` ("" any part)."""
        key = (words, owner)
        if key not in self._guesses:
            self._guesses[key] = self._guess(words, owner)
        return self._guesses[key]

    def _guess(self, words: tuple[str, ...], owner: str | None) -> Guess | None:
        names, sorts = self.names, _sorts(owner)
        scope = names.models_of(self.faction) if owner is None else names.parts_of(self.faction, owner)
        entry = names.model(owner, self.faction) if owner else None
        usual = entry.usual if entry else ()
        has_digit = any(any(map(str.isdigit, word)) and not names.knows(word) for word in words)
        if exact := self._corrected(words, sorts, scope):
            return Guess(tuple(exact), len(exact) == 1 and not has_digit)
        split = tuple(part for word in words for part in _split(word))
        if all(len(word) == 1 and not word.isdigit() for word in split):
            return None
        if all(word.isdigit() for word in split):
            return None
        found, is_cut = names.short(split, sorts)
        if len(split) == 1 and not is_cut:
            found += [name for name in names.cut_short(split[0], sorts) if name not in found]
        own = [name for name in found if name.name in scope]
        if by_initials := [name for name in names.by_initials("".join(words), sorts) if name.name in scope]:
            own, found, is_cut = by_initials, by_initials, False
        if not own:
            return None
        is_kind = names.whole("".join(split), "") != () and all(
            name.sort == "kind" for name in names.whole("".join(split), "")
        )
        of_usual = [name for name in own if name.name in usual]
        if len(of_usual) == 1 and not is_kind:
            return Guess(tuple(of_usual), True)
        is_sure = len(own) == 1 and not is_kind and (len(found) == 1 or (owner is None and not is_cut))
        is_sure = is_sure and not (is_cut and len(split) == 1)
        return Guess(tuple(own[:MOST_CHOICES]), is_sure)

    def _corrected(self, words: tuple[str, ...], sorts: Sequence[Sort], scope: frozenset[str]) -> list[Name]:
        """The whole names that these words are but for a letter in some of them."""
        ways = [[word] * self.names.knows(word) + self.names.near(word) for word in words]
        if not all(ways) or all(way == [word] for way, word in zip(ways, words, strict=True)):
            return []
        found: dict[Name, None] = {}
        for number, way in enumerate(product(*ways)):
            if number >= _MOST_WAYS:
                break
            found |= dict.fromkeys(name for name in self.names.whole("".join(way), "") if name.sort in sorts)
        return [name for name in found if name.name in scope] or list(found)

    def like(self, words: tuple[str, ...], owner: str | None) -> tuple[Name, ...]:
        guess = self.guess(words, owner)
        if guess:
            return guess.names
        scope = self.names.models_of(self.faction) if owner is None else self.names.parts_of(self.faction, owner)
        shared = self.names.with_any((part for word in words for part in _split(word)), scope, _sorts(owner))
        return tuple(shared[:MOST_CHOICES])


def _sorts(owner: str | None) -> Sequence[Sort]:
    return ("model",) if owner is None else PARTS


def _split(word: str) -> tuple[str, ...]:
    """ "t60" as "t" and "60"; a word of more than one letter stays whole: "gen2" is rather no name."""
    match = _LETTERS_AND_DIGITS.fullmatch(word)
    return (match[1], match[2]) if match and match[1] and len(match[1]) == 1 else (word,)
