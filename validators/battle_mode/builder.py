"""The builder of Battle Mode: the data of its page, its search, and the document in its form.

The form also sends ``leader``, the number of a model, ``leader_was``, the one shown, ``leader_too`` for others that are
marked, ``leader_card`` of the Leader, and choices not yet made: ``add_model``, ``m{i}.add_item``, ``m{i}.add_perk``.

Search fields: ``find`` (words, each of which must be in a name or its heading), ``find_kind`` ("models:" or "items:"
and a heading), ``find_fits`` (only what costs no more than is left). The script of the page narrows the choices itself;
it sends ``find_live``, and the page stays whole. The button "find-clear" clears the search.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial

from languages.words import gettext, noted
from validators.battle_mode.check import CHECKS, carried, room_for_another, used_up
from validators.battle_mode.edition import Edition, ModelEntry, Upgrade
from validators.battle_mode.fixes import fixes
from validators.battle_mode.force import (
    ForceFile,
    PricedForce,
    PricedItem,
    PricedModel,
    answered,
    bought_as_usual,
    priced,
    priced_model,
    read_force,
)
from validators.battle_mode.force_rules import heavy_weapons_allowed
from validators.battle_mode.mod_rules import fits, fits_model
from validators.contract import Document, EditionInfo, Terms, UnreadableForce, Verdict
from validators.kit import forms
from validators.kit.builder import USUAL, Option, OptionGroup, Page, groups, page, usual_first
from validators.names import fold

LONGEST = 80
"""The most characters of a search."""


@dataclass(frozen=True)
class ModelCard:
    """One model of the force, with everything that can be added to it."""

    model: PricedModel
    carried: str
    """Its equipment in one line."""
    may_be_copied: bool
    """Whether neither it nor its equipment is unique or at the event's limit."""
    leads: bool
    """Whether it is the first marked Leader; a legal force has only one."""
    add_items: tuple[OptionGroup, ...]
    add_perks: tuple[Option, ...]
    mods: tuple[tuple[Option, ...], ...]
    """The mods that each of the model's items may have."""
    found: Verdict


@dataclass(frozen=True)
class Find:
    """The search on the page: words, a kind, and only what fits the Caps left; ``narrows`` if any is used."""

    words: str = ""
    kind: str = ""
    fits: bool = False
    narrows: bool = False
    left: int = 0


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    page: Page
    force: PricedForce
    models: tuple[ModelCard, ...]
    leader: PricedModel | None
    leader_cards: tuple[Option, ...]
    add_models: tuple[OptionGroup, ...]
    heavy_allowed: int
    find: Find
    kinds: tuple[Option, ...]
    """The searchable kinds."""


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    """The builder page of a canonical document under an event's terms, narrowed by its form's search.

    Choices that are not bought yet stay chosen.
    """
    force = priced(document, terms)
    fielded = () if force.models else (faction.name for faction in force.edition.factions.values() if faction.fielded)
    costs = [(model.name, model.caps) for model in force.models]
    costs += [(card.name or card.kind, card.entry.caps if card.entry else 0) for card in force.cards]
    shown = page(CHECKS, document, force, fields, fielded, fixes, costs)
    find = _search(fields, shown.left)
    leader = next((model for model in force.models if model.leader), None)
    held = {leader.leader_card.name} if leader and leader.leader_card else set()
    leader_cards = options("Leader card", leader.entry if leader else None, force, held)
    every = [_card(model, model is leader, force, shown.verdict) for model in force.models]
    models, cards = models_to_add(force), tuple(_narrowed(card, find) for card in every)
    titles = [("models", group.title) for group in models]
    titles += [("items", group.title) for card in every for group in card.add_items if group.title != USUAL]
    add_models = _narrow_groups(models, "models", find)
    return BuilderView(
        page=replace(shown, chosen={**shown.chosen, **dict(_only_matches(add_models, cards, find))}),
        force=force,
        models=cards,
        leader=leader,
        leader_cards=_narrow(leader_cards, find, held),
        add_models=add_models,
        heavy_allowed=heavy_weapons_allowed(force.size),
        find=find,
        kinds=tuple(Option(gettext(title), None, value=f"{sort}:{title}") for sort, title in dict.fromkeys(titles)),
    )


def _only_matches(
    add_models: tuple[OptionGroup, ...], cards: tuple[ModelCard, ...], find: Find
) -> Iterator[tuple[str, str]]:
    """The fields in which a search for words leaves one choice, with that choice."""
    offered = [("add_model", add_models)]
    for card in cards:
        at = f"m{card.model.place}"
        offered += [(f"{at}.add_item", card.add_items), (f"{at}.add_perk", groups(("", card.add_perks)))]
    for field, kinds in offered if find.narrows and find.words else ():
        names = [option.name for kind in kinds for option in kind.options if option.open]
        if len(names) == 1:
            yield field, names[0]


def _search(fields: forms.Fields, left: int) -> Find:
    if forms.text(fields, "do") == "find-clear":
        return Find()
    words = forms.text(fields, "find")[:LONGEST]
    kind, fits = forms.text(fields, "find_kind")[:LONGEST], bool(forms.text(fields, "find_fits"))
    live = bool(forms.text(fields, "find_live"))
    return Find(words, kind, fits, bool(words or kind or fits) and not live, left)


def _narrowed(card: ModelCard, find: Find) -> ModelCard:
    held = [{mod.name for mod in item.mods} for item in card.model.items]
    return replace(
        card,
        add_items=_narrow_groups(card.add_items, "items", find),
        add_perks=_narrow(card.add_perks, find),
        mods=tuple(_narrow(mods, find, there) for mods, there in zip(card.mods, held, strict=True)),
    )


def _narrow_groups(given: tuple[OptionGroup, ...], sort: str, find: Find) -> tuple[OptionGroup, ...]:
    if not find.narrows:
        return given
    of_sort = find.kind.startswith(f"{sort}:")
    kept = [group for group in given if group.title != USUAL and (not of_sort or find.kind == f"{sort}:{group.title}")]
    return groups(*((group.title, _narrow(group.options, find, (), group.title)) for group in kept))


def _narrow(options: tuple[Option, ...], find: Find, held: Collection[str] = (), title: str = "") -> tuple[Option, ...]:
    if not find.narrows:
        return options
    words = fold(find.words).split()
    return tuple(
        option
        for option in options
        if option.name in held
        or (
            all(word in fold(f"{option.name} {title}") for word in words)
            and not (find.fits and (option.cost or 0) > find.left)
        )
    )


def _card(model: PricedModel, leads: bool, force: PricedForce, verdict: Verdict) -> ModelCard:
    owned = {perk.name for perk in model.perks}
    return ModelCard(
        model=model,
        carried=carried(model),
        may_be_copied=not (model.entry and model.entry.unique) and room_for_another(force, model),
        leads=leads,
        add_items=usual_first(items_to_add(model, force), _usual(model, force)),
        add_perks=tuple(perk for perk in options("perk", model.entry, force) if perk.name not in owned),
        mods=tuple(_mods_for(item, model.entry, force) for item in model.items),
        found=verdict.about(model.place),
    )


def _usual(model: PricedModel, force: PricedForce) -> Iterator[str]:
    """The items that the edition says the model usually has, then those of the force's other models of its name."""
    for other in force.models:
        yield from model.entry.usual if model.entry else ()
        if other is not model and fold(other.name) == fold(model.name):
            yield from (item.name for item in other.items)


def options(
    sort: Upgrade, entry: ModelEntry | None, force: PricedForce, held: Collection[str] = ()
) -> tuple[Option, ...]:
    """The mods, perks or Leader cards that a model may have at the event, and those that it has, allowed or not."""
    return tuple(
        Option(upgrade.name, upgrade.cost_on(entry.caps if entry else 0), full=used_up(force, upgrade.name))
        for upgrade in sorted(force.edition.upgrades(sort).values(), key=lambda upgrade: upgrade.name)
        if upgrade.name in held
        or (not force.terms.bans(upgrade.name) and (entry is None or entry.may_have(sort, upgrade.name)))
    )


def _mods_for(item: PricedItem, entry: ModelEntry | None, force: PricedForce) -> tuple[Option, ...]:
    """The mods that fit an item of a model, and those that it has."""
    held = {mod.name for mod in item.mods}
    known = force.edition.mods
    return tuple(
        option
        for option in options("mod", entry, force, held)
        if option.name in held or not item.entry or fits(known[fold(option.name)], item.entry, entry)
    )


def items_to_add(model: PricedModel, force: PricedForce) -> tuple[OptionGroup, ...]:
    """The items that the model's entry lists, by kind, and the mods for the model itself."""
    if model.entry is None:
        return ()
    listed = dict(model.entry.may_carry)
    if model.entry.perhaps_carries:
        listed[noted("Perhaps: the edition does not say")] = model.entry.perhaps_carries
    return tuple(
        OptionGroup(
            title,
            tuple(
                Option(
                    item.name, item.caps, note=gettext("heavy") if item.heavy else "", full=used_up(force, item.name)
                )
                for item in (force.edition.items.find(name) for name in names)
                if item and not force.terms.bans(item.name)
            ),
        )
        for title, names in listed.items()
    ) + groups(
        (noted("Mods for the model"), (mod for mod in options("mod", model.entry, force) if _is_for(model, mod, force)))
    )


def _is_for(model: PricedModel, mod: Option, force: PricedForce) -> bool:
    return fits_model(force.edition.mods[fold(mod.name)], model.entry)


def models_to_add(force: PricedForce) -> tuple[OptionGroup, ...]:
    """The models in the faction's list: those that may repeat, then unique ones, then those of unknown uniqueness."""
    persons = {model.entry.unique for model in force.models if model.entry and not model.entry.stage} - {None}
    everyone = force.faction.models.values() if force.faction else ()
    listed = [(m, _model_option(m, force, taken=m.unique in persons)) for m in everyone if not force.terms.bans(m.name)]
    often = (option for m, option in listed if m.person is None)
    once = (option for m, option in listed if m.unique is not None)
    perhaps = (option for m, option in listed if m.perhaps_unique is not None)
    return groups((noted("Any number"), often), (noted("Once each"), once), (noted("Perhaps once each"), perhaps))


def _model_option(entry: ModelEntry, force: PricedForce, *, taken: bool) -> Option:
    """A model at the cost of what adding it adds: the model and its usual equipment, which the note names."""
    model = priced_model(bought_as_usual(entry.name, entry), force.faction_name, force.edition)
    note = gettext("with %(things)s", things=carried(model)) if model.items else ""
    return Option(entry.name, model.caps, note, taken=taken, full=used_up(force, entry.name, model=True))


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    """The submitted form's document, changed by its button."""
    form = forms.document(fields, document, edition, ForceFile, {"models": "m", "items": "i", "cards": "c"})
    places = forms.mark_leaders(form, fields, "name")
    if card := forms.text(fields, "leader_card"):
        # The new Leader brings a card; the old one keeps theirs, so that neither is lost.
        chosen = (places.get(forms.text(fields, field)) for field in ("leader", "leader_was"))
        free = [place for place in chosen if place is not None and not form["models"][place]["leader_card"]]
        if not free:
            raise UnreadableForce(gettext("leader_card: no model is marked as the Leader"))
        form["models"][free[0]]["leader_card"] = card
    forms.apply_button(form, fields, {"add-model": partial(_add_model, edition), **COMMANDS})
    return answered(document, read_force(form, edition))


def _add_model(info: EditionInfo, form: Document, fields: forms.Fields) -> None:
    """Add a model with the items that it is usually bought with."""
    name = forms.text(fields, "add_model")
    if name:
        edition: Edition = info.lists
        form["models"].append(bought_as_usual(name, edition.model(name, form["faction"]), leader=not form["models"]))


COMMANDS: forms.Commands = {
    **forms.cards("model", "models", leader=False, leader_card=None),
    **forms.rows("item", "m{}.add_item", "models", "items", make=lambda name: {"name": name, "mods": [], "count": 1}),
    "remove-mod": forms.remove("models", "items", "mods"),
    **forms.rows("perk", "m{}.add_perk", "models", "perks"),
    "drop-leader": forms.change("models", leader=False),
    "drop-leader-card": forms.change("models", leader_card=None),
    "remove-card": forms.remove("cards"),
}
