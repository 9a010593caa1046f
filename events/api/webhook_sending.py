"""Sending the calls of webhooks. Only ``overseer maintain`` does it.

A call is committed as being sent before the other side is contacted, and its outcome afterwards; what failed is tried
again after 1, 4, 16, 64 and 256 minutes.
"""

import base64
import hashlib
import hmac
import json
import logging
import re
import socket
import ssl
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from events.api.webhook_actions import is_allowed, stop_calls
from events.api.webhook_calls import ROUND, behind, discord_body, queue_calls, signed_body
from events.messages.delivery import ATTEMPTS, FIRST_WAIT, GROWTH, LOST_AFTER
from events.messages.outgoing import Connections, in_one_pass
from languages.words import N_
from models.db import write
from models.event import Event
from models.message import MailState
from models.webhook import Webhook, WebhookCall, WebhookKind
from service.settings import Settings

log = logging.getLogger("overseer.webhooks")

GONE = 410
NOT_FOUND = 404


@dataclass(frozen=True)
class Answer:
    """What the other side answered; status 0 if it could not be asked."""

    status: int
    text: str

    @property
    def taken(self) -> bool:
        """Whether the call arrived."""
        return 200 <= self.status < 300


@dataclass(frozen=True)
class Ready:
    id: int
    kind: WebhookKind
    address: str
    secret: str
    body: bytes
    message: str
    """The Discord message to edit; "" to post a new one."""


def send_calls(engine: Engine, settings: Settings, clock: Callable[[], datetime]) -> int:
    """Queue and send due calls; returns how many were tried. Several workers may run at the same time.

    A receiver that cannot be reached is asked once in a pass; its other calls are tried again later.
    """
    tried = 0
    with Session(engine) as session, closing(Connections(settings.webhooks)) as connections:
        for webhook_id in behind(session):
            with write(session, clock()) as s:
                queue_calls(s, webhook_id, clock())
        lost = select(WebhookCall).where(
            WebhookCall.state == MailState.SENDING, col(WebhookCall.tried_at) < clock() - LOST_AFTER
        )
        if session.exec(lost.limit(1)).first() is not None:
            with write(session, clock()) as s:
                for webhook_call in s.exec(lost.with_for_update()):
                    webhook_call.state, webhook_call.next_try = (
                        MailState.QUEUED,
                        clock(),
                    )  # receivers ignore a repeated id
        for call_id in in_one_pass(lambda: _take(session, clock())):
            tried += 1
            try:
                ready = _ready(session, call_id, settings.public, clock())
                session.rollback()  # no database connection is held while the other side is contacted
                answer = _send(ready, connections, settings.webhooks, clock())
            except Exception as error:  # of the network, or what an odd address or answer raises: it ends no pass
                log.warning("webhook call %s could not be made: %s", call_id, type(error).__name__)
                answer = Answer(0, _why(error))
                session.rollback()
            with write(session, clock()) as s:
                _settle(s, call_id, answer, clock())
    return tried


def _take(session: Session, now: datetime) -> int | None:
    """The id of the longest due call, marked as being sent; None if none is due. Calls locked by others are skipped."""
    due = select(WebhookCall).where(WebhookCall.state == MailState.QUEUED, col(WebhookCall.next_try) <= now)
    if session.exec(due.limit(1)).first() is None:
        return None
    with write(session, now) as s:
        order = due.order_by(col(WebhookCall.next_try), col(WebhookCall.id))
        call = s.exec(order.limit(1).with_for_update(skip_locked=True)).first()
        if call is None:
            return None
        call.state, call.next_try, call.tried_at, call.attempts = MailState.SENDING, None, now, call.attempts + 1
        return call.id


def _ready(s: Session, call_id: int, links: str, now: datetime) -> Ready:
    call = s.get_one(WebhookCall, call_id)
    hook = s.get_one(Webhook, call.webhook_id)
    event = s.get_one(Event, hook.event_id)
    discord = hook.kind == WebhookKind.DISCORD
    content = discord_body(s, event, call, links, now) if discord else signed_body(s, event, call, links)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Ready(call.id, hook.kind, hook.address, hook.secret, body, call.message)


def signature(secret: str, number: str, at: int, body: bytes) -> str:
    """The value of webhook-signature, as Standard Webhooks has it; ``secret`` begins with "whsec_"."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{number}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def _send(ready: Ready, connections: Connections, allowed: Collection[str], now: datetime) -> Answer:
    """Send one call. Raises what connecting raises."""
    headers = {"Content-Type": "application/json", "User-Agent": "Overseer"}
    method, address = "POST", ready.address
    if ready.kind == WebhookKind.DISCORD:
        method, address = (
            ("PATCH", f"{address}/messages/{ready.message}") if ready.message else ("POST", f"{address}?wait=true")
        )
    else:
        number = f"msg_{hashlib.sha256(f'{ready.secret} {ready.id}'.encode()).hexdigest()[:24]}"
        at = int(now.timestamp())
        headers |= {
            "webhook-id": number,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(ready.secret, number, at, ready.body),
        }
    if not is_allowed(ready.address, allowed):
        return Answer(0, N_("the operator does not allow this address any more"))
    return Answer(*connections.ask(method, address, ready.body, headers))


def _why(error: Exception) -> str:
    words = {
        PermissionError: N_("not reached: its address is in a private network"),
        socket.gaierror: N_("not reached: its name was not found"),
        TimeoutError: N_("not reached: no answer in time"),
        ssl.SSLError: N_("not reached: its certificate is not valid"),
    }
    return next(
        (text for kind, text in words.items() if isinstance(error, kind)), f"not reached: {type(error).__name__}"
    )


def _settle(s: Session, call_id: int, answer: Answer, now: datetime) -> None:
    """Store the outcome of an attempt; after the last one the call counts as failed."""
    call = s.get(WebhookCall, call_id, with_for_update=True, populate_existing=True)
    if call is None or call.state != MailState.SENDING:
        if call is not None and call.type == ROUND and answer.taken:  # queued again: the round has changed meanwhile
            call.message = call.message or posted_id_in(answer.text)
        return
    hook = s.get_one(Webhook, call.webhook_id)
    call.answer = "" if answer.taken else f"answered {answer.status}" if answer.status else answer.text
    if answer.taken:
        call.state = MailState.SENT
        if call.type == ROUND and not call.message:
            call.message = posted_id_in(answer.text)
        return
    if call.message and answer.status == NOT_FOUND:
        call.message = ""  # somebody deleted it: post it anew
    if answer.status == GONE:
        call.state = MailState.FAILED
        stop_calls(s, hook, now)
    elif call.attempts < ATTEMPTS:
        call.state, call.next_try = MailState.QUEUED, now + FIRST_WAIT * GROWTH ** (call.attempts - 1)
    else:
        call.state = MailState.FAILED


def posted_id_in(text: str) -> str:
    """The id of the message in Discord's answer; "" if it has none."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    number = answer.get("id") if isinstance(answer, dict) else None
    return number if isinstance(number, str) and re.fullmatch("[0-9]{1,40}", number) else ""
