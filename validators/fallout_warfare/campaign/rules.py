"""The campaign of Fallout: Warfare (document 001, chapter 8): its phases, settings and steps, and what the desk can
rule on in a group: experience, hit points, damage, figures lost or returned.

A step's data are the answers of its form, whose keys contain those of units ("lost-0-1") or bodies ("move" of "s0"; see
``state``). A missing answer is the form's default: no losses, hits and damage as before, the suggested muster. No step
uses dice.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from languages.message import joined, message
from languages.words import N_, gettext, signed
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Applied, CampaignRules, Phase, StepRefused, World
from validators.fallout_warfare.campaign import atlas, battle, muster, state
from validators.fallout_warfare.campaign.atlas import hold, places, unnamed
from validators.fallout_warfare.campaign.battle import learn
from validators.fallout_warfare.campaign.state import POINTS, Book, Group, Unit
from validators.kit.campaign_steps import Steps, answers_to, settings_of
from validators.sheet import Column, Table

MOST_XP = 240


def questions(world: World, number: int) -> tuple[Asked, ...]:
    """What can be ruled on; the defaults change nothing."""
    asks = tuple(ask for unit in world.groups[number].units for ask in _questions(unit))
    if number in world.played and unnamed(book := Book(world, number)):
        name = world.names[book.played.opponent]
        about = gettext("Of the battle against %(name)s. The winner holds it.", name=name)
        asks = (one_of("place", gettext("Place of the battle"), ("", *places(world)), "", about), *asks)
    return asks


def _questions(unit: Unit) -> Iterator[Asked]:
    about = gettext("%(n)s here, %(lost)s lost. More return, or fewer with a minus.", n=unit.alive, lost=unit.lost)
    yield Asked(f"more-{unit.key}", unit.label, least=-unit.alive, most=unit.lost, default=0, help=about)
    if unit.kind == "hero" and unit.alive:
        yield Asked(f"xp-{unit.key}", gettext("%(name)s: XP", name=unit.label), least=-MOST_XP, most=MOST_XP, default=0)
        label = gettext("%(label)s: hit points, of %(n)s", label=unit.label, n=unit.most_hits)
        yield Asked(f"hits-{unit.key}", label, most=unit.most_hits, default=unit.hits)
    if unit.kind == "vehicle" and unit.alive:
        label = gettext("%(label)s: damage in all", label=unit.label)
        yield Asked(f"damage-{unit.key}", label, most=max(0, unit.destroyed_at - 1), default=unit.damage)


def rule(world: World, number: int, given: Answered) -> Applied:
    """Apply a ruling. Raises StepRefused for experience that would take a level."""
    book, answers = Book(world, number), answers_to(questions(world, number), given)
    if answers.get("place"):
        hold(book, answers)
    for unit in book.group.units:
        key, more = unit.key, int(answers[f"more-{unit.key}"])
        _change(book, unit, more)
        if not unit.alive or more == -unit.alive:
            continue
        hits, damage = int(answers.get(f"hits-{key}", unit.hits)), int(answers.get(f"damage-{key}", unit.damage))
        if (hits, damage) != (unit.hits, unit.damage):
            book.change(replace(book.group.unit(key), hits=hits, damage=damage))
            if unit.kind == "hero":
                book.remark_many(
                    "%(label)s: %(num)s hit point.", "%(label)s: %(num)s hit points.", hits, label=unit.said
                )
            else:
                book.remark("%(label)s: %(n)s damage.", label=unit.said, n=damage)
        if xp := int(answers.get(f"xp-{key}", 0)):
            if unit.xp + xp < book.world.edition.lists.level_xp[unit.level - 1]:
                why = gettext(
                    "%(label)s would lose level %(level)s: open the steps again that gave it.",
                    label=unit.label, level=unit.level,
                )  # fmt: skip
                raise StepRefused(why, f"xp-{key}")
            learn(book, book.group.unit(key), xp)
    return book.applied()


def _change(book: Book, unit: Unit, more: int) -> None:
    if not more:
        return
    ready = max(0, unit.ready + more)
    away, fielded = unit.alive + more - ready, min(unit.fielded, ready)
    gone = "" if unit.alive + more else message("Lost by a ruling")
    hits = 0 if gone else unit.hits or (1 if unit.kind == "hero" else 0)
    changed = replace(unit, ready=ready, away=away, fielded=fielded, lost=unit.lost - more, gone=gone, hits=hits)
    if unit.kind == "vehicle" and not unit.alive:
        changed = replace(changed, damage=max(0, unit.destroyed_at - 1))
    book.change(changed)
    book.line(unit.account, more, message("Ruling"))
    book.line(POINTS, more * unit.each, message("Ruling"))
    book.messages.append(joined((signed(more), " × ", unit.said, "."), by=""))


def compare(before: Group, after: Group) -> Answered:
    """The ruling that gives a group what another of its states has."""
    others, found = {unit.key: unit for unit in after.units}, dict[str, int | str]()
    for unit in before.units:
        if other := others.get(unit.key):
            found[f"more-{unit.key}"] = other.alive - unit.alive
            found[f"xp-{unit.key}"] = other.xp - unit.xp
    return {key: value for key, value in found.items() if value}


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
    rulings=questions,
    rule=rule,
    compare=compare,
    map=atlas.drawn,
    planned=atlas.planned,
    skips=skips,
    version=2,  # since then the place of a battle is one near troops
)
