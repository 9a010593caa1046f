"""The forces that the papers of a game show: lists, or the groups of a campaign as they stood in the game."""

from collections.abc import Mapping
from dataclasses import dataclass

from events.accounts import access
from events.desk.campaign_paper import groups_on_paper
from events.play.campaign import fights, group_name, played_with
from events.play.editions import system_of
from events.play.players import players_by_id
from events.play.verdicts import forces_of
from events.play.visitor import Visitor
from events.web.request import db, now
from models.event import Event
from models.play import ForceList, Game
from models.settings import ListsShown
from validators.campaign import World
from validators.contract import Document


@dataclass(frozen=True)
class OnSheet:
    """A force on sheets: a list, or a campaign group's fighting part, with the group's name and rating."""

    document: Document
    about: tuple[str, ...] = ()
    costs: bool = True
    """Whether its cost is printed."""


def forces_on_sheets(event: Event) -> dict[int, OnSheet]:
    """The forces to print on scoresheets, by player id: no secret lists or drafts, because both players hold the sheet.

    If lists become public at the lock, sheets printed earlier show the submitted lists.
    """
    forces = {id_: OnSheet(force.document) for id_, force in _lists_on_sheets(event).items()}
    if found := groups_on_paper(event, Visitor()):
        forces |= {id_: _group_on_sheet(event, found[0].world, id_) for id_ in found[1]}
    return forces


def forces_of_game(event: Event, game: Game, forces: Mapping[int, OnSheet]) -> Mapping[int, OnSheet]:
    """Those of ``forces`` for the papers of a game: a group with steps after it stands as it did in the game."""
    found = groups_on_paper(event, Visitor())
    if found is None:
        return forces
    history, shown = found
    ids = (id_ for id_ in (game.a_id, game.b_id) if id_ in shown)
    then = {id_: world for id_ in ids if (world := played_with(history, id_, game.id))}
    return {**forces, **{id_: _group_on_sheet(event, world, id_) for id_, world in then.items()}}


def _group_on_sheet(event: Event, world: World, group: int) -> OnSheet:
    """What a group musters; the whole group before a muster, or where all of it may fight."""
    mustered, rating = fights(world, group), world.rules.rating(world.groups[group])
    if mustered and world.rules.brings and not system_of(event).papers.card(mustered, world.edition):
        mustered = None
    costs = mustered is not None and world.rules.brings is not None
    about = (group_name(world, group), f"rating {rating}")
    return OnSheet(mustered or world.rules.document(world.groups[group]), about, costs)


def _lists_on_sheets(event: Event) -> dict[int, ForceList]:
    if not access.lists_locked(event, now()):
        shown = event.lists_shown == ListsShown.AT_LOCK
        return {id_: force for id_, force in forces_of(db(), event).items() if shown and force.submitted}
    people = players_by_id(db(), event)
    return {
        id_: force
        for id_, force in forces_of(db(), event).items()
        if access.may_see_force(Visitor(), people[id_], event, now(), submitted=force.submitted, opponent=False)
    }
