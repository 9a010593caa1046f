"""What an import has to say: sentences collected once each, in order, and never too many."""

from collections.abc import Iterable

from validators.battle_mode.imports.matching import Match, Names, Sort, without_sorting

MOST_REMARKS = 60
MOST_OFFERS = 30
"""Unknown names that near ones are looked for: each look costs milliseconds."""


class Remarks:
    """The sentences of one import."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._said = dict.fromkeys(first)
        self._offers = 0

    def say(self, sentence: str) -> None:
        """Add a sentence that was not said yet."""
        self._said.setdefault(sentence)

    def match(self, written: str, match: Match) -> None:
        """Say what a name was read as, where the file spells it otherwise."""
        if not match.exact:
            self.say(f"{without_sorting(written)}: read as {match.name}.")

    def unknown(self, written: str, names: Names, *sorts: Sort) -> None:
        """Say that a name is not known, and which are near."""
        self._offers += 1
        near = names.near(written, *sorts) if self._offers <= MOST_OFFERS else ()
        offer = f" Near: {', '.join(near)}." if near else ""
        self.say(f"{without_sorting(written)}: not known to the edition, kept as it is.{offer}")

    def all(self) -> tuple[str, ...]:
        """The sentences, the last of them telling how many there is no room for."""
        said = tuple(self._said)
        rest = len(said) - MOST_REMARKS
        return (*said[:MOST_REMARKS], f"And {rest} more.") if rest > 0 else said
