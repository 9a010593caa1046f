"""The Fallout Skirmish campaign (rulebook, chapters 9 and 10): its phases, its settings, and every kind of step.

``who`` is a character's key ("c1" is the first of the force file); dice in the order in which they are rolled. What
writes lines into the ledger says so behind the arrow. A second, independent ledger can be written from this table.

========= =============================== ========================================================================
kind      data                            does, rolls -> lines
========= =============================== ========================================================================
found     document                        2D12 for each turf that is not named; a lot for the leader without a mark
                                          -> Caps +500, - cost; items, characters and turfs
play      Played                          opens the sequence; frees who was locked up
fought    who, took, wounded, killed,     notes it; XP come with the end of the injuries: wounded + killed + other,
          other, down, rads, locked       +1 for surviving, +1 for the winner's leader
used      what "c1:Jet", addicted         -> item -1
search    place, who                      D12 + Luck, then D3 for grenades -> Caps +10 or item
freed     freed                           -> as many characters of the lowest rank
captured  captured                        -> Caps +25 each
injury    who                             2D12; the injuries hold at the end of the phase -> the dead: character -1,
                                          their items
again     who, by                         2D12 once more, by "turf doctor" or "home"
advance   who                             2D12, again while it cannot be gained
perk      who, kind, perk                 a perk that an advance brought
lead      -                               a lot among the highest Charisma
reward    objective 1 to 12               1 -> Caps +100; 3 lot; 6, 9 D6 -> items; 7 D6 -> item; 8 -> item;
                                          10 -> character
claim     what                            2 heals "c1:eye"; 5 -> item; 11 D6 -> items; 12 scavenges for free
scavenge  who, "all" at home              D12: 1 an encounter; 2-5 D6 -> irradiated food; 6-9 D6 x 5 -> Caps;
                                          10-11 D6 -> food; 12 D12 -> item. D3 for who was down
explore   who, result                     the same with a result that is changed by one at most
encounter who, end                        won 2D12 -> Caps; down 2D12 injury; "slaves 2" -> characters;
                                          scavenger, outpost: two searches; away
turf      turf (its place), who, take     the yield's dice -> Caps, food; or take: item (Gunsmith: half its Caps)
part      who, end                        a blind member -> character -1, its items stay
cook      end                             Raiders: +2 XP for the winner -> character -1; feeds five
flesh     killed                          Super Mutants: feeds two for each
home      use                             Vault Residents: feeds four, or 10 rads less for a key
upkeep    bought, meal.c1, kept.c1        -> Caps -3 for each food bought, -5 for each maintained (half by reward 4);
                                          food -1 each, -2 for Super Mutants and Centaurs; the starved: character -1
sell_food food                            -> food -, Caps +3 each
pool      -                               as many D12 as groups
recruit   rank, name                      -> Caps -40, character, Knife
visit     merchant, along, mentats        D12 for addiction -> Mentats -1; D12 + Luck for a caravan
barter    ware                            D12s for rarity, D6 ours, D6 theirs
buy       ware, item                      -> Caps -, item +1
sell      item                            D6 ours, D6 theirs -> item -1, Caps half its worth + difference, 1 at least
order     item                            -> Caps - the own list's price, item +1
doctor    what "c1:eye", "c1:rads"       -> Caps -75, -50, -50 (or 4D12)
build     weapon, who                     D12; built -> item +1, requirements -1; failed by more than 3 -> the latter
building  who, with                       Super Mutants: 2D12 -> item or Centaur; trap: lot, 2D12 injury
bag       what "c1:arm"                   heals -> Doctor's Bag -1
radaway   who                             10 rads less -> RadAway -1
hand      what "c1:Knife", to             moves an item; "" is the stash: no line
next      -                               ends the phase; income: food +1 for each four scavenging Survivors
========= =============================== ========================================================================
"""

from collections.abc import Callable, Iterable, Sequence

from validators.campaign import Answered, Applied, CampaignRules, Dice, Offer, Phase, World, offered, settings_of
from validators.fallout_skirmish.campaign import games, income, recruits, rewards, trade, upkeep
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.state import balances, document, members, rating
from validators.fallout_skirmish.campaign.tables import RAW

SETTINGS = settings_of(RAW["settings"])
PHASES = tuple(Phase(**row) for row in RAW["phases"])

_OFFERS: dict[str, Sequence[Callable[[Book], Iterable[Offer]]]] = {
    "game": [games.game_offers],
    "injuries": [games.injury_offers],
    "experience": [rewards.reward_offers],
    "income": [income.income_offers, income.care_offers],
    "upkeep": [upkeep.upkeep_offers, trade.sale_offers, income.care_offers, trade.gear_offers],
    "recruits": [recruits.recruit_offers],
    "trade": [trade.trade_offers, income.building_offers, income.care_offers, trade.gear_offers],
    "gear": [income.care_offers, trade.gear_offers],
}

_ACTS: dict[str, Callable[[Book, Answered], None]] = {
    act.__name__: act
    for act in (
        *(games.fought, games.used, games.search, games.freed, games.captured, games.injury, games.again),
        *(games.advance, games.perk, games.lead, rewards.reward, rewards.claim),
        *(income.scavenge, income.explore, income.encounter, income.turf, income.part, income.cook, income.flesh),
        *(income.home, income.bag, income.radaway, income.building, upkeep.upkeep, upkeep.sell_food),
        *(recruits.pool, recruits.recruit, trade.visit, trade.barter, trade.buy, trade.sell, trade.order),
        *(trade.doctor, trade.build, trade.hand),
    )
}
"""What each kind of step does, by its name."""

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
    return _in_phase(Book(world, group), phase) if phase else ()


def _in_phase(book: Book, phase: Phase) -> tuple[Offer, ...]:
    found = [*games.urgent(book), *income.finds(book)]
    for offers_of in _OFFERS[phase.id]:
        found += offers_of(book)
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
    said, book = offered(offers(world, group), kind, answers), Book(world, group, dice)
    _ACTS[kind](book, said)
    return book.applied()


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
