"""The muster for the next battle: who fights, regrouping of squads, and a forfeit (chapter 8)."""

from collections.abc import Iterator
from dataclasses import replace

from languages.message import worded
from languages.words import apart, gettext, ngettext
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Offer, StepRefused, World
from validators.fallout_warfare.campaign.state import Book, Group, Unit, least_points, mustered, readiness
from validators.sheet import copies

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
    state, now, most = book.group, readiness(book.world, book.number), int(book.world.settings["most"])
    able = _able(state)
    chosen = {unit.body for unit in state.units if unit.fielded} if state.decision else suggested(book.world, state)
    worth = {body: sum(unit.able * unit.each for unit in units) for body, units in able.items()}
    absent = [(unit.alive - unit.able, unit.label) for unit in state.units if unit.alive > unit.able]
    away = gettext("Away: %(names)s.", names=apart(copies(many, label) for many, label in absent)) if absent else ""
    asks = tuple(
        Asked(
            f"in-{body}",
            ngettext(
                "%(label)s: %(num)s point",
                "%(label)s: %(num)s points",
                points,
                label=worded(state.body_title(body)),
            ),
            "yes",
            default=int(body in chosen),
            help=state.body_holds(body),
        )
        for body, points in worth.items()
    )
    if now.ready >= now.least:
        about = ngettext(
            "%(least)s to %(num)s army point. Ready: %(ready)s.",
            "%(least)s to %(num)s army points. Ready: %(ready)s.",
            most,
            least=now.least,
            ready=now.ready,
        )
        yield Offer("muster", gettext("Next battle"), gettext("Muster"), f"{about} {away}".rstrip(), asks)
    about = gettext("If you cannot muster enough, or no battle follows.")
    if now.ready < now.least:
        about = ngettext(
            "%(num)s army point is ready, %(least)s are needed.",
            "%(num)s army points are ready, %(least)s are needed.",
            now.ready,
            least=now.least,
        )
        about = f"{about} {away}".rstrip()
    forfeits = Offer("forfeit", gettext("No muster"), gettext("Forfeit the next battle"), about)
    if now.is_short:
        yield forfeits
    squads = [(body, worded(state.body_title(body))) for body, units in able.items() if units[0].of_squad]
    troops = ((unit.key, f"{unit.able} × {unit.label}, {title}") for body, title in squads for unit in able[body])
    if squads:
        asks = (
            one_of("unit", gettext("Who"), troops),
            Asked("count", gettext("How many"), least=0, most=99, default=0, help=gettext("0 is all of them.")),
            one_of("to", gettext("Into"), (("new", gettext("A new squad")), *squads), "new"),
        )
        about = gettext("Losses may leave squads too small or without a leader.")
        yield Offer("regroup", gettext("Squads"), gettext("Regroup"), about, asks)
    if not now.is_short:
        yield forfeits


def muster(book: Book, data: Answered) -> None:
    """Muster these squads and vehicles for the next battle. Raises StepRefused if that is too small or illegal."""
    chosen = {body for body in _able(book.group) if data[f"in-{body}"]}
    book.group = replace(with_bodies(book.group, chosen), decision="musters")
    verdict, least = mustered(book.world, book.group), least_points(book.world.settings)
    if verdict.total < least:
        why = ngettext(
            "%(num)s army point is mustered: at least %(least)s.",
            "%(num)s army points are mustered: at least %(least)s.",
            verdict.total,
            least=least,
        )
        raise StepRefused(why)
    if verdict.problems:
        raise StepRefused(f"{verdict.problems[0].message}.")
    book.remark_many("Musters %(num)s army point.", "Musters %(num)s army points.", verdict.total)


def forfeit(book: Book, _: Answered) -> None:
    """Forfeit the next battle; the desk records the game as forfeited."""
    now = readiness(book.world, book.number)
    book.group = replace(with_bodies(book.group, set()), decision="forfeits")
    if now.ready < now.least:
        book.remark_many(
            "Cannot muster %(num)s army point and forfeits the next battle: the desk records it.",
            "Cannot muster %(num)s army points and forfeits the next battle: the desk records it.",
            now.least,
        )
    else:
        book.remark("Forfeits the next battle: the desk records it.")


def regroup(book: Book, data: Answered) -> None:
    """Move able figures to another squad at the same place, or to a new one."""
    book.group = state = replace(with_bodies(book.group, set()), decision="")
    unit, to = state.unit(data["unit"]), str(data["to"])
    many = int(data["count"]) or unit.able
    squads = {body: units[0] for body, units in state.bodies().items() if units[0].of_squad}
    if many > unit.able:
        why = gettext("%(label)s: only %(n)s are able to fight.", label=unit.label, n=unit.able)
        raise StepRefused(why, "count")
    if to == unit.body:
        raise StepRefused(gettext("%(label)s is in this squad already.", label=unit.label), "to")
    if to != "new" and squads[to].place != unit.place:
        raise StepRefused(gettext("Both squads must stand at one place."), "to")
    if to == "new":
        if len(squads) >= MOST_SQUADS:
            raise StepRefused(
                ngettext("A group has at most %(num)s squad.", "A group has at most %(num)s squads.", MOST_SQUADS), "to"
            )
        to = f"s{1 + max(int(body[1:]) for body in state.squads)}"
        book.set(squads={**state.squads, to: ""})
    if many < unit.alive:
        at = state.units.index(unit)
        key = f"{unit.key}-{sum(other.key.startswith(f'{unit.key}-') for other in state.units) + 1}"
        rest, unit = replace(unit, ready=unit.ready - many), replace(unit, key=key, ready=many, away=0, lost=0)
        book.set(units=(*state.units[:at], rest, unit, *state.units[at + 1 :]))
    book.change(replace(unit, body=to))
    book.remark("%(n)s × %(label)s into %(squad)s.", n=many, label=unit.said, squad=book.group.body_title(to))


def decided(book: Book) -> None:
    """End the phase. Raises StepRefused if the group has neither mustered nor forfeited."""
    if readiness(book.world, book.number).is_short and not book.group.decision:
        raise StepRefused(gettext("The group has too few points: it can only forfeit the next battle."))
    if not book.group.decision:
        raise StepRefused(gettext("Muster for the next battle, or forfeit it."))
