"""Makes the test data of this release, as CONTRIBUTING says: ``python -m tests.releases.make``.

The folder ``data/<version>`` then holds a database of each kind, an archive of each event, the files of its draws, and
what its events show.
"""

import hashlib
import json
import lzma
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from sqlmodel import Session

import migrations
from events.journal.invariants import check_invariants
from events.journal.replay import replay
from events.messages.permits import count_by
from events.rounds.pairings_file import pairings_of
from events.setup.archive import archive_of, one_moment
from events.tournament.pairing.certificate import certificate_document
from models.db import open_engine
from models.event import Event, RoundState
from service.backups import write_copy
from tests.conftest import SECRET, Clock
from tests.kit.postgres import TEMPLATE, client_programs, running_postgres
from tests.kit.stage import Stage
from tests.releases.fill import empty_tables, fill
from tests.releases.shown import shown

DATA = Path(__file__).parent / "data"
BEGAN = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def main() -> None:
    """Write the data of this version; an older version's data stays."""
    folder = DATA / version("overseer-desk")
    folder.mkdir(parents=True)
    (folder / "revisions.json").write_text(json.dumps(revisions(), indent=1) + "\n")
    with tempfile.TemporaryDirectory() as made, _filled(f"sqlite:///{made}/overseer.sqlite3") as stage:
        _database(stage, folder, "sqlite3")
        for name, found in (("archives", archive), ("draws", draws)):
            pack(folder / f"{name}.json.xz", as_bytes({e.slug: found(stage.s, e) for e in stage.all(Event)}))
    os.environ["PATH"] = f"{client_programs()}{os.pathsep}{os.environ['PATH']}"
    with running_postgres() as server:
        server.create("release", TEMPLATE)
        with _filled(server.url("release")) as stage:
            _database(stage, folder, "pgdump")


def _database(stage: Stage, folder: Path, kind: str) -> None:
    """Write a backup of the database, and what its events show."""
    copy = folder / kind
    write_copy(stage.engine, copy)
    pack(folder / f"{kind}.xz", copy.read_bytes())
    copy.unlink()
    pack(folder / f"{kind}.shown.json.xz", as_bytes({e.slug: shown(stage.s, e) for e in stage.all(Event)}))


@contextmanager
def _filled(url: str) -> Iterator[Stage]:
    engine = open_engine(url)
    migrations.upgrade(engine)
    count_by(engine, SECRET)
    stage = Stage(engine, Clock(BEGAN))
    fill(stage)
    assert empty_tables(stage.s.connection()) == []
    assert check_invariants(stage.s) == []
    assert all(replay(stage.s, event).difference is None for event in stage.all(Event))
    yield stage
    stage.s.close()
    engine.dispose()


def archive(s: Session, event: Event) -> dict[str, Any]:
    return archive_of(one_moment(s), event, BEGAN)


def draws(s: Session, event: Event) -> list[dict[str, Any]]:
    """The files of the event's published rounds."""
    published = [round_ for round_ in event.schedule if round_.state == RoundState.PUBLISHED]
    return [certificate_document(file) for round_ in published if (file := pairings_of(event, round_)) is not None]


def revisions() -> dict[str, str]:
    """The migrations from the first on, each with the SHA-256 of its file."""
    script = ScriptDirectory.from_config(migrations.alembic_config())
    found = [(revision.revision, Path(revision.path)) for revision in script.walk_revisions()][::-1]
    return {revision: hashlib.sha256(path.read_bytes()).hexdigest() for revision, path in found}


def as_bytes(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def pack(path: Path, data: bytes) -> None:
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
