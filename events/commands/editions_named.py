"""Editions as commands name them: by the id of one that ships, or by an edition file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from events.edition_upload import MOST_SENT
from validators import SYSTEMS
from validators.contract import EditionInfo, GameSystem, UnreadableEdition


@dataclass(frozen=True)
class Editions:
    """The editions that a command judges by: those that ship, and one that was named with it."""

    named: Mapping[str, EditionInfo] = field(default_factory=dict)
    """The one that was named, by its game's id; empty where none was."""

    def known(self, system: GameSystem) -> dict[str, EditionInfo]:
        """All of a game, by id."""
        named = self.named.get(system.id)
        return {info.id: info for info in system.editions} | ({named.id: named} if named else {})

    def default(self, system: GameSystem) -> EditionInfo | None:
        """What files of a game are read by that name none; None where the named one is another game's."""
        return self.named.get(system.id) if self.named else system.editions[0]


def named_edition(name: str) -> tuple[GameSystem, EditionInfo]:
    """The edition of an id or in a file. Raises UnreadableEdition."""
    for system in SYSTEMS.values():
        for info in system.editions:
            if info.id == name:
                return system, info
    try:
        data = read_bounded(name)
    except (OSError, ValueError) as fault:
        known = ", ".join(info.id for system in SYSTEMS.values() for info in system.editions)
        raise UnreadableEdition(f"{name[:80]!r} is neither a file that can be read nor one of {known}") from fault
    if data[:64].removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"PK", b"<")):
        raise UnreadableEdition(
            f"{Path(name).name[:80]}: catalogues are no edition yet; first make one of them with "
            "`overseer edition check --date YYYY-MM-DD --write edition.json FILE...`"
        )
    unread: list[UnreadableEdition] = []
    for system in SYSTEMS.values():
        try:
            if system.edition_files is not None:
                return system, system.edition_files.read(data)
        except UnreadableEdition as unreadable:
            unread.append(unreadable)
    raise unread[0]


def read_bounded(name: str) -> bytes:
    """A file's bytes, one more than are read of any at most. Raises OSError, and ValueError for a NUL in its name."""
    with Path(name).open("rb") as stream:
        return stream.read(MOST_SENT + 1)
