"""What the desk can rule on in a group: experience, hit points, damage, figures lost or returned."""

from collections.abc import Iterator
from dataclasses import replace

from validators.calculator import Asked
from validators.campaign import Answered, Applied, StepRefused, World, one_of
from validators.fallout_warfare.campaign.atlas import hold, places, unnamed
from validators.fallout_warfare.campaign.battle import learn
from validators.fallout_warfare.campaign.state import POINTS, Book, Group, Unit
from validators.kit.campaign_steps import answers_to

MOST_XP = 240


def questions(world: World, number: int) -> tuple[Asked, ...]:
    """What can be ruled on; the defaults change nothing."""
    asks = tuple(ask for unit in world.groups[number].units for ask in _questions(unit))
    if number in world.played and unnamed(book := Book(world, number)):
        about = f"Of the battle against {world.names[book.played.opponent]}. The winner holds it."
        asks = (one_of("place", "Place of the battle", ("", *places(world)), "", about), *asks)
    return asks


def _questions(unit: Unit) -> Iterator[Asked]:
    about = f"{unit.alive} here, {unit.lost} lost. More return, or fewer with a minus."
    yield Asked(f"more-{unit.key}", unit.label, least=-unit.alive, most=unit.lost, default=0, help=about)
    if unit.kind == "hero" and unit.alive:
        yield Asked(f"xp-{unit.key}", f"{unit.label}: XP", least=-MOST_XP, most=MOST_XP, default=0)
        label = f"{unit.label}: hit points, of {unit.most_hits}"
        yield Asked(f"hits-{unit.key}", label, most=unit.most_hits, default=unit.hits)
    if unit.kind == "vehicle" and unit.alive:
        label = f"{unit.label}: damage in all"
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
            book.say(f"{unit.label}: {f'{hits} hit points' if unit.kind == 'hero' else f'{damage} damage'}.")
        if xp := int(answers.get(f"xp-{key}", 0)):
            if unit.xp + xp < book.world.edition.lists.level_xp[unit.level - 1]:
                why = f"{unit.label} would lose level {unit.level}: open the steps again that gave it."
                raise StepRefused(why, f"xp-{key}")
            learn(book, book.group.unit(key), xp)
    return book.applied()


def _change(book: Book, unit: Unit, more: int) -> None:
    if not more:
        return
    ready = max(0, unit.ready + more)
    away, fielded = unit.alive + more - ready, min(unit.fielded, ready)
    gone = "" if unit.alive + more else "Lost by a ruling"
    hits = 0 if gone else unit.hits or (1 if unit.kind == "hero" else 0)
    changed = replace(unit, ready=ready, away=away, fielded=fielded, lost=unit.lost - more, gone=gone, hits=hits)
    if unit.kind == "vehicle" and not unit.alive:
        changed = replace(changed, damage=max(0, unit.destroyed_at - 1))
    book.change(changed)
    book.line(unit.account, more, "Ruling")
    book.line(POINTS, more * unit.each, "Ruling")
    book.say(f"{more:+d} × {unit.label}.")


def compare(before: Group, after: Group) -> Answered:
    """The ruling that gives a group what another of its states has."""
    others, found = {unit.key: unit for unit in after.units}, dict[str, int | str]()
    for unit in before.units:
        if other := others.get(unit.key):
            found[f"more-{unit.key}"] = other.alive - unit.alive
            found[f"xp-{unit.key}"] = other.xp - unit.xp
    return {key: value for key, value in found.items() if value}
