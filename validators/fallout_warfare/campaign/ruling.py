"""What the desk can rule on in a group: experience, hit points, damage, figures lost or returned."""

from collections.abc import Iterator
from dataclasses import replace

from languages.message import joined, message
from languages.words import gettext, signed
from validators.calculator import Asked, one_of
from validators.campaign import Answered, Applied, StepRefused, World
from validators.fallout_warfare.campaign.atlas import hold, places, unnamed
from validators.fallout_warfare.campaign.battle import learn
from validators.fallout_warfare.campaign.state import POINTS, Book, Group, Unit
from validators.kit.campaign_steps import answers_to

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
