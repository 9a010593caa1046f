"""The builder of Fallout Skirmish: the data of its page, and the document in its form.

The form also sends ``leader``, the number of a model, ``leader_too`` for others that are marked, and choices not yet
made: ``add_model``, ``m{i}.add_item``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from languages.words import apart, gettext
from validators.contract import Document, EditionInfo, Terms
from validators.fallout_skirmish.check import CHECKS, carries
from validators.fallout_skirmish.edition import RankRow, TurfRow
from validators.fallout_skirmish.force import GroupFile, PricedCharacter, PricedGroup, priced, read_force
from validators.fallout_skirmish.suggestions import fixes
from validators.kit import forms
from validators.kit.builder import Option, OptionGroup, Page, page, usual_first


@dataclass(frozen=True)
class BuilderView:
    page: Page
    group: PricedGroup
    leader: PricedCharacter | None
    """The first marked leader; a legal group has only one."""
    add_characters: tuple[Option, ...]
    turfs: tuple[str, ...]
    """The turfs with which a group starts; "" for one that is not rolled yet."""
    turf_table: tuple[Option, ...]
    offers: Mapping[str, tuple[OptionGroup, ...]]
    """What can be added to a character, by its rank."""

    def carried(self, character: PricedCharacter) -> str:
        """Its name, if any, and its equipment in one line."""
        return apart(filter(None, (character.called, carries(character))))

    def to_add(self, character: PricedCharacter) -> tuple[OptionGroup, ...]:
        others = (
            a_character
            for a_character in self.group.characters
            if a_character.rank is character.rank and a_character is not character
        )
        offered = self.offers[character.rank.name] if character.rank else ()
        return usual_first(offered, (item.name for one in others for item in one.items))


def builder(document: Document, terms: Terms, fields: forms.Fields) -> BuilderView:
    group = priced(document, terms)
    file = group.edition.file
    factions = () if group.characters and group.force else (force.name for force in file.forces)
    costs = [(character.called or character.rank_name, character.caps) for character in group.characters]
    ranks = {character.rank.name: character.rank for character in group.characters if character.rank}
    return BuilderView(
        page=page(CHECKS, document, group, fields, factions, fixes, costs),
        group=group,
        leader=next((character for character in group.characters if character.leader), None),
        add_characters=tuple(_ranks(group)),
        turfs=(*group.turfs, *[""] * (file.turfs_at_start - len(group.turfs))),
        turf_table=tuple(map(_turf, file.turfs)),
        offers={name: tuple(_to_add(rank, group)) for name, rank in ranks.items()},
    )


def _turf(turf: TurfRow) -> Option:
    rolls = f"{turf.first}–{turf.last}" if turf.last > turf.first else str(turf.first)
    return Option(f"{rolls}: {turf.name}", None, value=turf.name)


def _ranks(group: PricedGroup) -> Iterable[Option]:
    for rank in group.force.ranks if group.force else ():
        if not group.terms.bans(rank.name):
            used = sum(character.rank is rank for character in group.characters)
            yield Option(rank.name, rank.caps, gettext("%(used)s of %(most)s", used=used, most=rank.most))


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
                options.append(Option(name, price, gettext("Big Gun") if kind.big_gun else ""))
        if options:
            yield OptionGroup(kind.kind, tuple(options))


def edit_force(document: Document, fields: forms.Fields, edition: EditionInfo) -> Document:
    form = forms.document(fields, document, edition, GroupFile, {"models": "m", "items": "i"})
    forms.mark_leaders(form, fields, "rank")
    forms.apply_button(form, fields, COMMANDS)
    return read_force(form, edition)


def _add_model(form: Document, fields: forms.Fields) -> None:
    rank = forms.text(fields, "add_model")
    if rank:
        form["models"].append({"rank": rank, "leader": not form["models"]})


COMMANDS: forms.Commands = {
    "add-model": _add_model,
    # A name belongs to one person.
    **forms.cards("model", "models", leader=False, called=""),
    **forms.rows("item", "m{}.add_item", "models", "items", make=lambda name: {"name": name, "count": 1}),
    "remove-perk": forms.remove("models", "perks"),
    "drop-leader": forms.change("models", leader=False),
}
