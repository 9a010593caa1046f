"""The campaign of Fallout: Warfare (document 001, chapter 8): its phases, settings and steps.

A step's data are the answers of its form, whose keys contain those of units ("lost-0-1") or bodies ("move" of "s0"; see
``state``). A missing answer is the form's default: no losses, hits and damage as before, the suggested muster. No step
uses dice.
"""

from collections import Counter

from languages.words import N_, gettext
from validators.campaign import CampaignRules, Phase, World
from validators.fallout_warfare.campaign import atlas, battle, muster, ruling, state
from validators.fallout_warfare.campaign.state import Book
from validators.kit.campaign_steps import Steps, settings_of
from validators.sheet import Column, Table

PHASES = tuple(Phase(**row) for row in state.TABLES["phases"])
STEPS = Steps(
    book=Book,
    offering={
        "losses": (battle.loss_offers, atlas.hold_offers),
        "heroes": (battle.hero_offers,),
        "rest": (battle.rest_offers,),
        "moves": (atlas.move_offers,),
        "muster": (muster.muster_offers,),
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
        "muster": muster.muster,
        "forfeit": muster.forfeit,
        "regroup": muster.regroup,
    },
    ends={"losses": (battle.close,), "moves": (atlas.settled,), "muster": (muster.decided,)},
)


def skips(world: World, group: int, phase: Phase) -> bool:
    """Whether the group has nothing to do in a phase and waits for no other group."""
    book = Book(world, group)
    if phase.id == "muster" and group in world.played and book.played.last:
        return True  # no battle follows
    names = group in world.played and book.played.winner_names and atlas.unnamed(book)
    waits = phase.id == "moves" and (names or atlas.awaits(book))
    return not waits and not STEPS.in_phase(world, group, phase)


def tables(world: World) -> tuple[Table, ...]:
    """The rating and forfeits of each group, and the places that it holds on a map."""
    heads = [gettext("Rating"), gettext("Forfeited"), *([gettext("Places held")] if world.shared else [])]
    held = Counter(world.shared.holders.values()) if world.shared else Counter()
    rows = []
    for number, group in world.groups.items():
        figures = (state.balances(group).get(state.POINTS, 0), group.forfeited, held[number])
        rows.append((world.names[number], *map(str, figures[: len(heads)])))
    return (
        Table(gettext("Armies"), (Column(gettext("Group")), *(Column(head, "figure") for head in heads)), tuple(rows)),
    )


RULES = CampaignRules(
    settings=settings_of(state.TABLES["settings"]),
    former=state.TABLES["former_settings"],
    phases=PHASES,
    first_phase=len(PHASES) - 2,  # a new group picks its places, then musters
    shared=lambda world: atlas.Atlas() if world.plan.get("map") else None,
    found=state.found,
    play=battle.play,
    offers=STEPS.offers,
    apply=STEPS.apply,
    leave=STEPS.leave,
    balances=state.balances,
    rating=state.rating,
    rating_about=N_("army points of all who are alive"),
    figures_about="",
    members=state.members,
    document=state.document_of,
    brings=lambda group: state.document_of(group, only_fielded=True),
    battle_terms=state.battle_terms,
    least=state.least_points,
    readiness=state.readiness,
    tables=tables,
    hint=atlas.named,
    awaits=atlas.awaited,
    doubt=battle.doubt,
    rulings=ruling.questions,
    rule=ruling.rule,
    compare=ruling.compare,
    map=atlas.drawn,
    planned=atlas.planned,
    skips=skips,
    version=2,  # since then the place of a battle is one near troops
)
