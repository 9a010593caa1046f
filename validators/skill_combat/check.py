"""The check of a side: each function yields the problems, or the queries, under one id."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from languages.words import N_, apart, gettext, ngettext
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms
from validators.edition_file import names_in
from validators.event_rules import Held
from validators.kit import checks
from validators.kit.checks import Checks
from validators.names import NearNames, Words, fold
from validators.sheet import copies
from validators.skill_combat.edition import DATA, SPECIAL
from validators.skill_combat.force import Character, Side, most_characters, side_of

finding, query = partial(checks.finding, by="name"), partial(checks.query, by="name")
"""Findings name characters as the side does."""


def size(side: Side) -> Iterator[Finding]:
    """sc.size: the SPECIAL points of the side are within the event's size."""
    if side.total > side.size:
        over = side.total - side.size
        message = ngettext(
            "%(num)s SPECIAL point, %(size)s allowed: %(over)s too many",
            "%(num)s SPECIAL points, %(size)s allowed: %(over)s too many",
            side.total,
            size=side.size,
            over=over,
        )
        fix = gettext("Take %(over)s off the attributes.", over=over)
        yield Finding("sc.size", message, {"total": side.total, "size": side.size}, fix=fix)


def characters(side: Side) -> Iterator[Finding]:
    """sc.characters: at least one character, and at most as many as the size allows."""
    there, most = len(side.characters), side.most_characters
    if not there:
        yield Finding(
            "sc.characters", gettext("There is no character yet"), {"characters": 0}, fix=gettext("Add a character.")
        )
    elif there > most:
        each = side.edition.file.points_a_character
        message = ngettext(
            "%(there)s characters, %(num)s is allowed at %(size)s SPECIAL points (one for each full %(each)s)",
            "%(there)s characters, %(num)s are allowed at %(size)s SPECIAL points (one for each full %(each)s)",
            most,
            there=there,
            size=side.size,
            each=each,
        )
        yield Finding(
            "sc.characters",
            message,
            {"characters": there, "allowed": most},
            fix=gettext("Take out %(count)s.", count=there - most),
        )


def special(side: Side) -> Iterator[Finding]:
    """sc.special: each attribute is from 1 to 10."""
    least, most = side.edition.file.attribute.least, side.edition.file.attribute.most
    for character in side.characters:
        for name in SPECIAL:
            value = character.special[name]
            if not least <= value <= most:
                nearer = least if value < least else most
                names = {"character": character.label, "name": name, "value": value, "least": least, "most": most}
                message = gettext(
                    "%(character)s: %(name)s is %(value)s, from %(least)s to %(most)s is allowed", **names
                )
                fix, figures = gettext("Set %(name)s to %(nearer)s.", nearer=nearer, **names), {"value": value}
                yield finding("sc.special", message, fix, on=[character], figures=figures)


def origin(side: Side) -> Iterator[Finding]:
    """sc.origin: an origin that the edition does not name is a query."""
    if not side.edition.origins.find(side.faction_name):
        yield checks.undefined("sc.origin", gettext("origin"), side.faction_name, side.edition.file.origins)


def gear(side: Side) -> Iterator[Finding]:
    """sc.gear: a weapon or suit that is not in the edition has its own figures, of its own kind.

    Gear with own figures, and unknown items, are queries.
    """
    weapons = names_in(side.edition.file.weapons)
    suits = names_in(side.edition.file.armour)
    names, items = NearNames(), NearNames()
    for character in side.characters:
        for weapon in character.weapons:
            if weapon.figures is None:
                near = _near(names, weapon.name, weapons)
                message = gettext(
                    "%(character)s: %(weapon)s is not a weapon of this edition%(near)s",
                    character=character.label,
                    weapon=weapon.name,
                    near=near,
                )
                yield finding(
                    "sc.gear",
                    message,
                    gettext("Take %(weapon)s out, or give its figures.", weapon=weapon.name),
                    on=[character],
                )
            elif weapon.figures.mode == "burst" and not weapon.figures.bullets:
                message = gettext(
                    "%(character)s: %(weapon)s fires bursts and has no bullets",
                    character=character.label,
                    weapon=weapon.name,
                )
                yield finding("sc.gear", message, gettext("Say how many bullets a burst has."), on=[character])
        if character.worn and character.worn.figures is None:
            near = _near(names, character.worn.name, suits)
            message = gettext(
                "%(character)s: %(worn)s is not an armour of this edition%(near)s",
                character=character.label,
                worn=character.worn.name,
                near=near,
            )
            yield finding(
                "sc.gear",
                message,
                gettext("Take %(worn)s off, or give its figures.", worn=character.worn.name),
                on=[character],
            )
        for carried in character.gear:
            if carried.figures and not carried.listed:
                yield query(
                    "sc.gear",
                    gettext(
                        "%(character)s: %(carried)s brings its own figures",
                        character=character.label,
                        carried=carried.name,
                    ),
                    on=[character],
                )
        for item in character.items:
            if not item.listed:
                near = _near(items, item.name, tuple(side.edition.file.items))
                message = gettext(
                    "%(character)s: %(item)s is not an item of this edition%(near)s",
                    character=character.label,
                    item=item.name,
                    near=near,
                )
                yield query("sc.gear", message, on=[character])


def skill(side: Side) -> Iterator[Finding]:
    """sc.skill: no character has a skill twice; unknown skills, and values that no document covers, are queries."""
    names, known = NearNames(), tuple(skill.name for skill in side.edition.file.skills)
    for character in side.characters:
        often = Counter(fold(line.name) for line in character.skills)
        spelt = {fold(line.name): line.name for line in reversed(character.skills)}
        for key, times in often.items():
            if times > 1:
                message = ngettext(
                    "%(character)s: %(spelt)s is listed %(num)s time",
                    "%(character)s: %(spelt)s is listed %(num)s times",
                    times,
                    character=character.label,
                    spelt=spelt[key],
                )
                fix = gettext("Keep one line of %(spelt)s.", spelt=spelt[key])
                yield finding("sc.skill", message, fix, on=[character], figures={"times": times})
        for line in character.skills:
            if line.entry is None:
                near = _near(names, line.name, known)
                message = gettext(
                    "%(character)s: %(line)s at %(points)s %%; the edition has no such skill%(near)s",
                    character=character.label,
                    line=line.name,
                    points=line.points,
                    near=near,
                )
            elif not line.entry.of:
                message = gettext(
                    "%(character)s: %(line)s at %(points)s %%; the document prints no start for it",
                    character=character.label,
                    line=line.name,
                    points=line.points,
                )
            elif line.points:
                message = gettext(
                    "%(character)s: %(line)s is trained by %(points)s %%; the document prints no price for it",
                    character=character.label,
                    line=line.name,
                    points=line.points,
                )
            else:
                continue
            yield query("sc.skill", message, on=[character], figures={"points": line.points})


def level(side: Side) -> Iterator[Finding]:
    """sc.level: a character above level 1 is a query."""
    for character in side.characters:
        if character.level > 1:
            message, figures = (
                gettext("%(character)s is of level %(level)s", character=character.label, level=character.level),
                {"level": character.level},
            )
            yield query("sc.level", message, on=[character], figures=figures)


def sideboard(side: Side) -> Iterator[Finding]:
    """*.event.sideboard: at least one character of the roster can be fielded at the event's size."""
    least = min((each.points for each in side.characters), default=0)
    if least > side.terms.size:
        message = ngettext(
            "Every character has %(num)s SPECIAL point or more, and %(size)s are fielded",
            "Every character has %(num)s SPECIAL points or more, and %(size)s are fielded",
            least,
            size=side.terms.size,
        )
        fix = gettext("Take points off a character.")
        yield Finding("sc.event.sideboard", message, {"points": least, "size": side.terms.size}, fix=fix)


def held(side: Side) -> Iterator[Held]:
    """One entry for each copy; characters that players name by what they are."""
    for character in side.characters:
        weapons = sorted(fold(weapon.name) for weapon in character.weapons)
        same = " ".join([*(str(character.special[name]) for name in SPECIAL), *weapons])
        yield Held(character.name, character.label, character.place, model=True, same=same)
        yield from (Held(carried.name, character.label, character.place) for carried in character.gear)
        for item in character.items:
            yield from [Held(item.name, character.label, character.place)] * item.count


def _near(names: NearNames, name: str, known: tuple[str, ...]) -> str:
    near = names.nearest(name, known)
    return gettext("; did you mean %(names)s?", names=gettext(" or ").join(near)) if near else ""


CHECKS = Checks(
    prefix="sc",
    unit=N_("SPECIAL points"),
    words=Words(
        force=N_("side"),
        forces=N_("sides"),
        a_force=N_("a side"),
        faction=N_("origin"),
        factions=N_("origins"),
    ),
    texts=DATA / "rules.json",
    priced=side_of,
    held=held,
    allows=lambda terms: ngettext(
        "%(num)s character", "%(num)s characters", most_characters(terms.size, terms.edition.lists)
    ),
    findings={
        "sc.size": size,
        "sc.characters": characters,
        "sc.special": special,
        "sc.origin": origin,
        "sc.gear": gear,
        "sc.skill": skill,
        "sc.level": level,
    },
    sideboard=sideboard,
)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    side = side_of(document, Terms(edition))
    lines = tuple((_line(character), character.points) for character in side.characters)
    return ForceSummary(side.faction_name, side.total, "", lines)


def _line(character: Character) -> str:
    special = " ".join(f"{name} {character.special[name]}" for name in SPECIAL)
    head = (
        gettext("%(name)s, level %(level)s", name=character.name, level=character.level)
        if character.level > 1
        else character.name
    )
    skills = [f"{line.name} {character.value_of(line)} %" for line in character.skills]
    return apart(part for part in (f"{head} ({special})", ", ".join(skills), carries(character)) if part)


def carries(character: Character) -> str:
    """A character's weapons, armour and items in one line."""
    gear = [carried.name for carried in character.gear]
    return ", ".join([*gear, *(copies(item.count, item.name) for item in character.items)])
