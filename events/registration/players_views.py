"""The desk's pages of players: the table, one player, removing players, giving places, no-shows."""

from collections.abc import Callable, Set
from dataclasses import replace
from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.accounts.own_pages import events_before, whose
from events.lists.queries import ListEntry, entry, list_points
from events.messages.copies import can_mail_link
from events.messages.queries import contact_of
from events.registration import actions, check_in, leaving, payments, places, sign_ups, team_actions
from events.registration.conventions import entry_left, move_player, move_targets
from events.registration.forms import (
    PasteForm,
    PlayerForm,
    WalkInForm,
    answers_as_form,
    fields_of,
    typed_answers,
    with_questions,
)
from events.registration.one_click import done_entry, mark_paid_as_sent, redirect_back, saving_undoable
from events.registration.player_table import exceptions, next_press, player_table, shown_as
from events.registration.questions import answered
from events.registration.removal import planned_removal, remove_players
from events.registration.team_actions import Pasted, parts_of_line, register_pasted
from events.results.no_shows import keep_absent, set_absent
from events.rounds import byes
from events.rounds.forms import ByeForm
from events.rounds.taking_part import on_leaving, part_in_rounds, record_at_desk
from events.store.act import Act
from events.store.editions import factions_of, system_of
from events.store.errors import Refused
from events.store.ledger import load_payments
from events.store.outcomes import missing
from events.store.players import DETAILS, has_place, placed, places_left, player_of, players_by_id
from events.store.team_queries import names_of, team_of, teams_of
from events.store.verdicts import forces_of, sealed_lists, terms_of
from events.visitors import access
from events.visitors.event_loading import drops_of, players_in, warnings_of
from events.visitors.loading import (
    game_or_404,
    managed_event,
    may_open,
    player_or_404,
    private_link,
    private_path,
    visitor,
)
from events.web.error_pages import try_part
from events.web.forms import refusals_at
from events.web.parsing import judges_reason
from events.web.request import changing, db, flashing, id_asked, id_in, id_sent, local, mail_server, now, saving
from languages.message import worded
from languages.words import N_, apart, capital, gettext, ngettext
from models.event import Event
from models.play import Absent, Player, PlayerState
from validators.strict_json import fingerprint

blueprint = Blueprint("players", __name__)


WHO: dict[str, Absent | None] = {"a": Absent.A, "b": Absent.B, "both": Absent.BOTH, "nobody": None}


@blueprint.post("/e/<slug>/desk/games/<int:game_id>/absent")
def absent(slug: str, game_id: int) -> ResponseReturnValue:
    """Record or undo a no-show; with ``drops`` the absent players are also dropped."""
    event = managed_event(slug)
    game = game_or_404(event, game_id)
    if access.leaves_to_others(visitor(), event, game):
        abort(403)
    version, who = id_sent("version"), request.form.get("who", "")
    if who not in WHO or version is None:
        abort(404)
    drops = request.form.get("drops") == "1"
    message = gettext("Stored. Undo it here, or enter the result.") if WHO[who] else gettext("Stored.")
    with saving(event, message) as act:
        reason = judges_reason(request.form.get("reason", ""))
        set_absent(act, game, WHO[who], version=version, reason=reason)
        for id_ in missing(game, WHO[who]) if drops else ():
            player = player_of(act.s, event, id_)
            if player is not None:
                leaving.drop(act, player)
    return redirect(url_for("results_desk.decide", slug=slug, game_id=game_id))


@blueprint.post("/e/<slug>/desk/players/selected/<verb>")
def act_on_selected(slug: str, verb: str) -> ResponseReturnValue:
    """Act on all selected players; removing needs a confirmation."""
    event = managed_event(slug)
    if verb not in VERBS:
        abort(404)
    ids = {id_ for raw in request.form.getlist("chosen") if (id_ := id_in(raw)) is not None}
    shown = shown_as(request.form)
    if verb == "remove" and not request.form.get("sure"):
        plan = planned_removal(db(), event, [player for player in players_in(event) if player.id in ids])
        if plan.count:
            lost = {player.id: on_leaving(event, player) for player in plan.dropped}
            return render_template("registration/remove_players.html", plan=plan, shown=shown, lost=lost)
    if not ids and verb != "give-all":
        flash(gettext("Select at least one player first."), "error")
    else:
        try:
            VERBS[verb](event, ids)
        except Refused as refused:
            flash(refused.message, "error")
    return redirect(url_for("players.players", slug=slug, show=shown.get("show"), order=shown.get("order")))


def _remove(event: Event, ids: Set[int]) -> None:
    with changing(event) as act:
        plan = remove_players(act, [p for p in event.players if p.id in ids])
    if plan.removed:
        flash(ngettext("%(num)s player removed.", "%(num)s players removed.", len(plan.removed)), "success")
    if plan.dropped:
        sentence = ngettext(
            "%(num)s player dropped. They took part or have paid, so results and payments stay.",
            "%(num)s players dropped. They took part or have paid, so results and payments stay.",
            len(plan.dropped),
        )
        flash(sentence, "success")
    if not plan.count:
        flash(gettext("These players were removed already."), "message")


def _give(event: Event, ids: Set[int], *, selected: bool = True) -> None:
    with changing(event) as act:
        chosen = [p for p in event.players if p.id in ids]
        if selected:
            places.release(act, chosen)
        given, left = places.give_places(act, chosen)
    if given:
        sentence = ngettext("%(num)s player has a place now.", "%(num)s players have a place now.", len(given))
        flash(sentence, "success")
    if left:
        sentence = ngettext(
            "%(num)s player still waits: too few places are free.",
            "%(num)s players still wait: too few places are free.",
            len(left),
        )
        flash(sentence, "message")
    if not given and not left:
        held = any(player.held for player in chosen)
        none = gettext("None of these players is waiting for a place.")
        flash(gettext("Held sign-ups get no place before you let them in.") if held else none, "message")


def _give_all(event: Event, _: Set[int]) -> None:
    _give(event, players_by_id(event).keys(), selected=False)


def _let_in(event: Event, ids: Set[int]) -> None:
    with changing(event) as act:
        held = [p for p in event.players if p.id in ids and p.held]
        sign_ups.admit(act, held)
    if held:
        sentence = ngettext(
            "%(num)s player let in, %(placed)s of them with a place.",
            "%(num)s players let in, %(placed)s of them with a place.",
            len(held),
            placed=len(placed(held)),
        )
        flash(sentence, "success")
    else:
        flash(gettext("These sign-ups are not held any more."), "message")


def _painted(event: Event, ids: Set[int]) -> None:
    with changing(event) as act:
        done = check_in.mark_painted(act, [p for p in event.players if p.id in ids])
    words = ngettext("%(num)s player marked as fully painted.", "%(num)s players marked as fully painted.", len(done))
    flash(words, "success")


VERBS: dict[str, Callable[[Event, Set[int]], None]] = {
    "remove": _remove,
    "give-place": _give,
    "give-all": _give_all,
    "let-in": _let_in,
    "painted": _painted,
}


@blueprint.route("/e/<slug>/desk/players", methods=["GET", "POST"], endpoint="players")
def players_page(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    # Only the submitted form reads the request; the other keeps its defaults.
    pressed = request.form.get("do", "")
    begun = local(now(), event, "%Y-%m-%d") >= event.starts_on.isoformat()
    walk_in_form = with_questions(WalkInForm, event, at_desk=True)
    walk_in = walk_in_form(prefix="w") if pressed == "walk-in" else walk_in_form(None, prefix="w", data={"here": begun})
    paste = PasteForm(prefix="p") if pressed == "paste" else PasteForm(None, prefix="p")
    first, *others = parts_of_line(event)
    paste.names.description = gettext(
        "One player per line: %(parts)s. Only the %(first)s is needed. Tabs and commas work too; put a name with a"
        " comma in quotes. Names of %(faction)ss: %(factions)s.",
        parts=apart((first, *others)), first=first, faction=system_of(event).words.faction,
        factions=", ".join(factions_of(event)),
    )  # fmt: skip
    walk_in.offer(event)
    walk_in.paid.label.text = gettext("Paid: %(fee)s", fee=event.fee)
    if not event.fee:
        del walk_in.paid
    pasted: list[Pasted] = []
    if pressed == "walk-in" and walk_in.validate():
        with refusals_at(walk_in):
            with changing(event) as act:
                player = team_actions.enter_team(
                    act, walk_in.name.data, walk_in.typed_details, walk_in.faction.data, here=walk_in.here.data,
                    team=walk_in.asked("team"), partner=walk_in.asked("partner"),
                )  # fmt: skip
                actions.store_answers(act, player, typed_answers(walk_in, event))
                if walk_in.asked("paid"):
                    payments.mark_paid(act, [player])
            late = actions.plays_from(event, player)
            text = N_("%(name)s is entered and plays %(late)s.") if late else N_("%(name)s is entered.")
            flash(gettext(text, name=player.name, late=late), "success")
            return redirect(url_for("players.players", slug=slug, added=player.id))
    if pressed == "paste" and paste.validate():
        with refusals_at(paste):
            with changing(event) as act:
                pasted = register_pasted(act, paste.names.data)
            # Rejected lines stay in the field, to be fixed and submitted again.
            paste.names.data = "\n".join(line.line for line in pasted if line.player is None)
    entered = players_in(event)
    shows_lists = access.may_read_lists(visitor(), event)
    forces = forces_of(event) if shows_lists else {}
    handed_in = {player_id for player_id, force in forces.items() if force.submitted}
    need = [p.id for p in placed(entered) if p.id is not None and p.list_waived_at is None] if shows_lists else []
    listless = set(need) - handed_in
    load_payments(entered)
    table = player_table(event, entered, warnings_of(event), listless, request.args, now())
    wrong = walk_in.errors or paste.errors
    page = render_template(
        "registration/players.html",
        details=DETAILS,
        table=table,
        name_warnings=warnings_of(event),
        here_before=events_before(db(), event, whose(db(), [row.id for row in table.players])),
        select_all=request.args.get("select") == "all",
        teams=names_of(teams_of(event)),
        entered=len(entered),
        plays_from=try_part(
            gettext("the rounds"),
            lambda: worded(actions.first_round(event, places.next_round(event))),
            "",
        ),
        expected=sum(p.state == "registered" for p in entered),
        forces=forces,
        exceptions=partial(exceptions, event, names_listless=2 * len(listless) < len(need)),
        next_press=partial(
            next_press,
            event,
            may_check_in=may_open("players.act_on_player", verb="check-in"),
            may_change=access.may_change_players(visitor(), event),
        ),
        done=done_entry(event),
        added=[p for p in entered if p.id == id_asked("added")],
        walk_in=walk_in,
        questions=fields_of(walk_in, event),
        answered=answered,
        paste=paste,
        pasted=pasted,
        held=sign_ups.held_sign_ups(event, entered),
        drops=try_part(
            gettext("how players can leave"),
            lambda: drops_of(event, table.players),
            {player.id: [] for player in table.players},
        ),
        places_left=places_left(event, entered),
        here=sum(p.state == "checked_in" for p in entered),
        asks_paint=event.painting_points or terms_of(event).restrictions.painted,
    )
    return page, 422 if wrong else 200


def _marks(action: Callable[[Act, list[Player]], object]) -> Callable[[Act, Player], None]:
    """An action on several players as an action on one."""

    def mark(act: Act, player: Player) -> None:
        action(act, [player])

    return mark


PLAYER_ACTIONS: dict[str, Callable[..., None]] = {
    "check-in": check_in.check_in,
    "check-in-painted": check_in.check_in_painted,
    "undo-check-in": check_in.undo_check_in,
    "give-place": places.give_place,
    "keep": keep_absent,
    "drop": leaving.drop,
    "drop-later": partial(leaving.drop, at_once=False),
    "check-in-paid": check_in.check_in_paid,
    "paid": _marks(mark_paid_as_sent),
    "give-back": _marks(payments.give_back),
    "reinstate": leaving.reinstate,
    "renew-link": actions.renew_link,
    "stand-in": byes.set_ringer,
    "no-stand-in": partial(byes.set_ringer, ringer=False),
}
DID = {
    "renew-link": N_("New link made; the old one no longer works."), "reinstate": N_("%(name)s is back."),
    "drop": N_("%(name)s is dropped. Results stay."), "drop-later": N_("%(name)s is dropped. Results stay."),
}  # fmt: skip
"""The message after an action."""


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/<verb>")
def act_on_player(slug: str, player_id: int, verb: str) -> ResponseReturnValue:
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    if verb not in PLAYER_ACTIONS:
        abort(404)
    did: list[int] = []
    with saving_undoable(event, did, gettext(DID.get(verb, ""), name=player.name)) as act:
        PLAYER_ACTIONS[verb](act, player)
    if verb == "reinstate" and player.state == PlayerState.WAITING:
        flash(gettext("All places are taken: %(name)s is on the waiting list.", name=player.name), "message")
    if request.form.get("back"):
        return redirect_back(event, url_for("players.player_details", slug=slug, player_id=player_id), did)
    if verb in ("check-in", "check-in-painted", "undo-check-in"):
        return redirect(url_for("players.players", slug=slug, _anchor=f"player-{player_id}"))
    anchor = "link" if verb == "renew-link" else None
    return redirect(url_for("players.player_details", slug=slug, player_id=player_id, _anchor=anchor))


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/move")
def move(slug: str, player_id: int) -> ResponseReturnValue:
    """Move a player to another event of the convention, where the visitor may enter players too.

    If only the name is that of an entry which left that event, the desk says whether both are one person.
    """
    event = managed_event(slug)
    player, to = player_or_404(event, player_id), id_sent("to")
    other = next((row for row in move_targets(db(), visitor(), event, player) if row.id == to), None) or abort(403)
    same = {"same": True, "apart": False}.get(request.form.get("entry", ""))
    left, is_proved = entry_left(db(), event, player, other)
    if left is not None and not is_proved and same is None:
        entries = [
            (of, row, contact_of(db(), row) if access.may_message(visitor(), of) else None)
            for of, row in ((event, player), (other, left))
        ]
        return render_template("registration/move.html", entries=entries)
    words = N_("%(name)s is in %(event)s now. The private link, and the old page of the player, lead there.")
    with flashing(gettext(words, name=player.name, event=other.name)):
        with changing(event, other=other) as act:
            if not access.may_change_players(visitor(), other):
                abort(403)
            moving = replace(act, event=other)
            player = move_player(act, moving, player, has_server=mail_server() is not None, same=same)
        slug = other.slug
    return redirect(url_for("players.player_details", slug=slug, player_id=player.id))


@blueprint.route("/e/<slug>/desk/players/<int:player_id>", methods=["GET", "POST"])
def player_details(slug: str, player_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    the_player = player_or_404(event, player_id)
    details = actions.details_of(the_player)
    answers = answers_as_form(event, the_player)
    form = with_questions(PlayerForm, event, at_desk=True)(
        data=details | answers | {"was": fingerprint(details | answers)}
    )
    if not (event.doubles or the_player.partner):
        del form.partner
    words = system_of(event).words
    form.faction.label.text = capital(words.faction)
    form.painted.label.text = gettext("The %(force)s is fully painted", force=words.force)
    form.faction.choices = [SelectChoice("", gettext("Not decided yet")), *map(SelectChoice, factions_of(event))]
    own_list = _list_entry(event, the_player)
    if own_list and own_list.force and not the_player.faction:
        form.faction.description = gettext("The list is of %(faction)s.", faction=own_list.force.document["faction"])
    if form.validate_on_submit():
        with refusals_at(form):
            with changing(event) as act:
                form.check_unchanged(actions.details_of(the_player) | answers_as_form(event, the_player))
                typed = details | {name: form[name].data for name in details if name in form}
                actions.change_player(act, the_player, typed)
                actions.store_answers(act, the_player, typed_answers(form, event))
            flash(gettext("Saved."), "success")
            return redirect(url_for("players.player_details", slug=slug, player_id=player_id))
    # Only staff who may see the link receive it; others can mail it to the player.
    sees_link = access.may_see_private_links(visitor(), event)
    seals = sealed_lists(event).get(the_player.id, ())
    adds, people = terms_of(event).restrictions, whose(db(), [player_id])
    load_payments([the_player])
    page = render_template(
        "registration/player.html",
        player=the_player,
        team=team_of(db(), event, the_player.team_id),
        name_warnings=warnings_of(event),
        person=people.get(player_id),
        here_before=events_before(db(), event, people),
        form=form,
        questions=fields_of(form, event),
        answered=answered(event, the_player),
        sees_link=sees_link,
        address=private_link(the_player) if sees_link else "",
        path=private_path(the_player) if sees_link else "",
        can_mail_link=can_mail_link(event, the_player),
        list_points=list_points(event, the_player, seals, terms_of(event)),
        gives_list_points=adds.on_time_points or adds.error_free_points or adds.late_points,
        byes=ByeForm(None),
        **record_at_desk(event, the_player),
        list_entry=own_list,
        **part_in_rounds(event, the_player),
        drops=drops_of(event, [the_player])[the_player.id],
        targets=[
            (other, places_left(other, entered), why)
            for other in move_targets(db(), visitor(), event, the_player)
            for entered in [other.players]
            for why in [
                gettext("%(one)s is registered already, and has a private link.", one=the_player.name)
                if any(row.name_key == the_player.name_key and row.state != PlayerState.DROPPED for row in entered)
                else ""
            ]
        ],
    )
    return page, form.status


def _list_entry(event: Event, player: Player) -> ListEntry | None:
    """The state of a player's list; None without a place, or if the visitor may not read lists."""
    if not has_place(player) or not access.may_read_lists(visitor(), event):
        return None
    return entry(event, terms_of(event), player, player.force_list, now())
