"""From another program's roster to a force: matching names, separating models, comparing costs with the edition."""

from collections.abc import Iterable, Sequence
from itertools import product

from languages.words import gettext, listed, ngettext, noted
from validators.battle_mode.edition import Edition
from validators.battle_mode.force import (
    FILE_TOTAL,
    MOST_NOT_READ,
    NOT_READ,
    SYSTEM_ID,
    priced,
    read_force,
)
from validators.battle_mode.imports.matching import MOST_OFFERS, Names, Remarks, without_sorting
from validators.battle_mode.imports.model_parts import Model, ModelParts
from validators.battle_mode.imports.selections import Roster, Selection, Unread, all_below
from validators.battle_mode.imports.units import sort_out
from validators.contract import Document, EditionInfo, Imported, NotRead, Terms, UnreadableForce
from validators.faults import of_file
from validators.force_file import LONGEST_NAME, MOST_MODELS
from validators.kit.checks import caps as counted_caps

READINGS = tuple(product((False, True), (None, True, False)))
"""The possible readings of what a file leaves open, in the order of trying; the first with the stated cost is used.

First, whether a count for several models means that many for each; second, whether built-in parts that can also be
bought were bought (None: if the model's entry sells the item).
"""
_MOST_SHOWN = 4
"""The most names of a file without a known model for which similar ones are offered."""


_FOUND_BY_MODELS = {
    (False, False): noted("The file names no faction; by its models it is %(found)s."),
    (False, True): noted("The file names no faction; by its models it is %(found)s (%(others)s would fit as well)."),
    (True, False): noted("%(written)s is not a faction of the edition; by its models it is %(found)s."),
    (True, True): noted(
        "%(written)s is not a faction of the edition; by its models it is %(found)s (%(others)s would fit as well)."
    ),
}
"""By whether the file names a faction, and whether the models fit others."""
_FIRST_HEROIC = noted(
    "The file marks no Leader; %(name)s was taken, as the first Heroic model. Choose another if that is wrong."
)
_FIRST_MODEL = noted(
    "The file marks no Leader; %(name)s was taken, as the first model. Choose another if that is wrong."
)


def assemble(rosters: Iterable[Roster], info: EditionInfo, names: Names, own: str = "") -> Imported:
    """The first of these readings of a file about which nothing is open, else the one with the fewest open points.

    ``own`` is the faction of the player, which decides between several that the models fit.
    Raises UnreadableForce.
    """
    found: list[tuple[int, Imported]] = []
    refused: UnreadableForce | None = None
    for roster in rosters:
        try:
            doubts, imported = _assembled(roster, info, names, own)
        except UnreadableForce as refusal:
            refused = refused or refusal
            continue
        found.append((doubts, imported))
        if not doubts:
            break
    if not found:
        raise refused or UnreadableForce(of_file(gettext("it is empty")))
    return min(found, key=lambda one: one[0])[1]


def _assembled(roster: Roster, info: EditionInfo, names: Names, own: str) -> tuple[int, Imported]:
    """The roster as a force of this edition with all remarks, and the number of its open points."""
    remarks = Remarks(roster.notes)
    units, cards = sort_out(roster.selections, names, remarks)
    if sum(model.number for model in units) > MOST_MODELS:
        raise UnreadableForce(
            ngettext(
                "This list is too large: more than %(num)s model",
                "This list is too large: more than %(num)s models",
                MOST_MODELS,
            )
        )
    if roster.unread and not units and not cards:
        written = [Selection(one.name) for one in roster.unread if one.name]
        offers = _offers(written, names) or [gettext(roster.hint)] * bool(roster.hint)
        raise UnreadableForce(gettext("the file: no model in it is known to this game"), *offers)
    faction = _faction(roster, units, own, names, remarks)
    models: list[Model] = []
    costs: list[tuple[int, int]] = []
    for selection in units:
        parts, caps = _models_of(selection, roster, faction, info, names, remarks)
        models += parts.models
        costs.append((selection.line, caps))
        cards += [{"kind": "Leader", "name": name} for name in parts.spare_cards]
    _appoint_leader(models, roster, remarks)
    force = {"name": roster.name, "faction": faction, "models": models, "cards": cards}
    document = read_force({"system": SYSTEM_ID, "edition": info.id, **force}, info)
    total = priced(document, Terms(info)).total
    added = _added(roster, units)
    stated = added if roster.total is None else roster.total
    if stated is not None and added not in (None, stated):
        differs = noted("The file’s total is %(stated)s; what stands in it costs %(added)s together.")
        remarks.say(gettext(differs, stated=counted_caps(stated), added=added))
    differing = [figure for figure in (stated, added) if figure not in (None, total)]
    if differing:
        document[FILE_TOTAL] = differing[0]
    unread = roster.unread
    if roster.total == total:
        unread = [one for one in unread if not one.until_total]
    open_lines = [
        one
        for one in unread
        if one.priced and (names.names_model(one.text) or not _explained(one, unread, costs, total))
    ]
    if open_lines:
        document[NOT_READ] = [_shown(one) for one in open_lines[:MOST_NOT_READ]]
    shown = [one for one in unread if one in open_lines or not one.priced]
    lines = tuple(NotRead(one.line, one.text, one in open_lines) for one in shown)
    doubts = len(differing) + len(open_lines)
    return doubts, Imported(document, roster.format, stated, total, remarks.sentences(names), lines)


def _added(roster: Roster, units: Sequence[Selection]) -> int | None:
    """The sum of the costs in a file, of a text as they were read; None if something in it has none."""
    if any(selection.stated is None for selection in roster.selections):
        return None
    counted = units if any(unit.stated_as for unit in units) else roster.selections
    return sum(selection.stated or 0 for selection in counted) or None


def _explained(one: Unread, unread: list[Unread], costs: list[tuple[int, int]], total: int) -> bool:
    """Whether all figures of a line are sums of what was read: of the list, or of the lines to the next figure."""
    marks = sorted({0, *(other.line for other in unread if other.priced)}, key=int)
    after = next((mark for mark in marks if mark > one.line), 10**9)
    before = max((mark for mark in marks if mark < one.line), default=0)
    sums = {
        total,
        sum(caps for line, caps in costs if one.line < line < after),
        sum(caps for line, caps in costs if before < line < one.line),
        sum(caps for line, caps in costs if line < one.line),
    } - {0}
    return bool(one.figures) and one.figures[0] in sums


def _shown(one: Unread) -> str:
    return one.text if len(one.text) <= LONGEST_NAME else f"{one.text[: LONGEST_NAME - 3]}..."


def _models_of(
    selection: Selection, roster: Roster, faction: str, info: EditionInfo, names: Names, remarks: Remarks
) -> tuple[ModelParts, int]:
    """The models of one selection in the first reading with a cost that the file can state, and that cost."""
    edition: Edition = info.lists
    match = names.match(selection.name, "model") if selection.mark != "model" else None
    entry = edition.model(match.name if match else selection.name, faction)
    if selection.number == 0:
        remarks.say(gettext("%(name)s: left out because its number is 0.", name=selection.name))
    elif match or entry is None:
        remarks.name(selection.name, match, "model")
    ways: list[tuple[ModelParts, int]] = []
    possible = _all_stated(selection)
    for each, buys_built_in in READINGS:
        parts = ModelParts(selection, entry, edition, names, roster.in_order, each != roster.in_order, buys_built_in)
        ways.append((parts, _cost(parts.models, faction, info)))
        if not parts.left_open or (not roster.in_order and (not possible or ways[-1][1] in possible)):
            break
    fitting = [way for way in ways if not possible or way[1] in possible]
    parts, caps = (fitting or ways)[0]
    if fitting and possible:
        selection.stated = caps
    others = {way[1] for way in fitting if way[0].buys_built_in is None} - {caps}
    tree = [selection, *all_below(selection)]
    doubts = [] if fitting and possible else [one.doubt for one in tree if one.doubt]
    plain = roster.in_order and not any(one.number > 1 and not one.for_each for one in tree[1:])
    if others and selection.number > 1 and not plain:
        doubts.append(f"{parts.models[0]['name']}: the text does not say whether each of the models has these parts")
    if selection.line and possible and not fitting and any(one.stated is None for one in roster.selections):
        doubts.append(f"{parts.models[0]['name']}: the text says {selection.stated} Caps, the edition {caps}")
    roster.unread += [Unread(selection.line, doubt, (), priced=True, until_total=True) for doubt in doubts]
    remarks.take(parts.remarks)
    if selection.stated not in (None, caps) and parts.models:
        several = f"{len(parts.models)} × " if len(parts.models) > 1 else ""
        called = f"{several}{parts.models[0]['name']}"
        differs = noted("%(name)s: the file says %(stated)s, the edition %(caps)s.")
        remarks.say(gettext(differs, name=called, stated=counted_caps(selection.stated), caps=caps))
    return parts, caps


def _all_stated(selection: Selection) -> tuple[int, ...]:
    """What a selection can cost by its file."""
    return selection.stated_as or (() if selection.stated is None else (selection.stated,))


def _cost(models: list[Model], faction: str, info: EditionInfo) -> int:
    document: Document = {"edition": info.id, "faction": faction, "models": models, "cards": []}
    return priced(document, Terms(info)).total


def _faction(roster: Roster, models: list[Selection], own: str, names: Names, remarks: Remarks) -> str:
    """The faction in the file; else the one that lists most of its models, of several the player's own."""
    named = names.faction(roster.faction) if roster.faction else None
    if named:
        return named
    if fielded := names.fielding((model.name for model in models), own):
        found, *others = fielded
        if others and models[0].line:
            asked = f"the faction, {' or '.join(fielded)}"
            roster.unread.append(Unread(models[0].line, asked, priced=True))
        said = _FOUND_BY_MODELS[bool(roster.faction), bool(others)]
        remarks.say(gettext(said, written=roster.faction, found=found, others=listed(others)))
        return found
    if models and not any("model" in (model.mark, model.type) for model in models):
        unknown = gettext("the file: no model in it is known to this game")
        of = f" ({roster.faction[:60]})" if roster.faction else ""
        raise UnreadableForce(f"{unknown}{of}", *_offers(models, names))
    if not roster.faction:
        unknown = gettext("the file: neither a faction nor a model in it is known to this game")
        raise UnreadableForce(unknown, *(_offers(models, names) or [gettext(roster.hint)] * bool(roster.hint)))
    return without_sorting(roster.faction)


def _offers(models: list[Selection], names: Names) -> list[str]:
    """The closest known models for the first names that have any."""
    written = list(dict.fromkeys(without_sorting(model.name) for model in models))[:MOST_OFFERS]
    near = ((name, names.near(name, "model")) for name in written)
    offers = ((name, listed(found, style="or")) for name, found in near if found)
    return [gettext("%(name)s: did you mean %(names)s?", name=name, names=found) for name, found in offers][
        :_MOST_SHOWN
    ]


def _appoint_leader(models: list[Model], roster: Roster, remarks: Remarks) -> None:
    """Make the model with a Leader card the Leader if the file marks none.

    If files of this format never do, the first Heroic model leads, else the first one.
    """
    marked = any(model["leader"] for model in models)
    for model in models:
        if model.pop("by_card", False) and not marked:
            model["leader"] = True
            taken = noted("%(name)s was taken as the Leader, for the Leader card %(card)s.")
            remarks.say(gettext(taken, name=model["name"], card=model["leader_card"]))
    if not models or any(model["leader"] for model in models):
        return
    if roster.marks_leader:
        remarks.say(gettext("The file marks no Leader; choose one."))
        return
    leader = next((model for model in models if model["heroic"]), models[0])
    leader["leader"] = True
    remarks.say(gettext(_FIRST_HEROIC if leader["heroic"] else _FIRST_MODEL, name=leader["name"]))
