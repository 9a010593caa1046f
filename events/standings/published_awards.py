"""Awards and final standings as published: stored, and shown until they are published again."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from events.standings.awards import Decided, calculated, prizes, rows_of
from events.standings.queries import standings_of
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.tournament.ranking import Row
from events.tournament.standings import Standings
from events.tournament.tournament import Tournament
from languages.message import message
from languages.words import N_, gettext
from models.event import Event, EventState


def publication(table: Standings, now: Sequence[Decided]) -> dict[str, Any]:
    """What publishing the awards now stores, without names and words of players: an erasure has nothing to replace."""
    awards = [
        [prize.award.name, prize.award.kind.value, prize.award.place, prize.faction, [p.id for p in prize.winners]]
        for prize in now
    ]
    rows = table.after() if table.t.final else []
    return {"awards": awards, "ranks": [[row.id, row.rank, row.points, row.vp, row.disqualified] for row in rows]}


def published_rows(event: Event, t: Tournament) -> list[Row]:
    """The final standings as they were published with the awards; empty where they were not."""
    nothing: dict[str, Any] = dict.fromkeys(("played", "wins", "draws", "losses", "byes", "vp_difference"), 0)
    return [
        Row(rank, id_, t.sides[id_].name, dropped=False, points=points, vp=vp, figures=(),
            how={"place": " "} if t.knockout else {}, disqualified=out, **nothing)
        for id_, rank, points, vp, out in (event.awards_published or {"ranks": ()})["ranks"]
        if id_ in t.sides
    ]  # fmt: skip


def is_embargoed(s: Session, event: Event, t: Tournament) -> bool:
    """Whether only staff read the final standings, until the awards are published (again) or the event is closed."""
    return t.final and (holds_final(event) or is_corrected(s, event, standings_of(event, t)))


def is_corrected(s: Session, event: Event, table: Standings, now: Sequence[Decided] | None = None) -> bool:
    """Whether winners or final standings changed since the awards were published: the pages show the published ones."""
    stored = event.awards_published
    if stored is None:
        return False
    return stored != publication(table, calculated(s, event, *rows_of(table)) if now is None else now)


def holds_final(event: Event) -> bool:
    waits = event.state != EventState.FINISHED and event.awards_published_at is None
    return event.soft_rules.hold and waits and bool(event.awards)


PUBLISHES = N_(
    "Everybody can read who won, and final standings that wait for the awards. You can unpublish the page again."
)
"""What publishing the awards does."""


def publish_awards(act: Act) -> None:
    """Publish the awards as they are calculated now; does nothing if they are published so. Raises Refused."""
    table = standings_of(act.event)
    now = calculated(act.s, act.event, *rows_of(table))
    if not prizes(now):
        raise Refused(gettext("No award has a winner yet."))
    published = publication(table, now)
    if act.event.awards_published == published:
        return
    act.event.awards_published, act.event.awards_published_at = published, act.now
    note(act, "publish-awards", message("Published the awards"))


def unpublish_awards(act: Act) -> None:
    """Unpublish the awards; does nothing if they are not published."""
    if act.event.awards_published_at is not None:
        act.event.awards_published_at = act.event.awards_published = None
        note(act, "unpublish-awards", message("Unpublished the awards"))
