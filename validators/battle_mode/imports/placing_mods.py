"""On which item of a model each mod of a list is."""

from collections.abc import Callable, Sequence

from languages.words import gettext
from validators.battle_mode.edition import Edition, ModelEntry
from validators.battle_mode.imports.reading import Doubt, LineEntry, Option, Unit
from validators.battle_mode.mod_rules import fits, fits_model


def place_mods(units: Sequence[Unit], edition: Edition, faction: str, ask: Callable[[Unit, Doubt], None]) -> None:
    """Put each mod on the item that the text names with it, else before it, else on the only one that it fits."""
    for unit in units:
        entry = edition.model(unit.model.name, faction)
        loose = [part for part in unit.parts if part.sort == "mod" and part.fixed is None]
        rows = {id(mod) for mod in loose if _stands_by_mod(mod, unit, loose)}
        for mod in loose:
            _place(mod, unit, entry, edition, ask, is_in_row=id(mod) in rows)
        for mod in [part for part in unit.parts if part.sort == "mod" and part.fixed is not None]:
            _fit(mod, entry, edition)


def _fit(mod: LineEntry, entry: ModelEntry | None, edition: Edition) -> None:
    """Of mods of one name for several kinds, "Headlamp (Power Armor)", the one that fits the item."""
    mod_entry, item = edition.mod(mod.name, entry), edition.items.find(mod.fixed.name) if mod.fixed else None
    if mod_entry and item and mod_entry.kinds and not fits(mod_entry, item, entry):
        named = [other for other in edition.mods.values() if other.name.startswith(f"{mod_entry.name} (")]
        if fitting := [other for other in named if fits(other, item, entry)]:
            mod.name = fitting[0].name


def _stands_by_mod(mod: LineEntry, unit: Unit, loose: Sequence[LineEntry]) -> bool:
    """Whether mods follow each other, so that the text names the items first and their mods after them."""
    at = unit.parts.index(mod)
    return any(part in loose for part in (*unit.parts[max(0, at - 1) : at], *unit.parts[at + 1 : at + 2]))


def _place(
    mod: LineEntry, unit: Unit, entry: ModelEntry | None, edition: Edition, ask: Callable[[Unit, Doubt], None], *,
    is_in_row: bool,
) -> None:  # fmt: skip
    known = edition.mod(mod.name, entry)
    has_mod = {id(other.fixed) for other in unit.parts if other.sort == "mod" and other.fixed}
    fitting = [item for item in unit.items if not item.is_out and _fits(mod, item, entry, edition)]
    free = [item for item in fitting if id(item) not in has_mod]
    at = unit.parts.index(mod)
    if known and fits_model(known, entry) and not (at and unit.parts[at - 1] in free):
        return
    if mod.after in free and not (is_in_row and len(fitting) > 1):
        mod.fixed = mod.after
    elif len(free) == 1 and len(fitting) == 1:
        mod.fixed = free[0]
    elif free:
        mod.fixed = free[-1]
        options = [Option(item.name, gettext("On %(item)s", item=item.name), ((mod, "fixed", item),)) for item in free]
        ask(unit, Doubt(mod.line, gettext("%(mod)s: on which item?", mod=mod.name), options))
    elif mod.after is not None:
        mod.fixed = mod.after


def _fits(mod: LineEntry, item: LineEntry, entry: ModelEntry | None, edition: Edition) -> bool:
    mod_entry, base = edition.mod(mod.name, entry), edition.items.find(item.name)
    if mod_entry is None or base is None or not base.takes_mod:
        return False
    named = [mod_entry, *(other for other in edition.mods.values() if other.name.startswith(f"{mod_entry.name} ("))]
    return any(fits(other, base, entry) for other in named)
