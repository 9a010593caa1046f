"""What an import has to say: sentences collected once each, in order, and never too many."""

from collections.abc import Iterable

from validators.battle_mode.imports.matching import Match, Names, Sort, without_sorting

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
        """Say that a name is none of these sorts; which are near is looked for when all is told."""
        self._said.setdefault((without_sorting(written), sorts))

    def take(self, other: "Remarks") -> None:
        """Add the remarks of the way that was chosen."""
        self._said |= other._said

    def told(self, names: Names) -> tuple[str, ...]:
        """The sentences, the last of them telling how many there is no room for."""
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
