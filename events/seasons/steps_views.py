"""The steps of a campaign after a game, for a group or by the desk: offered, taken with dice, taken back, closed."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from events.charts.picture import emblem
from events.seasons import campaign_actions as actions
from events.seasons import campaign_queries as queries
from events.seasons import changes
from events.seasons.campaign_actions import Chance
from events.seasons.forms import form_of_questions
from events.seasons.loading import campaign_or_404, chance_in
from events.store.act import Act
from events.store.campaign import differing, doubt_of, todo_of
from events.store.errors import Refused
from events.store.journal import check_not_over
from events.visitors import access
from events.visitors.event_loading import campaign_of
from events.visitors.loading import event_or_404, managed_event, own_player_or_403, player_or_404, visitor
from events.web.forms import answers_in, show_at_field
from events.web.idempotency import Result as Stored
from events.web.idempotency import new_key, run_once, submission_from
from events.web.parsing import number_or_none
from events.web.request import db, id_sent, saving
from languages.message import worded
from languages.words import N_, gettext
from models.event import Event
from models.play import Player
from validators.campaign import Dice, Offer, RollNeeded, Step, StepRefused, World
from validators.campaign_changes import held_by, redo
from validators.campaign_history import History, apply_step
from validators.strict_json import canonical_text, sha256_of

FOR_ALL = N_("These dice are for all groups: the service rolls them, or the desk types them.")
blueprint = Blueprint("steps", __name__)


MOST_SAID = 3
"""Sentences of a step in the message after it; the page has all."""


DIE = "die-"


def _mark_of(offer: Offer) -> str:
    """A short name of an offer, by which its form is recognised."""
    return "o" + sha256_of(canonical_text([offer.kind, dict(offer.fixed)]))[:12]


def _offer_form(offer: Offer, data: MultiDict[str, str] | None = None) -> FlaskForm:
    """The form of a step, one of a page's; with ``data`` as it was sent, if it is part of that."""
    prefix = f"{_mark_of(offer)}-"
    return form_of_questions(offer.asks, prefix, formdata=data if data and prefix in data else None)


def _is_typed(offer: Offer, data: MultiDict[str, str]) -> bool:
    """Whether the step's form was sent with other figures than it offers."""
    if f"{_mark_of(offer)}-" not in data:
        return False
    sent, usual = _offer_form(offer, data), _offer_form(offer)
    firsts = {ask.key: ask.choices[0][0] for ask in offer.asks if ask.kind == "choice" and ask.default is None}
    return any(
        sent[key].data != firsts.get(key, usual[key].data) or (sent[key].process_errors and any(sent[key].raw_data))
        for key in (ask.key for ask in offer.asks)
    )


def _may_type(event: Event, offer: Offer) -> bool:
    """Whether the visitor may type the dice of this offer: those for all groups only the desk."""
    rules = campaign_of(event)[0].world.rules
    return offer.kind not in rules.for_all or access.may_decide(visitor(), event)


def _typed_in(offers: Iterable[Offer]) -> list[Offer]:
    """Those of the steps whose forms were sent with other figures than they offer."""
    return [offer for offer in offers if _is_typed(offer, request.form)]


def _fields_of(offers: Iterable[Offer]) -> dict[str, Any]:
    """The fields sent for these steps; an address with them shows them again."""
    marks = tuple(f"{_mark_of(offer)}-" for offer in offers)
    return {name: value for name, value in request.form.items() if name.startswith(marks)}


def _named_in(step: Step, offers: Mapping[str, Offer]) -> dict[str, Any]:
    """The texts of an undone step as fields of its form; none if it is not offered any more."""
    same = [(mark, offer) for mark, offer in offers.items() if offer.kind == step.kind]
    same = [(mark, offer) for mark, offer in same if step.data.items() >= offer.fixed.items()]
    texts = {
        f"{mark}-{ask.key}": step.data[ask.key] for mark, offer in same for ask in offer.asks if ask.kind == "text"
    }
    return texts | {f"{mark}-": "" for mark, _ in same} if any(texts.values()) else {}


def _sent_again(sent: MultiDict[str, str], *left_out: str) -> dict[str, Any]:
    """What was sent for a step, to be sent again, but no fields whose names begin with one of ``left_out``."""
    return {name: value for name, value in sent.items() if not name.startswith(("csrf_token", "key", *left_out))}


def _chosen_mark(sent: MultiDict[str, str]) -> str:
    return sent.get("typed") or sent.get("offer", "")


def _dice_sent(sent: MultiDict[str, str]) -> tuple[list[int], list[int] | None, list[str]]:
    """The dice typed before; those with the dice typed now, None if one is not a number; those of now as typed."""
    typed = [value.strip() for name, value in sent.items() if name.startswith(DIE)]
    earlier, now = (
        [number for number in map(number_or_none, values) if number is not None]
        for values in (sent.get("rolled", "").split(), typed)
    )
    return earlier, [*earlier, *now] if len(now) == len(typed) else None, typed


def _whose(slug: str, player_id: int | None) -> tuple[Event, Player]:
    """The campaign and the player whose steps these are: the visitor's own, or at the desk."""
    event = campaign_or_404(event_or_404(slug) if player_id is None else managed_event(slug))
    player = own_player_or_403(event) if player_id is None else player_or_404(event, player_id)
    if request.method == "POST" and not access.may_take_steps(visitor(), event, player):
        check_not_over(event)
        if visitor().is_player(player):
            raise Refused(gettext("%(player)s has left the event.", player=player.name))
        abort(403)
    return event, player


def _address(event: Event, player: Player, verb: str = "", **more: Any) -> str:
    """The address of the steps, of the own group or at the desk; ``more`` is for its query."""
    desk: dict[str, Any] = {"player_id": player.id} if "player_id" in (request.view_args or {}) else {}
    name = ("desk_" if desk else "") + ("change_steps" if verb else "steps")
    return url_for(f"steps.{name}", slug=event.slug, verb=verb or None, **desk, **more)


@blueprint.post("/e/<slug>/me/campaign/<verb>")
@blueprint.post("/e/<slug>/desk/campaign/<int:player_id>/<verb>", endpoint="desk_change_steps")
def change_steps(slug: str, verb: str, player_id: int | None = None) -> ResponseReturnValue:
    """Begin the steps, end a phase, take back the newest step, and redo or leave out those that are set aside."""
    event, player = _whose(slug, player_id)
    seen, closed = id_sent("seen") or 0, False
    refused = request.form.get("refused", "")
    typed = _typed_in(offer for mark, offer in _offers(event, player).items() if mark != refused)
    if verb == "begin":
        with saving(event) as act:
            actions.begin_steps(act, player)
    elif verb == "next" and typed:
        titles = ", ".join(offer.title for offer in typed)
        flash(
            gettext(
                "Not recorded yet: %(titles)s. Record your entries there or clear them, then go on.", titles=titles
            ),
            "error",
        )
    elif verb == "next":
        with saving(event) as act:
            closed = actions.end_phase(act, player, seen)
        if closed:
            flash(gettext("Closed. The group is shown below."), "success")
            return redirect(url_for("campaigns.group", slug=event.slug, player_id=player.id))
    elif verb == "redo":
        with saving(event) as act:
            flash(queries.redone_words(changes.redo_steps(act, player)), "success")
    elif verb in ("leave-out", "leave-rest"):
        reason = "" if player_id is None else request.form.get("reason", "")
        with saving(event, gettext("Left out.")) as act:
            changes.leave_out(act, player, id_sent("aside") or 0, reason, rest=verb == "leave-rest")
    elif verb == "undo":
        history = campaign_of(event)[0]
        undone = actions.undoable(history, player)
        bound = undone and history.world.rules.binds(undone.step)
        with saving(
            event, gettext("Set aside. Its dice were seen: redo it as it was.") if bound else gettext("Undone.")
        ) as act:
            actions.undo_step(act, player, seen)
        kept = _named_in(undone.step, _offers(event, player)) if undone else {}
        return redirect(_address(event, player, **_fields_of(typed) | kept))
    else:
        abort(404)
    return redirect(_address(event, player, **_fields_of(typed)))


def _seen(event: Event, player: Player) -> History:
    """The history in which the group's next step follows."""
    return campaign_of(event)[0].seen_by(player.id)


def _offers(event: Event, player: Player) -> dict[str, Offer]:
    """The steps that the group may take now, by their marks; none while dice that were seen come first."""
    history = _seen(event, player)
    world = history.world
    if held_by(history, player.id):
        return {}
    return {_mark_of(offer): offer for offer in world.rules.offers(world, player.id)}


@blueprint.route("/e/<slug>/me/campaign", methods=["GET", "POST"])
@blueprint.route("/e/<slug>/desk/campaign/<int:player_id>", methods=["GET", "POST"], endpoint="desk_steps")
def steps(slug: str, player_id: int | None = None) -> ResponseReturnValue:
    """The steps of a group after a game; a POST takes one."""
    event, player = _whose(slug, player_id)
    if request.method == "GET":
        return _typing(event, player, request.args) if "typed" in request.args else _page(event, player)
    return _take(event, player)


def _page(event: Event, player: Player, tried: Any = None, error: str = "") -> ResponseReturnValue:
    """The page of the steps; ``tried`` is the form of an offer that could not be taken as it was."""
    whole, results = campaign_of(event)
    history = whole.seen_by(player.id)
    world, sent, pressed = history.world, request.form or request.args, _chosen_mark(request.form)
    closes, why_open = queries.end_of(history, player)
    group = world.groups.get(player.id)
    doubt, forbids = ("", "") if group is None else doubt_of(db(), history, player)
    members = {member.name: member for member in world.rules.members(group)} if group is not None else {}
    page = render_template(
        "campaigns/steps.html",
        of=player,
        phase=world.phase(player.id),
        phases=world.rules.phases,
        members=members,
        emblems={name: emblem(name) for name in members},
        part=next(iter(queries.parts_of(history, player.id)), ("", [])),
        closes=closes,
        why_open=why_open or forbids,
        hint=world.rules.hint(world, player.id) if world.phase(player.id) else "",
        awaits=world.rules.awaits(world, player.id) if world.phase(player.id) else "",
        doubt=worded(doubt),
        passed=queries.passed(history, player.id),
        differ=[row for row in differing(history, results) if row[0].group == player.id],
        aside=redo(whole, {player.id}, changes.as_of_now(whole, results), stop=False)[1],
        bound={step.number for step in history.aside_of(player.id) if world.rules.binds(step)},
        undo=actions.undoable(history, player) is not None,
        waits=todo_of(event, history, results, player.id),
        purse=queries.held(history, player.id)[0],
        ruled_later=queries.ruled_later(whole, player.id),
        forms=[(offer, mark, tried if tried and mark == pressed else _offer_form(offer, sent),
                _is_typed(offer, sent), _may_type(event, offer)) for mark, offer in _offers(event, player).items()],
        step_words=lambda step: queries.step_words(step, step.ends),
        tried=tried,
        error=error,
        seen=actions.newest_step(history, player),
        marked=history.taken_again(player.id),
        own=visitor().is_player(player),
        at_desk="player_id" in (request.view_args or {}),
        may_take=access.may_take_steps(visitor(), event, player),
        address=lambda verb="": _address(event, player, verb),
        key=new_key,
    )  # fmt: skip
    return page, 422 if tried or error else 200


def _take(event: Event, player: Player) -> ResponseReturnValue:
    """Take the step that the form names, with dice of the service, or typed ones as far as they are known."""
    offers = _offers(event, player)
    offer = offers.pop(_chosen_mark(request.form), None)
    kept = _fields_of(_typed_in(offers.values()))
    if offer is None:
        late = _chosen_mark(request.form) and id_sent("seen") != actions.newest_step(campaign_of(event)[0], player)
        sentence = gettext("Nothing is recorded: press the button of a step that is possible now.")
        if late:
            sentence = gettext(
                "This step was already taken, perhaps on another device: press the button of a step that is possible"
                " now."
            )
        flash(sentence, "error")
        return redirect(_address(event, player, **kept))
    form = _offer_form(offer, request.form)
    if not form.validate():
        return _page(event, player, form)
    typed = "typed" in request.form
    if typed and not _may_type(event, offer):
        flash(gettext(FOR_ALL), "error")
        return redirect(_address(event, player, **kept))
    given = _dice_sent(request.form)[1] if typed else []
    if given is None:
        return redirect(_address(event, player, **_sent_again(request.form)))
    dice = Dice(given=given) if typed or not offer.dice else chance_in(event)
    try:
        applied = _once(event, player, offer, form, dice)
    except RollNeeded as needed:
        rolled = " ".join(str(number) for roll in needed.rolled for number in roll.results)
        kept |= _fields_of([offer])
        sent = {"typed": _mark_of(offer), "seen": request.form.get("seen"), "rolled": rolled}
        return redirect(_address(event, player, **kept | sent))
    except Refused as refused:
        if refused.field == "rolls":
            return redirect(_address(event, player, **_sent_again(request.form)))
        show_at_field(form, refused)
        return _page(event, player, form, refused.message if refused.field not in form else "")
    flash(applied.message, "success")
    return redirect(_address(event, player, **kept))


def _once(event: Event, player: Player, offer: Offer, form: Any, dice: Dice | Chance) -> Stored:
    """Take the step in one write; the same form sent twice takes it once."""

    def take(act: Act) -> Stored:
        seen, answers = id_sent("seen") or 0, answers_in(form, offer.asks)
        done = actions.take_offer(act, player, offer, answers, dice, seen)
        messages = [sentence for entry in done for sentence in entry.said]
        left = len(messages) - MOST_SAID
        more = gettext("%(n)s more below.", n=left)
        sentence = " ".join(messages[:MOST_SAID]) or f"{offer.title}."
        figures = queries.figures_in(done, sentence)
        return Stored(f"{sentence}{f' ({figures})' if figures else ''}{f' {more}' if left > 0 else ''}")

    return run_once(event, submission_from(f"group {player.id}"), take)


def _tried(world: World, step: Step, dice: list[int]) -> RollNeeded | StepRefused | None:
    """Why the step is not done with these dice; None if it would be."""
    try:
        apply_step(world, step, Dice(given=dice))
    except (RollNeeded, StepRefused) as why:
        return why
    return None


def _typing(event: Event, player: Player, sent: MultiDict[str, str]) -> ResponseReturnValue:
    """Ask for the next dice of the step that was sent, and say what is wrong with those typed last."""
    offer, world = _offers(event, player).get(_chosen_mark(sent)), _seen(event, player).world
    form, kept, needed = _offer_form(offer, sent) if offer else None, _sent_again(sent, DIE), None
    may_type = offer is None or _may_type(event, offer)
    if offer and may_type and form and form.validate():
        step = Step(0, player.id, offer.kind, {**answers_in(form, offer.asks), **offer.fixed})
        earlier, given, typed = _dice_sent(sent)
        needed = _tried(world, step, earlier)
        if isinstance(needed, RollNeeded):
            wrong = None if given is None else _tried(world, step, given)
            refused = wrong.message if isinstance(wrong, StepRefused) else ""
            return render_template(
                "campaigns/typing.html", of=player, offer=offer, needed=needed, kept=kept, typed=typed, key=new_key(),
                error=gettext("Enter every die.") if given is None else refused,
                back=_address(event, player, **kept | {"typed": None, "rolled": None}),
            )  # fmt: skip
    gone = str(needed or gettext("This step is not possible any more."))
    flash(gone if may_type else gettext(FOR_ALL), "error")
    return redirect(_address(event, player))
