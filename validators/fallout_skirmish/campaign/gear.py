"""Handing over gear, and whether the group is fit for its next game."""

from collections.abc import Iterator

from validators.campaign import Answered, Offer, StepRefused, one_of
from validators.contract import Finding, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import Group, document, rating
from validators.fallout_skirmish.check import CHECKS


def gear_offers(book: Book) -> Iterator[Offer]:
    """Handing an item over to another character or the stash."""
    group = book.group
    things = [(f":{name}", f"{name} of the stash") for name in sorted(group.stash)]
    things += [
        (f"{each.key}:{item}", f"{item} of {each.name}") for each in group.characters for item in sorted(each.items)
    ]
    if things:
        takers = (("", "The stash"), *((character.key, character.name) for character in group.characters))
        first = group.characters[0].key if group.stash and group.characters else ""
        asks = one_of("what", "Thing", things), one_of("to", "To", takers, first)
        yield Offer("hand", "Equipment", "Hand over", "", asks)


def hand(book: Book, answers: Answered) -> None:
    """Hand over one item. Raises StepRefused if the taker may not carry it."""
    (giver, _, name), taker = str(answers["what"]).partition(":"), str(answers["to"])
    if giver == taker:
        raise StepRefused(f"{name} is there already.", "to")
    entry = book.group.lists.item(name)
    if taker and entry and entry.group.armour and book.group.traits.get("armour") is False:
        raise StepRefused(f"{book.group.force.name} never wear armour.", "to")
    before = {problem.message for problem in problems(book.group)}
    book.hand_over(name, giver, taker)
    for problem in problems(book.group):
        if taker and problem.message not in before:
            raise StepRefused(f"{problem.message}.", "to")
    book.say(f"{name}: {book.name_of(giver) if giver else 'stash'} to {book.name_of(taker) if taker else 'the stash'}.")


def problems(group: Group) -> tuple[Finding, ...]:
    """The problems of the present group by the rules for grown forces."""
    return CHECKS.check(document(group), Terms(group.edition, grown=True)).problems


def leave_gear(book: Book) -> None:
    """End the sequence. Raises StepRefused if the group is not fit for its next game."""
    for problem in problems(book.group):
        raise StepRefused(f"{problem.message}. {problem.fix}".strip())
    book.say(f"The rating is {rating(book.group)}.")
