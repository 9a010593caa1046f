"""The club's own editions, read once in each process, and the verdicts on forces, each made once."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlmodel import Session, col, select

from models.edition import OwnEdition
from validators import SYSTEMS
from validators.contract import Document, EditionInfo, GameSystem, Terms, Verdict
from validators.restrictions import Restrictions

MOST_KEPT = 50
"""Editions of the club's own for one game; all of them stay read."""


@dataclass(frozen=True)
class Added:
    """Who added an edition, and when."""

    edition: str
    name: str
    by: str
    at: datetime


def added_editions(s: Session, system: GameSystem) -> dict[str, Added]:
    """Of every edition of the club's own by whom it was added, by its id; their files stay in the database."""
    query = select(OwnEdition.edition, OwnEdition.name, OwnEdition.by, OwnEdition.at)
    return {row[0]: Added(*row) for row in s.exec(query.where(OwnEdition.system == system.id)).all()}


def own_editions(s: Session, system: GameSystem) -> dict[str, EditionInfo]:
    """The same as editions, by id."""
    query = (
        select(OwnEdition.edition, OwnEdition.sha256)
        .where(OwnEdition.system == system.id)
        .order_by(col(OwnEdition.date).desc(), col(OwnEdition.id).desc())
    )
    return {edition_id: _read(s, system, edition_id, sha256) for edition_id, sha256 in s.exec(query).all()}


def own_edition_row(s: Session, system: GameSystem, edition_id: str) -> OwnEdition | None:
    """One of them as it is stored; None where there is none of this id."""
    query = select(OwnEdition).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    return s.exec(query).first()


def own_edition(s: Session, system: GameSystem, edition_id: str) -> EditionInfo | None:
    """One of them; None where there is none of this id."""
    query = select(OwnEdition.sha256).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
    sha256 = s.exec(query).first()
    return None if sha256 is None else _read(s, system, edition_id, sha256)


def _read(s: Session, system: GameSystem, edition_id: str, sha256: str) -> EditionInfo:
    if system.edition_files is None:
        raise LookupError(f"an edition of {system.id} is stored, which reads none")
    kept = _kept(system.id, edition_id, sha256)
    if not kept:
        query = select(OwnEdition.text).where(OwnEdition.system == system.id, OwnEdition.edition == edition_id)
        kept.append(system.edition_files.read(s.exec(query).one().encode()))
    return kept[0]


@lru_cache(maxsize=4 * MOST_KEPT)
def _kept(system_id: str, edition_id: str, sha256: str) -> list[EditionInfo]:
    """Where the edition of this text stays; the hash is in the key, for an id can come back with another file."""
    return []


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
