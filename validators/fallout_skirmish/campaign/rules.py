"""The Fallout Skirmish campaign (rulebook, chapters 9 and 10): its phases, its settings, and every kind of step.

Also founding a group, hiring recruits, and the members on paper. A step's data are the answers of its form: ``who`` is
a character's key ("c1" is the first in the force file), ``what`` a character's item, injury or treatment ("c1:Jet").
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from languages.message import Text, counted_message, message, worded
from languages.words import N_, gettext, listed, ngettext
from validators.calculator import Asked
from validators.campaign import (
    Account,
    Answered,
    Applied,
    CampaignRules,
    Dice,
    LedgerLine,
    Offer,
    Phase,
    StepRefused,
    World,
)
from validators.contract import Document, Terms
from validators.fallout_skirmish.campaign import games, income, rewards, ruling, trade, upkeep
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import lead
from validators.fallout_skirmish.campaign.state import Character, Group, balances, document, members, notes, rating
from validators.fallout_skirmish.campaign.tables import MOST_RADS, RAW, caps_text, caps_words, level_of, row_of
from validators.fallout_skirmish.force import PricedItem, priced
from validators.fallout_skirmish.sheets import character_blocks, key
from validators.kit.campaign_steps import Steps, settings_of
from validators.sheet import Block, Column, Lines, Table, copies


def found(world: World, number: int, document: Document, dice: Dice) -> Applied:
    """A new group from its legal force: the Caps left, its turfs, characters and leader. Raises StepRefused."""
    force = priced(document, Terms(world.edition))
    start = world.size or RAW["start"]["caps"]
    if force.force is None:
        raise StepRefused(gettext("%(name)s is not a force of these lists.", name=document["faction"]))
    if force.total > start:
        cost = caps_words(force.total)
        raise StepRefused(
            gettext("The group costs %(cost)s, and %(start)s are there to spend.", cost=cost, start=start)
        )
    name, former = document["name"] or world.names.get(number, force.force.name), world.groups.get(number)
    fallen = former.all_members if former else ()
    left = message("Left when the group was founded again")
    fallen = tuple(member if member.gone else replace(member, gone=left, items={}) for member in fallen)
    empty = Group(world.edition, name, force.force.name, all_members=fallen)
    book = Book(world.with_group(number, empty), number, dice)
    why = message("At the start")
    book.caps(start, why)
    book.caps(-force.total, message("Characters and equipment"))
    for character in force.characters:
        if character.rank is None:
            raise StepRefused(gettext("%(name)s is not a rank of these lists.", name=character.rank_name))
        key = book.join(character.rank.name, why, character.called)
        for item in character.items:
            book.item(item.name, item.count, why, key)
        if character.leader:
            book.set(leader=key)
    named = list(force.turfs) if world.settings["first_turfs"] == "list" else []
    how = N_("Turfs as the list names them: %(turfs)s.") if named else N_("Turfs rolled by the service: %(turfs)s.")
    for place in range(len(named), book.group.lists.file.turfs_at_start):
        total = book.roll(message("Turf %(number)s", number=place + 1), 12, 2).total
        named.append(next(turf.name for turf in book.group.lists.file.turfs if turf.first <= total <= turf.last))
    book.lines += [LedgerLine(Account("turf", turf), 1, why) for turf in named]
    book.set(turfs=tuple(named))
    if not book.group.leader:
        lead(book, {})
    many = counted_message("%(num)s character", "%(num)s characters", len(book.group.characters))
    book.remark("%(characters)s, %(caps)s.", characters=many, caps=caps_text(book.group.caps))
    book.remark(how, turfs=", ".join(named))
    book.remark(
        "%(name)s leads. The rating is %(rating)s.", name=book.name_of(book.group.leader), rating=rating(book.group)
    )
    return book.applied()


LEVELS = N_("Level: from XP, one for each 3 to 30, then 5 to 60, then 10. Experienced members join with 25 XP.†")
COUNTED = N_("The figures include injuries, rads and hunger, no other effects.")
"""What members' figures include, on every paper of a group."""


def sheet(group: Group) -> tuple[Block, ...]:
    """Each member as on the sheet of one day, with what it has gained and suffered since."""
    listed = priced(document(group), Terms(group.edition, grown=True))
    priced_characters = dict(zip((character.key for character in group.characters), listed.characters, strict=True))

    def items(character: Character) -> tuple[PricedItem, ...]:
        known = priced_characters[character.key].items if character.key in priced_characters else ()
        others = {name: n for name, n in sorted(character.items.items()) if group.lists.item(name) is None}
        return (*known, *(PricedItem(name, None, None, n, listed=False) for name, n in others.items()))

    blocks = list[Block]()
    for member in group.present_members:
        figures = group.next_profile(member) | (
            {} if member.centaur else {"XP": member.xp, gettext("Level"): level_of(member.xp)}
        )
        doses = tuple("×" if n <= member.rads else str(n) if n % 5 == 0 else "" for n in range(1, MOST_RADS + 1))
        title = f"{member.name}, {member.rank}"
        blocks += character_blocks(
            title, figures, items(member), listed, tuple(notes(group, member)), figures["W"], *doses
        )
    return (*blocks, Lines(gettext("Key"), (key(), gettext(LEVELS), gettext(COUNTED))))


PRICE, EACH = RAW["recruits"]["caps"], RAW["recruits"]["each"]
ORDER = N_("The lowest rating chooses first: of before the game while a group’s steps are open, else the present one.")
PROFILES = ("Green", "Experienced", "Veteran")


@dataclass(frozen=True)
class Recruit:
    """A recruit on offer in a round: its rank's index, 0 for the lowest, and the group that hired it, 0 for none."""

    rank: int
    hired_by: int = 0


Pools = Mapping[int, tuple[Recruit, ...]]
"""The recruits of each round, best first. Those not hired in their round are lost."""


def pool_of(book: Book) -> tuple[Recruit, ...] | None:
    """The recruits of the round; None before the dice are rolled."""
    pools: Pools = book.shared
    return pools.get(book.played.round)


def open_to(book: Book) -> tuple[list[int], list[int], list[int]]:
    """Positions in the pool that the group may hire now, positions reserved for others, and those groups.

    Groups with a lower rating choose first. Instead of waiting, a group leaves the best recruits to each of them that
    has not passed this phase of the same round.
    """
    pool = pool_of(book) or ()
    left = [place for place, recruit in enumerate(pool) if not recruit.hired_by]
    world, here = book.world, next(n for n, phase in enumerate(book.world.rules.phases) if phase.id == "recruits")
    round_of = {other: game.round for other, game in world.played.items()}
    before = [
        other
        for other in world.groups
        if other not in world.left and _turn(world, other) < _turn(world, book.number) and _hired(pool, other) < EACH
        if (round_of.get(other) == book.played.round and world.phases.get(other, here + 1) <= here)
        or (other in book.played.waited_for and round_of.get(other, 0) < book.played.round)
    ]
    kept: list[int] = []
    for other in sorted(before, key=lambda group: _turn(world, group)):
        open_ = [place for place in left if place not in kept and pool[place].rank <= _highest(world.groups[other])]
        kept += open_[: EACH - _hired(pool, other)]
    may_hire = not book.group.full and _hired(pool, book.number) < EACH
    free = [place for place in left if place not in kept and pool[place].rank <= _highest(book.group)]
    return free if may_hire else [], kept, before


def _highest(group: Group) -> int:
    return int(group.traits.get("no_recruits_above", len(PROFILES)))


def _hired(pool: tuple[Recruit, ...], group: int) -> int:
    return sum(recruit.hired_by == group for recruit in pool)


def _turn(world: World, group: int) -> tuple[int, int]:
    state = world.groups[group]
    return state.aftermath.rating if group in world.phases else rating(state), group


def recruit_offers(book: Book) -> Iterator[Offer]:
    """The roll for the round's recruits, then an offer for each rank that the group may hire."""
    pool = pool_of(book)
    if pool is None:
        dice = f"{len(book.world.groups)}D12"
        about = " ".join((gettext("For all groups."), gettext(ORDER)))
        yield Offer("pool", worded(_recruits_of(book.played.round)), gettext("Look"), about, dice=dice)
        return
    for rank in sorted({pool[place].rank for place in open_to(book)[0]}, reverse=True):
        name = book.group.force.ranks[rank].name
        asks = (Asked("name", gettext("Name"), "text", default=""),)
        yours = gettext("Yours is %(rating)s.", rating=_turn(book.world, book.number)[0])
        about = " ".join((gettext("%(caps)s, with a Combat Knife.", caps=caps_words(PRICE)), gettext(ORDER), yours))
        left = " ".join(map(str, sorted(book.world.left)))
        yield Offer("recruit", name, gettext("Hire"), about, asks, {"rank": rank} | ({"left": left} if left else {}))


def _recruits_of(round_number: int) -> Text:
    return message("Recruits of round %(round)s", round=round_number)


def pool(book: Book, _: Answered) -> None:
    """Roll the recruits of the round; the first group in this phase rolls for all."""
    dice = book.roll(_recruits_of(book.played.round), 12, len(book.world.groups)).results
    ranks = sorted((row_of(RAW["recruits"]["rows"], result)[2] for result in dice), reverse=True)
    book.shared = {**book.shared, book.played.round: tuple(Recruit(rank) for rank in ranks)}
    book.remark("On offer: %(ranks)s.", ranks=", ".join(PROFILES[rank] for rank in ranks))


def recruit(book: Book, answers: Answered) -> None:
    """Hire a recruit of the chosen rank."""
    recruits, rank = list(pool_of(book) or ()), int(answers["rank"])
    place = next(place for place in open_to(book)[0] if recruits[place].rank == rank)
    name = book.group.force.ranks[rank].name
    book.caps(-PRICE, message("%(name)s recruited", name=name))
    key = book.join(name, message("Recruited"), str(answers["name"]), RAW["recruits"]["item"])
    recruits[place] = replace(recruits[place], hired_by=book.number)
    book.shared = {**book.shared, book.played.round: tuple(recruits)}
    book.remark("%(name)s joins the group.", name=book.name_of(key))


def apply(world: World, group: int, kind: str, answers: Answered, dice: Dice) -> Applied:
    """Apply a step that is on offer. Nothing is kept for the groups that had left when a recruit was hired.

    Raises StepRefused and RollNeeded.
    """
    then = (
        replace(world, left=frozenset(map(int, str(answers.get("left", "")).split()))) if kind == "recruit" else world
    )
    applied = STEPS.apply(then, group, kind, answers, dice)
    return replace(applied, world=replace(applied.world, left=world.left))


def tables(world: World) -> tuple[Table, ...]:
    """The recruits of the newest round, equal ones in one row."""
    pools: Pools = world.shared
    if not pools:
        return ()
    newest = max(pools)
    equal = Counter((PROFILES[recruit.rank], world.names.get(recruit.hired_by, "")) for recruit in pools[newest])
    rows = tuple((copies(n, profile), group) for (profile, group), n in equal.items())
    columns = Column(gettext("Profile")), Column(gettext("Hired by"))
    return (Table(worded(_recruits_of(newest)), columns, rows),)


PHASES = tuple(Phase(**row) for row in RAW["phases"])
STEPS = Steps(
    book=Book,
    offering={
        "game": (games.game_offers,),
        "injuries": (games.injury_offers,),
        "experience": (rewards.reward_offers,),
        "income": (income.income_offers, income.care_offers),
        "upkeep": (upkeep.upkeep_offers, trade.sale_offers, income.care_offers, upkeep.gear_offers),
        "recruits": (recruit_offers,),
        "trade": (trade.trade_offers, income.building_offers, income.care_offers, upkeep.gear_offers),
        "gear": (income.care_offers, upkeep.gear_offers),
    },
    acts={
        act.__name__: act
        for act in (
            *(
                games.fought,
                games.downed,
                games.used,
                games.search,
                games.freed,
                games.captured,
                games.injury,
                games.again,
            ),
            *(rewards.advance, rewards.perk, games.lead, rewards.reward, rewards.claim),
            *(income.scavenge, income.explore, income.encounter, income.turf, income.part, income.cook, income.flesh),
            *(income.home, income.bag, income.radaway, income.building, upkeep.upkeep, upkeep.sell_food),
            *(pool, recruit, trade.visit, trade.barter, trade.buy, trade.sell, trade.order),
            *(trade.doctor, trade.build, upkeep.hand),
        )
    },
    ends={
        "game": (games.leave_game,),
        "injuries": (games.leave_injuries,),
        "income": (income.leave_income,),
        "gear": (upkeep.leave_gear,),
    },
    at_once=(rewards.urgent, income.finds),
    must=("injury", "upkeep", "advance", "perk", "lead", "explore", "encounter", "claim"),
)


def skips(world: World, group: int, phase: Phase) -> bool:
    """Whether the group can do nothing in a phase: no game was fought, or nothing is on offer and its end does nothing.

    The recruits phase is skipped if the group is full or cannot pay, or all recruits are hired.
    """
    book = Book(world, group)
    if phase.id in ("game", "injuries"):
        return not world.played[group].fought
    if phase.id == "recruits":
        pool = pool_of(book)
        gone = pool is not None and all(recruit.hired_by for recruit in pool)
        return book.group.full or book.group.caps < PRICE or gone
    return phase.id not in STEPS.ends and not STEPS.in_phase(world, group, phase)


def awaits(world: World, group: int) -> str:
    """The groups that choose recruits first, by name, as long as some are kept for them."""
    phase, (_, kept, groups) = world.phase(group), open_to(Book(world, group))
    return listed([world.names[number] for number in groups]) if phase and phase.id == "recruits" and kept else ""


def hint(world: World, group: int) -> str:
    """What the group gives up by ending the phase, and which recruits are reserved for other groups."""
    book, phase = Book(world, group), world.phase(group)
    kinds, at_home, purchases = (
        {offer.kind for offer in STEPS.offers(world, group)},
        len(book.at_home()),
        book.aftermath.purchases,
    )
    _, kept, groups = open_to(book)
    names = listed([world.names[number] for number in groups])
    best = ", ".join(PROFILES[recruit.rank] for place, recruit in enumerate(pool_of(book) or ()) if place in kept)
    waits = gettext(
        "Kept for %(names)s, who choose first by a lower rating, until past this phase: %(best)s.",
        names=names, best=best,
    )  # fmt: skip
    lost = gettext("The report names no objective, so there is no reward. If one was forgotten, undo and ask the desk.")
    idle = ngettext(
        "%(num)s character at home without an errand: going on leaves them so.",
        "%(num)s characters at home without an errand: going on leaves them so.",
        at_home,
    )
    gives_up = ngettext("Going on gives up %(num)s purchase.", "Going on gives up %(num)s purchases.", purchases)
    unnamed = book.played.fought and book.played.objectives == [] and book.played.result != "loss"
    home = worded(games.absent_members(book)) if phase and phase.id == "game" else ""
    hints = {
        home: home,
        lost: unnamed and phase and phase.id in ("game", "injuries", "experience"),
        waits: phase and phase.id == "recruits" and kept,
        gettext("Going on leaves the reward unclaimed."): "reward" in kinds,
        idle: "scavenge" in kinds,
        gettext("Going on hires nobody more."): kinds & {"pool", "recruit"},
        gives_up: "barter" in kinds,
    }
    return " ".join(sentence for sentence, applies in hints.items() if applies)


CAMPAIGN = CampaignRules(
    settings=settings_of(RAW["settings"]),
    former=RAW["former_settings"],
    phases=PHASES,
    first_phase=len(PHASES),
    shared=lambda world: {},
    found=found,
    play=games.play,
    offers=STEPS.offers,
    apply=apply,
    leave=STEPS.leave,
    balances=balances,
    rating=rating,
    rating_about=N_("the cost of the group in Caps, its experience, and what its turfs are worth"),
    figures_about=COUNTED,
    short=(("W", N_("Wounds")), ("AP", N_("Action points")), ("XP", N_("Experience"))),
    members=members,
    document=document,
    sheet=sheet,
    tables=tables,
    skips=skips,
    hint=hint,
    awaits=awaits,
    doubt=games.doubt,
    rulings=ruling.questions,
    rule=ruling.rule,
    compare=ruling.compare,
    for_all=(pool.__name__,),
    version=4,  # 2: Super Mutants in need sell only food; 3: only participants search; 4: turfs are rolled
)
