"""Join codes: whom one lets in, making codes and invitations, ending them.

Uses are counted from the rows of players who have not left, so a withdrawal gives the use back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlmodel import Session, col, func, select

from events.accounts import access, limits
from events.accounts.limits import JOIN_CODES, Limit, TooMany, WrongCode
from events.messages import permits
from events.messages.permits import A_DAY, Cause
from events.registration.sign_ups import SignUp
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.web.parsing import NO_WEB_ADDRESS, code_typed, has_web_address, name_key, read_address, tidy_name, unfit
from languages.message import counted_message, message
from languages.words import gettext, ngettext
from models.event import Event
from models.join_code import CodeMail, CodeUse, JoinCode
from models.message import Contact
from models.play import Player, PlayerState
from models.settings import SignUpBy

FIELD = "join_code"
MOST_CODES = 2000
"""Codes of one event, ended ones included."""
MOST_INVITED = 200
"""Invitations made in one go, and mailed in a day."""
LONGEST_LABEL = 80
INVITED = Limit("mail-invite", MOST_INVITED, A_DAY)


def code_for(act: Act, sign_up: SignUp) -> JoinCode | None:
    """The join code that lets a player's own sign-up in; None if it needs none. Raises Refused, WrongCode, TooMany.

    It runs in the event's write, so the last use of a code lets in one of two players.
    """
    if sign_up.by_team or not access.needs_code(act.event, act.now):
        return None
    typed = code_typed(sign_up.code)
    if not typed:
        raise Refused(gettext("Enter your join code. The organiser gives it to you."), FIELD)
    code = act.s.exec(select(JoinCode).where(JoinCode.event_id == act.event.id, JoinCode.code == typed)).first()
    if code is None:
        counts = sign_up.client.counts(JOIN_CODES, f"{act.event.id} ")
        text = gettext("This is not a join code of this event. Check it, or ask the organiser.")
        raise TooMany(text, FIELD) if limits.reached(act.s, counts, act.now) else WrongCode(text, FIELD, counts)
    _check_usable(act, code)
    return code


def check_return(act: Act, player: Player) -> None:
    """Check that a player who left may sign up again, with the code of the first time. Raises Refused."""
    if not access.needs_code(act.event, act.now):
        return
    code = act.s.exec(select(JoinCode).join(CodeUse).where(CodeUse.player_id == player.id)).first()
    if code is None:
        raise Refused(gettext("Sign-ups need a join code now. Ask the organiser to bring you back."))
    _check_usable(act, code)


def _check_usable(act: Act, code: JoinCode) -> None:
    if code.ended_at is not None:
        raise Refused(gettext("This join code was ended. Ask the organiser for another."), FIELD)
    if act.event.sign_up_by == SignUpBy.INVITATION and code.uses != 1:
        raise Refused(gettext("This event is by invitation only now. Ask the organiser for an invitation."), FIELD)
    players = select(func.count()).select_from(CodeUse).join(Player, col(Player.id) == col(CodeUse.player_id))
    using = players.where(CodeUse.join_code_id == code.id, Player.state != PlayerState.DROPPED)
    if code.uses is not None and act.s.exec(using).one() >= code.uses:
        raise Refused(
            ngettext(
                "This join code has been used: it is for %(num)s player. Ask the organiser for another.",
                "This join code is used up: it is for %(num)s players. Ask the organiser for another.",
                code.uses,
            ),
            FIELD,
        )


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
    if len(codes_of(act.s, act.event)) + len(labels) > MOST_CODES:
        raise Refused(gettext("An event has at most %(num)s join codes.", num=MOST_CODES))
    codes = [JoinCode(event_id=act.event.id, label=label, uses=uses, made_at=act.now) for label in labels]
    act.s.add_all(codes)
    act.s.flush()  # assigns the ids for the journal and for the page
    text = message("Made a join code without limit")
    if uses is not None:
        text = counted_message("Made a join code for %(num)s player", "Made a join code for %(num)s players", uses)
    if len(codes) > 1:
        text = counted_message("Made %(num)s invitation", "Made %(num)s invitations", len(codes))
    note(act, "make-join-codes", text, codes=[code.id for code in codes])
    return codes


def end_code(act: Act, code: JoinCode) -> None:
    """Let nobody in with this code any more; who signed up with it stays."""
    if code.ended_at is None:
        code.ended_at = act.now
        note(act, "end-join-code", message("Ended a join code"), code=code.id)


@dataclass(frozen=True)
class Invited:
    made: list[JoinCode] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    """The labels that have an open invitation already."""
    mailed: int = 0
    not_mailed: list[str] = field(default_factory=list)
    """Why an address gets no mail, each with its label."""


def invite(act: Act, text: str, *, has_server: bool) -> Invited:
    """Make an invitation for each line, a name with or without a mail address, and queue the mails. Raises Refused."""
    people = dict(_person(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    if len(people) > MOST_INVITED:
        text = ngettext("Invite %(num)s player at once.", "Invite at most %(num)s players at once.", MOST_INVITED)
        raise Refused(text, "people")
    using = players_by_code(act.s, act.event)
    codes = [code for code in codes_of(act.s, act.event) if code.uses == 1 and code.ended_at is None]
    invited = {name_key(code.label) for code in codes if code.id not in using}
    new = {label: mail for label, mail in people.items() if name_key(label) not in invited}
    made = make_codes(act, list(new), 1) if new else []
    whys = {code.label: _queue(act, code, new[code.label]) for code in made if has_server and new[code.label]}
    not_mailed = [f"{label}: {why}" for label, why in whys.items() if why]
    return Invited(made, [label for label in people if label not in new], len(whys) - len(not_mailed), not_mailed)


def _person(number: int, line: str) -> tuple[str, str]:
    """The label and the mail address ("" for none) of a line such as "Ada Archer, ada@example.org". Raises Refused."""
    words = line.replace(",", " ").replace(";", " ").replace("<", " ").replace(">", " ").split()
    mails = [word for word in words if "@" in word]
    name = tidy_name(" ".join(word for word in words if "@" not in word))
    try:
        if len(mails) > 1:
            raise Refused(gettext("Enter one mail address."))
        mail = read_address(mails[0]) if mails else ""
        if why := unfit(name):
            raise Refused(why)
        if has_web_address(name):
            raise Refused(gettext(NO_WEB_ADDRESS))
        if len(name or mail) > LONGEST_LABEL:
            raise Refused(ngettext("At most %(num)s character.", "At most %(num)s characters.", LONGEST_LABEL))
    except Refused as refused:
        raise Refused(gettext("Line %(number)s: %(why)s", number=number, why=refused.message), "people") from refused
    return name or mail, mail


def _queue(act: Act, code: JoinCode, mail: str) -> str:
    """Queue the mail of an invitation; returns why not, or ""."""
    why = permits.claim(act.s, act.event, Contact(player_id=0, mail=mail, given_at=act.now), Cause.DESK, act.now)
    if not why and limits.count_attempt(act.s, {INVITED: str(act.event.id)}, act.now) is not None:
        why = gettext("the event has reached its limit of invitations by mail in 24 hours")
    if not why:
        act.s.add(CodeMail(join_code_id=code.id, mail=mail, at=act.now))
    return why
