"""What costs Caps after a game: upkeep, traders, the own lists, the doctor, custom weapons; who carries what."""

from collections.abc import Iterator

from validators.calculator import Asked
from validators.campaign import Answered, Offer, StepRefused, one_of
from validators.contract import Finding, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import addict
from validators.fallout_skirmish.campaign.income import VISITS, half, take
from validators.fallout_skirmish.campaign.state import (
    INJURY,
    MERCHANTS,
    RAW,
    TURFS,
    Character,
    Group,
    Merchant,
    Ware,
    asleep,
    barter_price,
    document,
    rating,
)
from validators.fallout_skirmish.check import CHECKS
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
        return
    needed, pay = _food(group, list(group.present), free_meals(book)), _pay(book, len(group.characters))
    kept = max(number for number in range(len(group.characters) + 1) if _pay(book, number) <= group.caps)
    bought = min(max(0, needed - group.food), (group.caps - _pay(book, kept)) // FOOD_PRICE)
    label = f"Food to buy, {counted(FOOD_PRICE, 'Cap')} each"
    asked = [Asked("bought", label, most=group.caps // FOOD_PRICE, default=bought)]
    if short(book) or group.irradiated:
        asked += _each(book, bought, kept)
    about = f"{needed} food needed, {group.food} here. Maintenance: {counted(pay, 'Cap')}, {group.caps} here."
    if group.irradiated:
        about += f" {group.irradiated} irradiated food is here as well."
    yield Offer("upkeep", "Feed and maintain", "Feed", about, tuple(asked))


def _each(book: Book, bought: int, kept: int) -> Iterator[Asked]:
    """Two questions for each member, answered as far as food and Caps go: ``kept`` are maintained."""
    group, irradiated = book.group, book.group.irradiated
    fed: list[Character] = []
    for one in group.present:
        needs = appetite(group, one)
        meal = "none"
        if _food(group, [*fed, one], free_meals(book)) <= group.food + bought:
            meal, fed = "clean", [*fed, one]
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
        hungry = ", or say who goes hungry" if short(book) else ""
        raise StepRefused(f"{more} food is missing: buy it for {counted(FOOD_PRICE * more, 'Cap')}{hungry}.", "bought")
    if irradiated > group.irradiated:
        raise StepRefused(f"{irradiated} irradiated food is needed, and the group has {group.irradiated}.")
    book.caps(-FOOD_PRICE * bought, f"{bought} food bought")
    book.food(bought, "Bought")
    book.caps(-_pay(book, len(kept)), f"Maintenance for {len(kept)}")
    book.food(-clean, f"{counted(len(by_meal['clean']), 'member')} fed")
    book.food(-irradiated, f"{counted(len(by_meal['irradiated']), 'member')} fed", clean=False)
    for one in by_meal["none"]:
        needs = appetite(group, one)
        if book.group.food >= needs or book.group.caps >= FOOD_PRICE * (needs - book.group.food):
            raise StepRefused(f"There is enough to feed {one.name}.")
    if len(kept) < len(group.characters) and book.group.caps >= _pay(book, 1):
        raise StepRefused("There are Caps to maintain one more.")
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


def sell_food(book: Book, answers: Answered) -> None:
    """Food for Caps."""
    food = int(answers["food"])
    book.food(-food, "Sold", clean="irradiated" not in answers)
    book.caps(FOOD_PRICE * food, f"{food} food sold")
    book.say(f"{food} food sold for {counted(FOOD_PRICE * food, 'Cap')}.")


AT_DOC = "visits the doctor"
_CUSTOM = tuple(RAW["custom"]["weapons"])


def trade_offers(book: Book) -> Iterator[Offer]:
    """Everything that can be bought, sold, healed and built in the phase."""
    group = book.group
    free = [one for one in group.characters if not one.captive and book.after.busy.get(one.key) != AT_DOC]
    if book.after.merchant:
        yield from _at_merchant(book, MERCHANTS[book.after.merchant])
    elif any(one.key == group.leader for one in free) and group.own.get("traders", True) and not book.times("visit"):
        along = len(_companions(book))
        luck = group.profile(group.who(group.leader))["L"]
        on = {one.id: f": found on {max(1, one.score - luck)} or more" for one in MERCHANTS.values() if one.score}
        found = ((one.id, one.name + on.get(one.id, "")) for one in MERCHANTS.values())
        asks = [one_of("merchant", "Who", found, "fixed")]
        ill = {one.key for one in _patients(book) if any(_treatments(book, one))}
        treats = not book.times("doctor") and any(one.key in ill for one in book.home())
        asks += [Asked("along", "Characters who come along", most=along, default=along - treats)] if along else []
        if group.possessions()["Mentats"]:
            asks.append(Asked("mentats", "The leader takes Mentats", "yes", default=0))
        about = "One thing can be bought, and one more for each character who comes along."
        about += " Who is to see the doctor stays at home." if treats else ""
        yield Offer("visit", "A trader", "Visit", about, tuple(asks), dice="D12")
    own = sorted(_own_list(group), key=lambda row: row[1])
    if own and own[0][1] <= group.caps:
        dear = {name: ", too dear now" for name, caps in own if caps > group.caps}
        listed = ((name, f"{name}: {counted(caps, 'Cap')}{dear.get(name, '')}") for name, caps in own)
        item = one_of("item", "Of the own list", listed)
        yield Offer("order", "Weapons and armour", "Buy", "At the price of the force’s own list.", (item,))
    yield from _doctor(book)
    for weapon in _CUSTOM:
        parts = {f"{weapon} schematics", f"{weapon} requirements"} <= {*group.possessions()}
        if parts and not book.times(f"tried {weapon}"):
            able = ((one.key, f"{one.name}: {_skill(group, one)} or less on a D12") for one in free)
            yield Offer("build", weapon, "Build", "", (one_of("who", "Who builds", able),), {"weapon": weapon}, "D12")


# ---- merchants


def _companions(book: Book) -> list[Character]:
    """Who stayed at home, without the leader and those who went along already."""
    return [one for one in book.home() if one.key != book.group.leader][book.after.along :]


def visit(book: Book, answers: Answered) -> None:
    """The leader looks for a merchant."""
    merchant, leader = MERCHANTS[str(answers["merchant"])], book.group.leader
    along, profile = int(answers.get("along", 0)), book.group.profile(book.group.who(leader))
    book.did("visit")
    book.note(along=along)
    if answers.get("mentats"):
        take(book, "Mentats", f"Taken by {book.name(leader)}")
        book.did("mentats")
        if not _check(book.roll("Addiction to Mentats", 12).total, half(profile["E"] + profile["L"])):
            addict(book, leader, "Mentats")
    if merchant.score:
        luck, rolled = profile["L"], book.roll(f"Find {merchant.name}", 12).total
        book.say(f"{merchant.name}: {rolled} + {luck} = {rolled + luck}, {merchant.score} needed.")
        if rolled + luck < merchant.score:
            book.say("He is not found, and there is no other trader before the next game.")
            return
    book.note(merchant=merchant.id, purchases=1 + along)
    book.say(f"{book.name(leader)} trades with {merchant.name}. Things to buy: {1 + along}.")


def _check(rolled: int, at_most: int) -> bool:
    """A check on a D12: 1 always succeeds, 12 always fails (5.1.2)."""
    return rolled == 1 or (rolled != 12 and rolled <= at_most)


def _at_merchant(book: Book, merchant: Merchant) -> Iterator[Offer]:
    quotes = book.after.quotes
    if book.after.purchases:
        for label, price in quotes.items():
            names = merchant.wares[label].names
            asks = (one_of("item", "Which", names, names[0]),) if len(names) > 1 else ()
            yield Offer("buy", label, "Buy", counted(price, "Cap"), asks, {"ware": label})
        wares = [ware for label, ware in merchant.wares.items() if label not in quotes]
        if wares:
            dice = {ware: f" + {ware.rarity}D12" if ware.rarity else "" for ware in wares}
            priced = (
                (one.label, f"{one.label}: {counted(_asked_price(book, one), 'Cap')}{dice[one]}") for one in wares
            )
            about = f"{counted(book.after.purchases, 'thing')} may still be bought. A price need not be paid."
            yield Offer("barter", merchant.name, "Barter", about, (one_of("ware", "For", priced),), dice="D12s and 2D6")
    yield from _selling(book, merchant)


def _asked_price(book: Book, ware: Ware) -> int:
    """The base cost: of the merchant's table, or of chapter 12 where the campaign goes by that."""
    entry = book.group.lists.item(ware.names[0])
    usual = entry.row.caps if entry else None
    return ware.caps if usual is None or book.world.settings["two_prices"] == "merchant" else usual


def _haggled(book: Book, merchant: Merchant, verb: str, more: int = 0) -> tuple[int, int, str]:
    """Both roll and add their Charisma: the sums of the leader, with ``more``, and of the merchant; both in words."""
    group, settings, fixed = book.group, book.world.settings, merchant.id == "fixed"
    charisma = group.profile(group.who(group.leader))["C"] + book.times("mentats") + group.own.get("charisma", 0) + more
    if fixed:
        owned = {place: TURFS[name].charisma for place, name in enumerate(group.turfs) if name in TURFS}
        anywhere = settings["marketplace"] != "visited"
        charisma += max((plus for place, plus in owned.items() if anywhere or place in book.after.visited), default=0)
    his = 4 if fixed and settings["merchant"] == "4" else merchant.charisma
    ours, theirs = book.roll(f"The leader {verb}", 6).total, book.roll("The merchant barters", 6).total
    return ours + charisma, theirs + his, f"{ours} + {charisma} against {theirs} + {his}"


def barter(book: Book, answers: Answered) -> None:
    """The price of one line: rarity, then both roll and add their Charisma."""
    merchant = MERCHANTS[book.after.merchant]
    ware = merchant.wares[str(answers["ware"])]
    rarity = book.roll(f"Rarity of {ware.label}", 12, ware.rarity).total if ware.rarity else 0
    base = _asked_price(book, ware) + rarity
    leader = book.group.who(book.group.leader)
    trader = "Master Trader" in leader.perks and not asleep(book.group, leader, "Master Trader")
    more = (book.world.settings["leader_barters"] == "yes") + trader
    ours, theirs, totals = _haggled(book, merchant, "barters", more)
    price = barter_price(base, ware.mod, ours, theirs)
    book.note(quotes={**book.after.quotes, ware.label: price})
    book.say(f"{ware.label}: {counted(base, 'Cap')} before bartering, {totals}, {counted(price, 'Cap')}.")


def buy(book: Book, answers: Answered) -> None:
    """Pay the price that was bartered for."""
    label = str(answers["ware"])
    _pay_for(book, str(answers.get("item", label)), book.after.quotes[label], "bought")
    quotes = {other: price for other, price in book.after.quotes.items() if other != label}
    book.note(quotes=quotes, purchases=book.after.purchases - 1)


def _pay_for(book: Book, item: str, price: int, why: str) -> None:
    book.caps(-price, f"{item} {why}")
    book.item(item, 1, "Bought")
    book.say(f"{item} is in the stash.")


def _selling(book: Book, merchant: Merchant) -> Iterator[Offer]:
    """What the stash holds; custom weapons are not for sale."""
    stash = sorted(name for name in book.group.stash if name not in _CUSTOM)
    if stash and book.group.leader:
        worth = ((name, f"{name}: {counted(half(book.group.worth(name)), 'Cap')} before bartering") for name in stash)
        about = "Who carries a thing puts it into the stash first."
        yield Offer("sell", merchant.name, "Sell", about, (one_of("item", "From the stash", worth),), dice="2D6")


def sale_offers(book: Book) -> Iterator[Offer]:
    """Excess food. In need, food and equipment are sold before the group is fed, the latter to the fixed merchant."""
    group, need = book.group, not book.times("upkeep") and short(book)
    if need or book.times("upkeep") or not group.present:
        each = f"{counted(FOOD_PRICE, 'Cap')} each."
        irradiated: dict[str, int | str] = {"irradiated": 1}
        for title, most, fixed in ("Irradiated food", group.irradiated, irradiated), ("Excess food", group.food, {}):
            if most:
                asks = (Asked("food", "Food", least=1, most=most, default=1),)
                yield Offer("sell_food", title, "Sell", each, asks, fixed)
    if need and group.own.get("traders", True):
        yield from _selling(book, MERCHANTS["fixed"])


def sell(book: Book, answers: Answered) -> None:
    """Half its Caps, more or less by the difference of both rolls."""
    item, merchant = str(answers["item"]), MERCHANTS[book.after.merchant or "fixed"]
    ours, theirs, totals = _haggled(book, merchant, "sells")
    price = max(1, half(book.group.worth(item)) + ours - theirs)
    book.item(item, -1, "Sold")
    book.caps(price, f"{item} sold")
    book.say(f"{item}: {totals}, sold for {counted(price, 'Cap')}.")


def _own_list(group: Group) -> list[tuple[str, int]]:
    return [*group.force.weapons.items(), *((row.name, row.caps) for row in group.force.armour)]


def order(book: Book, answers: Answered) -> None:
    """Buy from the force's own list at its price."""
    item = str(answers["item"])
    _pay_for(book, item, dict(_own_list(book.group))[item], "of the own list")


# ---- the doctor, custom weapons


def _patients(book: Book) -> Iterator[Character]:
    """Who may see the doctor (10.8): not who scavenged, tried to build a weapon, or is at a merchant."""
    at_home, all_along = book.home(), not _companions(book)
    for one in book.group.characters:
        trades = book.times("visit") if one.key == book.group.leader else one in at_home and all_along
        free = book.after.busy.get(one.key, VISITS) == VISITS and not book.times(f"{one.key} builds")
        if free and not trades and (one.blind or not one.captive):
            yield one


def _doctor(book: Book) -> Iterator[Offer]:
    treatments = [treatment for one in _patients(book) for treatment in _treatments(book, one)]
    if treatments and not book.times("doctor"):
        about = "One character, who neither scavenges, builds nor visits a trader."
        dice = "4D12" if book.world.settings["addiction"] == "4D12" else ""
        yield Offer("doctor", "The doctor", "Visit", about, (one_of("what", "Treatment", treatments),), dice=dice)


def _treatments(book: Book, one: Character) -> Iterator[tuple[str, str]]:
    """What the doctor can heal of a character, each with its fee."""
    fees = RAW["doctor"]
    for injury in dict.fromkeys(one.injuries):
        yield f"{one.key}:{injury}", f"{one.name}: {INJURY[injury].name}, {fees['injury']} Caps"
    if one.addictions:
        yield f"{one.key}:addiction", f"{one.name}: addictions, {book.world.settings['addiction']} Caps"
    if one.rads:
        yield f"{one.key}:rads", f"{one.name}: {one.rads} rads, {fees['radiation']} Caps"


def doctor(book: Book, answers: Answered) -> None:
    """A character sees the doctor."""
    fees, what = RAW["doctor"], str(answers["what"])
    who, _, treatment = what.partition(":")
    book.did("doctor")
    book.send(who, AT_DOC)
    if treatment == "addiction":
        asked = book.world.settings["addiction"]
        fee = book.roll("The doctor asks", 12, 4).total if asked == "4D12" else int(asked)
        book.caps(-fee, f"Addictions of {book.name(who)}")
        book.change(who, addictions=())
    elif treatment == "rads":
        book.caps(-fees["radiation"], f"Rads of {book.name(who)}")
        book.change(who, rads=0)
    else:
        book.caps(-fees["injury"], f"{INJURY[treatment].name} of {book.name(who)}")
        book.heal(what)
    book.say(f"The doctor treats {book.name(who)}.")


def _skill(group: Group, one: Character) -> int:
    profile = group.profile(one)
    return half(profile["I"] + profile["L"])


def build(book: Book, answers: Answered) -> None:
    """A character tries to build a custom weapon."""
    who, weapon = str(answers["who"]), str(answers["weapon"])
    needed = _skill(book.group, book.group.who(who))
    book.did(f"{who} builds")
    rolled = book.roll(f"{book.name(who)} builds", 12).total
    book.say(f"{book.name(who)} builds: {rolled}, {needed} or less needed.")
    if _check(rolled, needed):
        take(book, f"{weapon} requirements", f"{weapon} built")
        book.item(weapon, 1, f"Built by {book.name(who)}")
        book.earn(who, 1)
        return
    book.did(f"tried {weapon}")
    if rolled - needed > 3 or (rolled - needed == 3 and book.world.settings["by_three"] == "lost"):
        take(book, f"{weapon} requirements", "Destroyed in building")
        book.say("The parts are destroyed.")
    else:
        book.say("The parts can be used after the next game.")


# ---- who carries what


def gear_offers(book: Book) -> Iterator[Offer]:
    """Give things to each other and to the stash."""
    group = book.group
    things = [(f":{name}", f"{name} of the stash") for name in sorted(group.stash)]
    things += [(f"{one.key}:{name}", f"{name} of {one.name}") for one in group.characters for name in sorted(one.items)]
    if things:
        takers = (("", "The stash"), *((one.key, one.name) for one in group.characters))
        first = group.characters[0].key if group.stash and group.characters else ""
        asks = one_of("what", "Thing", things), one_of("to", "To", takers, first)
        yield Offer("hand", "Equipment", "Hand over", "", asks)


def hand(book: Book, answers: Answered) -> None:
    """Hand over one thing, where the taker may carry it."""
    (giver, _, name), taker = str(answers["what"]).partition(":"), str(answers["to"])
    if giver == taker:
        raise StepRefused(f"{name} is there already.", "to")
    entry = book.group.lists.item(name)
    if taker and entry and entry.group.armour and book.group.own.get("armour") is False:
        raise StepRefused(f"{book.group.force.name} never wear armour.", "to")
    before = {one.message for one in wrong(book.group)}
    book.hand(name, giver, taker)
    for one in wrong(book.group):
        if taker and one.message not in before:
            raise StepRefused(f"{one.message}.", "to")
    book.say(f"{name}: {book.name(giver) if giver else 'stash'} to {book.name(taker) if taker else 'the stash'}.")


def wrong(group: Group) -> tuple[Finding, ...]:
    """What the check says against the group as it stands, which its history does not explain."""
    return CHECKS.check(document(group), Terms(group.edition, grown=True)).problems


def leave_gear(book: Book) -> None:
    """The group must be fit for its next game; its rating follows."""
    for one in wrong(book.group):
        raise StepRefused(f"{one.message}. {one.fix}".strip())
    book.say(f"The rating is {rating(book.group)}.")
