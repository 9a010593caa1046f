"""The forces of players, and the verdicts on them. Verdicts are cached; a locked list stores its own in part."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sqlmodel import Session, select

from events.store.editions import edition_by_id, edition_of, system_of
from languages.words import gettext, language, ngettext
from models.event import Event
from models.parts import load_parts
from models.play import FieldedForce, ForceList, ForceStep, Game, ListSeal, Player
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.game_system import GameSystem
from validators.restrictions import Restrictions
from validators.scenario import Role


def force_steps(force: ForceList, *, undone: bool) -> Sequence[ForceStep]:
    """The force's earlier or undone documents, newest last."""
    return [step for step in force.steps if step.undone == undone]


def forces_of(event: Event) -> dict[int, ForceList]:
    load_parts(event.players, "force_list")
    return {player.id: player.force_list for player in event.players if player.force_list is not None}


def sealed_lists(event: Event) -> dict[int, list[ListSeal]]:
    """All sealed lists of the event by player id, each player's oldest first."""
    load_parts(event.players, "seals")
    return {player.id: player.seals for player in event.players if player.seals}


def terms_of(event: Event) -> Terms:
    campaign = system_of(event).campaign if event.campaign else None
    least = campaign.least(campaign.chosen(event.campaign["settings"])) if campaign and event.campaign else 0
    return Terms(edition_of(event), event.size, event.restrictions, least=least)


def terms_for(terms: Terms, player: Player) -> Terms:
    return replace(terms, faction=player.faction) if terms.restrictions.faction_locked else terms


def verdict_on(event: Event, player: Player, force: ForceList, terms: Terms) -> Verdict:
    """The verdict on a player's force by the event's terms; a list that was locked as legal keeps that verdict."""
    verdict = verdict_of(event, force.document, terms_for(terms, player))
    kept, locked_at = force.kept_queries, event.lists_locked_at
    if kept is None and locked_at is not None and force.saved_at <= locked_at and player.list_unlocked_at is None:
        kept = "*"  # locked by an earlier version: a submitted list was legal, and nobody knows what was asked
    return verdict.kept(kept.split(",")) if kept not in (None, "-") and force.submitted else verdict


def keep_verdict(event: Event, player: Player, force: ForceList, terms: Terms) -> None:
    verdict = verdict_of(event, force.document, terms_for(terms, player))
    asked = sorted({query.rule for query in verdict.queries})
    force.kept_queries = ",".join(asked) if verdict.legal else "-"


def verdict_of(event: Event, document: Document, terms: Terms) -> Verdict:
    return cached_verdict(system_of(event), document, terms)


def cost_when_submitted(s: Session, event: Event, force: ForceList) -> int | None:
    """What a list cost when it was submitted, if another edition of the event has changed that; else None."""
    system, terms = system_of(event), terms_of(event)
    then = edition_by_id(s, system, force.submitted_edition) if force.submitted_edition else None
    if then is None:
        return None
    was = verdict_of(event, force.document | {"edition": then.id}, replace(terms, edition=then)).total
    return was if was != verdict_of(event, force.document, terms).total else None


def list_size(event: Event) -> int:
    """The points of a list: with a sideboard the roster's size, else the event's."""
    return event.restrictions.roster_size or event.size


def fielded_of(s: Session, game: Game) -> dict[int, FieldedForce]:
    """The forces chosen for a game from the players' rosters, by player id."""
    return {
        fielded_force.player_id: fielded_force
        for fielded_force in s.exec(select(FieldedForce).where(FieldedForce.game_id == game.id))
    }


def turn_order(event: Event, a: Document | None, b: Document | None) -> tuple[str, ...]:
    """The turn order of both forces; () without one, or if a force is unknown or fielded in part."""
    order = system_of(event).papers.turn_order
    if order is None or a is None or b is None or list_size(event) != event.size:
        return ()
    return order(a, b, edition_of(event))


def verdict_words(verdict: Verdict) -> str:
    """A verdict in a few words: "Legal, 2 questions"."""
    broken, asked = len(verdict.problems), len(verdict.queries)
    text = ngettext("Not legal: %(num)s problem", "Not legal: %(num)s problems", broken) if broken else gettext("Legal")
    return ", ".join([text, *([ngettext("%(num)s question", "%(num)s questions", asked)] if asked else [])])


def verdict_sign(verdict: Verdict) -> str:
    return "✗" if verdict.problems else "?" if verdict.queries else "✓"


class _Rules:
    """A cache key that compares games and editions by identity: two with the same name can differ."""

    __slots__ = ("info", "system")

    def __init__(self, system: GameSystem, info: EditionInfo) -> None:
        self.system, self.info = system, info

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and other.info is self.info and other.system is self.system

    def __hash__(self) -> int:
        return id(self.info)


def cached_verdict(system: GameSystem, document: Document, terms: Terms) -> Verdict:
    text = json.dumps(document, separators=(",", ":"))
    asked = terms.size, terms.restrictions, terms.faction, terms.role, terms.grown, terms.least
    return _judged(_Rules(system, terms.edition), asked, text, language())


@lru_cache(maxsize=2000)
def _judged(
    rules: _Rules,
    asked: tuple[int, Restrictions, str, Role | None, bool, int],
    text: str,
    _code: str,
) -> Verdict:
    return rules.system.checks.check(json.loads(text), Terms(rules.info, *asked))
