"""The cost of an entry in Battle Mode: its written cost, changed by modifiers whose conditions are met."""

from languages.stated import stated
from languages.words import noted
from validators.battle_mode.catalogues.files import MOST_CAPS, NoCost, Node
from validators.battle_mode.catalogues.index import Index, Judge, Offer, Place, Truth, is_caps
from validators.battle_mode.imports.selections import a_cost
from validators.contract import UnreadableForce

NAMELESS, FREE = noted("has no name that can be shown"), noted("costs 0 Caps")


def written_cost(entry: Node, index: Index) -> int | NoCost:
    """An entry's written cost in Caps, or why it is unknown."""
    found = [node for node in entry.each("cost") if is_caps(node, index)]
    if not found:
        return NoCost(())
    values = {node.get("value").strip() for node in found}
    if len(values) > 1:
        return NoCost(tuple(sorted(values)))
    (value,) = values
    caps = _number(value)
    if caps is None or not 0 <= caps <= MOST_CAPS:
        return NoCost((value,))
    return caps


def cost(offer: Offer, judge: Judge) -> int | NoCost:
    """An offer's cost in Caps at its place, or why it is unknown."""
    found = costs(offer, judge)
    return found if isinstance(found, NoCost) else found[0]


def cost_of_parts(name: str, parts: list[Offer], judge: Judge) -> int:
    """The BattleScribe cost of the parts that a model must have, each as often as required. Adds a note."""
    added = 0
    for part in parts:
        caps = cost(part, judge)
        if isinstance(caps, int) and caps:
            caps *= part.limit("min") or 1
            says = stated("built into %(name)s and costs %(caps)s Caps, which are added", name=name, caps=caps)
            judge.notes.doubt(part.link, says, part.name)
            added += caps
    return added


def costs(offer: Offer, judge: Judge, question: str = "") -> tuple[int, ...] | NoCost:
    """An offer's cost, and a second one that applies if conditions unknown here are met.

    Adds a note on such a change; ``question`` is the id of the question that chooses between two costs.
    """
    written = judge.written.get(offer.entry)
    if written is None:
        written = judge.written[offer.entry] = written_cost(offer.entry, judge.index)
    if isinstance(written, NoCost):
        return written
    changes = _changes(offer, judge)
    known = _changed(written, [modifier for modifier, met in changes if met])
    caps = written if known is None else known
    perhaps = _changed(written, [modifier for modifier, _ in changes])
    if perhaps == caps:
        return (caps,)
    second = () if perhaps is None else (perhaps,)
    doubted = next((modifier for modifier, met in changes if met is None), changes[0][0])
    says = stated("its cost changes in a way that is not known here; %(caps)s Caps are used", caps=caps)
    if perhaps is not None:
        to = noted("its cost changes in a way that is not known here, to %(other)s Caps; %(caps)s Caps are used")
        says = stated(to, caps=caps, other=perhaps)
    judge.notes.doubt(doubted, says, offer.name, question if question and second else "changes")
    return (caps, *second)


def _changes(offer: Offer, judge: Judge) -> list[tuple[Node, Truth]]:
    """The cost modifiers that may apply, in the files' order, the entry's before the link's.

    Whether modifiers of surrounding groups apply is unknown.
    """
    place = offer.place or Place(judge.index.battle_id)
    found: list[tuple[Node, Truth]] = []
    for holder in (*offer.nodes, *offer.groups):
        own = holder in offer.nodes
        found += [(one, met if own else None) for one, met in judge.changes(holder, place, judge.index.caps)]
    return found


def _changed(caps: int, modifiers: list[Node]) -> int | None:
    """A cost after these modifiers; None if one is not understood, or the result is not a valid cost."""
    for modifier in modifiers:
        value = _number(modifier.get("value"))
        if value is None:
            return None
        match modifier.get("type"):
            case "set":
                caps = value
            case "increment":
                caps += value
            case "decrement":
                caps -= value
            case _:
                return None
    repeated = any(child.tag == "repeat" for modifier in modifiers for child in modifier.children)
    return caps if 0 <= caps <= MOST_CAPS and not repeated else None


def _number(value: str) -> int | None:
    try:
        return a_cost(value, "")
    except UnreadableForce:
        return None
