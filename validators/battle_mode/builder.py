"""The builder of Battle Mode: the data of its page, and the document in its form.

The form also sends ``leader``, the number of a model, ``leader_was``, the one shown, ``leader_too`` for others that are
marked, ``leader_card`` of the Leader, and choices not yet made: ``add_model``, ``m{i}.add_item``, ``m{i}.add_perk``.

What can be added depends on the kind of model, so the page's script gets it once for all models of a kind, by a key
(``Offers``). Without scripts the card that a button worked in has its choices.
"""

from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

from languages.words import N_, gettext
from validators.battle_mode.check import CHECKS, carried, held, room_for_another, used_up
from validators.battle_mode.edition import Edition, Item, ModelEntry, Priced, Upgrade
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
from validators.contract import Document, EditionInfo, Terms, UnreadableForce
from validators.kit import forms
from validators.kit.builder import (
    USUAL,
    Offers,
    Option,
    OptionGroup,
    Page,
    groups,
    key_of,
    page,
    usual_first,
)
from validators.names import fold

MODS_FOR_MODEL = N_("Mods for the model")


@dataclass(frozen=True)
class ModelCard:
    """One model of the force. What can be added to it is made when it is asked for."""

    model: PricedModel
    force: PricedForce
    bounds: str
    """The key of what the choices for every kind of model depend on."""

    @property
    def may_be_copied(self) -> bool:
        return not (self.model.entry and self.model.entry.unique) and room_for_another(self.force, self.model)

    @cached_property
    def add_items(self) -> tuple[OptionGroup, ...]:
        return usual_first(items_to_add(self.model, self.force), _usual(self.model, self.force))

    @cached_property
    def add_perks(self) -> tuple[Option, ...]:
        owned = {perk.name for perk in self.model.perks}
        offered = options("perk", self.model.entry, self.force)
        return tuple(perk for perk in offered if perk.name not in owned)

    @cached_property
    def mods(self) -> tuple[tuple[Option, ...], ...]:
        return tuple(_mods_for(item, self.model.entry, self.force) for item in self.model.items)

    @property
    def key(self) -> str:
        return key_of(self.bounds, self.model.name)

    def key_of_mods(self, item: PricedItem) -> str:
        return key_of(self.bounds, self.model.name, item.name)


@dataclass(frozen=True)
class BuilderView:
    page: Page
    force: PricedForce
    models: tuple[ModelCard, ...]
    leader: PricedModel | None
    """The first marked Leader; a legal force has only one."""
    heavy_allowed: int
    bounds: str

    carried = staticmethod(carried)

    @cached_property
    def leader_cards(self) -> tuple[Option, ...]:
        held = {self.leader.leader_card.name} if self.leader and self.leader.leader_card else set()
        return options("Leader card", self.leader.entry if self.leader else None, self.force, held)

    @cached_property
    def add_models(self) -> tuple[OptionGroup, ...]:
        return models_to_add(self.force)

    @property
    def key_of_models(self) -> str:
        return key_of(self.bounds, sorted(_persons(self.force)))

    def offers(self, held: Container[str]) -> Offers:
        offers = Offers(held)
        if offers.lacks(self.key_of_models):
            offers.add(self.key_of_models, "models", models_to_add(self.force))
        for card in self.models:
            model, entry = card.model, card.model.entry
            if entry and offers.lacks(card.key):
                items = items_to_add(model, self.force)
                of_model = [group for group in items if group.title == MODS_FOR_MODEL]
                usual = (group for group in usual_first(items, entry.usual) if group.title == USUAL)
                offers.add(card.key, "usual", usual)
                offers.add(card.key, "items", (group for group in items if group not in of_model))
                offers.add(card.key, "mods", of_model)
                offers.add(card.key, "perks", groups((N_("Perks"), options("perk", entry, self.force))))
            for item in model.items:
                if offers.lacks(key := card.key_of_mods(item)):
                    bare = replace(item, mods=())
                    offers.add(key, "mods", groups(("", _mods_for(bare, entry, self.force))))
        return offers


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    """The builder page of a canonical document under an event's terms. Choices not bought yet stay chosen."""
    force = priced(document, terms)
    fielded = () if force.models else (faction.name for faction in force.edition.factions.values() if faction.fielded)
    costs = [(model.name, model.caps) for model in force.models]
    costs += [(card.name or card.kind, card.entry.caps if card.entry else 0) for card in force.cards]
    bounds = key_of(*_what_bounds(force))
    return BuilderView(
        page=page(CHECKS, document, force, fields, fielded, fixes, costs),
        force=force,
        models=tuple(ModelCard(model, force, bounds) for model in force.models),
        leader=next((model for model in force.models if model.leader), None),
        heavy_allowed=heavy_weapons_allowed(force.size),
        bounds=bounds,
    )


def _what_bounds(force: PricedForce) -> tuple[object, ...]:
    """What the choices for a kind of model depend on; what is in the force counts only where copies are limited."""
    limits = force.terms.restrictions
    counted = limits.most_copies or limits.same_model
    names = sorted(fold(holding.name) for holding in held(force)) if counted else []
    return force.terms.edition.id, force.faction_name, limits, names


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
        Option(
            upgrade.name,
            upgrade.cost_on(entry.caps if entry else 0),
            _note(upgrade, force),
            full=used_up(force, upgrade.name),
        )
        for upgrade in sorted(force.edition.upgrades(sort).values(), key=lambda upgrade: upgrade.name)
        if upgrade.name in held
        or (not force.terms.bans(upgrade.name) and (entry is None or entry.may_have(sort, upgrade.name)))
    )


def _mods_for(item: PricedItem, entry: ModelEntry | None, force: PricedForce) -> tuple[Option, ...]:
    held = {mod.name for mod in item.mods}
    mods = force.edition.mods
    return tuple(
        option
        for option in options("mod", entry, force, held)
        if option.name in held or not item.entry or fits(mods[fold(option.name)], item.entry, entry)
    )


def items_to_add(model: PricedModel, force: PricedForce) -> tuple[OptionGroup, ...]:
    """The items that the model's entry lists, by kind, and the mods for the model itself."""
    if model.entry is None:
        return ()
    listed: dict[str, list[str]] = {}
    perhaps = N_("Perhaps: the edition does not say")
    for name, may in sorted(model.entry.offers["item"].items(), key=lambda offer: offer[1] is None):
        listed.setdefault(force.edition.items[fold(name)].kind if may else perhaps, []).append(name)
    return tuple(
        OptionGroup(
            title,
            tuple(
                Option(item.name, item.caps, _note(item, force), full=used_up(force, item.name))
                for item in (force.edition.items.find(name) for name in names)
                if item and not force.terms.bans(item.name)
            ),
        )
        for title, names in listed.items()
    ) + groups((MODS_FOR_MODEL, (mod for mod in options("mod", model.entry, force) if _is_for(model, mod, force))))


def _note(entry: Item | ModelEntry | Priced, force: PricedForce) -> str:
    if not force.edition.states_cost(entry):
        return gettext("no cost stated")
    return gettext("heavy") if isinstance(entry, Item) and entry.heavy else ""


def _is_for(model: PricedModel, mod: Option, force: PricedForce) -> bool:
    return fits_model(force.edition.mods[fold(mod.name)], model.entry)


def models_to_add(force: PricedForce) -> tuple[OptionGroup, ...]:
    persons = _persons(force)
    everyone = force.faction.models.values() if force.faction else ()
    listed = [(m, _model_option(m, force, taken=m.unique in persons)) for m in everyone if not force.terms.bans(m.name)]
    often = (option for m, option in listed if m.person is None)
    once = (option for m, option in listed if m.unique is not None)
    perhaps = (option for m, option in listed if m.perhaps_unique is not None)
    return groups((N_("Any number"), often), (N_("Once each"), once), (N_("Perhaps once each"), perhaps))


def _persons(force: PricedForce) -> set[str]:
    entries = (model.entry for model in force.models if model.entry and not model.entry.stage)
    return {entry.unique for entry in entries if entry.unique}


def _model_option(entry: ModelEntry, force: PricedForce, *, taken: bool) -> Option:
    """A model at the cost of what adding it adds: the model and its usual equipment, which the note names."""
    model = priced_model(bought_as_usual(entry.name, entry), force.faction_name, force.edition)
    note = gettext("with %(things)s", things=carried(model)) if model.items else _note(entry, force)
    return Option(entry.name, model.caps, note, taken=taken, full=used_up(force, entry.name, model=True))


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    form = forms.document(fields, document, edition, ForceFile, {"models": "m", "items": "i", "cards": "c"})
    places = forms.mark_leaders(form, fields, "name")
    if card := forms.text(fields, "leader_card"):
        # The new Leader brings a card; the old one keeps theirs, so that neither is lost.
        chosen = (places.get(forms.text(fields, field)) for field in ("leader", "leader_was"))
        free = [place for place in chosen if place is not None and not form["models"][place]["leader_card"]]
        if not free:
            raise UnreadableForce(gettext("Leader card: no model is marked as the Leader"))
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
