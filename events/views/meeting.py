"""The player meeting: drawn and published at the desk, seen by everybody, printed by name and by table."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events import access
from events.actions import meeting as actions
from events.meetings import SeatedTable, meeting_of, seating, table_of
from events.reading import players_by_id, players_of, round_views
from events.views.paper import pdf_answer, printed_at
from events.views.press import pressed
from events.views.request import actor, db, event_or_404, managed_event, now, polled, visitor
from models.event import Event
from models.meeting import Meeting
from models.play import Player
from pdf.pairings import PairedPlayer, PairingRow, RoundPairings, pairings_by_name, pairings_by_table

blueprint = Blueprint("meeting", __name__)

SAID = {
    "draw": "Everybody is seated. Nobody else sees it until you publish it.",
    "publish": "The seating is published.",
    "discard": "The seating is discarded.",
}


@blueprint.get("/e/<slug>/desk/meeting")
def desk(slug: str) -> ResponseReturnValue:
    """The seating at the desk, in whatever state it is."""
    event = managed_event(slug)
    people, meeting = players_by_id(db(), event), meeting_of(db(), event)
    here = actions.who_is_here(list(people.values()))
    tables = seating(meeting) if meeting else []
    seated = {id_ for table in tables for id_ in table.players}
    return render_template(
        "desk/meeting.html",
        meeting=meeting,
        tables=tables,
        people=people,
        here=len(here),
        standing=[player for player in here if player.id not in seated],
        gone=[people[id_] for id_ in seated if people[id_] not in here],
        why_not=actions.why_no_meeting(event, here, round_views(db(), event)),
    )


@blueprint.post("/e/<slug>/desk/meeting/<verb>")
def act(slug: str, verb: str) -> ResponseReturnValue:
    """One press: draw, publish, discard."""
    event = managed_event(slug)
    if verb not in SAID:
        abort(404)
    verbs: dict[str, Callable[..., object]] = {
        "draw": partial(actions.draw_meeting, seed=secrets.randbits(48)),
        "publish": actions.publish_meeting,
        "discard": actions.discard_meeting,
    }
    with pressed(event, SAID[verb]) as s:
        verbs[verb](s, event, actor=actor(event), now=now())
    return redirect(url_for("meeting.desk", slug=slug))


@blueprint.get("/e/<slug>/meeting")
def page(slug: str) -> ResponseReturnValue:
    """Who sits where, by name or by table; organisers see a drawn seating before it is published."""
    event = event_or_404(slug)
    meeting = _seen(event)
    people = players_by_id(db(), event)
    mine = visitor().player_in(event)
    tables = seating(meeting)
    body = render_template(
        "event/meeting.html",
        meeting=meeting,
        tables=tables,
        people=people,
        by_name=_by_name(tables, people) if request.args.get("order") != "table" else None,
        mine=table_of(meeting, mine.id) if mine else None,
    )
    return polled(body, event)


@blueprint.get("/e/<slug>/meeting.pdf")
def paper(slug: str) -> ResponseReturnValue:
    """The seating for the wall, by table or with ``?order=name`` by name."""
    event = event_or_404(slug)
    tables = seating(_seen(event))
    everybody = players_of(db(), event)
    told = {player.id: PairedPlayer(player.name, player.club) for player in everybody}
    held = {player.fixed_table: player.id for player in everybody if player.fixed_table is not None}
    rows = []
    for table in tables:
        one, other, *third = (told[id_] for id_ in table.players)
        fixed = held.get(table.number) in table.players
        rows.append(PairingRow(table.number, one, other, fixed=fixed, between="and"))
        rows += [PairingRow(table.number, player, without="third chair") for player in third]
    by_name = request.args.get("order") == "name"
    title, note = "Player meeting", "Announcements before round 1; no game is played"
    sheet = RoundPairings(event.name, 0, tuple(rows), note, title=title, beside="with")
    draw = pairings_by_name if by_name else pairings_by_table
    name = f"meeting-by-{'name' if by_name else 'table'}"
    return pdf_answer(event, name, lambda size: draw(sheet, size, printed_at(event)))


def _seen(event: Event) -> Meeting:
    meeting = meeting_of(db(), event)
    if meeting is None or (meeting.published_at is None and not access.may_pair(visitor(), event)):
        abort(404)
    return meeting


def _by_name(tables: Sequence[SeatedTable], people: dict[int, Player]) -> list[tuple[Player, SeatedTable]]:
    rows = [(people[id_], table) for table in tables for id_ in table.players]
    return sorted(rows, key=lambda row: row[0].name_key)
