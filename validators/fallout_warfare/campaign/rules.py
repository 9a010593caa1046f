"""The campaign of Fallout: Warfare (document 001, chapter 8), as steps of each group.

| kind | phase | data | does |
|---|---|---|---|
| found | | document | the group of a legal army, everybody ready |
| play | | fields of Played | counts the result; who missed this battle is ready again |
| losses | losses | body; lost-U, away-U; fate-U, hits-U or damage-U | what a squad or vehicle lost |
| next | losses | | heroes who fought and live get 2 for a win, 1 for a draw or a retreat |
| extra | heroes | unit, xp | what the scenario gives in addition |
| raise, learn | heroes | unit, skill | 1 skill point: a skill +1; 2: a new one at 5 |
| break | rest | unit, doctor | +2 hit points and a Doctor's level; both miss the next battle |
| tend | rest | | by a setting: a Doctor heals everybody |
| pick | moves | place | a new group picks a starting place, in turn |
| place, move | moves | from, to, at-B | bodies to a starting place; to an adjacent place |
| hold | losses | place | names the place of the last battle, which its winner then holds |
| muster, forfeit | muster | in-B | who fights next; that nobody does |
| regroup | muster | unit, count, to | figures into another squad; count 0 is all |

U is a unit's key, B a body: a squad ("s0"), a vehicle ("v0") or the mines ("mines"). What is left out is answered as
the form comes: nobody lost, hits and damage as before, the suggested muster. No step needs dice.
"""

from collections import Counter

from validators.campaign import CampaignRules, Phase, World
from validators.fallout_warfare.campaign import atlas, battle, state
from validators.fallout_warfare.campaign.state import Book
from validators.kit.campaign_steps import Steps
from validators.sheet import Column, Table

STEPS = Steps(
    book=Book,
    offered={
        "losses": (battle.loss_offers, atlas.hold_offers),
        "heroes": (battle.hero_offers,),
        "rest": (battle.rest_offers,),
        "moves": (atlas.move_offers,),
        "muster": (battle.muster_offers,),
    },
    acts={
        "losses": battle.record,
        "hold": atlas.hold,
        "extra": battle.extra,
        "raise": battle.train,
        "learn": battle.train,
        "break": battle.take_break,
        "tend": battle.tend,
        "pick": atlas.pick,
        "place": atlas.move,
        "move": atlas.move,
        "muster": battle.muster,
        "forfeit": battle.forfeit,
        "regroup": battle.regroup,
    },
    ends={"losses": (battle.close,), "moves": (atlas.settled,), "muster": (battle.decided,)},
)


def skips(world: World, group: int, phase: Phase) -> bool:
    """A phase without anything to do: no battle was fought, nobody can learn or rest, there is no map."""
    if phase.id == "muster" or (phase.id == "moves" and atlas.awaits(Book(world, group))):
        return False
    return not STEPS.in_phase(world, group, phase)


def tables(world: World) -> tuple[Table, ...]:
    """What is left of each army, and on a map how many places it holds."""
    heads = ["Army points", "Forfeited", *(["Places held"] if world.shared else [])]
    held = Counter(atlas.holder(world, place) for place in atlas.places(world)) if world.shared else Counter()
    rows = []
    for group, one in world.groups.items():
        figures = (state.balances(one).get(state.POINTS, 0), one.forfeited, held[group])
        rows.append((world.names[group], *map(str, figures[: len(heads)])))
    return (Table("Armies", (Column("Group"), *(Column(head, "figure") for head in heads)), tuple(rows)),)


RULES = CampaignRules(
    settings=state.SETTINGS,
    phases=state.PHASES,
    first_phase=state.FIRST_PHASE,
    shared=atlas.shared,
    found=state.found,
    play=battle.play,
    offers=STEPS.offers,
    apply=STEPS.apply,
    leave=STEPS.leave,
    balances=state.balances,
    rating=state.rating,
    members=state.members,
    document=state.document_of,
    document_is_whole=True,
    brings=lambda group, paid: state.document_of(group, only_fielded=True, as_paid=paid),
    battle_size=lambda settings: int(settings["most"]),
    also_judged=lambda settings: battle.ALL if settings["limits"] == "all" else (),
    tables=tables,
    map=atlas.drawn,
    planned=atlas.planned,
    skips=skips,
)
