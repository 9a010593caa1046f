"""The builder of Fallout Skirmish: the data of its page, and the document in its form.

Fields, with i, j counted from 0: ``name``, ``faction`` (while there are no characters), ``turf`` (each), ``leader`` (a
character's i), ``leader_too`` (further ones); for each character ``m{i}.rank``, ``m{i}.called``, ``m{i}.perk`` (each),
and for each item ``m{i}.i{j}.name`` and ``.count``. Choices not yet made: ``add_model``,
``m{i}.add_item``. The button is ``do``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.fallout_skirmish.check import CHECKS
from validators.fallout_skirmish.edition import RankRow, TurfRow
from validators.fallout_skirmish.force import PricedCharacter, PricedGroup, priced, read_force
from validators.fallout_skirmish.suggestions import fixes
from validators.kit import forms
from validators.kit.builder import Option, OptionGroup, Page, page


@dataclass(frozen=True)
class CharacterCard:
    """One character of the group, with everything that can be added."""

    one: PricedCharacter
    leads: bool
    """Whether it is the first marked leader; a legal group has only one."""
    several: tuple[bool, ...]
    """Whether each item can be taken more than once."""
    add_items: tuple[OptionGroup, ...]
    found: Verdict


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    page: Page
    group: PricedGroup
    characters: tuple[CharacterCard, ...]
    add_characters: tuple[Option, ...]
    turfs: tuple[str, ...]
    """The turfs with which a group starts; "" for one that is not rolled yet."""
    turf_table: tuple[TurfRow, ...]


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    """The page of a canonical document under an event's terms."""
    group = priced(document, terms)
    verdict, file = CHECKS.verdict(group), group.edition.file
    leader = next((one for one in group.characters if one.leader), None)
    ranks = {one.rank.name: one.rank for one in group.characters if one.rank}
    offers = {name: tuple(_to_add(rank, group)) for name, rank in ranks.items()}  # once for each rank
    return BuilderView(
        page=page(document, group, verdict, () if group.characters else (force.name for force in file.forces), fixes),
        group=group,
        characters=tuple(
            CharacterCard(
                one=character,
                leads=character is leader,
                several=tuple(
                    item.count > 1 or group.edition.open_to_all(item.name) is not None for item in character.items
                ),
                add_items=offers.get(character.rank.name, ()) if character.rank else (),
                found=verdict.about(character.place),
            )
            for character in group.characters
        ),
        add_characters=tuple(_ranks(group)),
        turfs=(*group.turfs, *[""] * (file.turfs_at_start - len(group.turfs))),
        turf_table=tuple(file.turfs),
    )


def _ranks(group: PricedGroup) -> Iterable[Option]:
    for rank in group.force.ranks if group.force else ():
        if not group.terms.bans(rank.name):
            used = sum(character.rank is rank for character in group.characters)
            yield Option(rank.name, rank.caps, f"{used} of {rank.most}")


def _to_add(rank: RankRow, group: PricedGroup) -> Iterable[OptionGroup]:
    """The options for a character of this rank, by kind, in the order of the lists."""
    force = group.force
    if force is None:
        return
    for kind in group.edition.file.items:
        if kind.big_gun and rank.name not in force.big_gun_ranks:
            continue
        options = []
        for row in kind.rows:
            name, price = row.name, force.price(row.name)
            if price is None and group.edition.open_to_all(name) is not None:
                price = row.caps
            wearable = not kind.armour or name in force.may_wear(rank.name)
            if price is not None and wearable and not group.terms.bans(name):
                options.append(Option(name, price, "Big Gun" if kind.big_gun else ""))
        if options:
            yield OptionGroup(kind.kind, tuple(options))


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    """The submitted form's document, changed by its button."""
    models = {at: _character(fields, at) for at in forms.prefixes(fields, "m", "rank")}
    for i in [forms.text(fields, "leader"), *fields.get("leader_too", [])]:
        if f"m{i}" in models:
            models[f"m{i}"]["leader"] = True
    characters = {"turfs": forms.texts(fields, "turf"), "models": list(models.values())}
    form = forms.head(fields, document, edition) | characters
    forms.apply_button(form, fields, _COMMANDS)
    return read_force(form, edition)


def _character(fields: forms.Fields, at: str) -> dict[str, Any]:
    return {
        "rank": forms.text(fields, f"{at}.rank"),
        "called": forms.text(fields, f"{at}.called"),
        "leader": False,
        "perks": forms.texts(fields, f"{at}.perk"),
        "items": [forms.item(fields, item, f"{at}.rank") for item in forms.prefixes(fields, f"{at}.i")],
    }


def _add_model(form: Document, fields: forms.Fields) -> None:
    rank = forms.text(fields, "add_model")
    if rank:
        form["models"].append({"rank": rank, "leader": not form["models"]})


_COMMANDS: forms.Commands = {
    "add-model": _add_model,
    "remove-model": forms.remove("models"),
    # A name belongs to one person.
    "duplicate-model": forms.duplicate("models", leader=False, called=""),
    **forms.moves("models"),
    "add-item": forms.add_copy("m{}.add_item", "models", "items"),
    "remove-item": forms.remove("models", "items"),
    "remove-perk": forms.remove("models", "perks"),
    "drop-leader": forms.change("models", leader=False),
}
