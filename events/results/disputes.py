"""Disputes: two reports that differ, and how they can be read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from sqlmodel import Session

from events.results.reports import latest
from events.store.campaign import Brought, mustered
from events.store.editions import system_of
from events.store.outcomes import ended, lone_board
from events.store.players import player_of
from events.store.roles import fields_a_part
from events.store.verdicts import fielded_of, terms_for, terms_of, verdict_of
from events.tournament.endings import Ending
from events.tournament.scores import Ended, doubts_about, figures_of, score
from languages.words import gettext
from models.event import Event, Round
from models.play import Game, GameState, Player, Report, ReportSide
from validators.answers import Bound, beyond_bounds
from validators.contract import Document
from validators.readings import Compared, Reading, compare
from validators.scenario import PLAYER, Answers, Doubt, Scenario, Score, Side

Groups = Mapping[int, Brought]
"""What the groups of a game in a campaign bring, by player id; empty in other events."""


def groups_in_game(s: Session, event: Event, game: Game) -> Groups:
    return {} if event.campaign is None else mustered(s, event, game)


def forfeits_asked(game: Game, groups: Groups) -> Iterator[Doubt]:
    """A query for each group of a campaign that forfeits the battle, or has too few points for it."""
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    for side, player_id in sides:
        if (brought := groups.get(player_id or 0)) and brought.forfeits:
            asked = gettext(
                "%(player)s: the group has not mustered the %(least)s points that a battle needs. Did it forfeit? Then "
                "the desk records the forfeit.",
                player=PLAYER[side],
                least=brought.forfeits,
            )
            yield Doubt((), asked, False)


def bounds_of(
    s: Session, event: Event, game: Game, scenario: Scenario, groups: Groups | None = None
) -> tuple[Bound, ...]:
    """The limits that both players' lists set on the figures; none for a player without a legal submitted list.

    In a campaign the forces that the groups mustered for the game set them; ``groups``, if they are loaded.

    Never show them: they come from lists that a reporter may not see.
    """
    system = system_of(event)
    if system.scoring.bounds is None:
        return ()
    limits: list[Bound] = []
    sides: tuple[tuple[Side, int | None], ...] = (("a", game.a_id), ("b", game.b_id))
    terms = terms_of(event)
    grown = None
    if event.campaign is not None:
        grown = groups_in_game(s, event, game) if groups is None else groups
    for side, player_id in sides:
        player = player_of(s, event, player_id) if player_id else None
        if player is None:
            continue
        brought = None if grown is None else grown.get(player.id)
        document = brought.document if brought else None
        document = _played(s, event, game, scenario, player) if grown is None else document
        if document is None or document["edition"] != event.edition:
            continue
        if grown is not None or verdict_of(event, document, terms_for(terms, player).fielded).legal:
            bounds = system.scoring.bounds(scenario, side, document, terms.edition)
            limits += bounds if brought is None else map(partial(_of_group, brought), bounds)
    return tuple(limits)


def _of_group(brought: Brought, bound: Bound) -> Bound:
    """The limit that a campaign's group sets: its muster, or while that is not known its army and a battle's size."""
    if brought.most is not None:
        return replace(bound, most=min(bound.most, brought.most), exact=False, by="army")
    return replace(bound, by="muster" if bound.most else "forfeit")


def _played(s: Session, event: Event, game: Game, scenario: Scenario, player: Player) -> Document | None:
    """The force that a player used in this game: the fielded part if players choose one, else the list."""
    if fields_a_part(event, scenario, game):
        fielded = fielded_of(s, game).get(player.id)
        return fielded.document if fielded else None
    force = player.force_list
    return force.document if force and force.submitted_at else None


@dataclass(frozen=True)
class Dispute:
    compared: Compared
    a: Report
    b: Report
    readings: tuple[tuple[Reading, Ended, Score | None], ...]
    """The likely results, each with its ending and score."""

    @property
    def endings_differ(self) -> bool:
        return ended(self.a) != ended(self.b)


def dispute_of(s: Session, event: Event, game: Game, scenario: Scenario, a: Player, b: Player) -> Dispute | None:
    reports = latest(s, game)
    ours, theirs = reports.get(ReportSide.A), reports.get(ReportSide.B)
    if game.state != GameState.DISPUTED or ours is None or theirs is None:
        return None
    bounds = bounds_of(s, event, game, scenario)
    card = lone_board(event, s.get_one(Round, game.round_id).number, scenario, game).card

    def check(asked: Scenario, answers: Answers) -> tuple[Doubt, ...]:
        doubts = doubts_about(system_of(event), asked, answers)
        refused = any(doubt.refused for doubt in doubts)
        every = doubts if refused else (*doubts, *beyond_bounds(bounds, answers))
        return tuple(replace(doubt, names=(a.name, b.name)) for doubt in every)

    compared = compare(
        scenario, ours.answers, theirs.answers, {"a": a.name, "b": b.name}, check,
        lambda asked, answers: figures_of(system_of(event), asked, answers),
    )  # fmt: skip
    readings: list[tuple[Reading, Ended, Score | None]] = []
    for reading in compared.readings:
        if reading.report is None and Ending.NOT_PLAYED in (ours.ending, theirs.ending):
            continue
        # Combining both reports needs the same ending in both.
        if reading.report is None and ended(ours) != ended(theirs):
            continue
        how = ended(theirs if reading.report == "b" else ours)
        its_score = score(system_of(event), scenario, reading.answers, how, card)
        # A reading that gives what a report gives is no third choice.
        if reading.report or all(its_score != shown for _, _, shown in readings):
            readings.append((reading, how, its_score))
    return Dispute(compared, ours, theirs, tuple(readings))
