"""Searching in the builder: the choices on the page narrowed by words, by kind, and by what the Caps left buy.

Fields: ``find`` (words, each of which must stand in a name or its heading), ``find_kind`` ("models:" or "items:" and a
heading), ``find_fits`` (only what costs no more than is left), ``find_open`` (the fields are shown). The script narrows
by itself as one types; it says so by ``find_live``, and the page stays whole.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from validators.battle_mode.builder import BuilderView, Find, ModelCard, builder
from validators.battle_mode.options import Option, OptionGroup
from validators.contract import Document, Terms
from validators.names import fold

Fields = Mapping[str, list[str]]
LONGEST = 80


def searched(document: Document, terms: Terms, fields: Fields) -> BuilderView:
    """The builder page narrowed by what its form searches for; what is chosen and not bought yet stays chosen."""
    whole = builder(document, terms)
    find = _wanted(fields)
    if fields.get("do", [""])[0] not in ("", "find"):
        fields = {}  # a press has used a choice, or moved what it stood at
    held = {whole.leader_card.name} if whole.leader_card else set()
    return replace(
        whole,
        find=find,
        kinds=_kinds(whole),
        leader_cards=_narrow(whole.leader_cards, find, whole.left, held),
        add_models=_pick(_narrow_groups(whole.add_models, "models", find, whole.left), _one(fields, "add_model"), find),
        models=tuple(_model(model, find, whole.left, fields) for model in whole.models),
    )


def _wanted(fields: Fields) -> Find:
    words = _one(fields, "find")[:LONGEST]
    kind, fits = _one(fields, "find_kind")[:LONGEST], bool(_one(fields, "find_fits"))
    live = bool(_one(fields, "find_live"))
    return Find(words, kind, fits, bool(_one(fields, "find_open")), bool(words or kind or fits) and not live)


def _kinds(view: BuilderView) -> tuple[tuple[str, str], ...]:
    titles = [("models", group.title) for group in view.add_models]
    titles += [("items", group.title) for model in view.models for group in model.add_items]
    return tuple((f"{sort}:{title}", title) for sort, title in dict.fromkeys(titles))


def _model(model: ModelCard, find: Find, left: int, fields: Fields) -> ModelCard:
    held = {mod.name for item in model.items for mod in item.mods}
    perks = (OptionGroup("", _narrow(model.add_perks, find, left)),)
    items = _narrow_groups(model.add_items, "items", find, left)
    return replace(
        model,
        add_items=_pick(items, _one(fields, f"m{model.place}.add_item"), find),
        add_perks=_pick(perks, _one(fields, f"m{model.place}.add_perk"), find)[0].options,
        mods=_narrow(model.mods, find, left, held),
    )


def _narrow_groups(groups: tuple[OptionGroup, ...], sort: str, find: Find, left: int) -> tuple[OptionGroup, ...]:
    if not find.narrows:
        return groups
    of_sort = find.kind.startswith(f"{sort}:")
    kept = [group for group in groups if not of_sort or find.kind == f"{sort}:{group.title}"]
    narrowed = (OptionGroup(group.title, _narrow(group.options, find, left, (), group.title)) for group in kept)
    return tuple(group for group in narrowed if group.options)


def _narrow(
    options: tuple[Option, ...], find: Find, left: int, held: Collection[str] = (), title: str = ""
) -> tuple[Option, ...]:
    if not find.narrows:
        return options
    words = fold(find.words).split()
    return tuple(
        option
        for option in options
        if option.name in held
        or (all(word in fold(f"{option.name} {title}") for word in words) and not (find.fits and option.caps > left))
    )


def _pick(groups: tuple[OptionGroup, ...], chosen: str, find: Find) -> tuple[OptionGroup, ...]:
    """What was chosen stays chosen; where words find one thing alone, it is chosen."""
    names = [option.name for group in groups for option in group.options if option.open]
    if find.narrows and find.words and len(names) == 1:
        chosen = names[0]
    if chosen not in names:
        return groups
    return tuple(
        OptionGroup(g.title, tuple(replace(o, picked=True) if o.name == chosen else o for o in g.options))
        for g in groups
    )


def _one(fields: Fields, key: str) -> str:
    return fields.get(key, [""])[0].strip()
