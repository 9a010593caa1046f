"""The forces that the papers of a game show: lists, or the groups of a campaign as they stood in the game."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from events.papers.campaign_paper import at_the_table, groups_on_paper
from events.store.campaign import group_name, played_with
from events.store.players import players_by_id
from events.store.verdicts import forces_of
from events.store.visitor import Visitor
from events.visitors import access
from events.web.request import now
from languages.words import gettext
from models.event import Event
from models.play import ForceList, Game
from models.settings import ListsShown
from validators.campaign import World
from validators.campaign_history import History
from validators.contract import Document


@dataclass(frozen=True)
class OnSheet:
    """A force on sheets: a list, or a campaign group's fighting part, with the group's name and rating."""

    document: Document
    about: tuple[str, ...] = ()
    costs: bool = True
    """Whether its cost is printed."""


@dataclass(frozen=True)
class Forces:
    event: Event
    now: Mapping[int, OnSheet]
    """By player id, as they are now."""
    listed: Collection[int] = ()
    """The players who have a list, be it secret."""
    history: History | None = None
    groups: Collection[int] = ()
    """The players whose campaign groups may be shown."""

    def of_game(self, game: Game) -> Mapping[int, OnSheet]:
        """Those for the papers of a game: a group with steps after it stands as it did in the game."""
        if self.history is None:
            return self.now
        ids = {game.a_id, game.b_id or 0} & {*self.groups}
        then = {id_: world for id_ in ids if (world := played_with(self.history, id_, game.id))}
        return {**self.now, **{id_: _group_on_sheet(self.event, world, id_) for id_, world in then.items()}}


def forces_on_sheets(event: Event) -> Forces:
    """The forces to print on scoresheets: no secret lists or drafts, because both players hold the sheet.

    If lists become public at the lock, sheets printed earlier show the submitted lists.
    """
    every = forces_of(event)
    lists = {id_: OnSheet(force.document) for id_, force in _lists_on_sheets(event, every).items()}
    campaign = groups_on_paper(event, Visitor())
    if campaign is None:
        return Forces(event, lists, frozenset(every))
    history, groups = campaign
    mustered = {id_: _group_on_sheet(event, history.world, id_) for id_ in groups}
    return Forces(event, lists | mustered, {*every, *groups}, history, groups)


def _group_on_sheet(event: Event, world: World, group: int) -> OnSheet:
    document, mustered = at_the_table(event, world, group)
    about = (group_name(world, group), gettext("rating %(rating)s", rating=world.rules.rating(world.groups[group])))
    return OnSheet(document, about, mustered)


def _lists_on_sheets(event: Event, every: Mapping[int, ForceList]) -> dict[int, ForceList]:
    if not access.lists_locked(event, now()):
        shown = event.lists_shown == ListsShown.AT_LOCK
        return {id_: force for id_, force in every.items() if shown and force.submitted}
    people = players_by_id(event)
    return {
        id_: force
        for id_, force in every.items()
        if access.may_see_force(Visitor(), people[id_], event, now(), submitted=force.submitted, opponent=False)
    }
