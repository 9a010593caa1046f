"""The calls that follow from the journal: which entries a webhook is told about, and what each call says."""

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, func, select

from events.accounts.access import may_see_event
from events.public.chat_text import chat_pieces, round_lines, standings_lines
from events.standings.awards import is_embargoed
from events.standings.queries import standings_of
from events.standings.titles import standings_title
from events.store.players import players_of
from events.store.rounds import newest_published, public_round_views
from events.store.tournaments import tournament_from
from events.store.visitor import Visitor
from models.event import Event, Round
from models.journal import JournalEntry
from models.message import MailState
from models.play import Game
from models.webhook import Webhook, WebhookCall, WebhookKind

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
    public = [entry for entry in entries if entry.verb in TYPES] if may_see_event(Visitor(), event) else []
    if hook.kind == WebhookKind.DISCORD:
        if public:
            _queue_message(s, hook, event, now)
    else:
        for entry in public:
            number = _round_of(s, entry.details)
            s.add(WebhookCall(webhook_id=hook.id, type=TYPES[entry.verb], round=number, at=entry.at, next_try=now))
    for old in s.exec(select(WebhookCall).where(WebhookCall.webhook_id == hook.id, WebhookCall.at < now - KEPT)):
        s.delete(old)


def _queue_message(s: Session, hook: Webhook, event: Event, now: datetime) -> None:
    """Queue the newest round's message again; one that waits is enough, as its text is made when it is sent."""
    newest = newest_published(s, event)
    if newest is None:
        return
    number = s.get_one(Round, newest).number
    mine = select(WebhookCall).where(WebhookCall.webhook_id == hook.id, WebhookCall.round == number)
    call = s.exec(mine).first() or WebhookCall(webhook_id=hook.id, type=ROUND, round=number, at=now)
    call.at, call.state, call.next_try, call.attempts = now, MailState.QUEUED, call.next_try or now, 0
    s.add(call)


def _round_of(s: Session, details: dict[str, Any]) -> int | None:
    """The number of the round that an entry is about; None if it is about none, or names none."""
    if isinstance(number := details.get("round"), int):
        return number
    game = s.get(Game, details["game"]) if isinstance(details.get("game"), int) else None
    return s.get_one(Round, game.round_id).number if game is not None else None


def signed_body(event: Event, call: WebhookCall, links: str) -> dict[str, Any]:
    """What a signed call says: what happened and where to read it; the page of that address says the rest."""
    data: dict[str, Any] = {"event": event.slug, "name": event.name}
    if links:
        data |= {"page": f"{links}/e/{event.slug}", "api": f"{links}/api/v1/events/{event.slug}"}
    if call.round is not None:
        data["round"] = call.round
    return {"type": call.type, "timestamp": call.at.isoformat(), "data": data}


MARKDOWN = re.compile(r"([\\`*_~|>#\[\]()@<-])")


def discord_body(s: Session, event: Event, call: WebhookCall, links: str, now: datetime) -> dict[str, Any]:
    """The Discord message of a round: what the round's page and the standings show to everybody."""
    views = public_round_views(s, event)
    number = call.round or 0
    if not 0 < number <= len(views) or not views[number - 1].games:
        text = f"{event.name} · Round {number} was withdrawn" if number else f"{event.name}: this is a trial."
    else:
        players = players_of(s, event)
        lines = list(round_lines(event, views, number, {player.id: player for player in players}, now))
        t = tournament_from(event, views, players)
        after = t.counted - is_embargoed(event, t)
        if after:
            title = standings_title(event, t, after, now.astimezone(ZoneInfo(event.timezone)).date())
            lines += ["", *list(standings_lines(event, title, standings_of(s, event, t).after(after)))[: TOP + 1]]
        first, *rest = chat_pieces(iter(MARKDOWN.sub(r"\\\1", line) for line in lines), EMBED)
        text = f"{first}\n…" if rest else first
    head = {"title": event.name[:200], **({"url": f"{links}/e/{event.slug}"} if links.startswith("https") else {})}
    return {"content": "", "embeds": [{**head, "description": text}], "allowed_mentions": {"parse": []}}
