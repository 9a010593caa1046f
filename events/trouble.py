"""What is known to be wrong with the database, kept in a file of the data folder that every process looks at.

The file is written by whoever looks (``overseer serve`` at its start, ``overseer maintain``, ``overseer restore``
while it works) and asked with each request: it must be readable when the database is not.
"""

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock

from events.backups import on_disk

FILE = "trouble.json"
ASKED = "look-now"
"""A file of this name in the data folder asks for a look at once."""
DAMAGED, RESTORING = "damaged", "restoring"


@dataclass(frozen=True)
class Trouble:
    """What was found, and when."""

    at: str
    """The moment, by ISO 8601."""
    closed: str = ""
    """Why nothing of the database is served: ``DAMAGED``, ``RESTORING``; "" where it is."""
    found: Sequence[str] = ()
    """What is wrong with the whole, a sentence each."""
    events: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By slug: what is stored of an event and is not as it was written; under "" what belongs to no event."""

    @property
    def lines(self) -> list[str]:
        """All of it, as whoever runs the server reads it."""
        of_events = [f"{slug}: {one}" if slug else one for slug, told in self.events.items() for one in told]
        return [*self.found, *of_events]


def trouble_in(data: Path) -> Trouble | None:
    """What is known to be wrong; None where nothing is. A file that cannot be read closes: something is."""
    try:
        return Trouble(**json.loads((data / FILE).read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as broken:
        return Trouble("", DAMAGED, [f"{FILE} cannot be read: {type(broken).__name__}"])


def tell(data: Path, trouble: Trouble | None) -> None:
    """Say what is wrong, or with None that nothing is; whole or not at all. Raises OSError."""
    path = data / FILE
    if trouble is None:
        path.unlink(missing_ok=True)
        return
    fresh = path.with_name(f"{FILE}.{os.getpid()}")
    fresh.write_text(json.dumps(asdict(trouble), ensure_ascii=False), encoding="utf-8")
    on_disk(fresh)
    fresh.replace(path)


def ask_for_a_look(data: Path) -> None:
    """Ask whoever keeps the service to look at once; on a full disk nobody is asked."""
    with contextlib.suppress(OSError):
        (data / ASKED).touch()


def closed_for_restoring(now: datetime) -> Trouble:
    """What is told while the database goes back to a copy."""
    return Trouble(now.isoformat(), RESTORING)


class Watched:
    """The trouble file as a process last read it: read again only when it is another file than then."""

    def __init__(self, data: Path) -> None:
        """Look at nothing yet."""
        self.data = data
        self._mark: tuple[int, int, int] | None = None
        self._read: Trouble | None = None
        self._lock = Lock()

    def now(self) -> Trouble | None:
        """What is known to be wrong now."""
        try:
            found = (self.data / FILE).stat()
        except FileNotFoundError:
            return None
        except OSError:
            return trouble_in(self.data)
        mark = found.st_ino, found.st_mtime_ns, found.st_size
        with self._lock:
            if mark != self._mark:
                self._mark, self._read = mark, trouble_in(self.data)
            return self._read
