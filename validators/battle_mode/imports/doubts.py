"""What a whole unit, or the whole list, leaves open: bare names, parts of several models, numbered lines."""

from collections.abc import Iterator, Sequence

from languages.words import gettext
from validators.battle_mode.edition import Edition
from validators.battle_mode.imports.line import what_is
from validators.battle_mode.imports.reading import Doubt, LineEntry, Option, Unit

BARE, NUMBERS = "bare", "numbers"
"""Questions that are asked once for the whole list."""


def numbered(units: Sequence[Unit], edition: Edition, faction: str) -> Iterator[tuple[Unit, Doubt, Option | None]]:
    """Lines that begin with 1, 2, 3: the numbers of the lines, or of the models? Nobody has two of a person."""
    led = [unit for unit in units if unit.model.is_numbered and not unit.model.is_out]
    if len(led) < 2 or [unit.model.copies for unit in led] != list(range(1, len(led) + 1)):
        return
    entries = [edition.model(unit.model.name, faction) for unit in led[1:]]
    for unit in led[1:]:
        copies = Option("copies", gettext("The numbers of models"))
        lines = Option("lines", gettext("The numbers of the lines"), ((unit.model, "copies", 1),))
        doubt = Doubt(unit.model.line, what_is(str(unit.model.copies)), (copies, lines), question=NUMBERS)
        yield unit, doubt, lines if any(entry and entry.unique for entry in entries) else None


def built_in(units: Sequence[Unit], edition: Edition, faction: str) -> Iterator[tuple[Unit, Doubt, Option | None]]:
    """Parts that the model has built in: named, or bought once more, as the costs say?"""
    for unit in units:
        entry = edition.model(unit.model.name, faction)
        for part in unit.parts if entry and not unit.is_listed else ():
            is_free = part.sort == "item" and edition.file.names_built_in
            if entry and part.sort in ("item", "mod", "perk") and not is_free and (
                any(name == part.name or name.startswith(f"{part.name} (on ") for name in entry.built_in)
            ):  # fmt: skip
                sentence = gettext("%(part)s is built in", part=part.name)
                named = Option("built in", sentence, ((part, "is_out", True),))
                part.is_out = True
                bought = Option("bought", part.name, ((part, "is_out", False),))
                yield unit, Doubt(part.line, sentence, (named, bought), is_soft=True), None


def shared(units: Sequence[Unit]) -> Iterator[tuple[Unit, Doubt, Option | None]]:
    """Parts of several models: on each of them, or on some? Numbers that are together theirs are shared out."""
    for unit in units:
        number = unit.model.copies or 1
        if number < 2 or unit.is_listed:
            continue
        counted = (part for part in unit.parts if part.sort in ("item", "heroic"))
        items = [part for part in counted if not (part.groups or part.is_out or part.each)]
        counts = [part.copies for part in items if part.copies]
        if len(counts) > 1 and len(counts) == len(items) and sum(counts) == number:
            for part in items:
                part.groups, part.copies = part.copies or 1, 1
            continue
        yield from ((unit, _shares(part, number), None) for part in items)


def on_several(units: Sequence[Unit]) -> Iterator[tuple[Unit, Doubt, Option | None]]:
    """Mods without a number of several copies of an item: on each of them, or on one?"""
    for unit in units:
        for mod in unit.parts:
            copies = (mod.fixed.copies or 1) if mod.fixed and mod.sort == "mod" else 1
            if copies > 1 and mod.copies is None and not unit.is_listed:
                option = Option("one", gettext("%(number)s on one of them", number=1), ((mod, "copies", 1),))
                each = Option("each", gettext("%(number)s on each", number=1), ((mod, "copies", copies),))
                yield unit, Doubt(mod.line, what_is(mod.name), (option, each)), None


def _shares(part: LineEntry, number: int) -> Doubt:
    copies = part.copies
    each = Option("each", gettext("%(number)s on each", number=copies or 1))
    option = Option("one", gettext("%(number)s on one of them", number=copies or 1), ((part, "groups", 1),))
    if copies is None:
        return Doubt(part.line, what_is(part.name), (each, option), is_soft=True)
    settings = ((part, "groups", copies), (part, "copies", 1))
    some = Option("some", gettext("1 on each of %(number)s", number=copies), settings)
    options = (some, option, each) if copies <= number else (option, each)
    return Doubt(part.line, what_is(f"{copies} {part.name}"), options)


def bare(
    units: Sequence[Unit], edition: Edition, faction: str, answer: str
) -> Iterator[tuple[Unit, Doubt, Option | None]]:
    """Names without weapons, of models that are usually bought with some; ``answer`` is what the text says of all."""
    for unit in units:
        entry = edition.model(unit.model.name, faction)
        has_items = any(part.sort == "item" and not part.is_out for part in unit.parts)
        is_asked = any(doubt.question == BARE or (doubt.must_ask and not doubt.chosen) for doubt in unit.doubts)
        is_plain = not (unit.model.is_out or has_items or unit.is_armed or unit.is_listed or is_asked)
        if entry and entry.usual and is_plain:
            unarmed = Option("unarmed", gettext("Unarmed"))
            usual = Option("usual", gettext("With their usual weapons"), ((unit, "is_usual", True),))
            doubt = Doubt(unit.model.line, gettext("With or without weapons?"), (unarmed, usual), question=BARE)
            yield unit, doubt, {"usual": usual, "unarmed": unarmed}.get(answer)
