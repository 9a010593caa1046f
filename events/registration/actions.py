"""Players: registering, their details and answers, and their private links."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlmodel import select

from events.accounts.actions import remove_passkeys
from events.accounts.own_pages import take_off
from events.lists.locks import give_late_time
from events.messages.addresses import cancel_change
from events.registration.join_codes import code_for, use_code
from events.registration.places import next_round, place_for
from events.registration.questions import questions_of, valid_answers
from events.registration.sign_ups import SignUp
from events.registration.team_codes import end_code_of
from events.store.act import Act
from events.store.editions import factions_of, system_of
from events.store.errors import Refused
from events.store.journal import check_not_over, check_takes_place, note
from events.store.players import DETAILS, entry_state
from events.store.tournaments import tournament_of
from events.web.parsing import LONGEST_NAME, entry_name, first_name, name_key, people_in, visible
from languages.message import Text, joined, message, worded
from languages.words import N_, gettext, language, ngettext
from models.base import new_secret
from models.dispatch import Device
from models.event import Event, EventState
from models.play import Player, PlayerState


def register(
    act: Act, name: str, details: Mapping[str, str], faction: str, *, here: bool = False, partner: str = "",
    sign_up: SignUp | None = None, team_id: int | None = None,
) -> Player:  # fmt: skip
    """Register a player, with a place if one is free, otherwise on the waiting list. Raises Refused.

    ``details`` are those of ``DETAILS``.
    ``sign_up``: the player signed up on the event's page, so the entry waits if it is held or sign-ups need approval.
    ``here``: the player is at the desk and is checked in at once. With a ``partner`` the entry is for both. In a
    running event they play from the next undrawn round. ``team_id``: the team that they join, as in ``gets_place``.
    """
    s, event = act.s, act.event
    check_takes_place(event)
    check_not_over(event)
    join_code = code_for(act, sign_up) if sign_up is not None else None
    for taken, other in free_names(event, name, partner):
        if other.partner:
            there = gettext(
                "%(one)s is registered already, as %(pair)s, and has a private link.", one=taken, pair=other.name
            )
        else:
            there = gettext("%(one)s is registered already, and has a private link.", one=taken)
        if sign_up:
            advice = gettext(
                "If that is you and you lost it, ask the organiser for it. If you are a different person, add an "
                "initial or a nickname."
            )
        else:
            advice = gettext("If this is a different person, add an initial or a nickname.")
        raise Refused(f"{there} {advice}", "partner" if taken == partner else "name")
    name = entry_name(name, partner)
    key = name_key(name)
    if faction and faction not in factions_of(event):
        raise Refused(
            gettext("Choose a %(faction)s of the event's edition.", faction=system_of(event).words.faction), "faction"
        )
    held = sign_up is not None and sign_up.held
    state = place_for(act, team_id, by_player=sign_up is not None, held=held)
    here = here and not event.restrictions.painted  # staff must check the painting first
    arrived = here and state == PlayerState.REGISTERED
    state = PlayerState.CHECKED_IN if arrived else state
    player = Player(
        name=name,
        name_key=key,
        faction=faction,
        state=state,
        registered_at=act.now,
        entered_round=next_round(event),
        partner=partner,
        held=held,
        signed_up_from=sign_up.client.address if sign_up else "",
    )
    for column, value in details.items():
        setattr(player, column, value)
    if sign_up is not None and language() != event.language:
        player.language = language()  # mails are in the language in which the player signed up
    event.players.append(player)
    s.flush()  # assigns the player's id for the journal and the private link
    use_code(act, join_code, player)
    text = {
        "held": N_("Registered %(name)s, held until staff decide"),
        "approval": N_("Registered %(name)s, to be approved by staff"),
        "waiting": N_("Registered %(name)s on the waiting list"),
    }.get(entry_state(event, player), N_("Registered %(name)s"))
    text = N_("Registered %(name)s and checked them in") if arrived else text
    note(act, "register", message(text, name=name), player=player.id, **details, faction=faction)
    give_late_time(act, player)
    return player


def free_names(event: Event, name: str, partner: str, own: Player | None = None) -> Iterator[tuple[str, Player]]:
    """Yield each of the two names that another entry has, with that entry. Raises Refused for an invalid name.

    ``own`` is the entry being changed; its own names are free.
    """
    for field, typed in (("name", name), *((("partner", partner),) if partner else ())):
        if not name_key(typed) or not visible(typed):
            raise Refused(gettext("Enter a name with visible letters."), field)
    if partner and name_key(name) == name_key(partner):
        raise Refused(gettext("Enter two different names."), "partner")
    if len(entry_name(name, partner)) > LONGEST_NAME:
        raise Refused(
            ngettext(
                "Shorten the names to at most %(num)s character together.",
                "Shorten the names to at most %(num)s characters together.",
                LONGEST_NAME,
            ),
            "partner",
        )
    for other in event.players:
        taken = people_in(other.name, other.partner) | {other.name_key}
        if other is not own:
            yield from ((text, other) for text in (name, partner) if text and name_key(text) in taken)


COUNTED = ("painted", "list_points_set")
"""Columns of a player that count in the standings. They are final once the event is closed."""
IN_WORDS = {
    "name": N_("name"), "club": N_("club"), "faction": N_("faction"),
    "list_points_set": N_("points for the list"), "fixed_table": N_("fixed table"),
}  # fmt: skip
"""What the journal calls the columns of a player."""


def details_of(player: Player) -> dict[str, Any]:
    """The details of a player that the organiser can correct, by field of the form.

    Points for the list are None if they are calculated from the event's rules.
    """
    same = (*DETAILS, "partner", "faction", "painted", "list_points_set", "fixed_table")
    return {name: getattr(player, name) for name in same} | {"name": first_name(player.name, player.partner)}


def change_player(act: Act, player: Player, details: Mapping[str, Any]) -> None:
    """Correct a player's details, as returned by ``details_of``. Raises Refused."""
    table, (name, partner) = details["fixed_table"], (details["name"], details["partner"])
    if table is not None and table != player.fixed_table:
        if act.event.tables is not None and table > act.event.tables:
            raise Refused(
                ngettext("The event has %(num)s table.", "The event has %(num)s tables.", act.event.tables),
                "fixed_table",
            )
        if table in (act.event.tables_out or ()):
            raise Refused(gettext("Table %(table)s is out of order.", table=table), "fixed_table")
    for text, other in free_names(act.event, name, partner, player):
        field = "partner" if text == partner else "name"
        raise Refused(gettext("Another player is called %(name)s. Enter a different name.", name=other.name), field)
    # The columns in the order of the journal's entry.
    after = {
        "name": entry_name(name, partner),
        **{column: details[column] for column in (*DETAILS, "faction", "painted", "list_points_set")},
        "fixed_table": table,
    }
    before = {column: getattr(player, column) for column in after}
    for column in COUNTED:
        if act.event.state == EventState.FINISHED and after[column] != before[column]:
            final = gettext("The standings are final. Open the event again at the desk to change this.")
            raise Refused(final, column)
    for column, value in after.items():
        setattr(player, column, value)
    player.name_key, player.partner = name_key(player.name), partner
    if before != after:
        words = IN_WORDS | {"painted": N_("painted") if player.painted else N_("not painted")}
        changed = dict.fromkeys(words.get(column, column) for column in after if before[column] != after[column])
        note(
            act,
            "change-player",
            message("Changed %(name)s: %(parts)s", name=player.name, parts=joined([message(part) for part in changed])),
            player=player.id,
        )


def plays_from(event: Event, player: Player) -> str:
    """When a checked-in late player plays first: "from round 2"; "" for one who is not late."""
    late = player.state == PlayerState.CHECKED_IN and player.entered_round > 1
    return worded(first_round(event, player.entered_round)) if late else ""


def first_round(event: Event, number: int) -> Text | str:
    """When a player plays who enters for round ``number``: "from round 2"; "" for round 1.

    A draft can be drawn again with them.
    """
    if number == 1:
        return ""
    t = tournament_of(event, drafts=True)
    draft = t.rounds[number - 2].state == "drawn" and not t.is_cut(number - 1)
    if t.plays_first(number) is None:
        if draft and t.plays_first(number - 1):
            return message("only in round %(draft)s, if that is drawn again", draft=number - 1)
        if t.knockout:
            return message("in no round: the knockout is drawn")
        before_cut = N_("in no round: all before the knockout are drawn")
        return message(before_cut if event.cut else N_("in no round: all are drawn"))
    if draft:
        text = N_("from round %(number)s, or in round %(draft)s if that is drawn again")
        return message(text, number=number, draft=number - 1)
    return message("from round %(number)s", number=number)


def renew_link(act: Act, player: Player) -> None:
    """End all that opens or receives something of the player (``Opens``): whoever had the link may have it too.

    Somebody else may have put the entry on a page of their own, so it leaves the page that it is on. The mail address
    stays.
    """
    player.link_generation += 1
    player.session_key = new_secret()
    for device in act.s.exec(select(Device).where(Device.player_id == player.id)):
        act.s.delete(device)
    remove_passkeys(act.s, player)
    take_off(act.s, player)
    end_code_of(act.s, player)
    force = player.force_list
    if force is not None:
        force.share_token = None
    cancel_change(act, player)
    note(act, "renew-link", message("Renewed the private link of %(name)s", name=player.name), player=player.id)


def store_answers(act: Act, player: Player, answers: Mapping[str, str]) -> None:
    """Store a player's answers to the event's questions. The journal records the change without the answers."""
    texts = valid_answers(questions_of(act.event), answers)
    if texts != player.answers:
        player.answers = texts
        note(act, "answers", message("Changed the answers of %(name)s", name=player.name), player=player.id)
