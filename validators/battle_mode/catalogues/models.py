"""The models of a catalogue."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from languages.stated import stated, strung
from languages.words import noted
from validators.battle_mode.catalogues.costs import FREE, NAMELESS, cost, cost_of_parts
from validators.battle_mode.catalogues.files import MOST_CAPS, NoCost, Node
from validators.battle_mode.catalogues.index import (
    EQUIPMENT,
    LEADER,
    MODS,
    PERKS,
    Judge,
    Offer,
    Place,
    groups_shown,
    name_of,
    offers,
)
from validators.names import fold

HEROIC = "heroic"
_MODEL_TYPES = ("model", "unit")


@dataclass(frozen=True)
class Model:
    """A model as one catalogue offers it. ``doubtful_unique``: its category and its limit contradict each other."""

    name: str
    caps: int
    node: Node
    unique: str | None
    doubtful_unique: bool
    heroic: Offer | None
    built_in: tuple[str, ...]
    items: tuple[Offer, ...]
    perks: tuple[Offer, ...]
    cards: tuple[Offer, ...]
    groups: frozenset[Node] = frozenset()
    """The groups that its entry links, whether or not they show it an item."""


def models_of(catalogue: Node, judge: Judge) -> list[Model]:
    """A catalogue's models for Battle Mode, in its order; entries that are not models are noted."""
    found: dict[str, Model] = {}
    for root in _roots(catalogue, judge):
        for model in _models_at(root, judge):
            first = found.setdefault(fold(model.name), model)
            if first is model:
                continue
            if first.node is model.node and first.caps == model.caps:
                found[fold(model.name)] = _merged(first, model, root.link, judge)
                continue
            name = name_of(root.link)
            if name and fold(name) not in found:
                found[fold(name)] = _renamed(model, name)
                judge.notes.doubt(
                    root.link, stated("a second model is called %(name)s; read by its link’s name", name=model.name)
                )
            else:
                text = noted("a second model of this name (%(caps)s Caps; the first, which is used, %(first)s)")
                says = stated(text, caps=model.caps, first=first.caps)
                judge.notes.left_out(model.node, says)
    return list(found.values())


def _merged(first: Model, second: Model, link: Node, judge: Judge) -> Model:
    """The model to which two links lead; unique if either link says so."""
    differs = (first.unique is None) != (second.unique is None)
    if differs:
        says = stated("unique by one link to it, not by another link: read as unique")
        judge.notes.doubt(link, says, first.name, "unique")
    doubtful = differs or first.doubtful_unique or second.doubtful_unique
    return replace(first, unique=first.unique or second.unique, doubtful_unique=doubtful)


def _renamed(model: Model, name: str) -> Model:
    return replace(model, name=name, unique=name if model.unique == model.name else model.unique)


def _roots(catalogue: Node, judge: Judge) -> Iterator[Offer]:
    index = judge.index
    battle = index.battle
    wanted = {link.get("targetId") for link in battle.each("categoryLink")} if battle else set()
    for offer in _root_offers(catalogue, judge):
        categories = index.categories(*offer.nodes)
        ids = frozenset(node.get("id") for node in offer.nodes)
        catalogue_id = catalogue.get("id")
        place = Place(index.battle_id, catalogue_id, ids, ids | categories.keys() | {catalogue_id})
        if not all(judge.shown(node, place) for node in offer.nodes):
            judge.notes.left_out(offer.link, stated("not shown in Battle Mode"), offer.name)
        elif wanted and categories and not wanted & categories.keys():
            named = strung(name[:40] for name in categories.values())
            says = stated("its category is not one of Battle Mode’s (%(names)s)", names=named)
            judge.notes.left_out(offer.link, says, offer.name)
        else:
            if wanted and not categories:
                judge.notes.doubt(offer.link, stated("stands in no category; read as Battle Mode’s"), offer.name)
            yield replace(offer, place=place)


def _root_offers(catalogue: Node, judge: Judge) -> Iterator[Offer]:
    """The entries for a roster of this catalogue: its own, those of linked catalogues, the game system's."""
    waiting, seen = [catalogue], {catalogue}
    while waiting:
        holder = waiting.pop(0)
        for node in holder.children:
            judge.step()
            if node.shared or (holder is not catalogue and node.get("import") == "false"):
                continue
            target = judge.index.target(node) if node.tag in ("entryLink", "selectionEntry") else None
            if target is not None and target.tag == "selectionEntry":
                yield Offer(target, node)
            elif target is not None or node.tag == "selectionEntryGroup":
                yield from offers(target or node, None, judge)
        linked = [link for link in holder.each("catalogueLink") if link.get("importRootEntries") == "true"]
        further = [judge.index.by_id.get(link.get("targetId")) for link in linked]
        waiting += [node for node in further if node is not None and node.tag == "catalogue" and node not in seen]
        seen |= set(waiting)
        if holder is catalogue and judge.index.files.system not in seen:
            waiting.append(judge.index.files.system)
            seen.add(judge.index.files.system)


def _models_at(root: Offer, judge: Judge) -> Iterator[Model]:
    """The model at a root, or the models among which a root lets the player choose."""
    is_model = _is_typed_as_model(root)
    caps = cost(root, judge)
    priced = isinstance(caps, int) and caps > 0
    faces: list[Offer] = []
    rest: list[Offer] = []
    for inner in (inner for node in root.nodes for inner in offers(node, root.place, judge)):
        (faces if _is_typed_as_model(inner) and not _is_part(inner, judge) else rest).append(inner)
    if faces and not (is_model and priced):  # one published choice of models is itself a model with 0 Caps
        _note_choice(root, faces, judge)
        for face in faces:
            ids = frozenset(node.get("id") for node in face.nodes)
            place = replace(root.place or Place(), parent=ids, above=(root.place or Place()).above | ids)
            own = [inner for node in face.nodes for inner in offers(node, place, judge)]
            yield from _model(root, face, own + rest, judge)
    elif is_model:
        for companion in faces:
            says = stated("a model within %(name)s; an edition’s models stand alone", name=root.name)
            judge.notes.left_out(companion.entry, says)
        yield from _model(root, root, rest, judge)
    elif priced and judge.index.categories(*root.nodes):
        says = stated("stands by itself but is no model by its type; read as one")
        judge.notes.doubt(root.link, says, root.name)
        yield from _model(root, root, rest, judge)
    else:
        judge.notes.left_out(root.link, stated("stands by itself and is no model"), root.name)


def _note_choice(root: Offer, faces: list[Offer], judge: Judge) -> None:
    if len(faces) > 1:
        named = ", ".join(face.name for face in faces[:12])[:200]
        alone = all(_is_own_person(root, face) for face in faces)
        one = noted("a choice of models (%(names)s): read as faces of one person")
        each = noted("a choice of models (%(names)s): read as persons of their own, each limited to one")
        judge.notes.doubt(root.entry, stated(each if alone else one, names=named), root.name)


def _is_own_person(root: Offer, face: Offer) -> bool:
    """Whether a face is limited by itself, while the choice around it is not limited to one."""
    return face is root or (face.limit("max") == 1 and root.limit("max") != 1)


def _model(root: Offer, offer: Offer, below: list[Offer], judge: Judge) -> Iterator[Model]:
    notes, entry = judge.notes, offer.entry
    caps = cost(offer, judge)
    if not offer.name or isinstance(caps, NoCost):
        notes.left_out(entry, caps.said if offer.name and isinstance(caps, NoCost) else stated(NAMELESS))
        return
    if offer is not root:
        around = cost(root, judge)
        if isinstance(around, int) and around:
            text = noted("costs %(caps)s Caps and the choice around it %(around)s: added up")
            notes.doubt(entry, stated(text, caps=caps, around=around))
            caps += around
    person = offer.name if _is_own_person(root, offer) else root.name or offer.name
    choices = [c for c in below if not _is_typed_as_model(c) or _is_in_place_of_a_part(c)]
    built_in = [choice for choice in choices if not is_special(choice) and choice.required]
    caps += cost_of_parts(offer.name, built_in, judge)
    if caps > MOST_CAPS:
        text = noted("costs %(caps)s Caps with its parts, more than %(most)s")
        notes.left_out(entry, stated(text, caps=caps, most=MOST_CAPS))
        return
    if caps == 0:
        notes.doubt(entry, stated(FREE), offer.name, "free")
    yield Model(
        name=offer.name,
        caps=caps,
        node=entry,
        unique=person if _is_unique_by_category(root, judge) or _is_limited(root, offer) else None,
        doubtful_unique=_is_doubtful(root, offer, judge),
        heroic=next((c for c in choices if c.key == HEROIC), None),
        built_in=tuple(dict.fromkeys(c.name for c in built_in if c.name)),
        items=tuple(c for c in choices if not is_special(c) and not c.required),
        perks=tuple(c for c in choices if c.within(PERKS)),
        cards=tuple(c for c in choices if c.within(LEADER) and c.key != "leader"),
        groups=frozenset(
            group
            for node in dict.fromkeys((*root.nodes, *offer.nodes))
            for group in groups_shown(node, root.place, judge)
        ),
    )
    _note_changes(offer, judge)


def _note_changes(offer: Offer, judge: Judge) -> None:
    """Note modifiers of a model's own limit, because an edition has only one limit."""
    limits = {node.get("id") for holder in offer.nodes for node in holder.each("constraint") if node.get("id")}
    for holder in offer.nodes:
        for child in holder.each("modifier", "modifierGroup"):
            for modifier in child.everything():
                judge.step()
                if modifier.tag == "modifier" and modifier.get("field") in limits:
                    says = stated("its limit changes by a condition; the written limit is used")
                    judge.notes.doubt(modifier, says, offer.name)


def _is_typed_as_model(offer: Offer) -> bool:
    return offer.entry.get("type") in _MODEL_TYPES


def _is_part(choice: Offer, judge: Judge) -> bool:
    """Whether a place makes something typed as a model a part of one; noted once."""
    if _is_in_place_of_a_part(choice):
        says = stated("typed as a model, and read by its place as a part of one")
        judge.notes.doubt(choice.entry, says, choice.name)
        return True
    return False


def _is_in_place_of_a_part(choice: Offer) -> bool:
    return is_special(choice) or choice.within((EQUIPMENT,))


def is_special(choice: Offer) -> bool:
    """Whether the choice is a perk, a mod, a Leader card or the Heroic upgrade."""
    return choice.within((*LEADER, *PERKS, *MODS)) or choice.key in (HEROIC, "leader")


def _is_unique_by_category(root: Offer, judge: Judge) -> bool:
    return any("unique" in fold(name).split() for name in judge.index.categories(*root.nodes).values())


def _is_limited(root: Offer, offer: Offer) -> bool:
    return 1 in (root.limit("max"), offer.limit("max"))


def _is_doubtful(root: Offer, offer: Offer, judge: Judge) -> bool:
    """Note an invalid limit, and a model that is unique only by its category or only by its limit."""
    limited = _is_limited(root, offer)
    limits = [limit for limit in (root.limit("max"), offer.limit("max")) if limit is not None]
    if limits and not limited:
        says = stated("limited to %(n)s; an edition knows unique or not, read as not", n=min(limits))
        judge.notes.doubt(offer.link, says, offer.name)
    if limited == _is_unique_by_category(root, judge) or not judge.index.has_unique_category:
        return False
    text = noted("under Unique Units, but not limited to one: read as unique")
    if limited:
        text = noted("limited to one, but not under Unique Units: read as unique")
    judge.notes.doubt(offer.link, stated(text), offer.name, "unique")
    return True
