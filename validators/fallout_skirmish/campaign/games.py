"""The leader of a group, the records of its games, injuries, experience and advances (rulebook, chapters 9 and 10).

Functions named ``..._offers`` yield the steps on offer. The others apply the step of their name, with its answers.
"""

from collections import Counter
from collections.abc import Iterator

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Offer, Played, StepRefused, World, one_of
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import Aftermath, Character, GameRecord, Group, perk_open, rating
from validators.fallout_skirmish.campaign.tables import (
    INJURY,
    MOST,
    MOST_SLAVES,
    NAMES,
    RAW,
    TURFS,
    USED,
    injury_of,
    row_of,
)
from validators.names import counted
from validators.sheet import copies


def lead(book: Book, _: Answered) -> None:
    """Choose the leader: the highest Charisma, by lot among equals."""
    tied = book.candidates()
    if not tied:
        raise StepRefused("Nobody is left to lead.")
    drawn = book.roll("Leader by lot", len(tied)).total if len(tied) > 1 else 1
    book.set(leader=tied[drawn - 1])
    book.say(f"{book.name_of(tied[drawn - 1])} leads the group.")


def play(world: World, number: int, played: Played) -> Applied:
    """Begin a new sequence after a game. Captives missed it and are free again."""
    book = Book(world, number)
    locked = tuple(character.key for character in book.group.characters if character.captive)
    for key in locked:
        book.change_character(key, captive=False)
    left = book.aftermath.pending  # advances by a ruling
    book.set(aftermath=Aftermath(rating=rating(book.group), absent=locked, pending=left))
    against = world.names.get(played.opponent, "")
    book.say(f"Round {played.round}: {played.result}{f' against {against}' if against else ''}.")
    return book.applied()


def game_offers(book: Book) -> Iterator[Offer]:
    """Records of the game: each character, used items, special encounters, freed slaves, captured opponents."""
    against = book.opposing_group
    arrests = bool(against and against.traits.get("arrests"))
    fit = [
        member
        for member in book.group.present_members
        if member.key not in book.aftermath.records and not book.reason_absent(member)
    ]
    if len(fit) > 1:
        asks = tuple(Asked(f"down-{member.key}", member.name, "yes", default=0) for member in fit)
        about = "They took part, and nothing else is to record. Tick them; the others have their own form."
        yield Offer("downed", "Several went down to zero wounds", "Record", about, asks)
    for member in book.group.present_members:
        if member.key not in book.aftermath.records:
            stays = book.reason_absent(member)
            asks = (
                Asked("took", "Took part", "yes", default=0 if stays else 1, help=stays and f"At home: {stays}."),
                Asked("wounded", "Wounds inflicted", most=30, default=0),
                Asked("killed", "Opponents and creatures taken out", most=30, default=0),
                Asked("other", "Other experience", least=-9, most=20, default=0, help="Computers, locks, own rules."),
                Asked("down", "Down to zero wounds", "yes", default=0),
                Asked("rads", "Rads gained", most=30, default=0),
                *((Asked("locked", "Incarcerated by the Regulators", "yes", default=0),) if arrests else ()),
            )
            yield Offer("fought", member.name, "Record", "", asks, {"who": member.key})
    carried = ((character, name) for character in book.group.characters for name in character.items)
    usable = [(f"{holder.key}:{name}", f"{name} of {holder.name}") for holder, name in carried if name in USED["items"]]
    if usable:
        addicted = Asked("addicted", "Failed the check and is addicted now", "yes", default=0)
        asks = one_of("what", "Used up", usable), addicted
        yield Offer("used", "Stimpaks and chems", "Use up", "What was used in the game.", asks)
    records = book.aftermath.records
    players = [
        each
        for each in book.group.characters
        if records.get(each.key, GameRecord(not book.reason_absent(each))).took_part
    ]
    who = tuple((character.key, character.name) for character in players)
    places = {"scavenger": "Dead scavenger", "outpost": "Abandoned Enclave outpost"}
    open_places = [place for place in places.items() if book.times_done(place[0]) < RAW["searches"]["most"][place[0]]]
    if who and open_places:
        asks = one_of("place", "Searched", open_places), one_of("who", "By", who)
        yield Offer("search", "Special encounters", "Search", "Met in the game, or won at its end.", asks, dice="D12")
    if book.group.characters and book.times_done("freed") < 2 and not book.group.full:
        asks = (Asked("freed", "Slaves whose collar was removed", least=1, most=MOST_SLAVES, default=1),)
        yield Offer("freed", "Slaves", "Take in", "They join the group for free.", asks)
    caught = (
        [member for member in against.all_members if member.key in against.aftermath.records or not member.gone]
        if against
        else []
    )
    if (each := book.group.traits.get("arrests")) and caught and not book.times_done("captured"):
        asks = (Asked("captured", "Incarcerated opponents", least=1, most=len(caught), default=1),)
        yield Offer("captured", "We are the law", "Deliver", f"{each} Caps for each.", asks)


def fought(book: Book, answers: Answered) -> None:
    """Record one character's game."""
    who, took = str(answers["who"]), answers["took"] == 1
    character = book.group.member(who)
    if took and (why := book.reason_absent(character)):
        raise StepRefused(f"{character.name} could not take part: {why}.")
    if not took and book.times_done(f"{who} searched"):
        raise StepRefused(f"{character.name} searched in the game, so took part.")
    wounds, kills, other = (int(answers[key]) for key in ("wounded", "killed", "other"))
    down, rads = answers["down"] == 1, int(answers["rads"])
    if not took and (wounds or kills or other or down or rads or answers.get("locked")):
        raise StepRefused(f"{character.name} did not take part, so nothing else can have happened.")
    earned, counts = wounds + kills + other, Counter(wounded=wounds, killed=kills, down=int(down))
    book.update_aftermath(records={**book.aftermath.records, who: GameRecord(took, earned, counts)})
    said = {counted(wounds, "wound"): wounds, f"{kills} taken out": kills, f"{other} other XP": other}
    happened = ", ".join(words for words, count in (said | {"down to zero wounds": down}).items() if count)
    book.say(f"{character.name}: {happened or 'took part'}." if took else f"{character.name} stayed at home.")
    if answers.get("locked"):
        book.change_character(who, captive=True)
        book.say(f"{character.name} is locked up and misses the next game.")
    if rads:
        book.say(f"{character.name}: {counted(rads, 'rad')}.")
        book.irradiate(who, rads)


def downed(book: Book, answers: Answered) -> None:
    """Record several characters who took part and went down."""
    chosen = [key.removeprefix("down-") for key, ticked in answers.items() if ticked == 1]
    if not chosen:
        raise StepRefused("Tick who went down.")
    records = {who: GameRecord(True, 0, Counter(down=1)) for who in chosen}
    book.update_aftermath(records={**book.aftermath.records, **records})
    book.say(f"Down to zero wounds: {', '.join(map(book.name_of, chosen))}.")


def doubt(world: World, number: int, _: Answered) -> tuple[str, str]:
    """How both groups' records contradict each other; never binding, because creatures and healing may explain it."""
    book, phase = Book(world, number), world.phase(number)
    if phase is None or phase.id != "game" or book.opposing_group is None:
        return "", ""
    against, other = book.opposing_group, world.played.get(book.played.opponent)
    if other and other.round > book.played.round:
        return "", ""
    records = against.aftermath.records if other and other.game == book.played.game else {}
    both = book.aftermath.records, records
    own, theirs = (sum((record.counts for record in of_group.values()), Counter()) for of_group in both)
    there = [member for member in against.all_members if records.get(member.key, GameRecord(not member.gone)).took_part]
    wounds, name = sum(against.base(opponent)["W"] for opponent in there), world.names[book.played.opponent]
    closed = records and world.phases.get(book.played.opponent) != 0
    said = {
        f"{own['killed']} taken out, and {name} had {counted(len(there), 'member')}.": own["killed"] > len(there),
        f"{counted(own['wounded'], 'wound')} inflicted, and {name} had {wounds} in all.": own["wounded"] > wounds,
        f"{own['killed']} taken out, and {name} recorded {theirs['down']} down.": closed
        and own["killed"] > theirs["down"],
        f"{own['down']} down, and {name} recorded {theirs['killed']} taken out.": closed
        and own["down"] < theirs["killed"],
    }
    return " ".join(sentence for sentence, applies in said.items() if applies), ""


def used(book: Book, answers: Answered) -> None:
    """Use up a character's item in the game."""
    who, _, name = str(answers["what"]).partition(":")
    book.item(name, -1, f"Used by {book.name_of(who)}", who)
    book.say(f"{name} of {book.name_of(who)} is used up.")
    if answers["addicted"] == 1 and name in USED["chems"]:
        addict(book, who, name)
    if name == "RadAway":
        book.irradiate(who, -USED["radaway"])


def addict(book: Book, who: str, drug: str) -> None:
    """Make a character addicted to a drug."""
    character = book.group.member(who)
    book.change_character(who, addictions=tuple(dict.fromkeys([*character.addictions, drug])))
    book.say(f"{character.name} is addicted to {drug}.")


def search(book: Book, answers: Answered) -> None:
    """Search a dead scavenger or an outpost with a character: D12 + Luck."""
    who, place = str(answers["who"]), str(answers["place"])
    book.mark_done(place, f"{who} searched")
    luck = book.group.profile(book.group.member(who))["L"]
    rolled = book.roll(f"{book.name_of(who)} searches", 12).total
    _, _, item, number = row_of(RAW["searches"][place], rolled + luck)
    if not item:
        book.caps(RAW["searches"]["caps"], "Found by searching")
    else:
        count = book.roll(item, number).total if number > 1 else 1
        book.item(item, count, "Found by searching")
    book.say(f"{book.name_of(who)}: {rolled} + {luck} = {rolled + luck}, {copies(count, item) if item else '10 Caps'}.")


def freed(book: Book, answers: Answered) -> None:
    """Add freed slaves to the group. They took no part in the game."""
    book.mark_done("freed")
    for _ in range(int(answers["freed"])):
        key = book.join(book.group.force.ranks[0].name, "Freed slave")
        book.update_aftermath(records={**book.aftermath.records, key: GameRecord(False)})
        book.say(f"{book.name_of(key)} joins.")


def captured(book: Book, answers: Answered) -> None:
    """Earn Caps for incarcerated opponents."""
    book.mark_done("captured")
    number = int(answers["captured"])
    book.caps(number * book.group.traits["arrests"], f"{counted(number, 'opponent')} delivered")


def stays_home(book: Book) -> str:
    """The members without a record that cannot have taken part, each with the reason, in a sentence; "" for none."""
    records = book.aftermath.records
    unrecorded = (member for member in book.group.characters if member.key not in records)
    reasons = ((member.name, book.reason_absent(member)) for member in unrecorded)
    names = ", ".join(f"{name} ({why})" for name, why in reasons if why)
    return f"At home, without experience: {names}." if names else ""


def leave_game(book: Book) -> None:
    """End the phase: characters without a record took part without events, or stayed at home if they had to."""
    quiet = {
        character.key: GameRecord(not book.reason_absent(character))
        for character in book.group.characters
        if character.key not in book.aftermath.records
    }
    home = stays_home(book)
    book.update_aftermath(records={**book.aftermath.records, **quiet})
    if took := sum(record.took_part for record in quiet.values()):
        book.say(f"{counted(took, 'character')} took part, and nothing else was recorded.")
    if home:
        book.say(home)


def injury_offers(book: Book) -> Iterator[Offer]:
    """A roll for each character that went down, and second rolls by doctors."""
    down = _down(book)
    if len(down) > 1:
        dice = f"{2 * len(down)}D12"
        about, each = "Two dice for each.", tuple(down)
        yield Offer("injury", "All who went down", "Find out", about, fixed={"who": "all"}, dice=dice, each=each)
    for member in (member for member in book.group.present_members if member.key in down):
        yield Offer("injury", member.name, "Find out", "Down to zero wounds.", fixed={"who": member.key}, dice="2D12")
    doctors = sum(name in TURFS and TURFS[name].rerolls for name in book.group.turfs)
    ways = [("turf doctor", "By the turf Doctor. The second result stands.")]
    ways = ways if book.times_done("turf doctor") < doctors else []
    if book.group.traits.get("home") and not book.times_done("home"):
        ways.append(("home", "By the Medical Lab, one of three advantages of the vault. The second result stands."))
    for key, total in book.aftermath.injured.items():
        if injury_of(total).id and not book.times_done(f"{key} again"):
            name = f"{book.name_of(key)}: {injury_of(total).name}"
            for by, label in ways:
                yield Offer("again", name, "Try again", label, fixed={"who": key, "by": by}, dice="2D12")


def injury(book: Book, answers: Answered) -> None:
    """Roll a character's injury, or of all who went down, which is applied when the phase ends."""
    each = [str(answers["who"])] if answers["who"] != "all" else _down(book)
    why = f"Injury of {', '.join(map(book.name_of, each))}" + (", two dice each in this order" if each[1:] else "")
    results = book.roll(why, 12, 2 * len(each)).results
    for place, who in enumerate(each):
        total = sum(results[2 * place : 2 * place + 2])
        book.update_aftermath(injured={**book.aftermath.injured, who: total})
        book.say(f"{book.name_of(who)}: {total}, {injury_of(total).name}.")


def _down(book: Book) -> list[str]:
    """The members who went down and whose injury is not rolled yet."""
    down = {key for key, game in book.aftermath.records.items() if game.counts["down"]} - book.aftermath.injured.keys()
    return [member.key for member in book.group.present_members if member.key in down]


def again(book: Book, answers: Answered) -> None:
    """Roll a character's injury a second time."""
    book.mark_done(str(answers["by"]), f"{answers['who']} again")
    injury(book, answers)


def leave_injuries(book: Book) -> None:
    """End the phase: apply the injuries, and give the survivors the experience of the game."""
    led = book.group.leader
    for who, total in book.aftermath.injured.items():
        if not book.group.member(who).gone:
            book.apply_injury(who, total)
    for character in book.group.characters:
        game = book.aftermath.records.get(character.key)
        if game and game.took_part:
            won = character.key == led and book.played.result == "win"
            book.earn(character.key, game.earned + 1 + won)


def urgent(book: Book) -> Iterator[Offer]:
    """Pending advances and perks, and the choice of a missing leader, in any phase."""
    for (kind, key, *_), number in Counter(book.aftermath.pending).items():
        if kind == "advance":
            about = counted(number, "advance")
            yield Offer("advance", book.name_of(key), "Advance", about, fixed={"who": key}, dice="2D12")
        elif kind in ("perk", "any perk"):
            perks = one_of("perk", "Perk", _perks(book.group, book.group.member(key), kind))
            yield Offer("perk", f"A perk for {book.name_of(key)}", "Choose", "", (perks,), {"who": key, "kind": kind})
    if not book.group.leader and (tied := book.candidates()):
        dice = f"D{len(tied)}" if len(tied) > 1 else ""
        yield Offer("lead", "A new leader", "Choose", "The highest Charisma leads; equals draw lots.", dice=dice)


def _perks(group: Group, character: Character, kind: str) -> list[str]:
    """The perks that a character can choose: those that it lacks, without Leader, which is never chosen."""
    left, profile = (
        (perk for perk in group.lists.file.perks if perk not in (*character.perks, "Leader")),
        group.profile(character),
    )
    return [perk for perk in left if kind == "any perk" or perk_open(profile, group, perk)]


def _open(group: Group, character: Character, gain: str, choosing: int) -> bool:
    """Whether a character can gain a row of the advancement table; ``choosing`` perks are already pending."""
    if gain in MOST:
        return group.base(character)[gain] < MOST[gain]
    return len(_perks(group, character, gain)) > choosing


def advance(book: Book, answers: Answered) -> None:
    """Roll one advance; a result that the character cannot gain is rolled again."""
    who = str(answers["who"])
    character = book.group.member(who)
    book.settle(who, "advance")
    rows = RAW["advances"]["rows"]
    choosing = sum(what in (("perk", who), ("any perk", who)) for what in book.aftermath.pending)
    if not any(_open(book.group, character, row[2], choosing) for row in rows):
        book.say(f"{character.name} has nothing left to gain.")
        return
    while True:
        total = book.roll(f"Advance of {character.name}", 12, 2).total
        gain = row_of(rows, total)[2]
        if _open(book.group, character, gain, choosing):
            break
        book.say(f"{character.name}: {total} cannot be gained, so the dice are rolled again.")
    if gain in MOST:
        book.change_character(who, raised={**character.raised, gain: character.raised.get(gain, 0) + 1})
        book.say(f"{character.name}: {total}, +1 {NAMES[gain]}.")
    else:
        book.update_aftermath(pending=(*book.aftermath.pending, (gain, who)))
        book.say(f"{character.name}: {total}, a perk" + (", whatever it asks for." if gain == "any perk" else "."))


def perk(book: Book, answers: Answered) -> None:
    """Give a character the chosen perk."""
    who = str(answers["who"])
    book.settle(who, str(answers["kind"]))
    book.change_character(who, perks=(*book.group.member(who).perks, str(answers["perk"])))
    book.say(f"{book.name_of(who)} has the perk {answers['perk']}.")


def injured_choices(group: Group, *, eyes: bool = True) -> tuple[tuple[str, str], ...]:
    """The injuries that can be healed, as values ("c1:eye") with labels."""
    return tuple(
        (f"{character.key}:{injury}", f"{character.name}: {INJURY[injury].name}")
        for character in group.characters
        for injury in dict.fromkeys(character.injuries)
        if eyes or injury != "eye"
    )


def raise_level(book: Book, who: str) -> None:
    """Raise a character one level above its highest: the missing experience, and an advance."""
    character = book.group.member(who)
    levels = RAW["levels"]["xp"]
    if character.level < len(levels):
        book.earn(who, levels[character.level] - character.xp)
    else:
        book.say(f"{character.name} is at the highest level.")
