"""Scavenging, turfs and the forces' special actions after a game (rulebook, chapters 9 and 10).

Each character has one errand after a game. Functions named ``..._offers`` yield the steps on offer; the others apply
the step of their name, with its answers.
"""

from collections.abc import Iterator

from languages.message import Text, counted_message, joined, message, worded
from languages.words import N_, gettext, listed, pgettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Offer, StepRefused
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import injured_choices, search
from validators.fallout_skirmish.campaign.state import Character, Group
from validators.fallout_skirmish.campaign.tables import (
    CENTAUR,
    MOST_SLAVES,
    RAW,
    TURFS,
    USED,
    Turf,
    caps_text,
    caps_words,
    rads_text,
    row_of,
)  # fmt: skip

SCAVENGES, VISITS = "scavenges", "visits a turf"
NAMED = {
    "encounter": N_("a random encounter"),
    "irradiated": N_("irradiated food"),
    "caps": N_("Caps"),
    "food": N_("food"),
}


def income_offers(book: Book) -> Iterator[Offer]:
    """Errands for characters without one, and the force's special actions."""
    home, after = book.at_home(), book.aftermath
    turfs = {place: (name, TURFS[name]) for place, name in enumerate(book.group.turfs) if name in TURFS}
    visits = {at: (name, turf) for at, (name, turf) in turfs.items() if not turf.feeds and at not in after.visited}
    if len(home) > 1:
        names = listed([name for name, _ in visits.values()])
        gives_up = gettext(
            "Gives up the visit to %(names)s, and nobody comes along to a trader: send single characters to keep others"
            " at home.",
            names=names,
        )
        about = gettext(
            "No turf is left to visit, and nobody comes along to a trader: send single characters to keep others at"
            " home."
        )
        title, dice, each = (
            gettext("Everybody at home"),
            gettext("D12 each"),
            tuple(a_character.key for a_character in home),
        )
        yield Offer(
            "scavenge", title, gettext("Scavenge"), gives_up if visits else about, (), {"who": "all"}, dice, each
        )
    for character in home:
        yield Offer("scavenge", character.name, gettext("Scavenge"), "", fixed={"who": character.key}, dice="D12")
    for place, (name, turf) in visits.items() if home else ():
        asks = [one_of("who", gettext("Who goes"), ((character.key, character.name) for character in home))]
        if takes := _takes(book, turf):
            priced = ((item, _price(item, caps)) for item, caps in takes.items())
            asks.append(one_of("take", gettext("Take"), (("", gettext("Caps")), *priced), ""))
        dice = ", ".join(yields.words() for yields in (turf.caps, turf.food) if yields and yields.dice)
        texts = [gettext("%(n)s Caps", n=turf.caps.words())] if turf.caps else []
        texts += [gettext("%(n)s food", n=turf.food.words())] if turf.food else []
        texts += [gettext("or an invention on 1 to 3 of a D12")] if turf.instead == "invention" else []
        yield Offer("turf", name, gettext("Visit"), ", ".join(texts), tuple(asks), {"turf": place}, dice)
    yield from _special_actions(book)


def _price(item: str, caps: int) -> str:
    return gettext("%(item)s for %(caps)s", item=item, caps=caps_words(caps)) if caps else item


def _takes(book: Book, turf: Turf) -> dict[str, int]:
    """The items that a turf's visitor may take instead of Caps, with their prices."""
    group = book.group
    weapons = [(name, entry.group.kind) for name in group.force.weapons if (entry := group.lists.item(name))]
    if turf.instead == "invention":
        return {name: 0 for name, kind in weapons if kind == "Small guns" or "Pistol" in name}
    if turf.instead == "half price":
        return {name: half(group.worth(name)) for name, kind in weapons if not kind.startswith("Big Guns")}
    if turf.instead == "grenade" and group.possessions()["Nuka Grenade schematics"]:
        return {"Nuka Grenade": 0}
    return {}


def half(caps: int) -> int:
    """Half of a number, rounded up (5.1.3)."""
    return (caps + 1) // 2


def scavenge(book: Book, answers: Answered) -> None:
    """Send a character scavenging, or everyone still at home ("all")."""
    for who in [character.key for character in book.at_home()] if answers["who"] == "all" else [str(answers["who"])]:
        book.send(who, SCAVENGES)
        rolled(book, who)


def rolled(book: Book, who: str) -> None:
    """Roll on the scavenging table; an Explorer may then change the result by 1."""
    total = book.roll(message("%(name)s scavenges", name=book.name_of(who)), 12).total
    if "Explorer" in book.group.member(who).perks:
        book.update_aftermath(pending=(*book.aftermath.pending, ("explore", who, str(total))))
        said = {"name": book.name_of(who), "total": total}
        book.remark("%(name)s scavenges: %(total)s, which the Explorer may change by one.", **said)
    else:
        find(book, who, total)


def finds(book: Book) -> Iterator[Offer]:
    """The pending choices of Explorers, and the random encounters of scavengers."""
    for kind, who, *figure in book.aftermath.pending:
        if kind == "explore":
            near = [total for total in range(int(figure[0]) - 1, int(figure[0]) + 2) if 1 <= total <= 12]
            special, rows = N_("something special"), RAW["scavenging"]["rows"]
            named = ((str(n), f"{n}: {gettext(NAMED.get(row_of(rows, n)[2], special))}") for n in near)
            result = one_of("result", gettext("Result"), named, figure[0])
            title = gettext("%(name)s explores", name=book.name_of(who))
            yield Offer("explore", title, gettext("Take"), "", (result,), {"who": who}, "D6")
        elif kind == "encounter":
            ends = [
                ("won", gettext("Creatures: killed them")),
                ("down", gettext("Creatures: taken out")),
                ("away", gettext("Got away")),
            ]
            free = 0 if book.group.full else MOST_SLAVES
            ends += [(f"slaves {n}", gettext("Slaves: %(n)s freed", n=n)) for n in range(1, free + 1)]
            ends += [("scavenger", gettext("Dead scavenger: search it"))]
            ends += [("outpost", gettext("Enclave outpost: search it"))]
            end = one_of("end", gettext("What was met, and how it ended"), ends)
            about = gettext("Flip a card of the random encounters, and play it with this character alone.")
            title, dice = gettext("%(name)s meets something", name=book.name_of(who)), gettext("2D12 or D12")
            yield Offer("encounter", title, gettext("Record"), about, (end,), {"who": who}, dice)


def explore(book: Book, answers: Answered) -> None:
    """Take the Explorer's chosen result."""
    who = str(answers["who"])
    book.settle(who, "explore")
    find(book, who, int(answers["result"]))


def find(book: Book, who: str, total: int) -> None:
    """Apply a result of the scavenging table; characters who went down in the game find less."""
    what, name = row_of(RAW["scavenging"]["rows"], total)[2], book.name_of(who)
    game = book.aftermath.records.get(who)
    sides = 3 if game and game.counts["down"] else 6
    if what == "encounter":
        book.update_aftermath(pending=(*book.aftermath.pending, ("encounter", who)))
        book.remark("%(name)s scavenges: %(total)s, a random encounter.", name=name, total=total)
        return
    why = message("%(name)s scavenges", name=name)
    if what == "caps":
        caps = book.roll(message("Caps found"), sides).total * 5
        book.caps(caps, why)
        text: Text = caps_text(caps)
    elif what == "special":
        text = item = row_of(RAW["scavenging"]["special"], book.roll(message("Something special"), 12).total)[2]
        book.item(item, 1, why)
    else:
        food = book.roll(message("Food found"), sides).total
        book.food(food, why, clean=what == "food")
        text = message("%(n)s food", n=food) if what == "food" else message("%(n)s irradiated food", n=food)
    book.remark("%(name)s scavenges: %(total)s, %(found)s.", name=name, total=total, found=text)


def encounter(book: Book, answers: Answered) -> None:
    """Apply the end of a scavenger's random encounter."""
    who, (end, _, number) = str(answers["who"]), str(answers["end"]).partition(" ")
    book.settle(who, "encounter")
    if end == "won":
        why = message("%(name)s killed creatures", name=book.name_of(who))
        book.caps(book.roll(message("Caps for the creatures"), 12, 2).total, why)
    elif end == "down":
        book.roll_injury(who, message("Taken out by creatures"))
    elif end == "slaves":
        for _ in range(int(number)):
            joins = book.join(book.group.force.ranks[0].name, message("Freed slave"))
            book.remark("%(name)s joins.", name=book.name_of(joins))
    elif end != "away":
        for _ in range(2):
            search(book, {"who": who, "place": end})


def turf(book: Book, answers: Answered) -> None:
    """Send a character to a turf, and take its yield."""
    who, place, take = str(answers["who"]), int(answers["turf"]), str(answers.get("take", ""))
    name = book.group.turfs[place]
    row, why = TURFS[name], message("%(name)s at the %(turf)s", name=book.name_of(who), turf=name)
    book.send(who, VISITS)
    book.update_aftermath(visited=(*book.aftermath.visited, place))
    if take and row.instead == "invention" and book.roll(message("Invention"), 12).total > 3:
        book.remark("%(why)s: the invention is useless.", why=why)
        return
    if row.caps and not take:
        caps, words = row.caps.rolled(book.dice, name)
        book.caps(caps, why)
        book.remark("%(why)s: %(words)s Caps.", why=why, words=words)
        if row.double and len(set(book.dice.rolled[-1].results)) == 1:
            book.item(row.double, 1, why)
            book.remark("%(why)s: a double, and a %(item)s.", why=why, item=row.double)
    if row.food:
        food, words = row.food.rolled(book.dice, message("%(turf)s: food", turf=name))
        book.food(food, why)
        book.remark("%(why)s: %(words)s food.", why=why, words=words)
    if take:
        book.caps(-_takes(book, row)[take], message("%(item)s bought", item=take))
        book.item(take, 1, why)
        book.remark("%(name)s: %(what)s.", name=why, what=take)


def _special_actions(book: Book) -> Iterator[Offer]:
    group, own = book.group, book.group.traits
    for character in group.characters:
        if character.blind:
            ends = [("sent", gettext("Send into the wasteland")), ("killed", gettext("Kill"))]
            hungry = own.get("flesh") or (own.get("cooks") and not book.times_done("cook"))
            ends += [("eaten", gettext("Eat"))] if hungry else []
            about = gettext("Blind members may leave; the group keeps the equipment.")
            end = one_of("end", gettext("What happens"), ends)
            yield Offer("part", character.name, gettext("Part"), about, (end,), {"who": character.key})
    if own.get("cooks") and not book.times_done("cook") and group.leader and len(group.characters) > 1:
        low = _lowest(group)
        pairs = (
            (f"{a.key} {b.key}", gettext("%(winner)s beat %(loser)s", winner=a.name, loser=b.name))
            for a in low
            for b in low
            if a is not b
        )
        beat = gettext("The leader beat %(name)s", name=low[0].name)
        alone = (("won", beat), ("lost", gettext("The leader lost")))
        fight = one_of("end", gettext("The fight"), pairs if low[1:] else alone)
        about = gettext("Fight it out at the table. It feeds five Raiders.")
        yield Offer("cook", gettext("Cannibals"), gettext("Cook"), about, (fight,), dice="2D12")
    against = book.opposing_group
    most = sum(record.counts["killed"] for record in book.aftermath.records.values())
    human = against is not None and against.traits.get("appetite", 1) == 1
    if own.get("flesh") and most and human and not book.times_done("flesh"):
        asks = (Asked("killed", gettext("Human opponents killed"), least=1, most=most, default=1),)
        about = gettext(
            "Super Mutants fed by each: %(n)s. “The game” records %(most)s taken out: leave out creatures.",
            n=own["flesh"], most=most,
        )  # fmt: skip
        yield Offer("flesh", gettext("Flesh eaters"), gettext("Claim"), about, asks)
    if own.get("home") and not book.times_done("home"):
        who = (
            (a_character.key, gettext("RadAway for %(name)s", name=a_character.name))
            for a_character in group.characters
            if a_character.rads
        )
        meals = gettext("The restaurant feeds %(n)s", n=own["home"])
        use = one_of("use", gettext("Advantage"), (("meals", meals), *who))
        about = gettext("One of the vault’s advantages after a game.")
        yield Offer("home", gettext("Clean Home"), gettext("Use"), about, (use,))


def _lowest(group: Group) -> list[Character]:
    """The characters with the lowest cost and experience: several fight each other, a single one fights the leader."""

    def counts(character: Character) -> int:
        rank = group.force.rank(character.rank)
        return character.xp + (rank.caps if rank else 0)

    others = [character for character in group.characters if character.key != group.leader]
    return [other for other in others if counts(other) == min(map(counts, others))]


def cook(book: Book, answers: Answered) -> None:
    """Cook a Raider, or let the winner of the fight escape."""
    book.mark_done("cook")
    end, own = str(answers["end"]), book.group.traits
    if end == "lost":
        victim = _lowest(book.group)[0]
        book.remove_character(victim.key, message("Escaped the pot"), keep=True)
        book.roll_injury(book.group.leader, message("Beaten by %(name)s", name=victim.name))
        return
    winner, _, victim_key = end.partition(" ")
    if end == "won":
        winner, victim_key = book.group.leader, _lowest(book.group)[0].key
    book.earn(winner, 2)
    _eat(book, victim_key, own["cooks"])


def _eat(book: Book, who: str, meals: int) -> None:
    book.remove_character(who, message("Eaten"), keep=True)
    book.update_aftermath(meals=book.aftermath.meals + meals)
    book.remark("%(name)s is eaten and feeds %(n)s.", name=book.name_of(who), n=meals)


def part(book: Book, answers: Answered) -> None:
    """Part with a blind member. Raiders eat one member after each game at most, blind or cooked."""
    who, own = str(answers["who"]), book.group.traits
    if answers["end"] == "eaten":
        if own.get("cooks"):
            book.mark_done("cook")
        _eat(book, who, own.get("cooks") or own["flesh"])
    else:
        sent = answers["end"] == "sent"
        why = message("Sent into the wasteland") if sent else message("Killed as blind")
        book.remove_character(who, why, keep=True)
        book.remark("%(name)s is no longer with the group.", name=book.name_of(who))


def flesh(book: Book, answers: Answered) -> None:
    """Feed Super Mutants with killed opponents."""
    book.mark_done("flesh")
    fed = int(answers["killed"]) * book.group.traits["flesh"]
    book.update_aftermath(meals=book.aftermath.meals + fed)
    book.remark("Super Mutants fed with the flesh of opponents: %(n)s.", n=fed)


def home(book: Book, answers: Answered) -> None:
    """Use an advantage of the vault: meals, or RadAway for a character."""
    book.mark_done("home")
    use = str(answers["use"])
    if use == "meals":
        fed = book.group.traits["home"]
        book.update_aftermath(meals=book.aftermath.meals + fed)
        book.remark("The restaurant of the vault feeds %(n)s.", n=fed)
    else:
        book.irradiate(use, -USED["radaway"])
        book.remark("%(name)s has a shot of RadAway.", name=book.name_of(use))


def care_offers(book: Book) -> Iterator[Offer]:
    """Uses of the group's Doctor's Bags and RadAway after a game."""
    held = book.group.possessions()
    injured = injured_choices(book.group, eyes=False)
    if held["Doctor’s Bag"] and injured:
        what = one_of("what", gettext("Heal"), injured)
        yield Offer("bag", "Doctor’s Bag", gettext("Heal"), gettext("It is used up. Eye wounds stay."), (what,))
    rads = [
        (character.key, gettext("%(name)s: %(rads)s", name=character.name, rads=worded(rads_text(character.rads))))
        for character in book.group.characters
        if character.rads
    ]
    if held["RadAway"] and rads:
        about = gettext("It is used up and takes away 10 rads.")
        yield Offer("radaway", "RadAway", gettext("Take"), about, (one_of("who", gettext("For"), rads),))


def take(book: Book, item: str, why: Text) -> None:
    """Use up an item of the group, from the stash if it is there."""
    holder = "" if item in book.group.stash else next(c.key for c in book.group.characters if item in c.items)
    book.item(item, -1, why, holder)


def bag(book: Book, answers: Answered) -> None:
    what = str(answers["what"])
    take(book, "Doctor’s Bag", message("Used on %(name)s", name=book.name_of(what.partition(":")[0])))
    book.heal(what)
    book.remark("%(what)s is healed.", what=dict(injured_choices(book.world.groups[book.number]))[what])


def radaway(book: Book, answers: Answered) -> None:
    who = str(answers["who"])
    take(book, "RadAway", message("Taken by %(name)s", name=book.name_of(who)))
    book.irradiate(who, -USED["radaway"])
    book.remark("%(name)s has %(rads)s now.", name=book.name_of(who), rads=rads_text(book.group.member(who).rads))


def building_offers(book: Book) -> Iterator[Offer]:
    """A search by two Super Mutants, who do this instead of visiting traders."""
    home = book.at_home()
    if book.group.traits.get("traders") is False and len(home) > 1:
        who = [(character.key, character.name) for character in home]
        asks = one_of("who", gettext("One"), who, home[0].key), one_of("with", gettext("With"), who, home[1].key)
        about = gettext("Two Super Mutants go together.")
        yield Offer("building", gettext("A building nearby"), pgettext("button", "Search"), about, asks, dice="2D12")


def building(book: Book, answers: Answered) -> None:
    """Search a building with two Super Mutants."""
    pair = [str(answers["who"]), str(answers["with"])]
    if pair[0] == pair[1]:
        raise StepRefused(gettext("Choose two Super Mutants."), "with")
    for who in pair:
        book.send(who, SCAVENGES)
    why = message("%(one)s and %(other)s search a building", one=book.name_of(pair[0]), other=book.name_of(pair[1]))
    total = book.roll(why, 12, 2).total
    what = row_of(RAW["building"]["rows"], total)[2]
    named = {"trap": message("trap"), "centaur": message("centaur")}.get(what, what)
    book.remark("%(name)s: %(what)s.", name=why, what=joined([total, named]))
    if what == "trap":
        book.roll_injury(pair[book.roll(message("Who is hit"), 2).total - 1], message("Trap"))
    elif what != "centaur":
        book.item(what, 1, why)
    elif sum(member.centaur for member in book.group.present_members) < RAW["centaur"]["most"]:
        book.join(CENTAUR, why)
    else:
        book.remark("The group has as many Centaurs as it can have.")


def leave_income(book: Book) -> None:
    """End the phase: add the Wasteland Survivors' bonus food."""
    each = book.group.traits.get("looters")
    out = sum(errand == SCAVENGES for errand in book.aftermath.errands.values())
    if each and out >= each:
        book.food(out // each, counted_message("%(num)s looter scavenged", "%(num)s looters scavenged", out))
