"""Lists that travel: shared under an address of their own, copied as text, pasted, taken over from another event."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from events.accounts.own_pages import own_entries
from events.store.act import Act
from events.store.editions import edition_by_id, edition_of, system_of
from events.store.errors import Refused
from events.store.journal import note
from events.store.visitor import Visitor
from languages.message import message
from languages.words import gettext
from models.base import new_secret
from models.event import Event
from models.play import ForceList, Player
from validators.contract import Document, EditionInfo, Imported, UnreadableForce
from validators.game_system import GameSystem
from validators.names import fold

_LINK = re.compile(r"\S*/l/([\w-]{8,64})/?")


def share_list(act: Act, player: Player) -> None:
    """Give the player's list an address that everybody may read; one that has an address keeps it. Raises Refused."""
    force = player.force_list
    if force is None:
        raise Refused(gettext("There is no %(force)s to share yet.", force=system_of(act.event).words.force))
    if force.share_token is None:
        force.share_token = new_secret()
        note(act, "share-list", message("%(name)s shared the list by a link", name=player.name), player=player.id)


def end_share(act: Act, player: Player) -> None:
    """End the address of the player's list for good; the next one is another."""
    force = player.force_list
    if force is not None and force.share_token is not None:
        force.share_token = None
        note(act, "end-share", message("%(name)s ended the link to the list", name=player.name), player=player.id)


@dataclass(frozen=True)
class Shared:
    event: Event
    force: ForceList
    edition: EditionInfo

    @property
    def system(self) -> GameSystem:
        return system_of(self.event)


def shared_list(s: Session, token: str) -> Shared | None:
    """The list with this end of its address; None for one that never was or was ended."""
    row = s.exec(
        select(Event, ForceList).join_from(ForceList, Player).join(Event).where(ForceList.share_token == token)
    ).first()
    return Shared(*row, edition_of(row[0])) if row else None


def token_in(text: str) -> str:
    """The end of the address, if the text is a link to a shared list; else ""."""
    link = _LINK.fullmatch(text.strip())
    return link[1] if link else ""


def lists_elsewhere(s: Session, visitor: Visitor, event: Event, player: Player) -> list[Shared]:
    """The player's own lists at other events of the same game, the newest event first: of the entries that this browser
    is signed in as, and of those on the player's own page.

    None for an organiser, who has other lists than the player.
    """
    if visitor.player_in(event) is not player:
        return []
    entries = [(other, visitor.players[id_]) for id_, other in visitor.events.items()]
    if visitor.own_entry == player.id and visitor.person is not None:
        entries += own_entries(s, visitor.person)
    mine = {entry.id: other for other, entry in entries if other.id != event.id and other.system == event.system}
    forces = s.exec(select(ForceList).where(col(ForceList.player_id).in_(mine))).all() if mine else ()
    lists = [Shared(mine[force.player_id], force, edition_of(mine[force.player_id])) for force in forces]
    return sorted(lists, key=lambda shared: (shared.event.starts_on, shared.event.id), reverse=True)


def taken_over(s: Session, shared: Shared, event: Event) -> Imported:
    """A list read under this event's edition; its notes name what that does not have. Raises UnreadableForce."""
    system, edition = system_of(event), edition_of(event)
    document = shared.force.document
    imported = system.forces.files.import_("", json.dumps(document).encode(), edition)
    before = edition_by_id(s, system, document["edition"])
    missing = missing_names(imported.document, before, edition) if before else ()
    gone = (
        (gettext("Not in “%(edition)s”: %(names)s.", edition=edition.name, names=", ".join(missing)),)
        if missing
        else ()
    )
    return replace(imported, format=gettext("a list of this service"), notes=(*imported.notes, *gone))


def missing_names(document: Document, before: EditionInfo, after: EditionInfo) -> tuple[str, ...]:
    """The names in a document that one edition has and the other has not, in the document's order."""
    named, has = ({fold(name) for _, names in edition.names for name in names} for edition in (before, after))
    texts = (name for name in _texts(document) if fold(name) in named and fold(name) not in has)
    return tuple(dict.fromkeys(texts))


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for child in part.values() if isinstance(part, dict) else part:
            yield from _texts(child)


def plain_text(system: GameSystem, document: Document, edition: EditionInfo) -> str:
    return system.forces.files.export(document, edition, "txt").decode().strip()


def for_chat(text: str) -> str:
    """The same text for Discord and other chats with Markdown: their code blocks keep every line as it is."""
    return f"```\n{text.replace('```', chr(39) * 3)}\n```"


def linked(s: Session, event: Event, token: str) -> Shared:
    """The shared list with this token, of the event's game. Raises UnreadableForce."""
    shared = shared_list(s, token)
    if shared is None:
        raise UnreadableForce(gettext("this link is not one of this service, or it was ended; ask for a new one"))
    if shared.event.system != event.system:
        raise UnreadableForce(gettext("this link leads to a list for %(game)s", game=shared.system.name))
    return shared
