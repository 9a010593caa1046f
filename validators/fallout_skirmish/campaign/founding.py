"""Founding a group from its legal force (rulebook, chapter 9)."""

from dataclasses import replace

from validators.campaign import Account, Applied, Dice, Line, StepRefused, World
from validators.contract import Document, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import lead
from validators.fallout_skirmish.campaign.state import Group, rating
from validators.fallout_skirmish.campaign.tables import RAW
from validators.fallout_skirmish.force import priced
from validators.names import counted


def found(world: World, number: int, document: Document, dice: Dice) -> Applied:
    """A new group from its legal force: the Caps left, its turfs, characters and leader. Raises StepRefused."""
    force = priced(document, Terms(world.edition))
    start = world.size or RAW["start"]["caps"]
    if force.force is None:
        raise StepRefused(f"{document['faction']} is not a force of these lists.")
    if force.total > start:
        raise StepRefused(f"The group costs {counted(force.total, 'Cap')}, and {start} are there to spend.")
    name, former = document["name"] or world.names.get(number, force.force.name), world.groups.get(number)
    fallen = former.all_members if former else ()
    fallen = tuple(member if member.gone else replace(member, gone="Left when the group was founded again", items={})
                   for member in fallen)  # fmt: skip
    empty = Group(world.edition, name, force.force.name, all_members=fallen)
    book = Book(world.with_group(number, empty), number, dice)
    book.caps(start, "At the start")
    book.caps(-force.total, "Characters and equipment")
    for character in force.characters:
        if character.rank is None:
            raise StepRefused(f"{character.rank_name} is not a rank of these lists.")
        key = book.join(character.rank.name, "At the start", character.called)
        for item in character.items:
            book.item(item.name, item.count, "At the start", key)
        if character.leader:
            book.set(leader=key)
    named = list(force.turfs) if world.settings["first_turfs"] == "list" else []
    how = "as the list names them" if named else "rolled by the service"
    for place in range(len(named), book.group.lists.file.turfs_at_start):
        total = book.roll(f"Turf {place + 1}", 12, 2).total
        named.append(next(turf.name for turf in book.group.lists.file.turfs if turf.first <= total <= turf.last))
    book.lines += [Line(Account("turf", turf), 1, "At the start") for turf in named]
    book.set(turfs=tuple(named))
    if not book.group.leader:
        lead(book, {})
    book.say(f"{counted(len(book.group.characters), 'character')}, {counted(book.group.caps, 'Cap')}.")
    book.say(f"Turfs {how}: {', '.join(named)}.")
    book.say(f"{book.name_of(book.group.leader)} leads. The rating is {rating(book.group)}.")
    return book.applied()
