"""Join codes: whom one lets in, making codes and invitations, ending them.

Uses are counted from the rows of players who have not left, so a withdrawal gives the use back.
"""

import re
from collections.abc import Sequence

from sqlmodel import Session, col, select

from events.accounts import limits
from events.accounts.limits import JOIN_CODES, Limit, TooMany, WrongCode
from events.messages import permits
from events.messages.permits import A_DAY, Cause
from events.registration.sign_ups import SignUp
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.visitors import access
from events.web.parsing import (
    LONGEST_NAME,
    NO_WEB_ADDRESS,
    code_typed,
    has_web_address,
    name_key,
    read_address,
    tidy_name,
    unfit,
)
from languages.message import counted_message, message
from languages.words import N_, gettext, labelled, ngettext
from models.db import current_write
from models.dispatch import Dispatch, DispatchKind, queued
from models.event import Event
from models.join_code import CodeUse, JoinCode
from models.message import Contact
from models.play import Player, PlayerState
from models.settings import SignUpBy

FIELD = "join_code"
MOST_MADE = 200
"""Codes made in one go, and mailed in a day."""
INVITED = Limit("mail-code", MOST_MADE, A_DAY)


def code_for(act: Act, sign_up: SignUp) -> JoinCode | None:
    """The join code that lets a player's own sign-up in; None if it needs none. Raises Refused, WrongCode, TooMany.

    It runs in the event's write, so the last use of a code lets in one of two players.
    """
    if not access.needs_code(act.event, act.now):
        return None
    of_other = select(JoinCode).join(CodeUse).where(CodeUse.player_id == sign_up.code_of)
    code = _code_typed(act, sign_up) if sign_up.code else act.s.exec(of_other).first()
    why = _why_unusable(act, code) if code else gettext("Enter your join code. The organiser gives it to you.")
    if why and sign_up.by_team and not sign_up.code:
        why = gettext("Your captain’s join code lets in nobody else. Enter one of your own, from the organiser.")
    if why:
        raise Refused(why, FIELD)
    return code


def use_code(act: Act, code: JoinCode | None, player: Player) -> None:
    """Count the player as a user of this code, no longer of another; None changes nothing."""
    if code is not None:
        use = act.s.exec(select(CodeUse).where(CodeUse.player_id == player.id)).first()
        use = use or CodeUse(join_code_id=code.id, player_id=player.id)
        use.join_code_id = code.id
        act.s.add(use)


def _code_typed(act: Act, sign_up: SignUp) -> JoinCode:
    typed = code_typed(sign_up.code)
    code = act.s.exec(select(JoinCode).where(JoinCode.event_id == act.event.id, JoinCode.code == typed)).first()
    if code is not None:
        return code
    counts = sign_up.client.counts(JOIN_CODES, f"{act.event.id} ")
    if not limits.reached(act.s, counts, act.now):
        text = gettext("This is not a join code of this event. Check it, or ask the organiser.")
        raise WrongCode(text, FIELD, counts)
    text = N_(
        "This is not a join code of this event. Your network has sent too many wrong ones, but a right one works."
    )
    raise TooMany(gettext(text), FIELD)


def _why_unusable(act: Act, code: JoinCode) -> str:
    if code.ended_at is not None:
        return gettext("This join code was ended. Ask the organiser for another.")
    if act.event.sign_up_by == SignUpBy.INVITATION and code.uses != 1:
        return gettext("This event is by invitation only now. Ask the organiser for an invitation.")
    if code.uses is not None and len(players_by_code(act.s, act.event).get(code.id, ())) >= code.uses:
        return ngettext(
            "This join code has been used: it is for %(num)s player. Ask the organiser for another.",
            "This join code is used up: it is for %(num)s players. Ask the organiser for another.",
            code.uses,
        )
    return ""


def codes_of(s: Session, event: Event) -> list[JoinCode]:
    """The event's codes: open ones first, those for more than one player first, then by name."""
    codes = s.exec(select(JoinCode).where(JoinCode.event_id == event.id)).all()
    return sorted(codes, key=lambda code: (code.ended_at is not None, code.uses == 1, code.label.casefold(), code.id))


def players_by_code(s: Session, event: Event) -> dict[int, list[Player]]:
    """The players who use each code, by its id."""
    using = select(CodeUse.join_code_id, Player).join(Player, col(Player.id) == col(CodeUse.player_id))
    players: dict[int, list[Player]] = {}
    for id_, player in s.exec(using.where(Player.event_id == event.id, Player.state != PlayerState.DROPPED)):
        players.setdefault(id_, []).append(player)
    return players


def make_codes(act: Act, labels: Sequence[str], uses: int | None) -> list[JoinCode]:
    """Make a code for each label. The journal has no labels, which may name persons. Raises Refused."""
    check_not_over(act.event)
    codes = [JoinCode(event_id=act.event.id, label=label, uses=uses, made_at=act.now) for label in labels]
    act.s.add_all(codes)
    act.s.flush()  # assigns the ids for the journal and for the page
    text = counted_message("Made %(num)s join code", "Made %(num)s join codes", len(codes))
    note(act, "make-join-codes", text, codes=[code.id for code in codes])
    return codes


def end_code(act: Act, code: JoinCode) -> None:
    """Let nobody in with this code any more; who signed up with it stays. An unused invitation loses its name."""
    if code.ended_at is None:
        code.ended_at = act.now
        if code.uses == 1 and act.s.exec(select(CodeUse).where(CodeUse.join_code_id == code.id)).first() is None:
            code.label = f"#{code.id}"
            forget_mails(act.s, code)
            current_write(act.s).erases = True
        note(act, "end-join-code", message("Ended a join code"), code=code.id)


def forget_mails(s: Session, code: JoinCode) -> None:
    """Delete the mails of this code that are not sent yet."""
    for waiting in s.exec(select(Dispatch).where(Dispatch.join_code_id == code.id)):
        s.delete(waiting)


def make_typed(act: Act, text: str, uses: int | None, *, has_server: bool) -> tuple[list[JoinCode], list[str]]:
    """Make a code for each line, a label with or without a mail address, and queue the mails. Raises Refused.

    Returns the codes, and which mails are not sent.
    """
    open_codes = {code.id: code for code in codes_of(act.s, act.event) if code.ended_at is None}
    waiting = act.s.exec(select(Dispatch.mail).where(col(Dispatch.join_code_id).in_(open_codes)))
    there, people = set(map(name_key, [*waiting, *(code.label for code in open_codes.values())])), dict[str, str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                label, mail = _label_and_mail(line)
                keys = {name_key(typed) for typed in (label, mail) if typed}
                if there & keys:
                    raise Refused(gettext("This name or address is in the list twice, or has an open code already."))
            except Refused as refused:
                at_line = gettext("Line %(number)s: %(why)s", number=number, why=refused.message)
                raise Refused(at_line, "people") from refused
            people[label] = mail
            there |= keys
    if len(people) > MOST_MADE:
        raise Refused(ngettext("Enter %(num)s line.", "Enter at most %(num)s lines.", MOST_MADE), "people")
    made = make_codes(act, [*people], uses)
    to_mail = [(code, people[code.label]) for code in made if has_server and people[code.label]]
    return made, [labelled(code.label, why) for code, mail in to_mail if (why := _mail(act, code, mail))]


def _label_and_mail(line: str) -> tuple[str, str]:
    """The label and the mail address ("" for none) of a line such as "Ada Archer, ada@example.org". Raises Refused."""
    words = re.split(r"[\s,;<>]+", line.strip())
    mail = next((word for word in words if "@" in word), "") or line.rpartition(",")[2] * ("," in line)
    name = tidy_name(" ".join(word for word in words if word != mail))
    if len(name) > LONGEST_NAME:
        raise Refused(ngettext("At most %(num)s character.", "At most %(num)s characters.", LONGEST_NAME))
    address = read_address(mail)
    if why := unfit(name) or (gettext(NO_WEB_ADDRESS) if has_web_address(name) else ""):
        raise Refused(why)
    if not name:
        raise Refused(gettext("Enter a name before the address."))
    return name, address


def _mail(act: Act, code: JoinCode, mail: str) -> str:
    """Queue the mail of a code; returns why not, or ""."""
    why = permits.claim(act.s, act.event, Contact(player_id=0, mail=mail, given_at=act.now), Cause.DESK, act.now)
    if not why and limits.count_attempt(act.s, {INVITED: str(act.event.id)}, act.now) is not None:
        why = gettext("the event has reached its limit of invitations by mail in 24 hours")
    if not why:
        act.s.add(queued(DispatchKind.CODE, act.now, event_id=act.event.id, join_code_id=code.id, mail=mail))
    return why
