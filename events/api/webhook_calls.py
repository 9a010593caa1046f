"""The calls that follow from the journal: which entries a webhook is told about, and what each call says."""

import re
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from events.api.player_items import payment_item, player_item
from events.public.chat_text import chat_pieces, round_lines, standings_lines
from events.registration.payments import VERBS
from events.standings.published_awards import is_corrected, is_embargoed
from events.standings.queries import standings_of
from events.standings.titles import standings_title
from events.store.players import player_of
from events.store.rounds import newest_published, public_round_views
from events.store.tournaments import tournament_from
from events.store.visitor import Visitor
from events.tournament.clock import local_date
from events.visitors.access import may_see_event
from models.dispatch import Dispatch, DispatchKind, DispatchState, Webhook, WebhookKind, queued
from models.event import Event, Round, RoundState
from models.journal import JournalEntry
from models.play import Game, Player

TYPES = {
    "publish-round": "round.published", "unpublish-round": "round.withdrawn",
    "report": "result.changed", "no-show": "result.changed", "open-again": "result.changed",
    **dict.fromkeys(
        ("start-clock", "pause-clock", "resume-clock", "stop-clock", "put-back-clock", "give-time"), "clock.changed"
    ),
    "reveal-lists": "lists.shown", "publish-awards": "awards.published", "unpublish-awards": "awards.withdrawn",
    "announce": "announcement.made",
    **dict.fromkeys(("open-registration", "finish-event", "reopen-event"), "event.changed"),
}  # fmt: skip
"""The type of a call by the verb of the journal's entry. Entries of other verbs are about nothing public."""
PRIVATE = {
    **dict.fromkeys(("register", "reinstate", "give-place", "let-in"), "player.registered"),
    **dict.fromkeys(("drop", "remove-players"), "player.withdrawn"),
    "check-in": "player.checked_in", "submit-force": "list.submitted",
    **dict.fromkeys(VERBS, "payment.changed"),
}  # fmt: skip
"""The same for what is not public: only signed calls have it, to webhooks whose organiser chose the type."""
TRIAL = "webhook.trial"
ROUND = "discord.round"
KEPT = timedelta(days=14)
"""How long calls stay in the log."""
EMBED = 4000
"""Characters; an embed of Discord holds 4,096."""
TOP = 10
"""Places of the standings in a Discord message."""


def behind(s: Session) -> list[int]:
    """The ids of the webhooks whose event's journal has new entries. Called every few seconds, without a lock."""
    newest = select(func.max(JournalEntry.id)).where(JournalEntry.event_id == Webhook.event_id).scalar_subquery()
    return list(s.exec(select(Webhook.id).where(col(Webhook.ended_at).is_(None), newest > Webhook.told)))


def queue_calls(s: Session, webhook_id: int, now: datetime) -> None:
    """Queue the calls for an event's new journal entries, and delete old calls."""
    hook = s.get(Webhook, webhook_id, with_for_update=True, populate_existing=True)
    if hook is None or hook.ended_at is not None:
        return
    event = s.get_one(Event, hook.event_id)
    query = select(JournalEntry).where(JournalEntry.event_id == event.id, JournalEntry.id > hook.told)
    entries = s.exec(query.order_by(col(JournalEntry.id))).all()
    hook.told = max((entry.id for entry in entries), default=hook.told)
    types = TYPES | {verb: kind for verb, kind in PRIVATE.items() if kind in (hook.also or ())}
    due = [entry for entry in entries if entry.verb in types] if may_see_event(Visitor(), event) else []
    if hook.kind == WebhookKind.DISCORD:
        if due:
            _queue_message(s, hook, event, now)
    else:
        for entry in due:
            call = call_to(hook, types[entry.verb], now)
            call.at, call.entry, call.round = entry.at, entry.id, _round_of(s, entry.details)
            s.add(call)
    for old in s.exec(select(Dispatch).where(Dispatch.webhook_id == hook.id, Dispatch.at < now - KEPT)):
        s.delete(old)


def call_to(hook: Webhook, kind: str, now: datetime) -> Dispatch:
    return queued(DispatchKind.CALL, now, event_id=hook.event_id, webhook_id=hook.id, about=kind)


def _queue_message(s: Session, hook: Webhook, event: Event, now: datetime) -> None:
    """Queue the newest round's message again; one that waits is enough, as its text is made when it is sent."""
    newest = newest_published(s, event)
    if newest is None:
        return
    number = s.get_one(Round, newest).number
    mine = select(Dispatch).where(Dispatch.webhook_id == hook.id, Dispatch.round == number)
    call = s.exec(mine).first() or call_to(hook, ROUND, now)
    call.round, call.at, call.state, call.due, call.attempts = number, now, DispatchState.QUEUED, call.due or now, 0
    s.add(call)


def _round_of(s: Session, details: dict[str, Any]) -> int | None:
    """The number of the round that an entry is about; None if it is about none, or names none."""
    if isinstance(number := details.get("round"), int):
        return number
    game = s.get(Game, details["game"]) if isinstance(details.get("game"), int) else None
    return s.get_one(Round, game.round_id).number if game is not None else None


def signed_body(s: Session, event: Event, call: Dispatch, links: str) -> dict[str, Any]:
    """What a signed call says: what happened, to whom as they are now, and where to read the rest."""
    data: dict[str, Any] = {"event": event.slug, "name": event.name}
    if links:
        data |= {"page": f"{links}/e/{event.slug}", "api": f"{links}/api/v1/events/{event.slug}"}
    if call.round is not None:
        data["round"] = call.round
    entry = s.get(JournalEntry, call.entry or 0)
    if entry is not None:
        data |= _subject(s, event, call.about, entry.details)
    return {"type": call.about, "timestamp": call.at.isoformat(), "data": data}


def _subject(s: Session, event: Event, kind: str, details: dict[str, Any]) -> dict[str, Any]:
    """The game of a result, or the players of a private call; amounts only of payments, and no way to reach anybody."""
    if kind == "result.changed":
        game = s.get(Game, details.get("game") or 0)
        the_round = s.get(Round, game.round_id) if game is not None else None
        if game is None or the_round is None or the_round.state != RoundState.PUBLISHED:
            return {}
        people = [s.get_one(Player, id_) for id_ in (game.a_id, game.b_id) if id_ is not None]
        names = [{"id": player.id, "name": player.name} for player in people]
        return {"game": {"id": game.id, "round": the_round.number, "table": game.table_number, "players": names}}
    if kind not in PRIVATE.values():
        return {}
    ids = details.get("players") or [details.get("player")]
    rows = [player for id_ in ids if (player := player_of(s, event, id_ or 0)) is not None]
    if kind == "payment.changed":
        items = [payment_item(event, player).model_dump(mode="json", exclude={"payments"}) for player in rows]
        return {"payments": items}
    left = [{"id": id_} for id_ in ids if id_ not in {player.id for player in rows}]
    return {"players": [player_item(event, player).model_dump(mode="json") for player in rows] + left}


MARKDOWN = re.compile(r"([\\`*_~|>#\[\]()@<-])")


def discord_body(s: Session, event: Event, call: Dispatch, links: str, now: datetime) -> dict[str, Any]:
    """The Discord message of a round: what the round's page and the standings show to everybody."""
    views = public_round_views(event)
    number = call.round or 0
    if not 0 < number <= len(views) or not views[number - 1].games:
        text = f"{event.name} · Round {number} was withdrawn" if number else f"{event.name}: this is a trial."
    else:
        players = event.players
        lines = list(round_lines(event, views, number, {player.id: player for player in players}, now))
        t = tournament_from(event, views, players)
        after = t.counted - is_embargoed(s, event, t)
        if after:
            table, today = standings_of(event, t), local_date(now, event.timezone)
            title = standings_title(event, t, after, today, corrected=is_corrected(s, event, table))
            lines += ["", *list(standings_lines(event, title, table.after(after)))[: TOP + 1]]
        first, *rest = chat_pieces(iter(MARKDOWN.sub(r"\\\1", line) for line in lines), EMBED)
        text = f"{first}\n…" if rest else first
    head = {"title": event.name[:200], **({"url": f"{links}/e/{event.slug}"} if links.startswith("https") else {})}
    return {"content": "", "embeds": [{**head, "description": text}], "allowed_mentions": {"parse": []}}
