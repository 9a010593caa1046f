"""Forms of a campaign: its settings, the steps that a group may take, and dice rolled at the table."""

from collections.abc import Iterable
from typing import Any

from flask import request
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from events.play.parsing import number_or_none
from events.web.forms import asked_field
from validators.calculator import Asked
from validators.campaign import Answered, CampaignRules, Offer, one_of
from validators.canonical import canonical_text, sha256_of

DIE = "die-"


def mark_of(offer: Offer) -> str:
    """A short name of an offer, by which its form is recognised."""
    return "o" + sha256_of(canonical_text([offer.kind, offer.title, dict(offer.fixed)]))[:12]


def offer_form(offer: Offer, data: MultiDict[str, str] | None = None) -> FlaskForm:
    """The form of a step, one of a page's; with ``data`` as it was sent, if it is part of that."""
    prefix = f"{mark_of(offer)}-"
    return _form(offer.asks, prefix, formdata=data if data and prefix in data else None)


def _form(asks: Iterable[Asked], prefix: str, **content: Any) -> FlaskForm:
    """The form of these questions, whose fields have this prefix; the page sends the token against forged requests."""
    fields: dict[str, Any] = {ask.key: asked_field(ask, id=f"{prefix}{ask.key}") for ask in asks}
    made: FlaskForm = type("AskedForm", (FlaskForm,), fields)(prefix=prefix, meta={"csrf": False}, **content)
    return made


def is_typed(offer: Offer, data: MultiDict[str, str]) -> bool:
    """Whether the step's form was sent with other figures than it offers."""
    if f"{mark_of(offer)}-" not in data:
        return False
    sent, usual = offer_form(offer, data), offer_form(offer)
    firsts = {ask.key: ask.choices[0][0] for ask in offer.asks if ask.kind == "choice" and ask.default is None}
    return any(
        sent[key].data != firsts.get(key, usual[key].data) or (sent[key].process_errors and any(sent[key].raw_data))
        for key in (ask.key for ask in offer.asks)
    )


def kept_for(offers: Iterable[Offer], pressed: Offer | None = None) -> dict[str, str]:
    """The fields sent for those of these steps that are typed, or pressed; an address with them shows them again."""
    marks = tuple(f"{mark_of(offer)}-" for offer in offers if offer is pressed or is_typed(offer, request.form))
    return {name: value for name, value in request.form.items() if name.startswith(marks)}


def kept(sent: MultiDict[str, str], *left_out: str) -> dict[str, Any]:
    """What was sent for a step, to be sent again, but no fields whose names begin with one of ``left_out``."""
    return {name: value for name, value in sent.items() if not name.startswith(("csrf_token", "key", *left_out))}


def chosen_mark(sent: MultiDict[str, str]) -> str:
    """The mark of the step whose button was pressed."""
    return sent.get("typed") or sent.get("offer", "")


def answers(form: FlaskForm, offer: Offer) -> Answered:
    """What a valid form says."""
    said = ((ask.key, form[ask.key].data) for ask in offer.asks)
    return {key: int(value) if isinstance(value, bool) else value for key, value in said if value is not None}


def settings_form(rules: CampaignRules, stored: dict[str, str]) -> FlaskForm:
    """The settings of a campaign, each with its reason."""
    asks = (
        one_of(
            one.key, one.label, one.choices, one.default, f"{one.reason} By default: {dict(one.choices)[one.default]}."
        )
        for one in rules.settings
    )
    return _form(asks, "set-", data=stored)


def dice_sent(sent: MultiDict[str, str]) -> tuple[list[int] | None, list[str]]:
    """The results that were typed before and now, in order, None where one is no number; and those of now as typed."""
    typed = [value.strip() for name, value in sent.items() if name.startswith(DIE)]
    now = [one for one in map(number_or_none, typed) if one is not None]
    return [*known_dice(sent), *now] if len(now) == len(typed) else None, typed


def known_dice(sent: MultiDict[str, str]) -> list[int]:
    """The results that were typed before, in order; what is no number is left out."""
    return [one for one in map(number_or_none, sent.get("rolled", "").split()) if one is not None]
