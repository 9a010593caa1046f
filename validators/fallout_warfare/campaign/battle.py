"""The steps after a battle: losses, the heroes' experience and rest, and the muster for the next battle (chapter 8).

Functions named ``..._offers`` yield the steps on offer; the others apply a step with its answers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from validators.calculator import Asked
from validators.campaign import Answered, Applied, Offer, Played, StepRefused, World, one_of
from validators.fallout_warfare.campaign.atlas import hold_offers
from validators.fallout_warfare.campaign.state import POINTS, Book, Group, Unit, battle_points, mustered, skills_of
from validators.fallout_warfare.force import BASE_SKILL
from validators.fallout_warfare.scenario_file import KILLS
from validators.fallout_warfare.scenarios import LOST, SCENARIOS
from validators.names import counted

FATES: Mapping[str, str] = {"held": "Held", "retreated": "Retreated", "lost": "Died"}
GONE = {"vehicle": "destroyed", "mines": "used", "hero": "died", "troops": "lost"}
NO_RETREAT = {scenario.id for scenario in SCENARIOS if scenario.scored_by == KILLS}
"""Scenarios in which figures that leave the table count as killed (7.0)."""
WIN, EVEN = 2, 1
"""Experience for a game won, and for a draw or a successful retreat (8.2)."""
NEXT_BATTLE = "misses the next battle"


def play(world: World, group: int, played: Played) -> Applied:
    """Begin a new sequence after a game: count a forfeit, and make units that missed this battle ready again."""
    book = Book(world, group)
    state, fields = book.group, played.fought and book.group.decision == "musters"
    for unit in state.units:
        if unit.away:
            book.say(f"{unit.label} is back.")
        book.change(replace(unit, ready=unit.ready + unit.away, away=0, fielded=unit.fielded if fields else 0))
    forfeited = state.forfeited + (not played.fought and state.decision == "forfeits")
    book.set(forfeited=forfeited, decision="", used=frozenset(), dead_points=0, lost_points=0)
    return book.applied()


def loss_offers(book: Book) -> Iterator[Offer]:
    """A form for the losses of each squad and vehicle that fought."""
    may_retreat = book.played.scenario not in NO_RETREAT
    for body, units in book.group.bodies(lambda unit: unit.fielded).items():
        if f"losses-{body}" not in book.group.used:
            asks = tuple(ask for unit in units for ask in _asks(unit, may_retreat))
            yield Offer("losses", book.group.body_title(body), "Record", "", asks, {"body": body})


def _asks(unit: Unit, may_retreat: bool) -> Iterator[Asked]:
    if unit.kind == "mines" or (unit.kind == "troops" and unit.fielded > 1):
        lost = "Mines used," if unit.kind == "mines" else f"{unit.label}: lost"
        each = f"{counted(unit.each, 'point')} each."
        yield Asked(f"lost-{unit.key}", f"{lost} of {unit.fielded}", most=unit.fielded, default=0, help=each)
        if may_retreat and unit.kind == "troops":
            yield Asked(f"away-{unit.key}", f"{unit.label}: retreated", most=unit.fielded, default=0)
        return
    fates = [(key, "Destroyed" if unit.kind == "vehicle" and key == "lost" else label) for key, label in FATES.items()]
    possible = (fate for fate in fates if may_retreat or fate[0] != "retreated")
    yield one_of(f"fate-{unit.key}", unit.label, possible, "held", f"{counted(unit.each, 'point')}.")
    if unit.kind == "vehicle":
        most = unit.destroyed_at
        help_ = f"{unit.disabled_at} disable it, {most} destroy it."
        yield Asked(f"damage-{unit.key}", "Damage in all", most=most, default=unit.damage, help=help_)
    if unit.kind == "hero":
        label = f"Hit points left, of {unit.most_hits}"
        yield Asked(f"hits-{unit.key}", label, most=unit.most_hits, default=unit.hits, help="0 is unconscious.")


def record(book: Book, data: Answered) -> None:
    """Record the losses of a squad or vehicle."""
    body = str(data["body"])
    for unit in book.group.bodies(lambda unit: unit.fielded)[body]:
        changed, lost, away = _losses(unit, data)
        if lost:
            gone = f"{unit.label} {GONE[unit.kind]} in round {book.played.round}" if lost == unit.alive else ""
            changed = replace(changed, ready=unit.ready - lost, lost=unit.lost + lost, gone=gone)
            book.say(f"{gone}." if gone else f"{lost} × {unit.label} died.")
            book.line(unit.account, -lost, gone or "Died")
            book.line(POINTS, -lost * unit.each, f"{unit.label}: {lost} × {unit.each} points")
        if away:
            who = unit.label if unit.fielded == 1 else f"{away} × {unit.label}"
            book.say(f"{who} retreated, back after the next battle.")
            changed = replace(changed, ready=changed.ready - away, away=changed.away + away)
            if unit.kind == "hero":
                book.mark_used(f"retreated-{unit.key}")
        if unit.kind == "vehicle" and not lost and changed.damage:
            book.say(f"{unit.label}: {changed.damage} of {unit.destroyed_at} damage.")
        if unit.kind == "hero" and not lost and changed.hits != unit.hits:
            book.say(f"{unit.label}: {changed.hits} of {unit.most_hits} hit points.")
        book.change(replace(changed, fielded=unit.fielded - lost))
        dead, either = book.group.dead_points + lost * unit.each, book.group.lost_points + (lost + away) * unit.each
        book.set(dead_points=dead, lost_points=either)
    if not book.messages:
        book.say(f"{book.group.body_title(body)}: no losses.")
    book.mark_used(f"losses-{body}")


def _losses(unit: Unit, data: Answered) -> tuple[Unit, int, int]:
    """The unit with its new damage and hits, how many of it were lost, and how many retreated."""
    key, fate = unit.key, data.get(f"fate-{unit.key}")
    damage, hits = int(data.get(f"damage-{key}", 0)), int(data.get(f"hits-{key}", 0))
    if unit.kind == "vehicle" and damage == unit.destroyed_at:
        fate = "lost"
    lost, away = int(data.get(f"lost-{key}", fate == "lost")), int(data.get(f"away-{key}", fate == "retreated"))
    if lost + away > unit.fielded:
        raise StepRefused(f"{unit.label}: only {unit.fielded} fought.", f"lost-{key}")
    return replace(unit, damage=damage, hits=0 if fate == "lost" else hits), lost, away


def doubt(world: World, group: int, report: Answered) -> tuple[str, str]:
    """The contradiction if the report counts more points as killed or lost than are recorded.

    It forbids to end the phase only while a squad or vehicle has no record, because later sums may be unreachable.
    """
    state, phase = world.groups[group], world.phase(group)
    dead, lost = int(report.get("dead", 0)), sum(int(report.get(how, 0)) for how in LOST)
    said = {"killed": (dead, state.dead_points), "lost": (lost, state.lost_points)}
    short = next((how for how, (reported, recorded) in said.items() if reported > recorded), "")
    if phase is None or phase.id != "losses" or not short:
        return "", ""
    reported, recorded = said[short]
    more = counted(reported - recorded, "more point", "more points")
    why = f"Record {more} of losses, or undo a record; if the report is wrong, ask the desk to correct it."
    still = next(loss_offers(Book(world, group)), None)
    return f"{counted(reported, 'point')} reported as {short}, {recorded} recorded.", why if still else ""


def close(book: Book) -> None:
    """End the phase: give the surviving heroes who fought their experience. Raises StepRefused without a place."""
    if book.played.winner_names:
        for offer in hold_offers(book):
            raise StepRefused(f"Still to do: {offer.title} ({offer.verb}).")
    result = book.played.result
    for unit in (hero for hero in book.group.heroes() if hero.fielded):
        retreated = f"retreated-{unit.key}" in book.group.used
        if xp := WIN if result == "win" else EVEN if result == "draw" or retreated else 0:
            learn(book, unit, xp)


def learn(book: Book, unit: Unit, xp: int) -> None:
    """Add experience to a hero; each new level gives a hit point and a skill point."""
    lists = book.world.edition.lists
    total = unit.xp + xp
    level = max(place for place, needed in enumerate(lists.level_xp, 1) if needed <= total)
    more = max(0, level - unit.level)
    book.say(f"{unit.label}: {xp} experience, {total} in all.")
    if more:
        book.say(f"{unit.label} is level {level}: +{more} hit points, +{more} skill points.")
    grown = replace(
        unit,
        xp=total,
        raw={**unit.raw, "level": unit.level + more},
        hits=unit.hits + more,
        most_hits=unit.most_hits + more,
        skill_points=unit.skill_points + more,
    )
    book.change(grown)


NEW_SKILL = 2
"""Skill points for a new skill at 5 (8.2); a hero's first one costs nothing, as its examples count."""
REST = 2
"""Hit points of a break (8.1)."""


def hero_offers(book: Book) -> Iterator[Offer]:
    """Extra experience, if the settings allow it, and skills to buy with skill points."""
    edition, most = book.world.edition, int(book.world.settings["extra"])
    for unit in book.group.heroes():
        fixed, points = {"unit": unit.key}, f"of {unit.skill_points} skill points."
        if most and unit.fielded and f"extra-{unit.key}" not in book.group.used:
            ask = Asked("xp", "Extra experience", least=1, most=most, default=1)
            yield Offer("extra", unit.label, "Give", "Only what the scenario says.", (ask,), fixed)
        own, price = skills_of(unit, edition), _price(book, unit)
        new = [name for name in edition.lists.skills if name not in own]
        if own and unit.skill_points:
            ask = one_of("skill", "Skill", ((name, f"{name} ({level}) to {level + 1}") for name, level in own.items()))
            yield Offer("raise", unit.label, "Raise", f"1 {points}", (ask,), fixed)
        if new and unit.skill_points >= price:
            cost = f"{price} {points}" if price else "Free: the first skill beyond those of its entry."
            yield Offer("learn", unit.label, "Learn", cost, (one_of("skill", "New skill", new),), fixed)


def _price(book: Book, unit: Unit) -> int:
    """The skill points for a new skill; a hero's first skill beyond those of its entry is free."""
    entry = book.world.edition.lists.by_name.troops.find(unit.raw["name"]).free_skills("hero")
    return NEW_SKILL if any(skill["name"] not in entry for skill in unit.raw["skills"]) else 0


def extra(book: Book, data: Answered) -> None:
    """Give a hero the scenario's extra experience."""
    learn(book, book.group.unit(data["unit"]), int(data["xp"]))
    book.mark_used(f"extra-{data['unit']}")


def train(book: Book, data: Answered) -> None:
    """Raise a hero's skill by 1 for a skill point, or buy a new one at level 5."""
    unit, skill = book.group.unit(data["unit"]), str(data["skill"])
    own = skills_of(unit, book.world.edition)
    level, price = (own[skill] + 1, 1) if skill in own else (BASE_SKILL, _price(book, unit))
    others = [known for known in unit.raw["skills"] if known["name"] != skill]
    raw = {**unit.raw, "skills": [*others, {"name": skill, "level": level}]}
    book.change(replace(unit, skill_points=unit.skill_points - price, raw=raw))
    book.say(f"{unit.label} has {skill} ({level}).")


def _wounded(state: Group) -> list[Unit]:
    return [unit for unit in state.heroes() if unit.hits < unit.most_hits]


def _doctors(book: Book) -> dict[str, int]:
    """The conscious heroes with the skill Doctor: levels by key."""
    awake = {unit.key: skills_of(unit, book.world.edition) for unit in book.group.heroes() if unit.hits}
    return {key: skills["Doctor"] for key, skills in awake.items() if "Doctor" in skills}


def rest_offers(book: Book) -> Iterator[Offer]:
    """Breaks for wounded heroes, and a Doctor's help if the settings allow it."""
    wounded, doctors, way = _wounded(book.group), _doctors(book), book.world.settings["doctor"]
    if way == "all" and doctors and wounded:
        yield Offer("tend", "Doctor", "Heal all", "All wounded heroes regain all hit points.")
    helpers = doctors if way == "break" else {}
    for unit in wounded:
        if f"break-{unit.key}" in book.group.used:
            continue
        others = [(key, book.group.unit(key).label) for key in helpers if key != unit.key]
        about = f"The Doctor {NEXT_BATTLE} too."
        asks = (one_of("doctor", "Who stays as a Doctor", (("", "Nobody"), *others), "", about),) if others else ()
        gains = REST + helpers.get(unit.key, 0)
        about = f"{unit.hits} of {unit.most_hits} hit points. Regains {gains}, and {NEXT_BATTLE}."
        yield Offer("break", unit.label, "Take a break", about, asks, {"unit": unit.key})


def take_break(book: Book, data: Answered) -> None:
    """Let a hero miss the next battle and regain 2 hit points, plus the skill level of a Doctor who stays along."""
    unit, helper = book.group.unit(data["unit"]), str(data.get("doctor", ""))
    doctors = _doctors(book) if book.world.settings["doctor"] == "break" else {}
    hits = min(unit.most_hits, unit.hits + REST + max(doctors.get(key, 0) for key in (unit.key, helper)))
    book.say(f"{unit.label} regains {counted(hits - unit.hits, 'hit point')} and {NEXT_BATTLE}.")
    if helper:
        book.change(_away(book.group.unit(helper)))
        book.say(f"{book.group.unit(helper).label} stays with them and {NEXT_BATTLE}.")
    book.change(_away(replace(unit, hits=hits)))
    book.mark_used(f"break-{unit.key}")


def _away(unit: Unit) -> Unit:
    return replace(unit, ready=0, away=1, fielded=0)


def tend(book: Book, _: Answered) -> None:
    """Restore all hit points of all wounded heroes by a Doctor (5.0)."""
    for unit in _wounded(book.group):
        book.change(replace(unit, hits=unit.most_hits))
        book.say(f"{unit.label} has all hit points.")


MOST_SQUADS = 100


def with_bodies(state: Group, chosen: set[str]) -> Group:
    """The group with only these squads and vehicles mustered, as far as their units are able."""
    units = tuple(replace(unit, fielded=unit.able if unit.body in chosen else 0) for unit in state.units)
    return replace(state, units=units)


def _able(state: Group) -> dict[str, list[Unit]]:
    return state.bodies(lambda unit: unit.able)


def suggested(world: World, state: Group) -> set[str]:
    """A legal muster: each squad and vehicle in turn is added if the muster stays legal."""
    chosen: set[str] = set()
    for body in _able(state):
        if not mustered(world, with_bodies(state, chosen | {body})).problems:
            chosen.add(body)
    return chosen


def muster_offers(book: Book) -> Iterator[Offer]:
    """The muster, regrouping of squads, and forfeiting the next battle."""
    state, (least, most) = book.group, battle_points(book.world)
    able = _able(state)
    chosen = {unit.body for unit in state.units if unit.fielded} if state.decision else suggested(book.world, state)
    worth = {body: sum(unit.able * unit.each for unit in units) for body, units in able.items()}
    ready = sum(worth.values())
    asks = tuple(
        Asked(f"in-{body}", f"{state.body_title(body)}: {points} points", "yes", default=int(body in chosen),
              help=state.body_holds(body))
        for body, points in worth.items()
    )  # fmt: skip
    if ready >= least:
        yield Offer("muster", "Next battle", "Muster", f"{least} to {most} army points. {ready} are ready.", asks)
    squads = [(body, state.body_title(body)) for body, units in able.items() if units[0].of_squad]
    troops = ((unit.key, f"{unit.able} × {unit.label}, {title}") for body, title in squads for unit in able[body])
    if squads:
        asks = (
            one_of("unit", "Who", troops),
            Asked("count", "How many", least=0, most=99, default=0, help="0 is all of them."),
            one_of("to", "Into", (("new", "A new squad"), *squads), "new"),
        )
        about = "Losses may leave squads too small or without a leader."
        yield Offer("regroup", "Squads", "Regroup", about, asks)
    about = (
        f"{ready} army points are ready, {least} are needed."
        if ready < least
        else "If you cannot muster enough, or no battle follows."
    )
    yield Offer("forfeit", "No muster", "Forfeit the next battle", about)


def muster(book: Book, data: Answered) -> None:
    """Muster these squads and vehicles for the next battle. Raises StepRefused if that is too small or illegal."""
    chosen = {body for body in _able(book.group) if data[f"in-{body}"]}
    book.group = replace(with_bodies(book.group, chosen), decision="musters")
    verdict, least = mustered(book.world, book.group), battle_points(book.world)[0]
    if verdict.total < least:
        raise StepRefused(f"{verdict.total} army points are mustered: at least {least}.")
    if verdict.problems:
        raise StepRefused(f"{verdict.problems[0].message}.")
    book.say(f"Musters {verdict.total} army points.")


def forfeit(book: Book, _: Answered) -> None:
    """Forfeit the next battle; the desk records the game as forfeited."""
    least, ready = battle_points(book.world)[0], sum(unit.able * unit.each for unit in book.group.units)
    book.group = replace(with_bodies(book.group, set()), decision="forfeits")
    why = f"Cannot muster {least} army points and forfeits" if ready < least else "Forfeits"
    book.say(f"{why} the next battle: the desk records it.")


def regroup(book: Book, data: Answered) -> None:
    """Move able figures to another squad at the same place, or to a new one."""
    book.group = state = replace(with_bodies(book.group, set()), decision="")
    unit, to = state.unit(data["unit"]), str(data["to"])
    many = int(data["count"]) or unit.able
    squads = {body: units[0] for body, units in state.bodies().items() if units[0].of_squad}
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
        book.set(squads={**state.squads, to: ""})
    if many < unit.alive:
        at = state.units.index(unit)
        key = f"{unit.key}-{sum(other.key.startswith(f'{unit.key}-') for other in state.units) + 1}"
        rest, unit = replace(unit, ready=unit.ready - many), replace(unit, key=key, ready=many, away=0, lost=0)
        book.set(units=(*state.units[:at], rest, unit, *state.units[at + 1 :]))
    book.change(replace(unit, body=to))
    book.say(f"{many} × {unit.label} into {book.group.body_title(to)}.")


def decided(book: Book) -> None:
    """End the phase. Raises StepRefused if the group has neither mustered nor forfeited."""
    if not book.group.decision:
        raise StepRefused("Muster for the next battle, or forfeit it.")
