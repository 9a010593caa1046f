"""The club's own editions and scenarios: added, changed, removed.

A stored edition never changes. A scenario that was played cannot be changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import Session, col, select

from events.store.act import Act
from events.store.editions import MOST_KEPT, added_editions
from events.store.errors import Refused, Stale
from events.store.journal import note
from events.store.scenarios import own_scenarios
from events.web.parsing import name_key, slug_of, unused_slug
from languages.message import joined, message
from languages.words import gettext, listed, ngettext
from models.db import current_write
from models.event import Event, EventState, Round, RoundState
from models.own import OwnEdition, OwnScenario
from models.play import ForceList, Game, ListSeal, Player
from validators.contract import EditionInfo
from validators.game_system import GameSystem, Understood
from validators.scenario import Scenario
from validators.scenario_file import ScenarioFiles
from validators.strict_json import fingerprint, sha256_of


def edition_uses(s: Session, system_id: str, edition_id: str) -> Sequence[Event]:
    """The events that use an edition, or have a force or sealed list made with it."""
    named = col(ForceList.document)["edition"].as_string() == edition_id
    # A seal is canonical JSON, which escapes quotes inside names, so this text can only be the field itself.
    sealed = col(ListSeal.text).contains(f'"edition":"{edition_id}"', autoescape=True)
    forces = select(Player.event_id).join(ForceList).where(named)
    seals = select(Player.event_id).join(ListSeal).where(sealed)
    used = or_(col(Event.edition) == edition_id, col(Event.id).in_(forces), col(Event.id).in_(seals))
    return s.exec(select(Event).where(Event.system == system_id, used).order_by(col(Event.id))).all()


def events_open_to(s: Session, system_id: str, edition_id: str) -> Sequence[Event]:
    """The running events of a game that use another edition and have drawn no round, newest first."""
    drawn = select(Round.event_id).where(Round.state != RoundState.PLANNED)
    others = (Event.system == system_id, Event.edition != edition_id, Event.state != EventState.FINISHED)
    query = select(Event).where(*others, col(Event.cancelled_at).is_(None), col(Event.id).not_in(drawn))
    return s.exec(query.order_by(col(Event.id).desc())).all()


def check_new(s: Session, system: GameSystem, info: EditionInfo) -> None:
    """Raise Refused if the id or the name is taken, no faction may be fielded, or too many editions are stored."""
    stored = added_editions(s, system)
    if info.id in {edition.id for edition in system.editions} | stored.keys():
        raise Refused(
            gettext("The id %(id)s is taken, and stored editions never change. Enter another id.", id=info.id),
            "id",
        )
    names = [edition.name for edition in system.editions] + [added.name for added in stored.values()]
    if name_key(info.name) in map(name_key, names):
        raise Refused(gettext("The name %(info)s is taken. Enter another name.", info=info.name), "name")
    if not info.factions:
        raise Refused(gettext("No faction of this edition may be fielded. Allow at least one."), "file")
    if len(stored) >= MOST_KEPT:
        raise Refused(
            ngettext(
                "There is already %(num)s edition, the limit. Remove an unused one first.",
                "There are already %(num)s editions, the limit. Remove an unused one first.",
                MOST_KEPT,
            )
        )


def add_edition(s: Session, system: GameSystem, understood: Understood, actor: str, now: datetime) -> OwnEdition:
    """Store a new edition; an identical one is returned unchanged. Raises Refused."""
    _lock(s, system.id)
    info, sha256 = understood.info, sha256_of(understood.text)
    same = (OwnEdition.system == system.id, OwnEdition.edition == info.id, OwnEdition.sha256 == sha256)
    existing = s.exec(select(OwnEdition).where(*same)).first()
    if existing is not None:
        return existing
    check_new(s, system, info)
    row = OwnEdition(
        system=system.id,
        edition=info.id,
        name=info.name,
        date=info.date,
        text=understood.text,
        sha256=sha256,
        at=now,
        by=actor[:120],
    )
    s.add(row)
    return row


def remove_edition(s: Session, system_id: str, edition_id: str) -> None:
    """Delete an edition that no event uses. Raises Refused."""
    _lock(s, system_id)
    mine = select(OwnEdition).where(OwnEdition.system == system_id, OwnEdition.edition == edition_id)
    row = s.exec(mine.with_for_update()).first()
    if row is None:
        raise Refused(gettext("This edition was removed in the meantime. Choose another."))
    _check_unused(edition_uses(s, system_id, edition_id))
    s.delete(row)


PREFIX = "own-"
"""The prefix of their ids; the games' own scenarios never have it."""
LONGEST_BASE = 32
"""The most characters of a name in its id, which leaves room for a number."""


class Played(Refused):
    """The scenario cannot be changed, because a drawn or published round uses it."""


@dataclass(frozen=True)
class Uses:
    """The uses of a scenario: drawn or published rounds, and events that plan it or may draw it."""

    played: tuple[tuple[Event, int], ...]
    planned: tuple[Event, ...]

    @property
    def where(self) -> str:
        """The rounds that use it, as text; "" if there are none."""
        return listed(
            [
                gettext("round %(number)s of %(event)s", number=number, event=known_as(event))
                for event, number in self.played
            ]
        )


def uses(s: Session, system_id: str, slug: str) -> Uses:
    events = s.exec(select(Event).where(Event.system == system_id).order_by(col(Event.id))).all()
    at_tables = select(Game.round_id).where(Game.scenario == slug)
    by_it = or_(col(Round.scenario) == slug, col(Round.id).in_(at_tables))
    rounds = s.exec(select(Round).where(by_it).order_by(col(Round.event_id), col(Round.number))).all()
    by_id = {event.id: event for event in events}
    here = [row for row in rounds if row.event_id in by_id]
    played = [(by_id[r.event_id], r.number) for r in here if r.state != RoundState.PLANNED]
    planned = {r.event_id for r in here} | {event.id for event in events if slug in event.scenario_pool}
    return Uses(tuple(played), tuple(event for event in events if event.id in planned))


def add_scenario(s: Session, game: GameSystem, scenario: Scenario, actor: str, now: datetime) -> OwnScenario:
    """Store a new scenario under an id made from its name; an identical one is returned unchanged. Raises Refused."""
    _lock(s, game.id)
    rows = own_scenarios(s, game.id)
    for row in rows:
        if _files(game).read(row.document) == replace(scenario, id=row.slug):
            return row
    _free_name(game, scenario.name, rows)
    slug = _free_slug(scenario.name, rows)
    row = OwnScenario(
        system=game.id,
        slug=slug,
        document=scenario.document | {"id": slug},
        created_at=now,
        changed_at=now,
        by=actor[:120],
    )
    s.add(row)
    return row


def change_scenario(
    s: Session, game: GameSystem, slug: str, scenario: Scenario, actor: str, now: datetime, *, seen: str
) -> None:
    """Replace a scenario's document; events that plan it record the change in their journals.

    ``seen`` is the fingerprint of the edited document. Raises Played, Stale, Refused.
    """
    row = _locked(s, game.id, slug)
    used = uses(s, game.id, slug)
    if used.played:
        raise Played(
            gettext(
                "This scenario cannot be changed: it is used in %(where)s. Save yours as a new one.", where=used.where
            )
        )
    if seen != fingerprint(row.document):
        raise Stale(
            gettext(
                "Another person changed this scenario after you opened it. Your version is below; "
                "save it again to replace theirs."
            )
        )
    _free_name(game, scenario.name, [other for other in own_scenarios(s, game.id) if other.slug != slug])
    before, after = row.document, scenario.document | {"id": slug}
    if before == after:
        return
    row.document, row.changed_at, row.by = after, now, actor[:120]
    for event in used.planned:
        s.refresh(event, with_for_update=True)  # so that no other write results in the same version
        current_write(s).raise_version(event)  # reloads the pages that show it
        fields = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
        parts = joined([field.replace("_", " ") for field in fields])
        text = message("Changed the scenario %(name)s: %(parts)s", name=scenario.name, parts=parts)
        note(Act(s, event, actor, now), "change-scenario", text, scenario=slug, before=before, after=after)


def remove_scenario(s: Session, system_id: str, slug: str) -> None:
    """Delete a scenario that no event uses. Raises Refused."""
    row = _locked(s, system_id, slug)
    _check_unused(uses(s, system_id, slug).planned)
    s.delete(row)


def _check_unused(used: Sequence[Event]) -> None:
    if used:
        names = ", ".join(map(known_as, used))
        raise Refused(
            ngettext(
                "It cannot be removed: %(names)s uses it.",
                "It cannot be removed: %(names)s use it.",
                len(used),
                names=names,
            )
        )


def _lock(s: Session, system_id: str) -> None:
    """Lock all events of this game, so that none can draw, publish, or choose an edition or a scenario meanwhile."""
    s.exec(select(Event).where(Event.system == system_id).order_by(col(Event.id)).with_for_update()).all()


def _locked(s: Session, system_id: str, slug: str) -> OwnScenario:
    """The stored scenario, locked against changes. Raises Refused."""
    _lock(s, system_id)
    mine = select(OwnScenario).where(OwnScenario.system == system_id, OwnScenario.slug == slug).with_for_update()
    row = s.exec(mine, execution_options={"populate_existing": True}).first()
    if row is None:
        raise Refused(gettext("This scenario was removed in the meantime. Choose another."))
    return row


def _files(game: GameSystem) -> ScenarioFiles:
    files = game.scenario_files
    if files is None:
        raise Refused(gettext("This game has no scenarios of the club's own."))
    return files


def _free_name(game: GameSystem, name: str, others: Sequence[OwnScenario]) -> None:
    names = [scenario.name for scenario in game.scenarios] + [row.document["name"] for row in others]
    if name_key(name) in map(name_key, names):
        raise Refused(gettext("This name is taken. Enter another."), "name")


def _free_slug(name: str, others: Sequence[OwnScenario]) -> str:
    base = PREFIX + slug_of(name, "scenario").removeprefix(PREFIX)[:LONGEST_BASE].strip("-")
    return unused_slug(base, {row.slug for row in others})


def known_as(event: Event) -> str:
    """The event's name for public pages: "a draft" for a draft."""
    return "a draft" if event.state == EventState.DRAFT else event.name
