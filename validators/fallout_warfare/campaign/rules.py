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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from validators.calculator import Asked
from validators.campaign import (
    Answered,
    Applied,
    CampaignRules,
    Dice,
    Line,
    Offer,
    Phase,
    StepRefused,
    World,
    offered,
    one_of,
)
from validators.contract import Document
from validators.fallout_warfare.campaign import atlas, battle
from validators.fallout_warfare.campaign.state import (
    FIRST_PHASE,
    LEAST_START,
    MOST_START,
    PHASES,
    POINTS,
    SETTINGS,
    Group,
    Unit,
    balances,
    battle_points,
    battles,
    document_of,
    members,
    mustered,
    new_group,
    rating,
)
from validators.fallout_warfare.check import CHECKS
from validators.names import counted
from validators.sheet import Column, Table

TOURNAMENT = ("fw.faction", "fw.hero-points", "fw.vehicle-limit")
"""What 3.3 prints as tournament limits."""
SQUADS = ("fw.leader", "fw.squad", "fw.mixed", "fw.beasts", "fw.alpha", "fw.heroes", "fw.restricted")
ALL = (*TOURNAMENT, *SQUADS, "fw.vehicle", "fw.mines")
MOST_SQUADS = 100


def with_bodies(state: Group, chosen: set[str]) -> Group:
    """The group with all who are able of these squads and vehicles mustered, and nobody else."""
    units = tuple(replace(unit, fielded=unit.able if unit.body in chosen else 0) for unit in state.units)
    return replace(state, units=units)


def _able(state: Group) -> dict[str, list[Unit]]:
    found = {body: [unit for unit in units if unit.able] for body, units in state.bodies.items()}
    return {body: units for body, units in found.items() if units}


def problems(world: World, state: Group) -> Iterator[str]:
    """What keeps the mustered from this battle, as sentences."""
    army, (least, most) = mustered(world, state), battle_points(world)
    if army.total > most:
        yield f"{army.total} army points are mustered: at most {most}."
    if army.total < least:
        yield f"{army.total} army points are mustered: at least {least}."
    judged = ALL if world.settings["limits"] == "all" else TOURNAMENT
    for rule in judged:
        yield from (f"{one.message}." for one in CHECKS.problems[rule](army))


def suggested(world: World, state: Group) -> set[str]:
    """A muster that takes each squad and vehicle in turn as long as nothing but more points is missing."""
    chosen: set[str] = set()
    for body in _able(state):
        tried = with_bodies(state, chosen | {body})
        if not [one for one in problems(world, tried) if "at least" not in one]:
            chosen.add(body)
    return chosen


def muster_offers(world: World, group: int) -> list[Offer]:
    """Who fights; who changes the squad; and that the group cannot muster enough."""
    state: Group = world.groups[group]
    least, most = battle_points(world)
    able = _able(state)
    chosen = {unit.body for unit in state.units if unit.fielded} if state.call else suggested(world, state)
    worth = {body: sum(unit.able * unit.each for unit in units) for body, units in able.items()}
    ready = sum(worth.values())
    asks = tuple(
        Asked(f"in-{body}", f"{state.body_title(body)}: {points} points", "yes", default=int(body in chosen),
              help=state.body_holds(body))
        for body, points in worth.items()
    )  # fmt: skip
    offers = []
    if ready >= least:
        about = f"{least} to {most} army points. {ready} are ready."
        offers.append(Offer("muster", "Next battle", "Muster", about, asks))
    squads = [(body, state.body_title(body)) for body, units in able.items() if units[0].of_squad]
    troops = ((unit.key, f"{unit.able} × {unit.label}, {title}") for body, title in squads for unit in able[body])
    if squads:
        asks = (
            one_of("unit", "Who", troops),
            Asked("count", "How many", least=0, most=99, default=0, help="0 is all of them."),
            one_of("to", "Into", (("new", "A new squad"), *squads), "new"),
        )
        about = "Losses may leave squads too small or without a leader."
        offers.append(Offer("regroup", "Squads", "Regroup", about, asks))
    about = f"{ready} army points are ready, {least} are needed." if ready < least else "If you cannot muster enough."
    offers.append(Offer("forfeit", "No muster", "Forfeit the next battle", about))
    return offers


def muster(world: World, group: int, data: Answered) -> Applied:
    """The group fields these squads and vehicles in the next battle."""
    state: Group = world.groups[group]
    chosen = {body for body in _able(state) if data[f"in-{body}"]}
    state = replace(with_bodies(state, chosen), call="musters")
    if wrong := next(problems(world, state), ""):
        raise StepRefused(wrong)
    return Applied(world.with_group(group, state), (), (f"Musters {mustered(world, state).total} army points.",))


def forfeit(world: World, group: int, _: Answered) -> Applied:
    """The group does not fight the next battle, which the desk then records as forfeited."""
    state: Group = world.groups[group]
    least, ready = battle_points(world)[0], sum(unit.able * unit.each for unit in state.units)
    why = f"Cannot muster {least} army points and forfeits" if ready < least else "Forfeits"
    state = replace(with_bodies(state, set()), call="forfeits")
    return Applied(world.with_group(group, state), (), (f"{why} the next battle: the desk records it.",))


def regroup(world: World, group: int, data: Answered) -> Applied:
    """Figures that are able go into another squad, which stands where they stand."""
    state: Group = world.groups[group]
    unit, to = state.unit(data["unit"]), str(data["to"])
    many = int(data["count"]) or unit.able
    squads = {body: units[0] for body, units in state.bodies.items() if units[0].of_squad}
    if many > unit.able:
        raise StepRefused(f"{unit.label}: only {unit.able} are able to fight.", "count")
    if to == unit.body:
        raise StepRefused(f"{unit.label} is in this squad already.", "to")
    if to != "new" and squads[to].place != unit.place:
        raise StepRefused("Both squads must stand at one place.", "to")
    if to == "new":
        if len(squads) >= MOST_SQUADS:
            raise StepRefused(f"A group has at most {MOST_SQUADS} squads.", "to")
        to = f"s{1 + max(int(body[1:]) for body in state.squads)}"
        state = replace(state, squads={**state.squads, to: ""})
    state = replace(with_bodies(state, set()), call="")
    if many == unit.alive:
        state = state.changed(replace(unit, body=to, fielded=0))
    else:
        places = [place for place, one in enumerate(state.units) if one.key == unit.key]
        key = f"{unit.key}-{sum(one.key.startswith(f'{unit.key}-') for one in state.units) + 1}"
        rest = replace(unit, ready=unit.ready - many, fielded=0)
        apart = replace(unit, key=key, body=to, ready=many, away=0, lost=0, fielded=0)
        units = [*state.units]
        units[places[0] : places[0] + 1] = [rest, apart]
        state = replace(state, units=tuple(units))
    return Applied(world.with_group(group, state), (), (f"{many} × {unit.label} into {state.body_title(to)}.",))


def close(world: World, group: int) -> Applied:
    """A group must say what it does about the next battle."""
    state: Group = world.groups[group]
    if not state.call:
        raise StepRefused("Muster for the next battle, or forfeit it.")
    return Applied(world)


STEPS: Mapping[str, Callable[[World, int, Answered], Applied]] = {
    "losses": battle.record,
    "hold": atlas.hold,
    "extra": battle.extra,
    "raise": battle.raise_skill,
    "learn": battle.learn,
    "break": battle.take_break,
    "tend": battle.tend,
    "pick": atlas.pick,
    "place": atlas.move,
    "move": atlas.move,
    "muster": muster,
    "forfeit": forfeit,
    "regroup": regroup,
}
_OFFERS: Mapping[str, Callable[[World, int], Sequence[Offer]]] = {
    "losses": lambda world, group: [*battle.loss_offers(world, group), *atlas.hold_offers(world, group)],
    "heroes": battle.hero_offers,
    "rest": battle.rest_offers,
    "moves": atlas.move_offers,
    "muster": muster_offers,
}
_ENDS: Mapping[str, Callable[[World, int], Applied]] = {
    "losses": battle.close,
    "moves": lambda world, group: _moved(world, group),
    "muster": close,
}


def found(world: World, group: int, document: Document, _dice: Dice) -> Applied:
    """A group of a legal army."""
    state = new_group(document, world.edition)
    has = balances(state)
    total = sum(unit.alive * unit.each for unit in state.units)
    if world.settings["start"] == "bound" and not LEAST_START <= total <= MOST_START:
        raise StepRefused(f"{total} army points: a group starts with {LEAST_START} to {MOST_START}.")
    low, high = battles(total, battle_points(world)[1])
    says = [f"Starts with {counted(total, 'army point')}: {low} to {high} battles are advised."]
    if not LEAST_START <= total <= MOST_START:
        says.append(f"{LEAST_START} to {MOST_START} army points are advised.")
    lines = tuple(Line(account, amount, "Founded") for account, amount in has.items())
    return Applied(world.with_group(group, state), lines, tuple(says))


def offers(world: World, group: int) -> tuple[Offer, ...]:
    """What the group may do in its present phase."""
    phase = world.phase(group)
    return tuple(_OFFERS[phase.id](world, group)) if phase else ()


def apply(world: World, group: int, kind: str, data: Answered, _dice: Dice) -> Applied:
    """A step that is on offer. Raises StepRefused."""
    said = offered(offers(world, group), kind, data)
    return STEPS[kind](world, group, said)


def leave(world: World, group: int) -> Applied:
    """The end of the present phase."""
    phase = world.phase(group)
    end = _ENDS.get(phase.id) if phase else None
    return end(world, group) if end else Applied(world)


def _moved(world: World, group: int) -> Applied:
    if waits := atlas.awaits(world, group):
        raise StepRefused(waits)
    return Applied(world)


def skips(world: World, group: int, phase: Phase) -> bool:
    """A phase without anything to do: no battle was fought, nobody can learn or rest, there is no map."""
    if phase.id == "muster" or (phase.id == "moves" and atlas.awaits(world, group)):
        return False
    return not _OFFERS[phase.id](world, group)


def tables(world: World) -> tuple[Table, ...]:
    """What is left of each army, and on a map how much it holds."""
    rows = [
        (world.names[group], str(balances(one).get(POINTS, 0)), str(one.forfeited))
        for group, one in world.groups.items()
    ]
    found = [_table("Armies", ("Group", "Army points", "Forfeited"), rows)]
    if world.shared:
        held = {place: atlas.holder(world, place) for place in atlas.places(world)}
        many = Counter(held.values())
        found.append(_table("Places held", ("Group", "Places"), [(world.names[g], str(many[g])) for g in world.groups]))
    return tuple(found)


def _table(title: str, heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Table:
    return Table(title, tuple(Column(head, "text" if head == "Group" else "figure") for head in heads), tuple(rows))


RULES = CampaignRules(
    settings=SETTINGS,
    phases=PHASES,
    first_phase=FIRST_PHASE,
    shared=atlas.shared,
    found=found,
    play=battle.play,
    offers=offers,
    apply=apply,
    leave=leave,
    balances=balances,
    rating=rating,
    members=members,
    document=document_of,
    document_is_whole=True,
    brings=lambda group, paid: document_of(group, only_fielded=True, as_paid=paid),
    battle_size=lambda settings: int(settings["most"]),
    also_judged=lambda settings: ALL if settings["limits"] == "all" else (),
    tables=tables,
    map=atlas.drawn,
    planned=atlas.planned,
    skips=skips,
)
