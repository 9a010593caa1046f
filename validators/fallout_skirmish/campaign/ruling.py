"""What the desk can rule on in a group: Caps, food, experience, a thing, a member."""

from collections.abc import Iterator

from validators.calculator import Asked
from validators.campaign import Account, Answered, Applied, StepRefused, World, one_of
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.income import take
from validators.fallout_skirmish.campaign.state import Group
from validators.fallout_skirmish.campaign.tables import MERCHANTS, RAW
from validators.kit.campaign_steps import answers_to
from validators.sheet import copies

MOST_CAPS, MOST_XP, MOST_FOOD, MOST_COPIES = 9999, 200, 99, 9
NOBODY = ("", "Nobody")


def questions(world: World, number: int) -> tuple[Asked, ...]:
    """What can be ruled on; the defaults change nothing."""
    return tuple(_questions(world.groups[number]))


def _questions(group: Group) -> Iterator[Asked]:
    yield Asked("caps", "Caps", least=-MOST_CAPS, most=MOST_CAPS, default=0, help="More, or fewer with a minus.")
    yield Asked("food", "Food", least=-MOST_FOOD, most=MOST_FOOD, default=0)
    for character in group.characters:
        yield Asked(f"xp-{character.key}", f"{character.name}: XP", least=-MOST_XP, most=MOST_XP, default=0)
    things = sorted({*group.possessions(), *RAW["goods"], *_listed(group)})
    yield one_of("thing", "A thing", (("", "None"), *((name, name) for name in things)), "")
    about = "More, into the stash; or fewer with a minus, of the stash first."
    yield Asked("copies", "How many of it", least=-MOST_COPIES, most=MOST_COPIES, default=0, help=about)
    present = ((member.key, member.name) for member in group.present_members)
    yield one_of("leaves", "Leaves the group", (NOBODY, *present), "", "Its equipment goes to the stash.")
    gone = ((member.key, f"{member.name}: {member.gone}") for member in group.all_members if member.gone)
    yield one_of("returns", "Returns to the group", (NOBODY, *gone), "", "Without equipment.")
    ranks = ((row.name, row.name) for row in group.force.ranks)
    yield one_of("joins", "Joins the group", (NOBODY, *ranks), "", "Without equipment.")
    yield Asked("name", "Name of who joins", "text", default="")


def _listed(group: Group) -> Iterator[str]:
    for of_kind in group.lists.file.items:
        yield from (row.name for row in of_kind.rows)
    for merchant in MERCHANTS.values():
        for ware in merchant.wares.values():
            yield from ware.names


def rule(world: World, number: int, given: Answered) -> Applied:
    """Apply a ruling. Raises StepRefused for more than there is."""
    book, asks = Book(world, number), questions(world, number)
    answers = answers_to(asks, given)
    for key, what, change in (("caps", "Caps", book.caps), ("food", "food", book.food)):
        if amount := int(answers[key]):
            change(amount, "Ruling")
            book.say(f"{amount:+d} {what}.")
    for ask in asks:
        if ask.key.startswith("xp-") and (xp := int(answers[ask.key])):
            book.earn(ask.key.removeprefix("xp-"), xp)
    _things(book, str(answers["thing"]), int(answers["copies"]))
    _members(book, answers)
    return book.applied()


def _things(book: Book, thing: str, number: int) -> None:
    if bool(thing) != bool(number):
        raise StepRefused("Name the thing and how many of it.", "copies" if thing else "thing")
    if number > 0:
        book.item(thing, number, "Ruling")
    if -number > (has := book.group.possessions()[thing]):
        raise StepRefused(f"The group has {copies(has, thing)}.", "copies")
    for _ in range(-number):
        take(book, thing, "Ruling")
    if number:
        book.say(f"{number:+d} {thing}.")


def _members(book: Book, answers: Answered) -> None:
    if leaves := str(answers["leaves"]):
        book.remove_character(leaves, "Left by a ruling", keep=True)
        book.say(f"{book.name_of(leaves)} leaves the group.")
    if returns := str(answers["returns"]):
        if book.group.full and not book.group.member(returns).centaur:
            raise StepRefused(f"The group is full: {book.group.force.group_most} characters.", "returns")
        book.change_character(returns, gone="", items={})
        book.line(Account("character", book.name_of(returns)), 1, "Ruling")
        book.say(f"{book.name_of(returns)} is back.")
    if joins := str(answers["joins"]):
        book.say(f"{book.name_of(book.join(joins, 'Ruling', str(answers['name'])))} joins.")
    elif answers["name"]:
        raise StepRefused("Choose the rank of who joins.", "joins")
    if not book.group.leader and len(tied := book.candidates()) == 1:
        book.set(leader=tied[0])
        book.say(f"{book.name_of(tied[0])} leads the group.")


def compare(before: Group, after: Group) -> Answered:
    """The ruling that gives a group what another of its states has, for one thing and one member."""
    found: dict[str, int | str] = {"caps": after.caps - before.caps, "food": after.food - before.food}
    others = {member.key: member for member in after.present_members}
    for member in before.characters:
        if other := others.get(member.key):
            found[f"xp-{member.key}"] = other.xp - member.xp
        else:
            found["leaves"] = member.key
    has, would = before.possessions(), after.possessions()
    differ = [name for name in sorted({*has, *would}) if has[name] != would[name]]
    found |= {"thing": differ[0], "copies": would[differ[0]] - has[differ[0]]} if differ else {}
    return {key: value for key, value in found.items() if value}
