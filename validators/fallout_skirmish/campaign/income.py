"""Scavenging, turfs and the forces' special actions after a game (rulebook, chapters 9 and 10).

Each character has one errand after a game. Functions named ``..._offers`` yield the steps on offer; the others apply
the step of their name, with its answers.
"""

from collections.abc import Iterator

from validators.calculator import Asked
from validators.campaign import Answered, Offer, StepRefused, one_of
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import injured_choices, search
from validators.fallout_skirmish.campaign.state import Character, Group
from validators.fallout_skirmish.campaign.tables import CENTAUR, MOST_SLAVES, RAW, TURFS, USED, Turf, row_of
from validators.names import counted

SCAVENGES, VISITS = "scavenges", "visits a turf"
NAMED = {"encounter": "a random encounter", "irradiated": "irradiated food", "caps": "Caps", "food": "food"}


def income_offers(book: Book) -> Iterator[Offer]:
    """Errands for characters without one, and the force's special actions."""
    home, after = book.at_home(), book.aftermath
    turfs = {place: (name, TURFS[name]) for place, name in enumerate(book.group.turfs) if name in TURFS}
    visits = {at: (name, turf) for at, (name, turf) in turfs.items() if not turf.feeds and at not in after.visited}
    if len(home) > 1:
        names = " and ".join(name for name, _ in visits.values())
        gives_up = f"Gives up the visit to {names}" if visits else "No turf is left to visit"
        about = f"{gives_up}, and nobody comes along to a trader: send single characters to keep others at home."
        each = tuple(character.key for character in home)
        yield Offer(
            "scavenge", "Everybody at home", "Scavenge", about, fixed={"who": "all"}, dice="D12 each", each=each
        )
    for character in home:
        yield Offer("scavenge", character.name, "Scavenge", "", fixed={"who": character.key}, dice="D12")
    for place, (name, turf) in visits.items() if home else ():
        asks = [one_of("who", "Who goes", ((character.key, character.name) for character in home))]
        if takes := _takes(book, turf):
            priced = ((item, f"{item} for {counted(caps, 'Cap')}" if caps else item) for item, caps in takes.items())
            asks.append(one_of("take", "Take", (("", "Caps"), *priced), ""))
        dice = ", ".join(yields.words() for yields in (turf.caps, turf.food) if yields and yields.dice)
        found = [f"{turf.caps.words()} Caps" if turf.caps else "", f"{turf.food.words()} food" if turf.food else ""]
        found += ["or an invention on 1 to 3 of a D12"] if turf.instead == "invention" else []
        yield Offer("turf", name, "Visit", ", ".join(filter(None, found)), tuple(asks), {"turf": place}, dice)
    yield from _special_actions(book)


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
    total = book.roll(f"{book.name_of(who)} scavenges", 12).total
    if "Explorer" in book.group.member(who).perks:
        book.update_aftermath(pending=(*book.aftermath.pending, ("explore", who, str(total))))
        book.say(f"{book.name_of(who)} scavenges: {total}, which the Explorer may change by one.")
    else:
        find(book, who, total)


def finds(book: Book) -> Iterator[Offer]:
    """The pending choices of Explorers, and the random encounters of scavengers."""
    for kind, who, *figure in book.aftermath.pending:
        if kind == "explore":
            near = [total for total in range(int(figure[0]) - 1, int(figure[0]) + 2) if 1 <= total <= 12]
            named = {n: NAMED.get(row_of(RAW["scavenging"]["rows"], n)[2], "something special") for n in near}
            result = one_of("result", "Result", ((str(n), f"{n}: {name}") for n, name in named.items()), figure[0])
            yield Offer("explore", f"{book.name_of(who)} explores", "Take", "", (result,), {"who": who}, "D6")
        elif kind == "encounter":
            ends = [("won", "Creatures: killed them"), ("down", "Creatures: taken out"), ("away", "Got away")]
            free = 0 if book.group.full else MOST_SLAVES
            ends += [(f"slaves {n}", f"Slaves: {n} freed") for n in range(1, free + 1)]
            ends += [("scavenger", "Dead scavenger: search it"), ("outpost", "Enclave outpost: search it")]
            end = one_of("end", "What was met, and how it ended", ends)
            about = "Flip a card of the random encounters, and play it with this character alone."
            title, dice = f"{book.name_of(who)} meets something", "2D12 or D12"
            yield Offer("encounter", title, "Record", about, (end,), {"who": who}, dice)


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
        book.say(f"{name} scavenges: {total}, a random encounter.")
    elif what == "caps":
        caps = book.roll("Caps found", sides).total * 5
        book.caps(caps, f"{name} scavenges")
        book.say(f"{name} scavenges: {total}, {counted(caps, 'Cap')}.")
    elif what == "special":
        item = row_of(RAW["scavenging"]["special"], book.roll("Something special", 12).total)[2]
        book.item(item, 1, f"{name} scavenges")
        book.say(f"{name} scavenges: {total}, {item}.")
    else:
        food = book.roll("Food found", sides).total
        book.food(food, f"{name} scavenges", clean=what == "food")
        book.say(f"{name} scavenges: {total}, {food} {'irradiated ' * (what != 'food')}food.")


def encounter(book: Book, answers: Answered) -> None:
    """Apply the end of a scavenger's random encounter."""
    who, (end, _, number) = str(answers["who"]), str(answers["end"]).partition(" ")
    book.settle(who, "encounter")
    if end == "won":
        book.caps(book.roll("Caps for the creatures", 12, 2).total, f"{book.name_of(who)} killed creatures")
    elif end == "down":
        book.roll_injury(who, "Taken out by creatures")
    elif end == "slaves":
        for _ in range(int(number)):
            book.say(f"{book.name_of(book.join(book.group.force.ranks[0].name, 'Freed slave'))} joins.")
    elif end != "away":
        for _ in range(2):
            search(book, {"who": who, "place": end})


def turf(book: Book, answers: Answered) -> None:
    """Send a character to a turf, and take its yield."""
    who, place, take = str(answers["who"]), int(answers["turf"]), str(answers.get("take", ""))
    name = book.group.turfs[place]
    row, why = TURFS[name], f"{book.name_of(who)} at the {name}"
    book.send(who, VISITS)
    book.update_aftermath(visited=(*book.aftermath.visited, place))
    if take and row.instead == "invention" and book.roll("Invention", 12).total > 3:
        book.say(f"{why}: the invention is useless.")
        return
    if row.caps and not take:
        caps, words = row.caps.rolled(book.dice, name)
        book.caps(caps, why)
        book.say(f"{why}: {words} Caps.")
        if row.double and len(set(book.dice.rolled[-1].results)) == 1:
            book.item(row.double, 1, why)
            book.say(f"{why}: a double, and a {row.double}.")
    if row.food:
        food, words = row.food.rolled(book.dice, f"{name}: food")
        book.food(food, why)
        book.say(f"{why}: {words} food.")
    if take:
        book.caps(-_takes(book, row)[take], f"{take} bought")
        book.item(take, 1, why)
        book.say(f"{why}: {take}.")


def _special_actions(book: Book) -> Iterator[Offer]:
    group, own = book.group, book.group.traits
    for character in group.characters:
        if character.blind:
            ends = [("sent", "Send into the wasteland"), ("killed", "Kill")]
            hungry = own.get("flesh") or (own.get("cooks") and not book.times_done("cook"))
            ends += [("eaten", "Eat")] if hungry else []
            about = "Blind members may leave; the group keeps the equipment."
            end = one_of("end", "What happens", ends)
            yield Offer("part", character.name, "Part", about, (end,), {"who": character.key})
    if own.get("cooks") and not book.times_done("cook") and group.leader and len(group.characters) > 1:
        low = _lowest(group)
        pairs = ((f"{a.key} {b.key}", f"{a.name} beat {b.name}") for a in low for b in low if a is not b)
        alone = (("won", f"The leader beat {low[0].name}"), ("lost", "The leader lost"))
        fight = one_of("end", "The fight", pairs if low[1:] else alone)
        about = "Fight it out at the table. It feeds five Raiders."
        yield Offer("cook", "Cannibals", "Cook", about, (fight,), dice="2D12")
    against = book.opposing_group
    most = sum(record.counts["killed"] for record in book.aftermath.records.values())
    if (
        own.get("flesh")
        and most
        and not book.times_done("flesh")
        and against
        and against.traits.get("appetite", 1) == 1
    ):
        asks = (Asked("killed", "Human opponents killed", least=1, most=most, default=1),)
        about = f"Each feeds {own['flesh']} Super Mutants. “The game” records {most} taken out: leave out creatures."
        yield Offer("flesh", "Flesh eaters", "Claim", about, asks)
    if own.get("home") and not book.times_done("home"):
        who = ((character.key, f"RadAway for {character.name}") for character in group.characters if character.rads)
        use = one_of("use", "Advantage", (("meals", f"The restaurant feeds {own['home']}"), *who))
        yield Offer("home", "Clean Home", "Use", "One of the vault’s advantages after a game.", (use,))


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
        book.remove_character(victim.key, "Escaped the pot", keep=True)
        book.roll_injury(book.group.leader, f"Beaten by {victim.name}")
        return
    winner, _, victim_key = end.partition(" ")
    if end == "won":
        winner, victim_key = book.group.leader, _lowest(book.group)[0].key
    book.earn(winner, 2)
    _eat(book, victim_key, own["cooks"])


def _eat(book: Book, who: str, meals: int) -> None:
    book.remove_character(who, "Eaten", keep=True)
    book.update_aftermath(meals=book.aftermath.meals + meals)
    book.say(f"{book.name_of(who)} is eaten and feeds {meals}.")


def part(book: Book, answers: Answered) -> None:
    """Part with a blind member. Raiders eat one member after each game at most, blind or cooked."""
    who, own = str(answers["who"]), book.group.traits
    if answers["end"] == "eaten":
        if own.get("cooks"):
            book.mark_done("cook")
        _eat(book, who, own.get("cooks") or own["flesh"])
    else:
        book.remove_character(
            who, "Sent into the wasteland" if answers["end"] == "sent" else "Killed as blind", keep=True
        )
        book.say(f"{book.name_of(who)} is no longer with the group.")


def flesh(book: Book, answers: Answered) -> None:
    """Feed Super Mutants with killed opponents."""
    book.mark_done("flesh")
    fed = int(answers["killed"]) * book.group.traits["flesh"]
    book.update_aftermath(meals=book.aftermath.meals + fed)
    book.say(f"{fed} Super Mutants are fed with the flesh of opponents.")


def home(book: Book, answers: Answered) -> None:
    """Use an advantage of the vault: meals, or RadAway for a character."""
    book.mark_done("home")
    use = str(answers["use"])
    if use == "meals":
        fed = book.group.traits["home"]
        book.update_aftermath(meals=book.aftermath.meals + fed)
        book.say(f"The restaurant of the vault feeds {fed}.")
    else:
        book.irradiate(use, -USED["radaway"])
        book.say(f"{book.name_of(use)} has a shot of RadAway.")


def care_offers(book: Book) -> Iterator[Offer]:
    """Uses of the group's Doctor's Bags and RadAway after a game."""
    held = book.group.possessions()
    injured = injured_choices(book.group, eyes=False)
    if held["Doctor’s Bag"] and injured:
        what = one_of("what", "Heal", injured)
        yield Offer("bag", "Doctor’s Bag", "Heal", "It is used up. Eye wounds stay.", (what,))
    rads = [
        (character.key, f"{character.name}: {character.rads} rads")
        for character in book.group.characters
        if character.rads
    ]
    if held["RadAway"] and rads:
        about = "It is used up and takes away 10 rads."
        yield Offer("radaway", "RadAway", "Take", about, (one_of("who", "For", rads),))


def take(book: Book, item: str, why: str) -> None:
    """Use up an item of the group, from the stash if it is there."""
    holder = "" if item in book.group.stash else next(c.key for c in book.group.characters if item in c.items)
    book.item(item, -1, why, holder)


def bag(book: Book, answers: Answered) -> None:
    """Heal an injury with a Doctor's Bag."""
    what = str(answers["what"])
    take(book, "Doctor’s Bag", f"Used on {book.name_of(what.partition(':')[0])}")
    book.heal(what)
    book.say(f"{dict(injured_choices(book.world.groups[book.number]))[what]} is healed.")


def radaway(book: Book, answers: Answered) -> None:
    """Give a character RadAway after a game."""
    who = str(answers["who"])
    take(book, "RadAway", f"Taken by {book.name_of(who)}")
    book.irradiate(who, -USED["radaway"])
    book.say(f"{book.name_of(who)} has {book.group.member(who).rads} rads now.")


def building_offers(book: Book) -> Iterator[Offer]:
    """A search by two Super Mutants, who do this instead of visiting traders."""
    home = book.at_home()
    if book.group.traits.get("traders") is False and len(home) > 1:
        who = [(character.key, character.name) for character in home]
        asks = one_of("who", "One", who, home[0].key), one_of("with", "With", who, home[1].key)
        yield Offer("building", "A building nearby", "Search", "Two Super Mutants go together.", asks, dice="2D12")


def building(book: Book, answers: Answered) -> None:
    """Search a building with two Super Mutants."""
    pair = [str(answers["who"]), str(answers["with"])]
    if pair[0] == pair[1]:
        raise StepRefused("Choose two Super Mutants.", "with")
    for who in pair:
        book.send(who, SCAVENGES)
    why = f"{book.name_of(pair[0])} and {book.name_of(pair[1])} search a building"
    total = book.roll(why, 12, 2).total
    what = row_of(RAW["building"]["rows"], total)[2]
    book.say(f"{why}: {total}, {what}.")
    if what == "trap":
        book.roll_injury(pair[book.roll("Who is hit", 2).total - 1], "Trap")
    elif what != "centaur":
        book.item(what, 1, why)
    elif sum(member.centaur for member in book.group.present_members) < RAW["centaur"]["most"]:
        book.join(CENTAUR, why)
    else:
        book.say("The group has as many Centaurs as it can have.")


def leave_income(book: Book) -> None:
    """End the phase: add the Wasteland Survivors' bonus food."""
    each = book.group.traits.get("looters")
    out = sum(errand == SCAVENGES for errand in book.aftermath.errands.values())
    if each and out >= each:
        book.food(out // each, f"{out} looters scavenged")
