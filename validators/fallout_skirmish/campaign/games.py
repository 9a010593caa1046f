"""What a group is founded with, what happened in its games, injuries, experience and advances."""

from collections import Counter
from collections.abc import Iterator

from validators.calculator import Asked
from validators.campaign import Account, Answered, Applied, Dice, Line, Offer, Played, StepRefused, World, one_of
from validators.contract import Document, Terms
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import (
    INJURY,
    MOST,
    NAMES,
    RAW,
    TURFS,
    USED,
    After,
    Character,
    Fought,
    Group,
    injury_of,
    perk_open,
    rating,
    row_of,
)
from validators.fallout_skirmish.force import priced
from validators.names import counted
from validators.sheet import copies


def found(world: World, number: int, document: Document, dice: Dice) -> Applied:
    """A group from its legal force: what is left of the Caps, its turfs, its characters and who leads them."""
    force = priced(document, Terms(world.edition))
    start = world.size or RAW["start"]["caps"]
    if force.force is None:
        raise StepRefused(f"{document['faction']} is not a force of these lists.")
    if force.total > start:
        raise StepRefused(f"The group costs {counted(force.total, 'Cap')}, and {start} are there to spend.")
    name = document["name"] or world.names.get(number, force.force.name)
    empty = Group(world.edition, world.settings, name, force.force.name)
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
    book.say(f"{book.name(book.group.leader)} leads. The rating is {rating(book.group)}.")
    return book.applied()


def lead(book: Book, _: Answered) -> None:
    """The leader, by lot among those with the highest Charisma."""
    tied = book.candidates()
    if not tied:
        raise StepRefused("Nobody is left to lead.")
    drawn = book.roll("Leader by lot", len(tied)).total if len(tied) > 1 else 1
    book.set(leader=tied[drawn - 1])
    book.say(f"{book.name(tied[drawn - 1])} leads the group.")


def play(world: World, number: int, played: Played) -> Applied:
    """A new sequence: who was locked up is free again after this game."""
    book = Book(world, number)
    locked = tuple(one.key for one in book.group.characters if one.captive)
    for key in locked:
        book.change(key, captive=False)
    book.set(after=After(rating=rating(book.group), absent=locked))
    against = world.names.get(played.opponent, "")
    book.say(f"Round {played.round}: {played.result}{f' against {against}' if against else ''}.")
    return book.applied()


# ---- the game


def game_offers(book: Book) -> Iterator[Offer]:
    """What happened to each character, what was used up, found and won."""
    against = book.opponents
    arrests = bool(against and against.own.get("arrests"))
    for one in book.group.present:
        if one.key not in book.after.fought:
            stays = book.stays(one)
            asks = (
                Asked("took", "Took part", "yes", default=0 if stays else 1, help=stays and f"At home: {stays}."),
                Asked("wounded", "Wounds inflicted", most=30, default=0),
                Asked("killed", "Opponents and creatures taken out", most=30, default=0),
                Asked("other", "Other experience", least=-9, most=20, default=0, help="Computers, locks, own rules."),
                Asked("down", "Down to zero wounds", "yes", default=0),
                Asked("rads", "Rads gained", most=30, default=0),
                *((Asked("locked", "Incarcerated by the Regulators", "yes", default=0),) if arrests else ()),
            )
            yield Offer("fought", one.name, "Record", "", asks, {"who": one.key})
    carried = ((one, name) for one in book.group.characters for name in one.items)
    if used := [(f"{one.key}:{name}", f"{name} of {one.name}") for one, name in carried if name in USED["items"]]:
        addicted = Asked("addicted", "Failed the check and is addicted now", "yes", default=0)
        asks = one_of("what", "Used up", used), addicted
        yield Offer("used", "Stimpaks and chems", "Use up", "What was used in the game.", asks)
    records = book.after.fought
    players = [one for one in book.group.characters if records.get(one.key, Fought(not book.stays(one))).took]
    who = tuple((one.key, one.name) for one in players)
    places = {"scavenger": "Dead scavenger", "outpost": "Abandoned Enclave outpost"}
    open_places = [one for one in places.items() if book.times(one[0]) < RAW["searches"]["most"][one[0]]]
    if who and open_places:
        asks = one_of("place", "Searched", open_places), one_of("who", "By", who)
        yield Offer("search", "Special encounters", "Search", "Met in the game, or won at its end.", asks, dice="D12")
    slaves = 3 if book.world.settings["slaves"] == "d3" else 2
    if book.group.characters and book.times("freed") < 2 and not book.group.full:
        asks = (Asked("freed", "Slaves whose collar was removed", least=1, most=slaves, default=1),)
        yield Offer("freed", "Slaves", "Take in", "They join the group for free.", asks)
    caught = [one for one in against.everybody if one.key in against.after.fought or not one.gone] if against else []
    if (each := book.group.own.get("arrests")) and caught and not book.times("captured"):
        asks = (Asked("captured", "Incarcerated opponents", least=1, most=len(caught), default=1),)
        yield Offer("captured", "We are the law", "Deliver", f"{each} Caps for each.", asks)


def fought(book: Book, answers: Answered) -> None:
    """What happened to one character in the game."""
    who, took = str(answers["who"]), answers["took"] == 1
    one = book.group.who(who)
    if took and (why := book.stays(one)):
        raise StepRefused(f"{one.name} could not take part: {why}.")
    if not took and book.times(f"{who} searched"):
        raise StepRefused(f"{one.name} searched in the game, so took part.")
    wounds, kills, other = (int(answers[key]) for key in ("wounded", "killed", "other"))
    down, rads = answers["down"] == 1, int(answers["rads"])
    if not took and (wounds or kills or other or down or rads or answers.get("locked")):
        raise StepRefused(f"{one.name} did not take part, so nothing else can have happened.")
    earned, counts = wounds + kills + other, Counter(wounded=wounds, killed=kills, down=int(down))
    book.note(fought={**book.after.fought, who: Fought(took, earned, counts)})
    said = {counted(wounds, "wound"): wounds, f"{kills} taken out": kills, f"{other} other XP": other}
    happened = ", ".join(one for one, holds in (said | {"down to zero wounds": down}).items() if holds)
    book.say(f"{one.name}: {happened or 'took part'}." if took else f"{one.name} stayed at home.")
    if answers.get("locked"):
        book.change(who, captive=True)
        book.say(f"{one.name} is locked up and misses the next game.")
    if rads:
        book.say(f"{one.name}: {counted(rads, 'rad')}.")
        book.irradiate(who, rads)


def doubt(world: World, number: int, _: Answered) -> tuple[str, str]:
    """What the records of both groups say differently; creatures and healed wounds may explain it, so it may stay."""
    book, phase = Book(world, number), world.phase(number)
    if phase is None or phase.id != "game" or book.opponents is None:
        return "", ""
    against, other = book.opponents, world.played.get(book.played.opponent)
    if other and other.round > book.played.round:
        return "", ""
    records = against.after.fought if other and other.game == book.played.game else {}
    own, theirs = (sum((one.counts for one in of.values()), Counter()) for of in (book.after.fought, records))
    there = [one for one in against.everybody if records.get(one.key, Fought(not one.gone)).took]
    wounds, name = sum(against.base(one)["W"] for one in there), world.names[book.played.opponent]
    closed = records and world.phases.get(book.played.opponent) != 0
    said = {
        f"{own['killed']} taken out, and {name} had {counted(len(there), 'member')}.": own["killed"] > len(there),
        f"{counted(own['wounded'], 'wound')} inflicted, and {name} had {wounds} in all.": own["wounded"] > wounds,
        f"{own['killed']} taken out, and {name} recorded {theirs['down']} down.": closed
        and own["killed"] > theirs["down"],
        f"{own['down']} down, and {name} recorded {theirs['killed']} taken out.": closed
        and own["down"] < theirs["killed"],
    }
    return " ".join(one for one, holds in said.items() if holds), ""


def used(book: Book, answers: Answered) -> None:
    """What a character used up in the game."""
    who, _, name = str(answers["what"]).partition(":")
    book.item(name, -1, f"Used by {book.name(who)}", who)
    if answers["addicted"] == 1 and name in USED["chems"]:
        addict(book, who, name)
    if name == "RadAway":
        book.irradiate(who, -USED["radaway"])


def addict(book: Book, who: str, drug: str) -> None:
    """A character is addicted to a drug."""
    one = book.group.who(who)
    book.change(who, addictions=tuple(dict.fromkeys([*one.addictions, drug])))
    book.say(f"{one.name} is addicted to {drug}.")


def search(book: Book, answers: Answered) -> None:
    """A character searches a dead scavenger or an outpost: D12 and Luck."""
    who, place = str(answers["who"]), str(answers["place"])
    book.did(place, f"{who} searched")
    luck = book.group.profile(book.group.who(who))["L"]
    rolled = book.roll(f"{book.name(who)} searches", 12).total
    _, _, item, number = row_of(RAW["searches"][place], rolled + luck)
    if not item:
        book.caps(RAW["searches"]["caps"], "Found by searching")
    else:
        count = book.roll(item, number).total if number > 1 else 1
        book.item(item, count, "Found by searching")
    book.say(f"{book.name(who)}: {rolled} + {luck} = {rolled + luck}, {copies(count, item) if item else '10 Caps'}.")


def freed(book: Book, answers: Answered) -> None:
    """Slaves join the group, after the game: they were not in it."""
    book.did("freed")
    for _ in range(int(answers["freed"])):
        key = book.join(book.group.force.ranks[0].name, "Freed slave")
        book.note(fought={**book.after.fought, key: Fought(False)})
        book.say(f"{book.name(key)} joins.")


def captured(book: Book, answers: Answered) -> None:
    """Caps for incarcerated opponents."""
    book.did("captured")
    number = int(answers["captured"])
    book.caps(number * book.group.own["arrests"], f"{counted(number, 'opponent')} delivered")


def leave_game(book: Book) -> None:
    """Who is not recorded took part without anything worth a note, or stayed at home."""
    quiet = {one.key: Fought(not book.stays(one)) for one in book.group.characters if one.key not in book.after.fought}
    book.note(fought={**book.after.fought, **quiet})
    if took := sum(one.took for one in quiet.values()):
        book.say(f"{counted(took, 'character')} took part, and nothing else was recorded.")


# ---- injuries


def injury_offers(book: Book) -> Iterator[Offer]:
    """A roll for each character that was down, and rolls again."""
    down = {key for key, game in book.after.fought.items() if game.counts["down"] and key not in book.after.injured}
    for one in (one for one in book.group.present if one.key in down):
        yield Offer("injury", one.name, "Find out", "Down to zero wounds.", fixed={"who": one.key}, dice="2D12")
    doctors = sum(name in TURFS and TURFS[name].rerolls for name in book.group.turfs)
    ways = [("turf doctor", "By the turf Doctor. The second result stands.")]
    ways = ways if book.times("turf doctor") < doctors else []
    if book.group.own.get("home") and not book.times("home"):
        ways.append(("home", "By the Medical Lab, one of three advantages of the vault. The second result stands."))
    for key, total in book.after.injured.items():
        if injury_of(total).id and not book.times(f"{key} again"):
            name = f"{book.name(key)}: {injury_of(total).name}"
            for by, label in ways:
                yield Offer("again", name, "Try again", label, fixed={"who": key, "by": by}, dice="2D12")


def injury(book: Book, answers: Answered) -> None:
    """The injury of a character; it holds when the phase ends."""
    who = str(answers["who"])
    total = book.roll(f"Injury of {book.name(who)}", 12, 2).total
    book.note(injured={**book.after.injured, who: total})
    book.say(f"{book.name(who)}: {total}, {injury_of(total).name}.")


def again(book: Book, answers: Answered) -> None:
    """The same once more."""
    book.did(str(answers["by"]), f"{answers['who']} again")
    injury(book, answers)


def leave_injuries(book: Book) -> None:
    """The injuries hold, and who lives has the experience of the game."""
    led = book.group.leader
    for who, total in book.after.injured.items():
        if not book.group.who(who).gone:
            book.hurt(who, total)
    for one in book.group.characters:
        game = book.after.fought.get(one.key)
        if game and game.took:
            won = one.key == led and book.played.result == "win"
            book.earn(one.key, game.earned + 1 + won)


# ---- experience, and what must be settled at once


def urgent(book: Book) -> Iterator[Offer]:
    """Advances, perks and a leader, in any phase in which they are due."""
    for (kind, key, *_), number in Counter(book.after.pending).items():
        if kind == "advance":
            about = counted(number, "advance")
            yield Offer("advance", book.name(key), "Advance", about, fixed={"who": key}, dice="2D12")
        elif kind in ("perk", "any perk"):
            perks = one_of("perk", "Perk", _perks(book.group, book.group.who(key), kind))
            yield Offer("perk", f"A perk for {book.name(key)}", "Choose", "", (perks,), {"who": key, "kind": kind})
    if not book.group.leader and (tied := book.candidates()):
        dice = f"D{len(tied)}" if len(tied) > 1 else ""
        yield Offer("lead", "A new leader", "Choose", "The highest Charisma leads; equals draw lots.", dice=dice)


def _perks(group: Group, one: Character, kind: str) -> list[str]:
    """The perks that a character can choose: new ones, and not Leader, which is never chosen."""
    left, profile = (perk for perk in group.lists.file.perks if perk not in (*one.perks, "Leader")), group.profile(one)
    return [perk for perk in left if kind == "any perk" or perk_open(profile, group, perk)]


def _open(group: Group, one: Character, gain: str, choosing: int) -> bool:
    """Whether a row of the advancement table can be gained."""
    if gain in MOST:
        return group.base(one)[gain] < MOST[gain]
    return len(_perks(group, one, gain)) > choosing


def advance(book: Book, answers: Answered) -> None:
    """One advance; a result that cannot be gained is rolled again."""
    who = str(answers["who"])
    one = book.group.who(who)
    book.settle(who, "advance")
    rows = RAW["advances"]["rows"]
    choosing = sum(what in (("perk", who), ("any perk", who)) for what in book.after.pending)
    if not any(_open(book.group, one, row[2], choosing) for row in rows):
        book.say(f"{one.name} has nothing left to gain.")
        return
    while True:
        total = book.roll(f"Advance of {one.name}", 12, 2).total
        gain = row_of(rows, total)[2]
        if _open(book.group, one, gain, choosing):
            break
        book.say(f"{one.name}: {total} cannot be gained, so the dice are rolled again.")
    if gain in MOST:
        book.change(who, raised={**one.raised, gain: one.raised.get(gain, 0) + 1})
        book.say(f"{one.name}: {total}, +1 {NAMES[gain]}.")
    else:
        book.note(pending=(*book.after.pending, (gain, who)))
        book.say(f"{one.name}: {total}, a perk" + (", whatever it asks for." if gain == "any perk" else "."))


def perk(book: Book, answers: Answered) -> None:
    """The perk that a character chooses."""
    who = str(answers["who"])
    book.settle(who, str(answers["kind"]))
    book.change(who, perks=(*book.group.who(who).perks, str(answers["perk"])))
    book.say(f"{book.name(who)} has the perk {answers['perk']}.")


def injured_choices(group: Group, *, eyes: bool = True) -> tuple[tuple[str, str], ...]:
    """Every injury that can be healed, as a choice."""
    return tuple(
        (f"{one.key}:{injury}", f"{one.name}: {INJURY[injury].name}")
        for one in group.characters
        for injury in dict.fromkeys(one.injuries)
        if eyes or injury != "eye"
    )


def raise_level(book: Book, who: str) -> None:
    """A level above the highest that it ever had, at once: the experience that it needs, and its advance."""
    one = book.group.who(who)
    levels = RAW["levels"]["xp"]
    if one.level < len(levels):
        book.earn(who, levels[one.level] - one.xp)
    else:
        book.say(f"{one.name} is at the highest level.")
