"""Feeding the members, maintaining and handing over their equipment; is the group fit for a game? (chapter 10)."""

from collections.abc import Iterator

from languages.message import Text, counted_message, message
from languages.words import N_, gettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Offer, StepRefused
from validators.contract import Finding, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.income import half
from validators.fallout_skirmish.campaign.state import Character, Group, document, rating
from validators.fallout_skirmish.campaign.tables import RAW, TURFS, caps_text, caps_words
from validators.fallout_skirmish.check import CHECKS

FOOD_PRICE, EACH = RAW["upkeep"]["food"], RAW["upkeep"]["maintenance"]
MEALS = (("clean", N_("Eats")), ("irradiated", N_("Eats irradiated food")), ("none", N_("Goes hungry")))


def appetite(group: Group, character: Character) -> int:
    return int(RAW["centaur"]["appetite"] if character.centaur else group.traits.get("appetite", 1))


def free_meals(book: Book) -> int:
    """The number of members fed without food: half of the group by each Super-Duper Mart, and this sequence's meals."""
    marts = sum(name in TURFS and TURFS[name].feeds for name in book.group.turfs)
    return book.aftermath.meals + marts * half(len(book.group.present_members))


def _food(group: Group, eaters: list[Character], free: int) -> int:
    """The food that these members need if ``free`` of them, those with the largest appetites, need none."""
    return sum(sorted((appetite(group, member) for member in eaters), reverse=True)[free:])


def short(book: Book) -> bool:
    """Whether the group cannot pay to feed and maintain all members."""
    needed = _food(book.group, list(book.group.present_members), free_meals(book))
    missing = max(0, needed - book.group.food)
    return bool(book.group.caps < _pay(book, len(book.group.characters)) + FOOD_PRICE * missing)


def _pay(book: Book, number: int) -> int:
    return half(EACH * number) if book.times_done("half") else EACH * number


def upkeep_offers(book: Book) -> Iterator[Offer]:
    """One form for the food to buy, and if there is not enough, for each member's meal and maintenance."""
    group = book.group
    if not group.present_members or book.times_done("upkeep"):
        return
    needed, pay = _food(group, list(group.present_members), free_meals(book)), _pay(book, len(group.characters))
    kept = max(number for number in range(len(group.characters) + 1) if _pay(book, number) <= group.caps)
    bought = min(max(0, needed - group.food), (group.caps - _pay(book, kept)) // FOOD_PRICE)
    label = gettext("Food to buy, %(caps)s each", caps=caps_words(FOOD_PRICE))
    asked = [Asked("bought", label, most=group.caps // FOOD_PRICE, default=bought)]
    if short(book) or group.irradiated:
        asked += _each(book, bought, kept)
    about = gettext(
        "%(n)s food needed, %(food)s here. Maintenance: %(pay)s, %(caps)s here.",
        n=needed, food=group.food, pay=caps_words(pay), caps=group.caps,
    )  # fmt: skip
    if group.irradiated:
        about += " " + gettext("%(n)s irradiated food is here as well.", n=group.irradiated)
    yield Offer("upkeep", gettext("Feed and maintain"), gettext("Feed"), about, tuple(asked))


def _each(book: Book, bought: int, kept: int) -> Iterator[Asked]:
    """Two questions for each member; by default, the first members are fed and the first ``kept`` maintained."""
    group, irradiated = book.group, book.group.irradiated
    fed: list[Character] = []
    for member in group.present_members:
        needs = appetite(group, member)
        meal = "none"
        if _food(group, [*fed, member], free_meals(book)) <= group.food + bought:
            meal, fed = "clean", [*fed, member]
        elif irradiated >= needs:
            meal, irradiated = "irradiated", irradiated - needs
        choices = [(key, gettext(text)) for key, text in MEALS if key != "irradiated" or group.irradiated]
        yield one_of(f"meal.{member.key}", member.name, choices, meal)
        if not member.centaur:
            yield Asked(
                f"kept.{member.key}",
                gettext("%(name)s: maintained", name=member.name),
                "yes",
                default=1 if kept > 0 else 0,
            )
            kept -= 1


def upkeep(book: Book, answers: Answered) -> None:
    """Buy food, feed the members and maintain their equipment, as answered."""
    group, bought = book.group, int(answers["bought"])
    meals = {each.key: str(answers.get(f"meal.{each.key}", "clean")) for each in group.present_members}
    kept = [character for character in group.characters if answers.get(f"kept.{character.key}", 1) == 1]
    by_meal = {meal: [each for each in group.present_members if meals[each.key] == meal] for meal, _ in MEALS}
    clean, irradiated = _food(group, by_meal["clean"], free_meals(book)), _food(group, by_meal["irradiated"], 0)
    if clean > group.food + bought:
        more = clean - group.food - bought
        text = N_("%(n)s food is missing: buy it for %(caps)s.")
        text = N_("%(n)s food is missing: buy it for %(caps)s, or say who goes hungry.") if short(book) else text
        raise StepRefused(gettext(text, n=more, caps=caps_words(FOOD_PRICE * more)), "bought")
    if irradiated > group.irradiated:
        why = gettext("%(n)s irradiated food is needed, and the group has %(has)s.", n=irradiated, has=group.irradiated)
        raise StepRefused(why)
    book.caps(-FOOD_PRICE * bought, message("%(n)s food bought", n=bought))
    book.food(bought, message("Bought"))
    book.caps(-_pay(book, len(kept)), message("Maintenance for %(n)s", n=len(kept)))
    book.food(-clean, _fed(by_meal["clean"]))
    book.food(-irradiated, _fed(by_meal["irradiated"]), clean=False)
    for hungry in by_meal["none"]:
        needs = appetite(group, hungry)
        if book.group.food >= needs or book.group.caps >= FOOD_PRICE * (needs - book.group.food):
            raise StepRefused(gettext("There is enough to feed %(name)s.", name=hungry.name))
    if len(kept) < len(group.characters) and book.group.caps >= _pay(book, 1):
        raise StepRefused(gettext("There are Caps to maintain one more."))
    book.mark_done("upkeep")
    book.remark("Fed: %(fed)s. Maintained: %(n)s.", fed=len(group.present_members) - len(by_meal["none"]), n=len(kept))
    for member in group.present_members:
        maintained = 0 if member.centaur or member in kept else member.neglect + 1
        hunger = member.hunger + 1 if meals[member.key] == "none" else 0
        book.change_character(member.key, hunger=hunger, neglect=maintained)
        if hunger >= RAW["upkeep"]["starves"]:
            book.remark("%(name)s starves.", name=member.name)
            book.remove_character(member.key, message("Starved"), keep=True)
        elif meals[member.key] == "irradiated":
            book.irradiate(member.key, 1)


def _fed(members: list[Character]) -> Text:
    return counted_message("%(num)s member fed", "%(num)s members fed", len(members))


def sell_food(book: Book, answers: Answered) -> None:
    food = int(answers["food"])
    book.food(-food, message("Sold"), clean="irradiated" not in answers)
    book.caps(FOOD_PRICE * food, message("%(n)s food sold", n=food))
    book.remark("%(n)s food sold for %(caps)s.", n=food, caps=caps_text(FOOD_PRICE * food))


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
