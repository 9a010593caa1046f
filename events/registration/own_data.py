"""Everything stored about one player, for the player: rows, answers, messages, reports, journal entries, no secrets."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Table, and_, or_, select
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from events.journal.queries import of_player
from models.capture import PLANNED_BY_DRAFT
from models.captured import columns_naming, is_document, plain
from models.event import Event, EventState, Round, RoundState
from models.message import Message
from models.play import Game, Player, Report, ReportSide

OTHERS = {
    ("award_pick", "player_id"): "awards that may still be a surprise; published ones are on the page of awards",
    ("game", "a_id"): "games are listed with their opponents",
    ("game", "b_id"): "games are listed with their opponents",
    ("kept_apart", "a_id"): "wishes of others are theirs; the player’s own are listed by who asked",
    ("kept_apart", "b_id"): "wishes of others are theirs; the player’s own are listed by who asked",
    ("kept_answer", "player_id"): "the answer to one sent form, without anything of the person",
    ("painting_vote", "for_id"): "votes of others are secret",
    ("sports_mark", "about_id"): "marks of others are secret",
}
"""References to a player that the file leaves out, and why."""
SECRET = {
    "player": {"secret", "session_key", "signed_up_from", "name_key", "link_generation"},
    "device": {"endpoint", "p256dh", "auth"},
    "passkey": {"credential", "public_key", "handle", "sign_count"},
    "mail_change": {"key"},
    "dispatch": {"reason", "mail"},
}
"""Keys of the player's own devices and links, and marks of the server, by table."""
MOST_ENTRIES = 10_000
TABLES = SQLModel.metadata.tables


def own_data(s: Session, event: Event, player: Player, now: datetime) -> dict[str, Any]:
    """What is stored about a player in an event, as JSON values."""
    rows = {"player": _found(s, TABLES["player"], TABLES["player"].c.id == player.id)}
    if event.state != EventState.FINISHED:
        for name in PLANNED_BY_DRAFT["player"]:  # they would say that a draft exists, and whether it has the player
            del rows["player"][0][name]
    for table, column in columns_naming("player"):
        if (table.name, column.name) not in OTHERS:
            rows[table.name] = _found(s, table, column == player.id)
    lists = [entry["id"] for entry in rows["force_list"]]
    rows["force_step"] = _found(s, TABLES["force_step"], TABLES["force_step"].c.force_list_id.in_(lists))
    messages = [entry["message_id"] for entry in rows["delivery"]]
    rows["message"] = _found(s, TABLES["message"], col(Message.id).in_(messages))
    return {
        "event": event.name,
        "at": now.isoformat(),
        **rows,
        "game": _games(s, player),
        "report": _reports(s, player),
        "journal": [
            {"at": journal_entry.at.isoformat(), "by": journal_entry.actor, "what": journal_entry.text}
            for journal_entry in of_player(s, event, player, limit=MOST_ENTRIES)
        ],
    }


def _found(s: Session, table: Table, which: Any) -> list[dict[str, Any]]:
    rows = s.connection().execute(select(table).where(which).order_by(table.c.id)).mappings()
    return [_readable(table, dict(row)) for row in rows]


def _readable(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    kept = (column for column in table.columns if column.name not in SECRET.get(table.name, ()))
    return {c.name: row[c.name] if is_document(c) else plain(c, row[c.name]) for c in kept}


def _games(s: Session, player: Player) -> list[dict[str, Any]]:
    """The games of published rounds, as everybody sees them."""
    query = select_rows(Game, Round.number).join(Round).where(Round.state == RoundState.PUBLISHED)
    theirs = query.where(or_(col(Game.a_id) == player.id, col(Game.b_id) == player.id)).order_by(col(Round.number))
    rows = []
    for game, number in s.exec(theirs):
        people = [None if id_ is None else s.get_one(Player, id_).name for id_ in (game.a_id, game.b_id)]
        rows.append({"round": number, "table": game.table_number, "players": people, "result": game.answers,
                      "state": game.state.value, "reason": game.ending_reason})  # fmt: skip
    return rows


def _reports(s: Session, player: Player) -> list[dict[str, Any]]:
    of_a = and_(col(Game.a_id) == player.id, col(Report.side) == ReportSide.A)
    of_b = and_(col(Game.b_id) == player.id, col(Report.side) == ReportSide.B)
    query = select_rows(Report.id).join(Game).where(or_(of_a, of_b))
    return _found(s, TABLES["report"], col(Report.id).in_(query))
