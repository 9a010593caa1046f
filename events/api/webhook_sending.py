"""Sending the calls of webhooks."""

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
from functools import partial

from sqlalchemy import Engine
from sqlmodel import Session

from events.api.webhook_actions import is_allowed, stop_calls
from events.api.webhook_calls import ROUND, behind, discord_body, queue_calls, signed_body
from events.messages.dispatching import Attempt, Outcome, Sent, Way, send_due
from events.messages.outgoing import Connections
from languages.words import N_
from models.db import write
from models.dispatch import Dispatch, DispatchKind, DispatchState, Webhook, WebhookKind
from models.event import Event
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


def send_calls(engine: Engine, settings: Settings, clock: Callable[[], datetime]) -> Sent:
    """Queue and send due calls. Several workers may run at the same time.

    A receiver that cannot be reached is asked once in a pass; its other calls are tried again later.
    """
    with Session(engine) as session:
        for webhook_id in behind(session):
            with write(session, clock()) as s:
                queue_calls(s, webhook_id, clock())
    with closing(Connections(settings.webhooks)) as connections:
        return send_due(engine, call_ways(settings, connections), clock)


def call_ways(settings: Settings, connections: Connections) -> dict[DispatchKind, Way]:
    again = Outcome(DispatchState.QUEUED)  # receivers ignore a repeated id
    return {DispatchKind.CALL: Way(partial(_call, settings, connections), lost=again, broken=again)}


def _call(settings: Settings, connections: Connections, s: Session, row: Dispatch, now: datetime) -> Attempt:
    hook, event = s.get_one(Webhook, row.webhook_id), s.get_one(Event, row.event_id)
    links, discord = settings.public, hook.kind == WebhookKind.DISCORD
    content = discord_body(s, event, row, links, now) if discord else signed_body(s, event, row, links)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()

    def attempt() -> Outcome:
        try:
            answer = _send(hook, row, body, connections, settings.webhooks, now)
        except Exception as error:  # of the network, or what an odd address or answer raises
            log.warning("webhook call %s could not be made: %s", row.id, type(error).__name__)
            answer = Answer(0, _why(error))
        unless_taken = DispatchState.FAILED if answer.status == GONE else DispatchState.QUEUED
        reason = "" if answer.taken else f"answered {answer.status}" if answer.status else answer.text
        then = partial(_after_call, answer, now)
        return Outcome(DispatchState.SENT if answer.taken else unless_taken, reason, then)

    return attempt


def _after_call(answer: Answer, now: datetime, s: Session, row: Dispatch) -> None:
    """Keep the id of a new Discord message, forget that of a deleted one; end a webhook that is gone."""
    if row.about == ROUND and answer.taken:
        row.posted = row.posted or posted_id_in(answer.text)
    elif answer.status == NOT_FOUND:
        row.posted = ""  # somebody deleted it: post it anew
    elif answer.status == GONE:
        stop_calls(s, s.get_one(Webhook, row.webhook_id), now)


def signature(secret: str, number: str, at: int, body: bytes) -> str:
    """The value of webhook-signature, as Standard Webhooks has it; ``secret`` begins with "whsec_"."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{number}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def _send(
    hook: Webhook, row: Dispatch, body: bytes, connections: Connections, allowed: Collection[str], now: datetime
) -> Answer:
    """Send one call. Raises what connecting raises."""
    headers = {"Content-Type": "application/json", "User-Agent": "Overseer"}
    method, address = "POST", hook.address
    if hook.kind == WebhookKind.DISCORD:
        method, address = (
            ("PATCH", f"{address}/messages/{row.posted}") if row.posted else ("POST", f"{address}?wait=true")
        )
    else:
        number = f"msg_{hashlib.sha256(f'{hook.secret} {row.id}'.encode()).hexdigest()[:24]}"
        at = int(now.timestamp())
        headers |= {
            "webhook-id": number,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(hook.secret, number, at, body),
        }
    if not is_allowed(hook.address, allowed):
        return Answer(0, N_("the operator does not allow this address any more"))
    return Answer(*connections.ask(method, address, body, headers))


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


def posted_id_in(text: str) -> str:
    """The id of the message in Discord's answer; "" if it has none."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    number = answer.get("id") if isinstance(answer, dict) else None
    return number if isinstance(number, str) and re.fullmatch("[0-9]{1,40}", number) else ""
