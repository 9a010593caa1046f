"""The functions of Battle Mode as most tests use them: with the edition of 2018 and nothing that an event adds."""

from collections.abc import Mapping

from validators import SYSTEMS
from validators.battle_mode.builder import BuilderView
from validators.contract import Document, ForceSummary, Imported, Terms, Verdict

SYSTEM = SYSTEMS["battle_mode"]
EDITION = SYSTEM.edition("2018-08")
assert SYSTEM.scenario_files is not None
SCENARIO_FILES = SYSTEM.scenario_files


def read_force(parsed: object) -> Document:
    """Parsed JSON to a document."""
    return SYSTEM.read_force(parsed, EDITION)


def blank_force(faction: str) -> Document:
    """A document without models."""
    return SYSTEM.blank_force(EDITION, faction)


def sample_force(faction: str, size: int, seed: int) -> Document:
    """A legal force."""
    return SYSTEM.sample_force(Terms(EDITION, size), faction, seed)


def check_force(document: Document, size: int) -> Verdict:
    """The verdict at a size in Caps."""
    return SYSTEM.check_force(document, Terms(EDITION, size))


def summarise(document: Document) -> ForceSummary:
    """The force in a few words."""
    return SYSTEM.summarise(document, EDITION)


def builder(document: Document, size: int, fields: Mapping[str, list[str]] | None = None) -> BuilderView:
    """What the builder's page shows."""
    view: BuilderView = SYSTEM.builder(document, Terms(EDITION, size), fields or {})
    return view


def edit_force(document: Document, fields: Mapping[str, list[str]]) -> Document:
    """The document that the builder's form holds."""
    return SYSTEM.edit_force(document, fields, EDITION)


def import_force(name: str, data: bytes) -> Imported:
    """A file of any known format."""
    return SYSTEM.import_force(name, data, EDITION)


def export_force(document: Document, format_id: str) -> bytes:
    """The force as a file."""
    return SYSTEM.export_force(document, EDITION, format_id)
