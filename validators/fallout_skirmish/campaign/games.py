"""The leader of a group, the records of its games, injuries and experience (rulebook, chapters 9 and 10).

Functions named ``..._offers`` yield the steps on offer. The others apply the step of their name, with its answers.
"""

from collections import Counter
from collections.abc import Iterator

from languages.message import Text, counted_message, joined, message, worded
from languages.words import N_, gettext, labelled, pgettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Applied, Offer, Played, StepRefused, World
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import Aftermath, Character, GameRecord, Group, rating
from validators.fallout_skirmish.campaign.tables import (
    INJURY,
    MOST_SLAVES,
    RAW,
    TURFS,
    USED,
    caps_text,
    caps_words,
    injury_of,
    rads_text,
    row_of,
)
from validators.sheet import copies

RESULTS = {
    ("win", True): N_("Round %(round)s: win against %(against)s."),
    ("draw", True): N_("Round %(round)s: draw against %(against)s."),
    ("loss", True): N_("Round %(round)s: loss against %(against)s."),
    ("win", False): N_("Round %(round)s: win."),
    ("draw", False): N_("Round %(round)s: draw."),
    ("loss", False): N_("Round %(round)s: loss."),
}


def lead(book: Book, _: Answered) -> None:
    """Choose the leader: the highest Charisma, by lot among equals."""
    tied = book.candidates()
    if not tied:
        raise StepRefused(gettext("Nobody is left to lead."))
    drawn = book.roll(message("Leader by lot"), len(tied)).total if len(tied) > 1 else 1
    book.set(leader=tied[drawn - 1])
    book.remark("%(name)s leads the group.", name=book.name_of(tied[drawn - 1]))


def play(world: World, number: int, played: Played) -> Applied:
    """Begin a new sequence after a game. Captives missed it and are free again."""
    book = Book(world, number)
    locked = tuple(character.key for character in book.group.characters if character.captive)
    for key in locked:
        book.change_character(key, captive=False)
    left = book.aftermath.pending  # advances by a ruling
    book.set(aftermath=Aftermath(rating=rating(book.group), absent=locked, pending=left))
    against = world.names.get(played.opponent, "")
    book.remark(RESULTS[played.result, bool(against)], round=played.round, against=against)
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
        about = gettext("They took part, and nothing else is to record. Tick them; the others have their own form.")
        yield Offer("downed", gettext("Several went down to zero wounds"), gettext("Record"), about, asks)
    for member in book.group.present_members:
        if member.key not in book.aftermath.records:
            stays, other = book.reason_absent(member), gettext("Computers, locks, own rules.")
            at_home = gettext("At home: %(why)s.", why=worded(stays)) if stays else ""
            asks = (
                Asked("took", gettext("Took part"), "yes", default=0 if stays else 1, help=at_home),
                Asked("wounded", gettext("Wounds inflicted"), most=30, default=0),
                Asked("killed", gettext("Opponents and creatures taken out"), most=30, default=0),
                Asked("other", gettext("Other experience"), least=-9, most=20, default=0, help=other),
                Asked("down", gettext("Down to zero wounds"), "yes", default=0),
                Asked("rads", gettext("Rads gained"), most=30, default=0),
                *((Asked("locked", gettext("Incarcerated by the Regulators"), "yes", default=0),) if arrests else ()),
            )
            yield Offer("fought", member.name, gettext("Record"), "", asks, {"who": member.key})
    carried = ((character, name) for character in book.group.characters for name in character.items)
    usable = [(f"{holder.key}:{name}", worded(of(name, holder))) for holder, name in carried if name in USED["items"]]
    if usable:
        addicted = Asked("addicted", gettext("Failed the check and is addicted now"), "yes", default=0)
        asks, about = (one_of("what", gettext("Used up"), usable), addicted), gettext("What was used in the game.")
        yield Offer("used", gettext("Stimpaks and chems"), gettext("Use up"), about, asks)
    records = book.aftermath.records
    players = [
        each
        for each in book.group.characters
        if records.get(each.key, GameRecord(not book.reason_absent(each))).took_part
    ]
    who = tuple((character.key, character.name) for character in players)
    places = {"scavenger": gettext("Dead scavenger"), "outpost": gettext("Abandoned Enclave outpost")}
    open_places = [place for place in places.items() if book.times_done(place[0]) < RAW["searches"]["most"][place[0]]]
    if who and open_places:
        asks = one_of("place", gettext("Searched"), open_places), one_of("who", gettext("By"), who)
        about = gettext("Met in the game, or won at its end.")
        yield Offer("search", gettext("Special encounters"), pgettext("button", "Search"), about, asks, dice="D12")
    if book.group.characters and book.times_done("freed") < 2 and not book.group.full:
        asks = (Asked("freed", gettext("Slaves whose collar was removed"), least=1, most=MOST_SLAVES, default=1),)
        yield Offer("freed", gettext("Slaves"), gettext("Take in"), gettext("They join the group for free."), asks)
    caught = (
        [member for member in against.all_members if member.key in against.aftermath.records or not member.gone]
        if against
        else []
    )
    if (each := book.group.traits.get("arrests")) and caught and not book.times_done("captured"):
        asks = (Asked("captured", gettext("Incarcerated opponents"), least=1, most=len(caught), default=1),)
        about = gettext("%(caps)s for each.", caps=caps_words(each))
        yield Offer("captured", gettext("We are the law"), gettext("Deliver"), about, asks)


def of(item: str, holder: Character) -> Text:
    """An item that a character has."""
    return message("%(item)s of %(name)s", item=item, name=holder.name)


def fought(book: Book, answers: Answered) -> None:
    who, took = str(answers["who"]), answers["took"] == 1
    character = book.group.member(who)
    if took and (why := book.reason_absent(character)):
        raise StepRefused(gettext("%(name)s could not take part: %(why)s.", name=character.name, why=worded(why)))
    if not took and book.times_done(f"{who} searched"):
        raise StepRefused(gettext("%(name)s searched in the game, so took part.", name=character.name))
    wounds, kills, other = (int(answers[key]) for key in ("wounded", "killed", "other"))
    down, gained = answers["down"] == 1, int(answers["rads"])
    if not took and (wounds or kills or other or down or gained or answers.get("locked")):
        raise StepRefused(
            gettext("%(name)s did not take part, so nothing else can have happened.", name=character.name)
        )
    earned, counts = wounds + kills + other, Counter(wounded=wounds, killed=kills, down=int(down))
    book.update_aftermath(records={**book.aftermath.records, who: GameRecord(took, earned, counts)})
    said = (
        (counted_message("%(num)s wound", "%(num)s wounds", wounds), wounds),
        (message("%(n)s taken out", n=kills), kills),
        (message("%(n)s other XP", n=other), other),
        (message("down to zero wounds"), down),
    )
    happened = joined([words for words, count in said if count] or [message("took part")])
    book.remark("%(name)s: %(what)s." if took else N_("%(name)s stayed at home."), name=character.name, what=happened)
    if answers.get("locked"):
        book.change_character(who, captive=True)
        book.remark("%(name)s is locked up and misses the next game.", name=character.name)
    if gained:
        book.remark("%(name)s: %(what)s.", name=character.name, what=rads_text(gained))
        book.irradiate(who, gained)


def downed(book: Book, answers: Answered) -> None:
    """Record several characters who took part and went down."""
    chosen = [key.removeprefix("down-") for key, ticked in answers.items() if ticked == 1]
    if not chosen:
        raise StepRefused(gettext("Tick who went down."))
    records = {who: GameRecord(True, 0, Counter(down=1)) for who in chosen}
    book.update_aftermath(records={**book.aftermath.records, **records})
    book.remark("Down to zero wounds: %(names)s.", names=", ".join(map(book.name_of, chosen)))


def doubt(world: World, number: int, _: Answered) -> tuple[Text, str]:
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
        N_("%(n)s taken out, and %(name)s had %(others)s."): (
            own["killed"], counted_message("%(num)s member", "%(num)s members", len(there)),
            own["killed"] > len(there)),
        N_("%(n)s inflicted, and %(name)s had %(others)s in all."): (
            counted_message("%(num)s wound", "%(num)s wounds", own["wounded"]), wounds, own["wounded"] > wounds),
        N_("%(n)s taken out, and %(name)s recorded %(others)s down."): (
            own["killed"], theirs["down"], closed and own["killed"] > theirs["down"]),
        N_("%(n)s down, and %(name)s recorded %(others)s taken out."): (
            own["down"], theirs["killed"], closed and own["down"] < theirs["killed"]),
    }  # fmt: skip
    found = [message(text, n=n, name=name, others=others) for text, (n, others, applies) in said.items() if applies]
    return joined(found, by=" ") if found else "", ""


def used(book: Book, answers: Answered) -> None:
    """Use up a character's item in the game."""
    who, _, name = str(answers["what"]).partition(":")
    book.item(name, -1, message("Used by %(name)s", name=book.name_of(who)), who)
    book.remark("%(item)s of %(name)s is used up.", item=name, name=book.name_of(who))
    if answers["addicted"] == 1 and name in USED["chems"]:
        addict(book, who, name)
    if name == "RadAway":
        book.irradiate(who, -USED["radaway"])


def addict(book: Book, who: str, drug: str) -> None:
    character = book.group.member(who)
    book.change_character(who, addictions=tuple(dict.fromkeys([*character.addictions, drug])))
    book.remark("%(name)s is addicted to %(drug)s.", name=character.name, drug=drug)


def search(book: Book, answers: Answered) -> None:
    """Search a dead scavenger or an outpost with a character: D12 + Luck."""
    who, place = str(answers["who"]), str(answers["place"])
    book.mark_done(place, f"{who} searched")
    luck = book.group.profile(book.group.member(who))["L"]
    name, why = book.name_of(who), message("Found by searching")
    rolled = book.roll(message("%(name)s searches", name=name), 12).total
    _, _, item, number = row_of(RAW["searches"][place], rolled + luck)
    if not item:
        book.caps(RAW["searches"]["caps"], why)
    else:
        count = book.roll(item, number).total if number > 1 else 1
        book.item(item, count, why)
    what = copies(count, item) if item else caps_text(RAW["searches"]["caps"])
    book.remark("%(name)s: %(what)s.", name=name, what=joined([f"{rolled} + {luck} = {rolled + luck}", what]))


def freed(book: Book, answers: Answered) -> None:
    """Add freed slaves to the group. They took no part in the game."""
    book.mark_done("freed")
    for _ in range(int(answers["freed"])):
        key = book.join(book.group.force.ranks[0].name, message("Freed slave"))
        book.update_aftermath(records={**book.aftermath.records, key: GameRecord(False)})
        book.remark("%(name)s joins.", name=book.name_of(key))


def captured(book: Book, answers: Answered) -> None:
    """Earn Caps for incarcerated opponents."""
    book.mark_done("captured")
    number = int(answers["captured"])
    why = counted_message("%(num)s opponent delivered", "%(num)s opponents delivered", number)
    book.caps(number * book.group.traits["arrests"], why)


def absent_members(book: Book) -> Text:
    """The members without a record that cannot have taken part, each with the reason, in a sentence; "" for none."""
    records = book.aftermath.records
    unrecorded = (member for member in book.group.characters if member.key not in records)
    reasons = ((member.name, book.reason_absent(member)) for member in unrecorded)
    names = [joined((name, " (", why, ")"), by="") for name, why in reasons if why]
    return message("At home, without experience: %(names)s.", names=joined(names)) if names else ""


def leave_game(book: Book) -> None:
    """End the phase: characters without a record took part without events, or stayed at home if they had to."""
    quiet = {
        character.key: GameRecord(not book.reason_absent(character))
        for character in book.group.characters
        if character.key not in book.aftermath.records
    }
    home = absent_members(book)
    book.update_aftermath(records={**book.aftermath.records, **quiet})
    if took := sum(record.took_part for record in quiet.values()):
        book.remark_many(
            "%(num)s character took part, and nothing else was recorded.",
            "%(num)s characters took part, and nothing else was recorded.",
            took,
        )
    if home:
        book.messages.append(home)


def injury_offers(book: Book) -> Iterator[Offer]:
    """A roll for each character that went down, and second rolls by doctors."""
    down = _down(book)
    if len(down) > 1:
        dice = f"{2 * len(down)}D12"
        title, about = gettext("All who went down"), gettext("Two dice for each.")
        yield Offer("injury", title, gettext("Find out"), about, fixed={"who": "all"}, dice=dice, each=tuple(down))
    for member in (member for member in book.group.present_members if member.key in down):
        fixed: dict[str, int | str] = {"who": member.key}
        about = gettext("Down to zero wounds.")
        yield Offer("injury", member.name, gettext("Find out"), about, fixed=fixed, dice="2D12")
    doctors = sum(name in TURFS and TURFS[name].rerolls for name in book.group.turfs)
    ways = [("turf doctor", gettext("By the turf Doctor. The second result stands."))]
    ways = ways if book.times_done("turf doctor") < doctors else []
    if book.group.traits.get("home") and not book.times_done("home"):
        lab = gettext("By the Medical Lab, one of three advantages of the vault. The second result stands.")
        ways.append(("home", lab))
    for key, total in book.aftermath.injured.items():
        if injury_of(total).id and not book.times_done(f"{key} again"):
            name = labelled(book.name_of(key), injury_of(total).name)
            for by, label in ways:
                yield Offer("again", name, gettext("Try again"), label, fixed={"who": key, "by": by}, dice="2D12")


def injury(book: Book, answers: Answered) -> None:
    """Roll a character's injury, or of all who went down, which is applied when the phase ends."""
    each = [str(answers["who"])] if answers["who"] != "all" else _down(book)
    names = ", ".join(map(book.name_of, each))
    why = message("Injury of %(names)s, two dice each in this order", names=names)
    if not each[1:]:
        why = message("Injury of %(name)s", name=names)
    results = book.roll(why, 12, 2 * len(each)).results
    for place, who in enumerate(each):
        total = sum(results[2 * place : 2 * place + 2])
        book.update_aftermath(injured={**book.aftermath.injured, who: total})
        book.remark("%(name)s: %(what)s.", name=book.name_of(who), what=f"{total}, {injury_of(total).name}")


def _down(book: Book) -> list[str]:
    """The members who went down and whose injury is not rolled yet."""
    down = {key for key, game in book.aftermath.records.items() if game.counts["down"]} - book.aftermath.injured.keys()
    return [member.key for member in book.group.present_members if member.key in down]


def again(book: Book, answers: Answered) -> None:
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


def injured_choices(group: Group, *, eyes: bool = True) -> tuple[tuple[str, str], ...]:
    """The injuries that can be healed, as values ("c1:eye") with labels."""
    return tuple(
        (f"{character.key}:{injury}", labelled(character.name, INJURY[injury].name))
        for character in group.characters
        for injury in dict.fromkeys(character.injuries)
        if eyes or injury != "eye"
    )
