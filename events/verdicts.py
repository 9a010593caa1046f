"""Verdicts on forces, each made once: the desk looks at 500 lists again and again, and few have changed."""

import json
from functools import lru_cache

from validators import SYSTEMS
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.restrictions import Restrictions


class _Edition:
    """One edition as a key: the object itself, for two of one name may hold other figures."""

    __slots__ = ("info",)

    def __init__(self, info: EditionInfo) -> None:
        self.info = info

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Edition) and other.info is self.info

    def __hash__(self) -> int:
        return id(self.info)


def judged(system: str, document: Document, terms: Terms) -> Verdict:
    """The check of a document by these terms, made afresh or as it was made before: it depends on nothing else."""
    text = json.dumps(document, separators=(",", ":"))
    return _judged(system, _Edition(terms.edition), terms.size, terms.restrictions, terms.faction, text)


@lru_cache(maxsize=2000)
def _judged(system: str, edition: _Edition, size: int, restrictions: Restrictions, faction: str, text: str) -> Verdict:
    return SYSTEMS[system].check_force(json.loads(text), Terms(edition.info, size, restrictions, faction))
