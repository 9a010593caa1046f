"""Adding, trying and ending webhooks."""

import base64
import secrets
from collections.abc import Collection
from datetime import datetime
from urllib.parse import urlsplit

from sqlmodel import Session, col, func, select

from events.api.webhook_calls import PRIVATE, TRIAL, call_to
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from languages.message import message
from languages.words import N_, gettext, ngettext
from models.dispatch import WAITING, Dispatch, DispatchState, Webhook, WebhookKind
from models.journal import JournalEntry

MOST = 10
"""Webhooks of an event that are not ended."""


def is_allowed(address: str, allowed: Collection[str]) -> bool:
    """Whether the operator allows calls to this address: https at the default port of an allowed host."""
    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        return False
    if not address.isascii() or not address.isprintable() or " " in address or url.fragment:
        return False
    if f"{url.scheme}://{url.netloc}" in allowed:
        return True  # a test's server on this machine
    plain = url.username is None and url.password is None
    return url.scheme == "https" and port in (None, 443) and plain and (url.hostname or "") in allowed


def add_webhook(
    act: Act, name: str, kind: WebhookKind, address: str, allowed: Collection[str], also: Collection[str] = ()
) -> Webhook:
    """Tell this address from now on what becomes public, and of what is not the types in ``also``. Raises Refused."""
    if also and (kind == WebhookKind.DISCORD or not {*also} <= {*PRIVATE.values()}):
        raise Refused(gettext("Only a program gets these: a channel has readers whom nobody chose."), "also")
    if not is_allowed(address, allowed):
        hosts = ", ".join(sorted(allowed))
        raise Refused(gettext("Use an https address at one of these hosts: %(hosts)s.", hosts=hosts), "address")
    mine = select(Webhook).where(Webhook.event_id == act.event.id, col(Webhook.ended_at).is_(None))
    if len(act.s.exec(mine).all()) >= MOST:
        raise Refused(
            ngettext(
                "An event has at most %(num)s webhook: end one first.",
                "An event has at most %(num)s webhooks: end one first.",
                MOST,
            )
        )
    newest = act.s.exec(select(func.max(JournalEntry.id)).where(JournalEntry.event_id == act.event.id)).one()
    secret = f"whsec_{base64.b64encode(secrets.token_bytes(24)).decode()}"
    hook = Webhook(event_id=act.event.id, name=name, kind=kind, address=address, secret=secret,
                   made_at=act.now, told=newest or 0, also=sorted(also) or None)  # fmt: skip
    act.s.add(hook)
    act.s.flush()  # the journal names the id of the new row
    text = message("Added the webhook %(name)s to %(host)s", name=name, host=urlsplit(address).hostname or "")
    note(act, "add-webhook", text, webhook=hook.id)
    return hook


def try_webhook(act: Act, hook: Webhook) -> None:
    """Queue a call that says nothing but that it is a trial. Raises Refused while another one waits."""
    _check_open(hook)
    waiting = select(Dispatch.id).where(
        Dispatch.webhook_id == hook.id, Dispatch.about == TRIAL, col(Dispatch.state).in_(WAITING)
    )
    if act.s.exec(waiting.limit(1)).first() is not None:
        raise Refused(gettext("A trial is on its way already."))
    act.s.add(call_to(hook, TRIAL, act.now))


def send_call_again(act: Act, hook: Webhook, call: Dispatch) -> None:
    """Queue a call once more, with all its attempts; does nothing if it waits already. Raises Refused."""
    _check_open(hook)
    if call.state not in WAITING:
        call.state, call.due, call.attempts = DispatchState.QUEUED, act.now, 0


def end_webhook(act: Act, hook: Webhook) -> None:
    """End a webhook, and the calls that wait; does nothing if it is ended."""
    if hook.ended_at is not None:
        return
    stop_calls(act.s, hook, act.now)
    note(act, "end-webhook", message("Ended the webhook %(name)s", name=hook.name), webhook=hook.id)


def stop_calls(s: Session, hook: Webhook, now: datetime) -> None:
    """End a webhook with the calls that wait: by staff, or because the other side said that its address is gone."""
    hook.ended_at = now
    for call in s.exec(select(Dispatch).where(Dispatch.webhook_id == hook.id)):
        if call.state == DispatchState.QUEUED:
            call.state, call.due, call.reason = DispatchState.FAILED, None, N_("the webhook was ended")


def _check_open(hook: Webhook) -> None:
    if hook.ended_at is not None:
        raise Refused(gettext("This webhook is ended. Add another one."))
