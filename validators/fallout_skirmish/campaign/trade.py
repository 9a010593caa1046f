"""Trade after a game: traders, the force's own lists, the doctor, custom weapons.

Rulebook, chapters 9 and 10. Functions named ``..._offers`` yield the steps on offer; the others apply the step of their
name, with its answers.
"""

from collections.abc import Iterator

from languages.message import Text, message, worded
from languages.words import N_, gettext, labelled, ngettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Offer
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import addict, of
from validators.fallout_skirmish.campaign.income import VISITS, half, take
from validators.fallout_skirmish.campaign.state import Character, Group, asleep
from validators.fallout_skirmish.campaign.tables import (
    INJURY,
    MERCHANTS,
    RAW,
    TURFS,
    Merchant,
    barter_price,
    caps_text,
    caps_words,
    rads_text,
)
from validators.fallout_skirmish.campaign.upkeep import FOOD_PRICE, short

AT_DOC = "visits the doctor"
_CUSTOM = tuple(RAW["custom"]["weapons"])


def trade_offers(book: Book) -> Iterator[Offer]:
    """Trade with a merchant, orders from the force's own lists, the doctor, and custom weapons."""
    group = book.group
    free = [each for each in group.characters if not each.captive and book.aftermath.errands.get(each.key) != AT_DOC]
    if book.aftermath.merchant:
        yield from _at_merchant(book, MERCHANTS[book.aftermath.merchant])
    elif (
        any(character.key == group.leader for character in free)
        and group.traits.get("traders", True)
        and not book.times_done("visit")
    ):
        along = len(_companions(book))
        luck = group.profile(group.member(group.leader))["L"]
        rows = ((merchant.id, _found_on(merchant, luck)) for merchant in MERCHANTS.values())
        asks = [one_of("merchant", gettext("Who"), rows, "fixed")]
        ill = {patient.key for patient in _patients(book) if any(_treatments(patient))}
        treats = not book.times_done("doctor") and any(character.key in ill for character in book.at_home())
        if along:
            asks.append(Asked("along", gettext("Characters who come along"), most=along, default=along - treats))
        if group.possessions()["Mentats"]:
            asks.append(Asked("mentats", gettext("The leader takes Mentats"), "yes", default=0))
        about = gettext("One thing can be bought, and one more for each character who comes along.")
        about += " " + gettext("Who is to see the doctor stays at home.") if treats else ""
        yield Offer("visit", gettext("A trader"), gettext("Visit"), about, tuple(asks), dice="D12")
    own = sorted(_own_list(group), key=lambda row: row[1])
    if own and own[0][1] <= group.caps:
        text, dear = N_("%(item)s: %(caps)s"), N_("%(item)s: %(caps)s, too dear now")
        listed = (
            (name, gettext(dear if caps > group.caps else text, item=name, caps=caps_words(caps))) for name, caps in own
        )
        item, about = (
            one_of("item", gettext("Of the own list"), listed),
            gettext("At the price of the force’s own list."),
        )
        yield Offer("order", gettext("Weapons and armour"), gettext("Buy"), about, (item,))
    yield from _doctor(book)
    for weapon in _CUSTOM:
        parts = {f"{weapon} schematics", f"{weapon} requirements"} <= {*group.possessions()}
        if parts and not book.times_done(f"tried {weapon}"):
            able = (
                (each.key, gettext("%(name)s: %(n)s or less on a D12", name=each.name, n=_skill(group, each)))
                for each in free
            )
            asks = [one_of("who", gettext("Who builds"), able)]
            yield Offer("build", weapon, gettext("Build"), "", tuple(asks), {"weapon": weapon}, "D12")


def _found_on(merchant: Merchant, luck: int) -> str:
    least, name = max(1, merchant.score - luck), gettext(merchant.name)
    return gettext("%(name)s: found on %(n)s or more", name=name, n=least) if merchant.score else name


def _companions(book: Book) -> list[Character]:
    """The characters at home who can still come along to a merchant."""
    return [character for character in book.at_home() if character.key != book.group.leader][
        book.aftermath.companions :
    ]


def visit(book: Book, answers: Answered) -> None:
    """Send the leader to a merchant, with companions."""
    merchant, leader = MERCHANTS[str(answers["merchant"])], book.group.leader
    along, profile = int(answers.get("along", 0)), book.group.profile(book.group.member(leader))
    book.mark_done("visit")
    book.update_aftermath(companions=along)
    if answers.get("mentats"):
        take(book, "Mentats", message("Taken by %(name)s", name=book.name_of(leader)))
        book.mark_done("mentats")
        if not _check(book.roll(message("Addiction to Mentats"), 12).total, half(profile["E"] + profile["L"])):
            addict(book, leader, "Mentats")
    if merchant.score:
        luck, rolled = profile["L"], book.roll(message("Find %(name)s", name=message(merchant.name)), 12).total
        book.remark(
            "%(name)s: %(sum)s, %(n)s needed.",
            name=message(merchant.name), sum=f"{rolled} + {luck} = {rolled + luck}", n=merchant.score,
        )  # fmt: skip
        if rolled + luck < merchant.score:
            book.remark("He is not found, and there is no other trader before the next game.")
            return
    book.update_aftermath(merchant=merchant.id, purchases=1 + along)
    book.remark(
        "%(name)s trades with %(merchant)s. Things to buy: %(n)s.",
        name=book.name_of(leader), merchant=message(merchant.name), n=1 + along,
    )  # fmt: skip


def _check(rolled: int, at_most: int) -> bool:
    """Whether a check on a D12 succeeds: 1 always does, 12 never (5.1.2)."""
    return rolled == 1 or (rolled != 12 and rolled <= at_most)


def _at_merchant(book: Book, merchant: Merchant) -> Iterator[Offer]:
    quotes = book.aftermath.quotes
    if book.aftermath.purchases:
        for label, price in quotes.items():
            names = merchant.wares[label].names
            asks = (one_of("item", gettext("Which"), names, names[0]),) if len(names) > 1 else ()
            yield Offer("buy", label, gettext("Buy"), caps_words(price), asks, {"ware": label})
        wares = [ware for label, ware in merchant.wares.items() if label not in quotes]
        if wares:
            dice = {ware: f" + {ware.rarity}D12" if ware.rarity else "" for ware in wares}
            priced = ((each.label, labelled(each.label, f"{caps_words(each.caps)}{dice[each]}")) for each in wares)
            about = ngettext(
                "%(num)s thing may still be bought. A price need not be paid.",
                "%(num)s things may still be bought. A price need not be paid.",
                book.aftermath.purchases,
            )
            ware = one_of("ware", gettext("For"), priced)
            title, dice_of = gettext(merchant.name), gettext("D12s and 2D6")
            yield Offer("barter", title, gettext("Barter"), about, (ware,), dice=dice_of)
    yield from _selling(book, merchant)


def _haggled(book: Book, merchant: Merchant, why: Text, more: int = 0) -> tuple[int, int, Text]:
    """The bartering rolls: the leader's and the merchant's D6 with Charisma (``more`` for the leader), and in words."""
    group, fixed = book.group, merchant.id == "fixed"
    charisma = (
        group.profile(group.member(group.leader))["C"]
        + book.times_done("mentats")
        + group.traits.get("charisma", 0)
        + more
    )
    if fixed:
        charisma += max((TURFS[name].charisma for name in group.turfs if name in TURFS), default=0)
    his = int(book.world.settings["merchant"]) if fixed else merchant.charisma
    ours, theirs = book.roll(why, 6).total, book.roll(message("The merchant barters"), 6).total
    said = message("%(ours)s against %(theirs)s", ours=f"{ours} + {charisma}", theirs=f"{theirs} + {his}")
    return ours + charisma, theirs + his, said


def barter(book: Book, answers: Answered) -> None:
    """Roll the price of a ware: its rarity, then the bartering rolls."""
    merchant = MERCHANTS[book.aftermath.merchant]
    ware = merchant.wares[str(answers["ware"])]
    rarity = book.roll(message("Rarity of %(item)s", item=ware.label), 12, ware.rarity).total if ware.rarity else 0
    base = ware.caps + rarity
    leader = book.group.member(book.group.leader)
    trader = "Master Trader" in leader.perks and not asleep(book.group, leader, "Master Trader")
    perks = 1 + trader  # every leader has the perk Leader (10.3)
    ours, theirs, totals = _haggled(book, merchant, message("The leader barters"), perks)
    price = barter_price(base, ware.mod, ours, theirs)
    book.update_aftermath(quotes={**book.aftermath.quotes, ware.label: price})
    book.remark(
        "%(item)s: %(base)s before bartering, %(totals)s, %(price)s.",
        item=ware.label, base=caps_text(base), totals=totals, price=caps_text(price),
    )  # fmt: skip


def buy(book: Book, answers: Answered) -> None:
    """Buy an item at its bartered price."""
    label = str(answers["ware"])
    item = str(answers.get("item", label))
    _pay_for(book, item, book.aftermath.quotes[label], message("%(item)s bought", item=item))
    quotes = {other: price for other, price in book.aftermath.quotes.items() if other != label}
    book.update_aftermath(quotes=quotes, purchases=book.aftermath.purchases - 1)


def _pay_for(book: Book, item: str, price: int, why: Text) -> None:
    book.caps(-price, why)
    book.item(item, 1, message("Bought"))
    book.remark("%(item)s is in the stash.", item=item)


def _selling(book: Book, merchant: Merchant) -> Iterator[Offer]:
    """The sale of an item from the stash or of a character, except custom weapons."""
    held = [(name, name) for name in sorted(book.group.stash)]
    held += [
        (f"{who.key}:{name}", worded(of(name, who))) for who in book.group.characters for name in sorted(who.items)
    ]
    things = {value: (value.partition(":")[2] or value, label) for value, label in held}
    things = {value: (name, label) for value, (name, label) in things.items() if name not in _CUSTOM}
    if things and book.group.leader:
        worth = {name: caps_words(half(book.group.worth(name))) for name, _ in things.values()}
        priced = (
            (value, gettext("%(item)s: %(caps)s before bartering", item=label, caps=worth[name]))
            for value, (name, label) in things.items()
        )
        thing = one_of("item", gettext("Thing"), priced)
        yield Offer("sell", gettext(merchant.name), gettext("Sell"), "", (thing,), dice="2D6")


def sale_offers(book: Book) -> Iterator[Offer]:
    """Sales of excess food after the upkeep; a group that cannot pay sells food and equipment before it."""
    group, need = book.group, not book.times_done("upkeep") and short(book)
    if need or book.times_done("upkeep") or not group.present_members:
        each, irradiated = gettext("%(caps)s each.", caps=caps_words(FOOD_PRICE)), dict[str, int | str](irradiated=1)
        for title, most, fixed in (
            (gettext("Irradiated food"), group.irradiated, irradiated),
            (gettext("Excess food"), group.food, {}),
        ):
            if most:
                asks = (Asked("food", gettext("Food"), least=1, most=most, default=1),)
                yield Offer("sell_food", title, gettext("Sell"), each, asks, fixed)
    if need and group.traits.get("traders", True):
        yield from _selling(book, MERCHANTS["fixed"])


def sell(book: Book, answers: Answered) -> None:
    """Sell an item for half its value, changed by the difference of the bartering rolls."""
    who, _, item = str(answers["item"]).rpartition(":")
    merchant = MERCHANTS[book.aftermath.merchant or "fixed"]
    ours, theirs, totals = _haggled(book, merchant, message("The leader sells"))
    price = max(1, half(book.group.worth(item)) + ours - theirs)
    book.item(item, -1, message("Sold"), who)
    book.caps(price, message("%(item)s sold", item=item))
    book.remark("%(item)s: %(totals)s, sold for %(price)s.", item=item, totals=totals, price=caps_text(price))


def _own_list(group: Group) -> list[tuple[str, int]]:
    return [*group.force.weapons.items(), *((row.name, row.caps) for row in group.force.armour)]


def order(book: Book, answers: Answered) -> None:
    """Buy an item from the force's own list at its printed price."""
    item = str(answers["item"])
    _pay_for(book, item, dict(_own_list(book.group))[item], message("%(item)s of the own list", item=item))


def _patients(book: Book) -> Iterator[Character]:
    """The characters who may see the doctor (10.8): those who neither scavenged, built a weapon nor trade."""
    at_home, all_along = book.at_home(), not _companions(book)
    for character in book.group.characters:
        trades = book.times_done("visit") if character.key == book.group.leader else character in at_home and all_along
        free = book.aftermath.errands.get(character.key, VISITS) == VISITS and not book.times_done(
            f"{character.key} builds"
        )
        if free and not trades and (character.blind or not character.captive):
            yield character


def _doctor(book: Book) -> Iterator[Offer]:
    treatments = [treatment for character in _patients(book) for treatment in _treatments(character)]
    if treatments and not book.times_done("doctor"):
        about = gettext("One character, who neither scavenges, builds nor visits a trader.")
        what = one_of("what", gettext("Treatment"), treatments)
        yield Offer("doctor", gettext("The doctor"), gettext("Visit"), about, (what,))


def _treatments(character: Character) -> Iterator[tuple[str, str]]:
    """A character's possible treatments, as values with labels that name the fee."""
    fees, name = RAW["doctor"], character.name
    for injury in dict.fromkeys(character.injuries):
        yield f"{character.key}:{injury}", _for_caps(name, INJURY[injury].name, fees["injury"])
    if character.addictions:
        yield f"{character.key}:addiction", _for_caps(name, gettext("addictions"), fees["addictions"])
    if character.rads:
        yield (
            f"{character.key}:rads",
            _for_caps(name, worded(rads_text(character.rads)), fees["radiation"]),
        )


def _for_caps(name: str, what: str, caps: int) -> str:
    return gettext("%(name)s: %(what)s, %(caps)s", name=name, what=what, caps=caps_words(caps))


def doctor(book: Book, answers: Answered) -> None:
    fees, what = RAW["doctor"], str(answers["what"])
    who, _, treatment = what.partition(":")
    book.mark_done("doctor")
    book.send(who, AT_DOC)
    if treatment == "addiction":
        book.caps(-fees["addictions"], message("Addictions of %(name)s", name=book.name_of(who)))
        book.change_character(who, addictions=())
    elif treatment == "rads":
        book.caps(-fees["radiation"], message("Rads of %(name)s", name=book.name_of(who)))
        book.change_character(who, rads=0)
    else:
        book.caps(-fees["injury"], of(INJURY[treatment].name, book.group.member(who)))
        book.heal(what)
    book.remark("The doctor treats %(name)s.", name=book.name_of(who))


def _skill(group: Group, character: Character) -> int:
    profile = group.profile(character)
    return half(profile["I"] + profile["L"])


def build(book: Book, answers: Answered) -> None:
    """Try to build a custom weapon with a character."""
    who, weapon = str(answers["who"]), str(answers["weapon"])
    needed = _skill(book.group, book.group.member(who))
    book.mark_done(f"{who} builds")
    rolled = book.roll(message("%(name)s builds", name=book.name_of(who)), 12).total
    book.remark("%(name)s builds: %(n)s, %(most)s or less needed.", name=book.name_of(who), n=rolled, most=needed)
    if _check(rolled, needed):
        take(book, f"{weapon} requirements", message("%(item)s built", item=weapon))
        book.item(weapon, 1, message("Built by %(name)s", name=book.name_of(who)))
        book.earn(who, 1)
        return
    book.mark_done(f"tried {weapon}")
    if rolled - needed > 3:
        take(book, f"{weapon} requirements", message("Destroyed in building"))
        book.remark("The parts are destroyed.")
    else:
        book.remark("The parts can be used after the next game.")
