"""What the desk can rule on in a group: Caps, food, experience, a thing, a member."""

from collections.abc import Iterator

from languages.message import message, worded
from languages.words import N_, gettext, labelled, ngettext, pgettext, signed
from validators.calculator import Asked, one_of
from validators.campaign import Account, Answered, Applied, StepRefused, World
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.income import take
from validators.fallout_skirmish.campaign.state import Group
from validators.fallout_skirmish.campaign.tables import MERCHANTS, RAW
from validators.kit.campaign_steps import answers_to
from validators.sheet import copies

MOST_CAPS, MOST_XP, MOST_FOOD, MOST_COPIES = 9999, 200, 99, 9


def questions(world: World, number: int) -> tuple[Asked, ...]:
    """What can be ruled on; the defaults change nothing."""
    return tuple(_questions(world.groups[number]))


def _questions(group: Group) -> Iterator[Asked]:
    nobody = ("", gettext("Nobody"))
    about = gettext("More, or fewer with a minus.")
    yield Asked("caps", gettext("Caps"), least=-MOST_CAPS, most=MOST_CAPS, default=0, help=about)
    yield Asked("food", gettext("Food"), least=-MOST_FOOD, most=MOST_FOOD, default=0)
    for character in group.characters:
        yield Asked(
            f"xp-{character.key}", gettext("%(name)s: XP", name=character.name), least=-MOST_XP, most=MOST_XP, default=0
        )
    things = sorted({*group.possessions(), *RAW["goods"], *_listed(group)})
    yield one_of("thing", gettext("A thing"), (("", pgettext("thing", "None")), *((name, name) for name in things)), "")
    about = gettext("More, into the stash; or fewer with a minus, of the stash first.")
    yield Asked("copies", gettext("How many of it"), least=-MOST_COPIES, most=MOST_COPIES, default=0, help=about)
    present = ((member.key, member.name) for member in group.present_members)
    yield one_of(
        "leaves",
        gettext("Leaves the group"),
        (nobody, *present),
        "",
        gettext("Its equipment goes to the stash."),
    )
    gone = ((member.key, labelled(member.name, worded(member.gone))) for member in group.all_members if member.gone)
    yield one_of("returns", gettext("Returns to the group"), (nobody, *gone), "", gettext("Without equipment."))
    ranks = ((row.name, row.name) for row in group.force.ranks)
    yield one_of("joins", gettext("Joins the group"), (nobody, *ranks), "", gettext("Without equipment."))
    yield Asked("name", gettext("Name of who joins"), "text", default="")


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
    for key, text, change in (
        ("caps", N_("%(n)s Caps."), book.caps),
        ("food", N_("%(n)s food."), book.food),
    ):
        if amount := int(answers[key]):
            change(amount, message("Ruling"))
            book.remark(text, n=signed(amount))
    for ask in asks:
        if ask.key.startswith("xp-") and (xp := int(answers[ask.key])):
            book.earn(ask.key.removeprefix("xp-"), xp)
    _things(book, str(answers["thing"]), int(answers["copies"]))
    _members(book, answers)
    return book.applied()


def _things(book: Book, thing: str, number: int) -> None:
    if bool(thing) != bool(number):
        raise StepRefused(gettext("Name the thing and how many of it."), "copies" if thing else "thing")
    if number > 0:
        book.item(thing, number, message("Ruling"))
    if -number > (has := book.group.possessions()[thing]):
        raise StepRefused(gettext("The group has %(things)s.", things=copies(has, thing)), "copies")
    for _ in range(-number):
        take(book, thing, message("Ruling"))
    if number:
        book.messages.append(f"{signed(number)} {thing}.")


def _members(book: Book, answers: Answered) -> None:
    if leaves := str(answers["leaves"]):
        book.remove_character(leaves, message("Left by a ruling"), keep=True)
        book.remark("%(name)s leaves the group.", name=book.name_of(leaves))
    if returns := str(answers["returns"]):
        if book.group.full and not book.group.member(returns).centaur:
            most = book.group.force.group_most
            raise StepRefused(
                ngettext("The group is full: %(num)s character.", "The group is full: %(num)s characters.", most),
                "returns",
            )
        book.change_character(returns, gone="", items={})
        book.line(Account("character", book.name_of(returns)), 1, message("Ruling"))
        book.remark("%(name)s is back.", name=book.name_of(returns))
    if joins := str(answers["joins"]):
        joined = book.join(joins, message("Ruling"), str(answers["name"]))
        book.remark("%(name)s joins.", name=book.name_of(joined))
    elif answers["name"]:
        raise StepRefused(gettext("Choose the rank of who joins."), "joins")
    if not book.group.leader and len(tied := book.candidates()) == 1:
        book.set(leader=tied[0])
        book.remark("%(name)s leads the group.", name=book.name_of(tied[0]))


def compare(before: Group, after: Group) -> Answered:
    """The ruling that gives a group what another of its states has, for one thing and one member."""
    entry: dict[str, int | str] = {"caps": after.caps - before.caps, "food": after.food - before.food}
    others = {member.key: member for member in after.present_members}
    for member in before.characters:
        if other := others.get(member.key):
            entry[f"xp-{member.key}"] = other.xp - member.xp
        else:
            entry["leaves"] = member.key
    has, would = before.possessions(), after.possessions()
    differ = [name for name in sorted({*has, *would}) if has[name] != would[name]]
    entry |= {"thing": differ[0], "copies": would[differ[0]] - has[differ[0]]} if differ else {}
    return {key: value for key, value in entry.items() if value}
