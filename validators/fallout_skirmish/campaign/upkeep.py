"""Eating and maintenance: what a group needs, what it has, and who goes without."""

from collections.abc import Iterator

from validators.calculator import Asked
from validators.campaign import Answered, Offer, StepRefused, one_of
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.income import half
from validators.fallout_skirmish.campaign.state import Character, Group
from validators.fallout_skirmish.campaign.tables import RAW, TURFS
from validators.names import counted

FOOD_PRICE, EACH = RAW["upkeep"]["food"], RAW["upkeep"]["maintenance"]
MEALS = (("clean", "Eats"), ("irradiated", "Eats irradiated food"), ("none", "Goes hungry"))


def appetite(group: Group, one: Character) -> int:
    """How much food a member needs."""
    return int(RAW["centaur"]["appetite"] if one.centaur else group.own.get("appetite", 1))


def free_meals(book: Book) -> int:
    """Members who are fed without food: by each Super-Duper Mart half of the group, and what the sequence brought."""
    marts = sum(name in TURFS and TURFS[name].feeds for name in book.group.turfs)
    return book.after.meals + marts * half(len(book.group.present))


def _food(group: Group, eaters: list[Character], free: int) -> int:
    """The food that these need, when ``free`` of them with the largest appetites need none."""
    return sum(sorted((appetite(group, one) for one in eaters), reverse=True)[free:])


def short(book: Book) -> bool:
    """Whether the Caps do not reach to feed and maintain everybody."""
    needed = _food(book.group, list(book.group.present), free_meals(book))
    missing = max(0, needed - book.group.food)
    return bool(book.group.caps < _pay(book, len(book.group.characters)) + FOOD_PRICE * missing)


def _pay(book: Book, number: int) -> int:
    return half(EACH * number) if book.times("half") else EACH * number


def upkeep_offers(book: Book) -> Iterator[Offer]:
    """One form: food to buy, and who goes without where there is not enough."""
    group = book.group
    if not group.present or book.times("upkeep"):
        if group.food:
            asks = (Asked("food", "Food", least=1, most=group.food, default=1),)
            yield Offer("sell_food", "Excess food", "Sell", f"{FOOD_PRICE} Caps each.", asks)
        return
    needed, pay = _food(group, list(group.present), free_meals(book)), _pay(book, len(group.characters))
    missing, enough = max(0, needed - group.food), not short(book)
    bought = missing if enough else max(0, group.caps - pay) // FOOD_PRICE
    asked = [Asked("bought", "Food to buy", most=group.caps // FOOD_PRICE, default=min(missing, bought))]
    if not enough or group.irradiated:
        asked += _each(book, bought)
    about = f"{needed} food needed, {group.food} here. Maintenance: {pay} Caps, {group.caps} here."
    if group.irradiated:
        about += f" {group.irradiated} irradiated food is here as well."
    yield Offer("upkeep", "Feed and maintain", "Feed", about, tuple(asked))


def _each(book: Book, bought: int) -> Iterator[Asked]:
    """Two questions for each member, answered as far as food and Caps go."""
    group = book.group
    free, clean, irradiated = free_meals(book), group.food + bought, group.irradiated
    kept = len(group.characters)
    while kept and _pay(book, kept) > group.caps - FOOD_PRICE * bought:
        kept -= 1
    for one in group.present:
        needs = appetite(group, one)
        meal = "none"
        if free:
            meal, free = "clean", free - 1
        elif clean >= needs:
            meal, clean = "clean", clean - needs
        elif irradiated >= needs:
            meal, irradiated = "irradiated", irradiated - needs
        choices = MEALS if group.irradiated else (MEALS[0], MEALS[2])
        yield one_of(f"meal.{one.key}", one.name, choices, meal)
        if not one.centaur:
            yield Asked(f"kept.{one.key}", f"{one.name}: maintained", "yes", default=1 if kept > 0 else 0)
            kept -= 1


def upkeep(book: Book, answers: Answered) -> None:
    """Everybody eats, or not; the equipment is maintained, or not."""
    group, bought = book.group, int(answers["bought"])
    meals = {one.key: str(answers.get(f"meal.{one.key}", "clean")) for one in group.present}
    kept = [one for one in group.characters if answers.get(f"kept.{one.key}", 1) == 1]
    by_meal = {meal: [one for one in group.present if meals[one.key] == meal] for meal, _ in MEALS}
    clean, irradiated = _food(group, by_meal["clean"], free_meals(book)), _food(group, by_meal["irradiated"], 0)
    if clean > group.food + bought:
        more = clean - group.food - bought
        raise StepRefused(f"{more} food is missing: buy it for {FOOD_PRICE * more} Caps, or say who goes hungry.")
    if irradiated > group.irradiated:
        raise StepRefused(f"{irradiated} irradiated food is needed, and the group has {group.irradiated}.")
    book.caps(-FOOD_PRICE * bought, f"{bought} food bought")
    book.food(bought, "Bought")
    book.caps(-_pay(book, len(kept)), f"Maintenance for {len(kept)}")
    book.food(-clean, f"{counted(len(by_meal['clean']), 'member')} fed")
    book.food(-irradiated, f"{counted(len(by_meal['irradiated']), 'member')} fed", clean=False)
    _no_need(book, by_meal["none"], len(kept) < len(group.characters))
    book.did("upkeep")
    book.say(f"{len(group.present) - len(by_meal['none'])} fed, {len(kept)} maintained.")
    for one in group.present:
        maintained = 0 if one.centaur or one in kept else one.neglect + 1
        hunger = one.hunger + 1 if meals[one.key] == "none" else 0
        book.change(one.key, hunger=hunger, neglect=maintained)
        if hunger >= RAW["upkeep"]["starves"]:
            book.say(f"{one.name} starves.")
            book.leave(one.key, "Starved", keep=True)
        elif meals[one.key] == "irradiated":
            book.irradiate(one.key, 1)


def _no_need(book: Book, hungry: list[Character], neglected: bool) -> None:
    """Refuse that somebody goes without while the group has what is needed."""
    group = book.group
    for one in hungry:
        needs = appetite(group, one)
        if group.food >= needs or group.caps >= FOOD_PRICE * (needs - group.food):
            raise StepRefused(f"There is enough to feed {one.name}.")
    if neglected and group.caps >= (half(EACH) if book.times("half") else EACH):
        raise StepRefused("There are Caps to maintain one more.")


def sell_food(book: Book, answers: Answered) -> None:
    """Excess food for Caps."""
    food = int(answers["food"])
    book.food(-food, "Sold")
    book.caps(FOOD_PRICE * food, f"{food} food sold")
    book.say(f"{food} food sold for {FOOD_PRICE * food} Caps.")


def leave_upkeep(book: Book) -> None:
    """Everybody must have been fed, or gone hungry."""
    if book.group.present and not book.times("upkeep"):
        raise StepRefused("Feed and maintain the group first.")
