"""Founding a group from its legal force (rulebook, chapter 9)."""

from dataclasses import replace

from languages.message import counted_message, message
from languages.words import N_, gettext
from validators.campaign import Account, Applied, Dice, LedgerLine, StepRefused, World
from validators.contract import Document, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import lead
from validators.fallout_skirmish.campaign.state import Group, rating
from validators.fallout_skirmish.campaign.tables import RAW, caps_text, caps_words
from validators.fallout_skirmish.force import priced


def found(world: World, number: int, document: Document, dice: Dice) -> Applied:
    """A new group from its legal force: the Caps left, its turfs, characters and leader. Raises StepRefused."""
    force = priced(document, Terms(world.edition))
    start = world.size or RAW["start"]["caps"]
    if force.force is None:
        raise StepRefused(gettext("%(name)s is not a force of these lists.", name=document["faction"]))
    if force.total > start:
        cost = caps_words(force.total)
        raise StepRefused(
            gettext("The group costs %(cost)s, and %(start)s are there to spend.", cost=cost, start=start)
        )
    name, former = document["name"] or world.names.get(number, force.force.name), world.groups.get(number)
    fallen = former.all_members if former else ()
    left = message("Left when the group was founded again")
    fallen = tuple(member if member.gone else replace(member, gone=left, items={}) for member in fallen)
    empty = Group(world.edition, name, force.force.name, all_members=fallen)
    book = Book(world.with_group(number, empty), number, dice)
    why = message("At the start")
    book.caps(start, why)
    book.caps(-force.total, message("Characters and equipment"))
    for character in force.characters:
        if character.rank is None:
            raise StepRefused(gettext("%(name)s is not a rank of these lists.", name=character.rank_name))
        key = book.join(character.rank.name, why, character.called)
        for item in character.items:
            book.item(item.name, item.count, why, key)
        if character.leader:
            book.set(leader=key)
    named = list(force.turfs) if world.settings["first_turfs"] == "list" else []
    how = N_("Turfs as the list names them: %(turfs)s.") if named else N_("Turfs rolled by the service: %(turfs)s.")
    for place in range(len(named), book.group.lists.file.turfs_at_start):
        total = book.roll(message("Turf %(number)s", number=place + 1), 12, 2).total
        named.append(next(turf.name for turf in book.group.lists.file.turfs if turf.first <= total <= turf.last))
    book.lines += [LedgerLine(Account("turf", turf), 1, why) for turf in named]
    book.set(turfs=tuple(named))
    if not book.group.leader:
        lead(book, {})
    many = counted_message("%(num)s character", "%(num)s characters", len(book.group.characters))
    book.remark("%(characters)s, %(caps)s.", characters=many, caps=caps_text(book.group.caps))
    book.remark(how, turfs=", ".join(named))
    book.remark(
        "%(name)s leads. The rating is %(rating)s.", name=book.name_of(book.group.leader), rating=rating(book.group)
    )
    return book.applied()
