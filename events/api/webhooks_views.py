"""The desk's page of webhooks: add, try and end one, and send a call again."""

from flask import Blueprint, abort, current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.api.webhook_actions import add_webhook, end_webhook, send_call_again, try_webhook
from events.api.webhook_forms import ALSO, WebhookForm
from events.visitors.loading import managed_event
from events.web.forms import refusals_at
from events.web.request import changing, db, saving
from languages.words import gettext
from models.dispatch import Dispatch, Webhook, WebhookKind
from models.event import Event
from service.settings import Settings

blueprint = Blueprint("webhooks", __name__)

SHOWN_CALLS = 20


@blueprint.route("/e/<slug>/desk/webhooks", methods=["GET", "POST"], endpoint="all")
def all_webhooks(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    settings: Settings = current_app.extensions["overseer_settings"]
    form = WebhookForm()
    if settings.webhooks and form.validate_on_submit():
        with refusals_at(form), changing(event, public=False) as act:
            kind = WebhookKind(form.kind.data)
            add_webhook(act, form.name.data, kind, form.address.data, settings.webhooks, form.also.data or ())
        if not form.errors:
            flash(gettext("Added. Send a trial to see whether it arrives."), "success")
            return redirect(url_for("webhooks.all", slug=slug))
    hooks = db().exec(select(Webhook).where(Webhook.event_id == event.id).order_by(col(Webhook.id))).all()
    newest = {
        hook.id: db().exec(
            select(Dispatch).where(Dispatch.webhook_id == hook.id)
            .order_by(col(Dispatch.at).desc(), col(Dispatch.id).desc()).limit(SHOWN_CALLS)
        ).all()
        for hook in hooks
    }  # fmt: skip
    page = render_template(
        "webhooks/webhooks.html",
        form=form,
        hooks=hooks,
        also=ALSO,
        calls=newest,
        hosts=sorted(host for host in settings.webhooks if "://" not in host),
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/webhooks/<int:webhook_id>/trial")
def trial(slug: str, webhook_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    with saving(event, gettext("The trial is on its way. Load this page again in a few seconds."), public=False) as act:
        try_webhook(act, _webhook_or_404(event, webhook_id))
    return redirect(url_for("webhooks.all", slug=slug))


@blueprint.post("/e/<slug>/desk/webhooks/<int:webhook_id>/end")
def end(slug: str, webhook_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    with saving(event, gettext("The webhook is ended."), public=False) as act:
        end_webhook(act, _webhook_or_404(event, webhook_id))
    return redirect(url_for("webhooks.all", slug=slug))


@blueprint.post("/e/<slug>/desk/webhooks/<int:webhook_id>/calls/<int:call_id>")
def call_again(slug: str, webhook_id: int, call_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    hook, call = _webhook_or_404(event, webhook_id), db().get(Dispatch, call_id)
    if call is None or call.webhook_id != hook.id:
        abort(404)
    with saving(event, gettext("The call is sent again."), public=False) as act:
        send_call_again(act, hook, call)
    return redirect(url_for("webhooks.all", slug=slug))


def _webhook_or_404(event: Event, webhook_id: int) -> Webhook:
    hook = db().get(Webhook, webhook_id)
    if hook is None or hook.event_id != event.id:
        abort(404)
    return hook
