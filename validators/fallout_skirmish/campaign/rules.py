"""The Fallout Skirmish campaign (rulebook, chapters 9 and 10): its phases, its settings, and every kind of step."""

from collections.abc import Callable, Iterable

from validators.calculator import Asked
from validators.campaign import Answered, Applied, CampaignRules, Dice, Offer, Phase, Setting, StepRefused, World
from validators.fallout_skirmish.campaign import games, income, recruits, rewards, trade, upkeep
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import balances, document, members, rating

SETTINGS = (
    Setting(
        "experienced",
        "Experience of an Experienced character at the start",
        (("25", "25"), ("21", "21")),
        "25",
        "9.1.2 and the example of a rating of 815 say 25; the table of 10.2 says 21.",
    ),
    Setting(
        "slaves",
        "Slaves of one encounter",
        (("d3", "D3"), ("2", "2")),
        "d3",
        "7.4 rolls a D3; card 8 in chapter 7 shows two.",
    ),
    Setting(
        "cripples",
        "Injuries 15–16 (Crippled Arms) and 19–20 (Crippled Legs)",
        (("own", "Injuries of their own"), ("both", "Also both arms or both legs crippled")),
        "own",
        "Each row of 10.1 says what it does; rows 5 to 8 are other injuries with almost the same name.",
    ),
    Setting(
        "two_legs",
        "A character with two crippled legs",
        (("slow", "May still take part"), ("home", "Takes part in no game")),
        "slow",
        "The sentence in 10.1 breaks off after “can”, so nothing is added to what is printed.",
    ),
    Setting(
        "free_trader",
        "Free Trader",
        (("rent", "Pays rent"), ("sells", "Also sells one thing of the fixed merchant at its Caps")),
        "rent",
        "The sentence in 9.1.1 breaks off after “you can buy”, so only the rent is printed.",
    ),
    Setting(
        "marketplace",
        "Charisma +2 of a Marketplace",
        (("owned", "Always"), ("visited", "After a visit to it")),
        "owned",
        "9.1.1 gives it to the group, and the fees to the visitor “in addition”.",
    ),
    Setting(
        "merchant",
        "Charisma of the fixed merchant",
        (("9", "9"), ("4", "4")),
        "9",
        "The table of 10.6.3 says 9; the example of 10.6.2 adds 4.",
    ),
    Setting(
        "leader_barters",
        "The perk Leader in bartering",
        (("yes", "+1 when buying"), ("no", "Nothing")),
        "yes",
        "10.3 gives +1; the example of 10.6.2 adds Charisma alone.",
    ),
    Setting(
        "two_prices",
        "Things with two prices (Combat and Metal Armor, Plasma Grenade)",
        (("merchant", "As the merchant’s table says"), ("list", "As chapter 12 says")),
        "merchant",
        "Bartering starts from the column of the merchant’s own table (10.6.2).",
    ),
    Setting(
        "addiction",
        "The doctor’s fee for addictions",
        (("50", "50 Caps"), ("4D12", "4D12 Caps")),
        "50",
        "10.8 lists all fees; 6.5.2 rolls 4D12 for this one.",
    ),
    Setting(
        "by_three",
        "A custom weapon failed by exactly 3",
        (("kept", "The parts are kept"), ("lost", "The parts are destroyed")),
        "kept",
        "10.7 destroys them by more than 3 and keeps them by 1 or 2.",
    ),
)

PHASES = (
    Phase("game", "The game", "What happened to each character. Who is not recorded just took part.", "10.2"),
    Phase("injuries", "Injuries", "A roll for each character that was down. They hold when you go on.", "10.1"),
    Phase("experience", "Experience", "An advance for each new level.", "10.2, 10.3, 13.5"),
    Phase("income", "Scavenging and turfs", "One errand each. Leave companions for the trader at home.", "10.4"),
    Phase("upkeep", "Food and maintenance", "1 food and 5 Caps for each member.", "10.4.3"),
    Phase("recruits", "Recruits", "Two at most. Groups with a lower rating choose first.", "10.5"),
    Phase("trade", "Traders", "One trader, the own list, the doctor, custom weapons.", "10.6 to 10.8"),
    Phase("gear", "Equipment", "Who carries what in the next game. Then the rating is final.", "9.1.3, 11"),
)

_OFFERS: dict[str, Callable[[Book], Iterable[Offer]]] = {
    "game": games.game_offers,
    "injuries": games.injury_offers,
    "experience": rewards.reward_offers,
    "income": income.income_offers,
    "upkeep": lambda book: (*upkeep.upkeep_offers(book), *trade.sale_offers(book)),
    "recruits": recruits.recruit_offers,
    "trade": lambda book: (*trade.trade_offers(book), *income.building_offers(book)),
}
_CARE = ("income", "upkeep", "trade", "gear")
"""Phases in which Doctor's Bags and RadAway can be used."""
_HAND = ("upkeep", "trade", "gear")
"""Phases in which equipment changes hands."""

_ACTS: dict[str, Callable[[Book, Answered], None]] = {
    "fought": games.fought,
    "used": games.used,
    "search": games.search,
    "freed": games.freed,
    "captured": games.captured,
    "injury": games.injury,
    "again": games.again,
    "advance": games.advance,
    "perk": games.perk,
    "lead": games.lead,
    "scavenge": income.scavenge,
    "explore": income.explore,
    "encounter": income.encounter,
    "turf": income.turf,
    "part": income.part,
    "cook": income.cook,
    "flesh": income.flesh,
    "home": income.home,
    "bag": income.bag,
    "radaway": income.radaway,
    "upkeep": upkeep.upkeep,
    "sell_food": upkeep.sell_food,
    "reward": rewards.reward,
    "claim": rewards.claim,
    "pool": recruits.pool,
    "recruit": recruits.recruit,
    "visit": trade.visit,
    "barter": trade.barter,
    "buy": trade.buy,
    "sell": trade.sell,
    "order": trade.order,
    "doctor": trade.doctor,
    "build": trade.build,
    "building": income.building,
    "hand": trade.hand,
}

_LEAVES: dict[str, Callable[[Book], None]] = {
    "game": games.leave_game,
    "injuries": games.leave_injuries,
    "income": income.leave_income,
    "upkeep": upkeep.leave_upkeep,
    "gear": trade.leave_gear,
}


def offers(world: World, group: int) -> tuple[Offer, ...]:
    """The steps that the group may take now; what must be settled at once stands first."""
    phase = world.phase(group)
    if phase is None:
        return ()
    return _in_phase(Book(world, group), phase)


def _in_phase(book: Book, phase: Phase) -> tuple[Offer, ...]:
    found = [*games.urgent(book), *income.finds(book)]
    if phase.id in _OFFERS:
        found += _OFFERS[phase.id](book)
    if phase.id in _CARE:
        found += income.care_offers(book)
    if phase.id in _HAND:
        found += trade.gear_offers(book)
    return tuple(found)


def skips(world: World, group: int, phase: Phase) -> bool:
    """Whether a phase has nothing for the group: nobody fought, or nothing is on offer and its end does nothing."""
    if phase.id in ("game", "injuries"):
        return not world.played[group].fought
    if phase.id == "recruits":
        return recruits.nothing(Book(world, group))
    return phase.id not in _LEAVES and not _in_phase(Book(world, group), phase)


def apply(world: World, group: int, kind: str, answers: Answered, dice: Dice) -> Applied:
    """A step that is on offer. Raises StepRefused and RollNeeded."""
    fit = [
        offer
        for offer in offers(world, group)
        if offer.kind == kind and all(answers.get(key) == value for key, value in offer.fixed.items())
    ]
    if not fit:
        raise StepRefused("This step cannot be taken now.")
    book = Book(world, group, dice)
    _ACTS[kind](book, {**fit[0].fixed, **{asked.key: answered(asked, answers) for asked in fit[0].asks}})
    return book.applied()


def answered(asked: Asked, answers: Answered) -> int | str:
    """The answer to one question, or its default. Raises StepRefused."""
    given = answers.get(asked.key, asked.default)
    if asked.kind == "choice":
        if given not in dict(asked.choices):
            raise StepRefused(f"{asked.label}: choose one of the list.", asked.key)
        return str(given)
    if asked.kind == "text":
        return str(given or "").strip()[:60]
    least, most = (0, 1) if asked.kind == "yes" else (asked.least, asked.most)
    if not isinstance(given, int) or not least <= given <= most:
        raise StepRefused(f"{asked.label}: {least} to {most}.", asked.key)
    return given


def leave(world: World, group: int) -> Applied:
    """The end of the present phase."""
    book, phase = Book(world, group), world.phase(group)
    games.due(book)
    if phase and phase.id in _LEAVES:
        _LEAVES[phase.id](book)
    return book.applied()


CAMPAIGN = CampaignRules(
    settings=SETTINGS,
    phases=PHASES,
    first_phase=len(PHASES),
    shared=lambda world: {},
    found=games.found,
    play=games.play,
    offers=offers,
    apply=apply,
    leave=leave,
    balances=balances,
    rating=rating,
    members=members,
    document=document,
    tables=recruits.tables,
    skips=skips,
)
