"""The advances of characters, which experience gives, and the offer of a new leader (rulebook, chapter 10)."""

from collections import Counter
from collections.abc import Iterator

from languages.message import message
from languages.words import N_, gettext, ngettext, pgettext
from validators.calculator import one_of
from validators.campaign import Answered, Offer
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import Character, Group, perk_open
from validators.fallout_skirmish.campaign.tables import MOST, NAMES, RAW, row_of


def urgent(book: Book) -> Iterator[Offer]:
    """Pending advances and perks, and the choice of a missing leader, in any phase."""
    for (kind, key, *_), number in Counter(book.aftermath.pending).items():
        if kind == "advance":
            about = ngettext("%(num)s advance", "%(num)s advances", number)
            yield Offer(
                "advance", book.name_of(key), pgettext("button", "Advance"), about, fixed={"who": key}, dice="2D12"
            )
        elif kind in ("perk", "any perk"):
            title = gettext("A perk for %(name)s", name=book.name_of(key))
            perks = one_of("perk", gettext("Perk"), _perks(book.group, book.group.member(key), kind))
            yield Offer("perk", title, gettext("Choose"), "", (perks,), {"who": key, "kind": kind})
    if not book.group.leader and (tied := book.candidates()):
        dice = f"D{len(tied)}" if len(tied) > 1 else ""
        about = gettext("The highest Charisma leads; equals draw lots.")
        yield Offer("lead", gettext("A new leader"), gettext("Choose"), about, dice=dice)


def _perks(group: Group, character: Character, kind: str) -> list[str]:
    """The perks that a character can choose: those that it lacks, without Leader, which is never chosen."""
    left, profile = (
        (perk for perk in group.lists.file.perks if perk not in (*character.perks, "Leader")),
        group.profile(character),
    )
    return [perk for perk in left if kind == "any perk" or perk_open(profile, group, perk)]


def _open(group: Group, character: Character, gain: str, choosing: int) -> bool:
    """Whether a character can gain a row of the advancement table; ``choosing`` perks are already pending."""
    if gain in MOST:
        return group.base(character)[gain] < MOST[gain]
    return len(_perks(group, character, gain)) > choosing


def advance(book: Book, answers: Answered) -> None:
    """Roll one advance; a result that the character cannot gain is rolled again."""
    who = str(answers["who"])
    character = book.group.member(who)
    book.settle(who, "advance")
    rows = RAW["advances"]["rows"]
    choosing = sum(what in (("perk", who), ("any perk", who)) for what in book.aftermath.pending)
    if not any(_open(book.group, character, row[2], choosing) for row in rows):
        book.remark("%(name)s has nothing left to gain.", name=character.name)
        return
    while True:
        total = book.roll(message("Advance of %(name)s", name=character.name), 12, 2).total
        gain = row_of(rows, total)[2]
        if _open(book.group, character, gain, choosing):
            break
        book.remark(
            "%(name)s: %(total)s cannot be gained, so the dice are rolled again.", name=character.name, total=total
        )
    if gain in MOST:
        book.change_character(who, raised={**character.raised, gain: character.raised.get(gain, 0) + 1})
        book.remark("%(name)s: %(what)s.", name=character.name, what=f"{total}, +1 {NAMES[gain]}")
    else:
        book.update_aftermath(pending=(*book.aftermath.pending, (gain, who)))
        text = N_("%(name)s: %(total)s, a perk.")
        if gain == "any perk":
            text = N_("%(name)s: %(total)s, a perk, whatever it asks for.")
        book.remark(text, name=character.name, total=total)


def perk(book: Book, answers: Answered) -> None:
    who = str(answers["who"])
    book.settle(who, str(answers["kind"]))
    book.change_character(who, perks=(*book.group.member(who).perks, str(answers["perk"])))
    book.remark("%(name)s has the perk %(perk)s.", name=book.name_of(who), perk=answers["perk"])


def raise_level(book: Book, who: str) -> None:
    """Raise a character one level above its highest: the missing experience, and an advance."""
    character = book.group.member(who)
    levels = RAW["levels"]["xp"]
    if character.level < len(levels):
        book.earn(who, levels[character.level] - character.xp)
    else:
        book.remark("%(name)s is at the highest level.", name=character.name)
