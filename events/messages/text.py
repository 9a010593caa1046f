"""The text of messages and mails: templates, and placeholders to fill in for each player."""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from itsdangerous import BadSignature, URLSafeSerializer

from languages.words import N_, gettext
from models.dispatch import Occasion
from models.message import Contact, Message

PERSONAL = {
    "name": N_("the player’s name"),
    "game": N_("table and opponent, or that it is a bye"),
    "table": N_("the table’s number"),
    "opponent": N_("the opponent’s name"),
    "link": N_("the player’s own page"),
}
"""Placeholders with a different value for each player."""
COMMON = {
    "event": N_("the event’s name"),
    "date": N_("its day or days"),
    "place": N_("its place"),
    "round": N_("the number of the round"),
    "deadline": N_("when lists are due"),
    "fee": N_("the entry fee"),
    "page": N_("the event’s page"),
}
"""Placeholders with the same value for every player."""
ADDRESSES = ("link", "page")
"""Filled in when the text is shown: pages and mails write addresses differently, and private links may be renewed."""

PLACEHOLDER = re.compile(r"\{([^{}\n]*)\}")


@dataclass(frozen=True)
class Template:
    label: str
    recipients: str
    subject: str
    text: str
    about: str = "Other"


TEMPLATES = {
    "round": Template(
        N_("Round published"),
        "paired",
        N_("{event}: round {round}"),
        N_("Hello {name},\n\nround {round} of {event} is published. Your game: {game}.\n\nYour page: {link}"),
        about="Round",
    ),
    "starts": Template(
        N_("Round starts"),
        "all",
        N_("{event}: round {round} starts"),
        N_("Round {round} of {event} starts now. Please go to your tables."),
        about="Round",
    ),
    "list_missing": Template(
        N_("List missing"),
        "no_list",
        N_("{event}: your list is missing"),
        N_(
            "Hello {name},\n\nyou have not submitted your list for {event} yet. It is due {deadline}.\n\n"
            "Build or import it on your page, then press Submit: {link}"
        ),
        about="Lists",
    ),
    "list_back": Template(
        N_("List sent back"),
        "sent_back",
        N_("{event}: please change your list"),
        N_(
            "Hello {name},\n\nyour list for {event} was sent back. Your page says what to change. Then submit it "
            "again: {link}"
        ),
        about="Lists",
    ),
    "list_illegal": Template(
        N_("List not legal"),
        "illegal",
        N_("{event}: your list is not legal"),
        N_(
            "Hello {name},\n\nyour list for {event} breaks a rule. Your page says which and suggests a fix. The list "
            "is due {deadline}: {link}"
        ),
        about="Lists",
    ),
    "unpaid": Template(
        N_("Not paid"),
        "unpaid",
        N_("{event}: your entry fee"),
        N_(
            "Hello {name},\n\nwe have not yet marked your place in {event} as paid: {fee}. If you have paid, please "
            "let us know how. Otherwise, please pay by check-in.\n\nYour page: {link}"
        ),
        about="Door",
    ),
    "not_here": Template(
        N_("Not checked in"),
        "not_here",
        N_("{event}: please check in"),
        N_(
            "Hello {name},\n\nyou are not checked in for {event} yet. Please come to the desk, or let us know if you "
            "cannot come.\n\nYour page: {link}"
        ),
        about="Door",
    ),
    "moved": Template(
        N_("Change of place or time"),
        "all",
        N_("{event}: change of place or time"),
        N_("Please note a change.\n\nWhere: {place}\nWhen: {date}\n\nEverything else is on the event’s page: {page}"),
    ),
    "free": Template(N_("Free text"), "all", "", ""),
}
"""The templates by name in addresses; an empty one for free text."""


def asked_for(text: str) -> set[str]:
    """The placeholders in the text, known or unknown."""
    return set(PLACEHOLDER.findall(text))


def unknown(text: str) -> str:
    for line, words in enumerate(text.splitlines() or [""], start=1):
        for placeholder in PLACEHOLDER.findall(words):
            if placeholder not in PERSONAL and placeholder not in COMMON:
                placeholders = ", ".join(f"{{{name}}}" for name in (*PERSONAL, *COMMON))
                why = N_("No placeholder is called “%(name)s” in line %(line)s. There are: %(known)s.")
                why = why if "\n" in text else N_("No placeholder is called “%(name)s”. There are: %(known)s.")
                return gettext(why, name=f"{{{placeholder[:40]}}}", line=line, known=placeholders)
    return ""


def pieces(text: str, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """The text in parts: ``("", plain text)`` and ``(placeholder, value)``.

    A placeholder without a value stays unchanged.
    """
    parts = PLACEHOLDER.split(text)  # plain, placeholder, plain, ...
    return [
        (part, words.get(part, f"{{{part}}}")) if at % 2 else ("", part)
        for at, part in enumerate(parts)
        if part or at % 2
    ]


def filled(text: str, words: Mapping[str, str]) -> str:
    return "".join(part for _, part in pieces(text, words))


def subject_of(message: Message) -> str:
    """A message's subject as shown at the desk, with personal placeholders left in."""
    return filled_line(message.subject, message.words)


def filled_line(text: str, words: Mapping[str, str]) -> str:
    """The filled text as one line: line breaks in the text or in a name become spaces."""
    return " ".join(filled(text, words).split())


GOOD_FOR = timedelta(hours=1)
"""How long the link is valid after the change was requested."""
ABOUT_ADDRESS = "address"
"""``Message.recipients`` of these messages; organisers cannot choose it."""
CONFIRM = "confirm"
"""The same, of the mail that asks whether an address is the player's."""
PASSKEY = "passkey"
"""The same, of the message about a new passkey or a removed one."""
DELETED = "deleted"
"""The same, of the message about a deleted mail address."""
OWN_PAGE = "own_page"
"""The same, of the mail with the private link of the person's own page."""
TO_THE_OWNER = (PASSKEY, DELETED, OWN_PAGE)
"""Messages that are mailed to the address of that moment, which a thief of the phone may delete afterwards."""
BY_STRANGERS = (ABOUT_ADDRESS, CONFIRM, *TO_THE_OWNER)
"""Messages that anybody can cause; they do not count for the organiser's quota."""
AGREE = "agree"
"""The placeholder for the link, which only the mail contains; pages show ``NOT_HERE``."""
NOT_HERE = N_("(the link is only in the mail)")

ASKED = Template(
    "Address to be changed",
    ABOUT_ADDRESS,
    N_("{event}: another mail address?"),
    N_(
        "Hello {name},\n\nsomebody asked on your page of {event} that mails go to another address. If it was you, open "
        "this link within an hour and press the button there:\n\n{agree}\n\nIf it was not you, do nothing: mails still "
        "go to this address. But tell the organiser, because somebody else has your phone or your private "
        "link. You will get a new link."
    ),
)
TO_CONFIRM = Template(
    "Address to be confirmed",
    CONFIRM,
    N_("{event}: is this your address?"),
    N_(
        "Hello {name},\n\nthis address was given for you at {event}. Open your page by this private link, and confirm "
        "there that mails may come here:\n\n{link}\n\nUntil then only the organisers write to it. Was it not you? Do "
        "nothing, and this address hears no more of it.\n\nDo not share the link: anyone who has it can report "
        "results and change your list."
    ),
)
NEW_PASSKEY = Template(
    "Passkey added",
    PASSKEY,
    N_("{event}: a passkey was added"),
    N_(
        "Hello {name},\n\na passkey that opens your page of {event} was added. If it was you, you need do "
        "nothing.\n\nIf not, ask the organiser for a new private link: it removes all passkeys and ends every sign-in."
    ),
)
NO_PASSKEY = Template(
    "Passkey removed",
    PASSKEY,
    N_("{event}: a passkey was removed"),
    N_(
        "Hello {name},\n\na passkey that opened your page of {event} was removed. If it was you, you need do "
        "nothing.\n\nIf not, ask the organiser for a new private link: somebody else has your phone or your private "
        "link."
    ),
)
PAGE_MADE = Template(
    "Own page made",
    OWN_PAGE,
    N_("Your events together"),
    N_(
        "Hello {name},\n\nyour entry in {event} is now on a page of your own, which keeps your events together. This "
        "is the private link to that page:\n\n{agree}\n\nDo not share it: anyone who has it can act for you in all "
        "events on the page. Was it not you? Ask the organiser for a new private link to {event}: it takes the entry "
        "off that page."
    ),
)
PAGE_ADDED = Template(
    "Entry on an own page",
    PASSKEY,
    N_("{event}: added to a page"),
    N_(
        "Hello {name},\n\nyour entry in {event} was added to a page that keeps the events of a person together and "
        "opens your page too. If it was you, you need do nothing.\n\nIf not, ask the organiser for a new private "
        "link: it takes the entry off that page and ends every sign-in."
    ),
)
NO_ADDRESS = Template(
    "Address deleted",
    DELETED,
    N_("{event}: your mail address was deleted"),
    N_(
        "Hello {name},\n\nthis address was deleted on your page of {event}: no further mail comes. If it was you, you "
        "need do nothing.\n\nIf not, ask the organiser for a new private link, and to enter your address again: "
        "somebody else has your phone or your private link."
    ),
)


LOST = Template(
    "Lost link",
    "",
    N_("Your private links"),
    N_(
        "Hello,\n\nsomebody asked for the private links of this address. They lead to your page:\n\n{links}\n\nDo not "
        "share them: anyone who has one can report results and change your list. Was it not you? Do nothing."
    ),
)


INVITED = (
    N_("Invitation: {event}"),
    N_(
        "Hello {label},\n\nyou are invited to {event}: {where}.\n\nSign up with this link, which is for you alone:\n"
        "{link}\n\nIf you do not want to come, ignore this mail."
    ),
)


@dataclass(frozen=True)
class NoticeText:
    """An automatic notice: a push with subject and sentence, and a mail around the sentence."""

    label: str
    """The label of the player's switch."""
    subject: str
    sentence: str
    good_for: timedelta
    """How long after the change it is worth sending."""
    season: Mapping[str, str] = field(default_factory=dict)
    """Sentences for a notice that exists only in seasons, by what happened to the game."""

    @property
    def mail(self) -> str:
        return gettext("Hello {name},\n\n%(sentence)s\n\nYour page: {link}", sentence=gettext(self.sentence))


NOTICES = {
    Occasion.ROUND: NoticeText(
        N_("My table for the next round"),
        N_("{event}: round {round}"),
        N_("Round {round} is published. Your game: {game}."),
        timedelta(hours=2),
    ),
    Occasion.PLACE: NoticeText(
        N_("A place from the waiting list"),
        N_("{event}: you have a place"),
        N_("You have a place in {event}: {where}. If you cannot come, please withdraw on your page."),
        timedelta(days=2),
    ),
    Occasion.MOVED: NoticeText(
        N_("Another day, start, place or list deadline"),
        N_("{event}: please note the change"),
        "{changes}",
        timedelta(days=7),
    ),
    Occasion.LIST_BACK: NoticeText(
        N_("My list, if it is sent back"),
        N_("{event}: please change your list"),
        N_("Your list was sent back. Your page says what to change. Then submit it again."),
        timedelta(days=2),
    ),
    Occasion.CONFIRM: NoticeText(
        N_("A result that I have to confirm"),
        N_("{event}: please confirm your result"),
        N_("The result of your game in round {round} is reported. Please check it on your page."),
        timedelta(hours=2),
    ),
    Occasion.ANSWER: NoticeText(
        N_("An organiser’s decision on my game, or message to me"),
        N_("{event}: your game is decided"),
        N_("An organiser decided your game in round {round}. Your page shows the result."),
        timedelta(hours=6),
    ),
    Occasion.DAY: NoticeText(
        N_("The day of my game"),
        N_("{event}: the day of your game"),
        "{sentence}",
        timedelta(days=2),
        {
            "proposed": N_("{opponent} proposes {day} for your game. Agree, or propose another day, on your page."),
            "agreed": N_("Your game against {opponent} is on {day}."),
            "desk": N_("The organiser set your game against {opponent} to {day}."),
            "due": N_("The organiser gave your game against {opponent} another last day: {day}."),
        },
    ),
    Occasion.CHALLENGE: NoticeText(
        N_("A challenge, or the answer to mine"),
        N_("{event}: a challenge"),
        "{sentence}",
        timedelta(days=2),
        {
            "made": N_("{opponent} challenged you. Answer by {day} on your page."),
            "accepted": N_("{opponent} accepted your challenge. Agree on a day now."),
            "declined": N_("{opponent} declined your challenge: you win the game."),
            "cancelled": N_("The challenge between you and {opponent} is cancelled. Your page says why."),
        },
    ),
    Occasion.OVERDUE: NoticeText(
        N_("My game, if it is overdue"),
        N_("{event}: an overdue game"),
        "{sentence}",
        timedelta(days=2),
        {
            "game": N_("Your game against {opponent} was due by {day}. Play it soon, or write to the organiser."),
            "challenge": N_("The challenge between you and {opponent} needed an answer by {day}."),
        },
    ),
}
"""By occasion, in the order of the switches."""
WRITTEN = replace(
    NOTICES[Occasion.ANSWER],
    subject=N_("{event}: a message from the organiser"),
    sentence="{subject}",
)
"""For an organiser's message, which is mailed separately."""


def change_token(secret: str | bytes | None, key: str) -> str:
    return _signer(secret).dumps(key)


def change_key(secret: str | bytes | None, token: str) -> str:
    """The key of the change that the token confirms; "" if its signature is invalid."""
    try:
        return str(_signer(secret).loads(token))
    except (BadSignature, ValueError, TypeError):
        return ""


def address_mark(secret: str | bytes | None, contact: Contact) -> str:
    """The mark of a private link that was mailed to this address, by which it is confirmed; no page shows it."""
    about = f"address {contact.id} {contact.player_id} {contact.mail}".encode()
    key = secret.encode() if isinstance(secret, str) else secret or b""
    return hmac.new(key, about, "sha256").hexdigest()[:32]


def _signer(secret: str | bytes | None) -> URLSafeSerializer:
    # Its own salt, so that tokens made for other purposes are not valid here.
    return URLSafeSerializer(secret or "", salt="mail-change")
