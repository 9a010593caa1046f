"""The club's own editions, read once in each process, and cached verdicts on forces."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlmodel import Session, col, select

from models.edition import OwnEdition
from validators import SYSTEMS
from validators.contract import Document, EditionInfo, GameSystem, Terms, Verdict
from validators.restrictions import Restrictions
from validators.scenario import Role

MOST_KEPT = 50
"""The most own editions of one game; all of them are cached."""


@dataclass(frozen=True)
class Added:
    """The account that added an edition, and when."""

    edition: str
    name: str
    by: str
    at: datetime


def added_editions(s: Session, system: GameSystem) -> dict[str, Added]:
    """The origin of each own edition by its id. Does not read the files."""
    query = select(OwnEdition.edition, OwnEdition.name, OwnEdition.by, OwnEdition.at)
    return {row[0]: Added(*row) for row in s.exec(query.where(OwnEdition.system == system.id)).all()}


def own_editions(s: Session, system: GameSystem) -> dict[str, EditionInfo]:
    """The club's own editions by id, newest first."""
    query = (
        select(OwnEdition.edition, OwnEdition.sha256)
        .where(OwnEdition.system == system.id)
        .order_by(col(OwnEdition.date).desc(), col(OwnEdition.id).desc())
    )
    return {edition_id: _read(s, system, edition_id, sha256) for edition_id, sha256 in s.exec(query).all()}


def own_edition_row(s: Session, system: GameSystem, edition_id: str) -> OwnEdition | None:
    """The row of an own edition; None if there is none."""
    query = select(OwnEdition).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    return s.exec(query).first()


def own_edition(s: Session, system: GameSystem, edition_id: str) -> EditionInfo | None:
    """An own edition; None if there is none."""
    query = select(OwnEdition.sha256).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    sha256 = s.exec(query).first()
    return None if sha256 is None else _read(s, system, edition_id, sha256)


def _read(s: Session, system: GameSystem, edition_id: str, sha256: str) -> EditionInfo:
    if system.edition_files is None:
        raise LookupError(f"{system.id} has a stored edition but no reader for editions")
    kept = _kept(system.id, edition_id, sha256)
    if not kept:
        query = select(OwnEdition.text).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
        kept.append(system.edition_files.read(s.exec(query).one().encode()))
    return kept[0]


@lru_cache(maxsize=4 * MOST_KEPT)
def _kept(system_id: str, edition_id: str, sha256: str) -> list[EditionInfo]:
    """The cached edition. The hash is part of the key because an id can return with another file."""
    return []


class _Edition:
    """A cache key that compares editions by identity: two with the same name can differ."""

    __slots__ = ("info",)

    def __init__(self, info: EditionInfo) -> None:
        self.info = info

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Edition) and other.info is self.info

    def __hash__(self) -> int:
        return id(self.info)


def judged(system: str, document: Document, terms: Terms) -> Verdict:
    """The cached verdict on a document by these terms."""
    text = json.dumps(document, separators=(",", ":"))
    asked = terms.size, terms.restrictions, terms.faction, terms.role, terms.grown, tuple(terms.judged)
    return _judged(system, _Edition(terms.edition), asked, text)


@lru_cache(maxsize=2000)
def _judged(
    system: str,
    edition: _Edition,
    asked: tuple[int, Restrictions, str, Role | None, bool, tuple[str, ...]],
    text: str,
) -> Verdict:
    return SYSTEMS[system].checks.check(json.loads(text), Terms(edition.info, *asked))
