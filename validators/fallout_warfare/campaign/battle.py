"""The steps after a battle: losses, and the heroes' experience and rest (chapter 8).

Functions named ``..._offers`` yield the steps on offer; the others apply a step with its answers.
"""

from collections.abc import Iterator
from dataclasses import replace

from languages.message import Text, counted_message, joined, message, worded
from languages.words import N_, gettext, ngettext, pgettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Applied, Offer, Played, StepRefused, World
from validators.fallout_warfare.campaign.atlas import hold_offers
from validators.fallout_warfare.campaign.state import POINTS, Book, Group, Unit
from validators.fallout_warfare.force import BASE_SKILL
from validators.fallout_warfare.scenario_file import KILLS
from validators.fallout_warfare.scenarios import LOST, SCENARIOS
from validators.kit.campaign_steps import still_to_do

GONE = {
    "vehicle": N_("destroyed in round %(round)s"),
    "mines": N_("used in round %(round)s"),
    "hero": N_("died in round %(round)s"),
    "troops": N_("lost in round %(round)s"),
}
LAST = N_("the last lost in round %(round)s")
"""For troops of which some were lost in an earlier battle."""
NO_RETREAT = {scenario.id for scenario in SCENARIOS if scenario.scored_by == KILLS}
"""Scenarios in which figures that leave the table count as killed (7.0)."""
WIN, EVEN = 2, 1
"""Experience for a game won, and for a draw or a successful retreat (8.2)."""


def play(world: World, group: int, played: Played) -> Applied:
    """Begin a new sequence after a game: count a forfeit, and make units that missed this battle ready again."""
    book = Book(world, group)
    state, fields = book.group, played.fought and book.group.decision == "musters"
    for unit in state.units:
        if unit.away:
            book.remark("%(label)s is back.", label=unit.said)
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
            yield Offer("losses", worded(book.group.body_title(body)), gettext("Record"), "", asks, {"body": body})


def _asks(unit: Unit, may_retreat: bool) -> Iterator[Asked]:
    if unit.kind == "mines" or (unit.kind == "troops" and unit.fielded > 1):
        lost = gettext("%(label)s: lost of %(n)s", label=unit.label, n=unit.fielded)
        if unit.kind == "mines":
            lost = gettext("Mines used, of %(n)s", n=unit.fielded)
        each = ngettext("%(num)s point each.", "%(num)s points each.", unit.each)
        yield Asked(f"lost-{unit.key}", lost, most=unit.fielded, default=0, help=each)
        if may_retreat and unit.kind == "troops":
            retreated = gettext("%(label)s: retreated", label=unit.label)
            yield Asked(f"away-{unit.key}", retreated, most=unit.fielded, default=0)
        return
    fates = {"held": pgettext("fate", "Held"), "retreated": gettext("Retreated"), "lost": gettext("Died")}
    fates |= {"lost": gettext("Destroyed")} if unit.kind == "vehicle" else {}
    possible = (fate for fate in fates.items() if may_retreat or fate[0] != "retreated")
    points = ngettext("%(num)s point.", "%(num)s points.", unit.each)
    yield one_of(f"fate-{unit.key}", unit.label, possible, "held", points)
    if unit.kind == "vehicle":
        most = unit.destroyed_at
        help_ = gettext("%(n)s disable it, %(most)s destroy it.", n=unit.disabled_at, most=most)
        yield Asked(f"damage-{unit.key}", gettext("Damage in all"), most=most, default=unit.damage, help=help_)
    if unit.kind == "hero":
        label, help_ = gettext("Hit points left, of %(n)s", n=unit.most_hits), gettext("0 is unconscious.")
        yield Asked(f"hits-{unit.key}", label, most=unit.most_hits, default=unit.hits, help=help_)


def record(book: Book, data: Answered) -> None:
    """Record the losses of a squad or vehicle."""
    body = str(data["body"])
    for unit in book.group.bodies(lambda unit: unit.fielded)[body]:
        changed, lost, away = _losses(unit, data)
        if lost:
            gone = message(GONE[unit.kind], round=book.played.round) if lost == unit.alive else ""
            fate = message(LAST, round=book.played.round) if gone and unit.kind == "troops" and unit.lost else gone
            changed = replace(changed, ready=unit.ready - lost, lost=unit.lost + lost, gone=fate)
            some = message("%(n)s × %(label)s died.", n=lost, label=unit.said)
            book.messages.append(message("%(label)s: %(said)s.", label=unit.said, said=gone) if gone else some)
            book.line(unit.account, -lost, joined([gone], form="capital") if gone else message("Died"))
            why = counted_message(
                "%(label)s: %(n)s × %(num)s point",
                "%(label)s: %(n)s × %(num)s points",
                unit.each,
                label=unit.said,
                n=lost,
            )
            book.line(POINTS, -lost * unit.each, why)
        if away:
            who = unit.said if unit.fielded == 1 else joined((away, unit.said), by=" × ")
            book.remark("%(who)s retreated, back after the next battle.", who=who)
            changed = replace(changed, ready=changed.ready - away, away=changed.away + away)
            if unit.kind == "hero":
                book.mark_used(f"retreated-{unit.key}")
        if unit.kind == "vehicle" and not lost and changed.damage:
            figures = {"n": changed.damage, "most": unit.destroyed_at}
            book.remark("%(label)s: %(n)s of %(most)s damage.", label=unit.said, **figures)
        if unit.kind == "hero" and not lost and changed.hits != unit.hits:
            book.remark_many(
                "%(label)s: %(n)s of %(num)s hit point.",
                "%(label)s: %(n)s of %(num)s hit points.",
                unit.most_hits,
                label=unit.said,
                n=changed.hits,
            )
        book.change(replace(changed, fielded=unit.fielded - lost))
        dead, either = book.group.dead_points + lost * unit.each, book.group.lost_points + (lost + away) * unit.each
        book.set(dead_points=dead, lost_points=either)
    if not book.messages:
        book.remark("%(label)s: no losses.", label=book.group.body_title(body))
    book.mark_used(f"losses-{body}")


def _losses(unit: Unit, data: Answered) -> tuple[Unit, int, int]:
    """The unit with its new damage and hits, how many of it were lost, and how many retreated."""
    key, fate = unit.key, data.get(f"fate-{unit.key}")
    damage, hits = int(data.get(f"damage-{key}", 0)), int(data.get(f"hits-{key}", 0))
    if unit.kind == "vehicle" and damage == unit.destroyed_at:
        fate = "lost"
    lost, away = int(data.get(f"lost-{key}", fate == "lost")), int(data.get(f"away-{key}", fate == "retreated"))
    if lost + away > unit.fielded:
        raise StepRefused(gettext("%(label)s: only %(n)s fought.", label=unit.label, n=unit.fielded), f"lost-{key}")
    return replace(unit, damage=damage, hits=0 if fate == "lost" else hits), lost, away


def doubt(world: World, group: int, report: Answered) -> tuple[Text, str]:
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
    why = ngettext(
        "Record %(num)s more point of losses, or undo a record; if the report is wrong, ask the desk to correct it.",
        "Record %(num)s more points of losses, or undo a record; if the report is wrong, ask the desk to correct it.",
        reported - recorded,
    )
    still = next(loss_offers(Book(world, group)), None)
    if short == "killed":
        text = counted_message(
            "%(num)s point reported as killed, %(recorded)s recorded.",
            "%(num)s points reported as killed, %(recorded)s recorded.",
            reported,
            recorded=recorded,
        )
    else:
        text = counted_message(
            "%(num)s point reported as lost, %(recorded)s recorded.",
            "%(num)s points reported as lost, %(recorded)s recorded.",
            reported,
            recorded=recorded,
        )
    return text, why if still else ""


def close(book: Book) -> None:
    """End the phase: give the surviving heroes who fought their experience. Raises StepRefused without a place."""
    if book.played.winner_names:
        for offer in hold_offers(book):
            raise StepRefused(still_to_do(offer))
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
    book.remark("%(label)s: %(xp)s experience, %(total)s in all.", label=unit.said, xp=xp, total=total)
    if more:
        book.remark_many(
            "%(label)s is level %(level)s: +%(num)s hit point, +%(num)s skill point.",
            "%(label)s is level %(level)s: +%(num)s hit points, +%(num)s skill points.",
            more,
            label=unit.said,
            level=level,
        )
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
        fixed, points = {"unit": unit.key}, unit.skill_points
        if most and unit.fielded and f"extra-{unit.key}" not in book.group.used:
            ask = Asked("xp", gettext("Extra experience"), least=1, most=most, default=1)
            yield Offer("extra", unit.label, gettext("Give"), gettext("Only what the scenario says."), (ask,), fixed)
        own, price = unit.skills, _price(book, unit)
        new = [name for name in edition.lists.skills if name not in own]
        if own and unit.skill_points:
            raised = (
                (name, gettext("%(skill)s (%(level)s) to %(more)s", skill=name, level=level, more=level + 1))
                for name, level in own.items()
            )
            ask = one_of("skill", gettext("Skill"), raised)
            yield Offer("raise", unit.label, gettext("Raise"), _points(1, points), (ask,), fixed)
        if new and unit.skill_points >= price:
            cost = gettext("Free: the first skill beyond those of its entry.")
            cost = _points(price, points) if price else cost
            yield Offer(
                "learn", unit.label, gettext("Learn"), cost, (one_of("skill", gettext("New skill"), new),), fixed
            )


def _points(price: int, points: int) -> str:
    return ngettext("%(n)s of %(num)s skill point.", "%(n)s of %(num)s skill points.", points, n=price)


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
    own = unit.skills
    level, price = (own[skill] + 1, 1) if skill in own else (BASE_SKILL, _price(book, unit))
    others = [known for known in unit.raw["skills"] if known["name"] != skill]
    raw = {**unit.raw, "skills": [*others, {"name": skill, "level": level}]}
    book.change(replace(unit, skill_points=unit.skill_points - price, raw=raw))
    book.remark("%(label)s has %(skill)s (%(level)s).", label=unit.said, skill=skill, level=level)


def _wounded(state: Group) -> list[Unit]:
    return [unit for unit in state.heroes() if unit.hits < unit.most_hits]


def _doctors(book: Book) -> dict[str, int]:
    """The conscious heroes with the skill Doctor: levels by key."""
    awake = {unit.key: unit.skills for unit in book.group.heroes() if unit.hits}
    return {key: skills["Doctor"] for key, skills in awake.items() if "Doctor" in skills}


def rest_offers(book: Book) -> Iterator[Offer]:
    """Breaks for wounded heroes, and a Doctor's help if the settings allow it."""
    wounded, doctors, way = _wounded(book.group), _doctors(book), book.world.settings["doctor"]
    if way == "all" and doctors and wounded:
        about = gettext("All wounded heroes regain all hit points.")
        yield Offer("tend", "Doctor", gettext("Heal all"), about)
    helpers = doctors if way == "break" else {}
    for unit in wounded:
        if f"break-{unit.key}" in book.group.used:
            continue
        others = [(key, book.group.unit(key).label) for key in helpers if key != unit.key]
        label, about = gettext("Who stays as a Doctor"), gettext("The Doctor misses the next battle too.")
        asks = (one_of("doctor", label, (("", gettext("Nobody")), *others), "", about),) if others else ()
        about = ngettext(
            "%(n)s of %(num)s hit point. Regains %(gains)s, and misses the next battle.",
            "%(n)s of %(num)s hit points. Regains %(gains)s, and misses the next battle.",
            unit.most_hits,
            n=unit.hits,
            gains=REST + helpers.get(unit.key, 0),
        )
        yield Offer("break", unit.label, gettext("Take a break"), about, asks, {"unit": unit.key})


def take_break(book: Book, data: Answered) -> None:
    """Let a hero miss the next battle and regain 2 hit points, plus the skill level of a Doctor who stays along."""
    unit, helper = book.group.unit(data["unit"]), str(data.get("doctor", ""))
    doctors = _doctors(book) if book.world.settings["doctor"] == "break" else {}
    hits = min(unit.most_hits, unit.hits + REST + max(doctors.get(key, 0) for key in (unit.key, helper)))
    regained = counted_message(
        "%(label)s regains %(num)s hit point and misses the next battle.",
        "%(label)s regains %(num)s hit points and misses the next battle.",
        hits - unit.hits,
        label=unit.said,
    )
    book.messages.append(regained)
    if helper:
        book.change(_away(book.group.unit(helper)))
        book.remark("%(label)s stays with them and misses the next battle.", label=book.group.unit(helper).said)
    book.change(_away(replace(unit, hits=hits)))
    book.mark_used(f"break-{unit.key}")


def _away(unit: Unit) -> Unit:
    return replace(unit, ready=0, away=1, fielded=0)


def tend(book: Book, _: Answered) -> None:
    """Restore all hit points of all wounded heroes by a Doctor (5.0)."""
    for unit in _wounded(book.group):
        book.change(replace(unit, hits=unit.most_hits))
        book.remark("%(label)s has all hit points.", label=unit.said)
