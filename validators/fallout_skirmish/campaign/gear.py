"""Handing over gear, and whether the group is fit for its next game."""

from collections.abc import Iterator

from languages.words import N_, gettext
from validators.calculator import one_of
from validators.campaign import Answered, Offer, StepRefused
from validators.contract import Finding, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import Group, document, rating
from validators.fallout_skirmish.check import CHECKS


def gear_offers(book: Book) -> Iterator[Offer]:
    """Handing an item over to another character or the stash."""
    group = book.group
    things = [(f":{name}", gettext("%(item)s of the stash", item=name)) for name in sorted(group.stash)]
    things += [
        (f"{each.key}:{item}", gettext("%(item)s of %(name)s", item=item, name=each.name))
        for each in group.characters
        for item in sorted(each.items)
    ]
    if things:
        takers = (("", gettext("The stash")), *((character.key, character.name) for character in group.characters))
        first = group.characters[0].key if group.stash and group.characters else ""
        asks = one_of("what", gettext("Thing"), things), one_of("to", gettext("To"), takers, first)
        yield Offer("hand", gettext("Equipment"), gettext("Hand over"), "", asks)


def hand(book: Book, answers: Answered) -> None:
    """Hand over one item. Raises StepRefused if the taker may not carry it."""
    (giver, _, name), taker = str(answers["what"]).partition(":"), str(answers["to"])
    if giver == taker:
        raise StepRefused(gettext("%(item)s is there already.", item=name), "to")
    entry = book.group.lists.item(name)
    if taker and entry and entry.group.armour and book.group.traits.get("armour") is False:
        raise StepRefused(gettext("%(force)s never wear armour.", force=book.group.force.name), "to")
    before = {problem.message for problem in problems(book.group)}
    book.hand_over(name, giver, taker)
    for problem in problems(book.group):
        if taker and problem.message not in before:
            raise StepRefused(f"{problem.message}.", "to")
    names = {"item": name, "giver": giver and book.name_of(giver), "taker": taker and book.name_of(taker)}
    if giver and taker:
        book.remark("%(item)s: %(giver)s to %(taker)s.", **names)
    else:
        book.remark("%(item)s: stash to %(taker)s." if taker else N_("%(item)s: %(giver)s to the stash."), **names)


def problems(group: Group) -> tuple[Finding, ...]:
    """The problems of the present group by the rules for grown forces."""
    return CHECKS.check(document(group), Terms(group.edition, grown=True)).problems


def leave_gear(book: Book) -> None:
    """End the sequence. Raises StepRefused if the group is not fit for its next game."""
    for problem in problems(book.group):
        raise StepRefused(f"{problem.message}. {problem.fix}".strip())
    book.remark("The rating is %(rating)s.", rating=rating(book.group))
