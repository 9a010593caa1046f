"""The cards and sheets of the groups of a campaign."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from re import sub

from events.papers.force_sheets import COPIES, card_unit, game_sheets_of, on_paper, ticks_words
from events.seasons.campaign_queries import Row, held
from events.seasons.loading import groups_shown
from events.store.campaign import fights, terms_of_battle
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.players import players_by_id
from events.store.verdicts import terms_for, verdict_of, verdict_sign, verdict_words
from events.store.visitor import Visitor
from events.visitors.event_loading import campaign_of
from languages.words import N_, apart, gettext, labelled, pgettext, with_nbsp
from models.event import Event
from models.play import PlayerState
from pdf.force_card import ForceCard, Gear, Unit
from pdf.game_sheet import GameSheet
from pdf.table import BELOW, WRITE_HEIGHT, Col, filled
from pdf.table import Table as PrintedTable
from validators.campaign import Member, World
from validators.campaign_history import History
from validators.contract import Document, Verdict
from validators.sheet import Lines, copies, key_to_readings

SHORT = 6
"""Figures of up to this many characters have columns of their own."""
MANY = 6
"""Rosters with at least this many such columns have a narrower one for changes."""
MOST_UNBROKEN = 18
"""Notes of up to this many characters stay on one line."""
TALL = 15
"""Rosters of fewer rows have higher ones to write in."""


def groups_on_paper(event: Event, reader: Visitor | None = None) -> tuple[History, dict[int, Row]] | None:
    """The campaign, and the rows of the groups visible to the reader, by player id; None if there are none."""
    if event.campaign is None:
        return None
    try:
        history, _ = campaign_of(event)
    except Refused:  # printed with the founding lists then
        return None
    rows = groups_shown(event, players_by_id(event), reader)
    return history, {row.player.id: row for row in rows if row.rating is not None}


def group_sheets(event: Event, history: History, row: Row) -> list[GameSheet]:
    player, world = row.player, history.world
    purse, items = held(history, player.id, without="points")  # they are the rating
    more = (f"{n} {label}" for label, n in purse)
    *named, last = group_notes(history, row)
    notes, name = (*named, " · ".join((last, *more))), player.name
    carried = [name for member in row.present for name, count in member.carries for _ in range(count)]
    spare = Counter(dict(items)) - Counter(carried)
    holds = ", ".join(copies(n, label) for label, n in spare.items())
    short = apart(labelled(label, gettext(meaning)) for label, meaning in world.rules.short)
    key = Lines("", tuple(filter(None, (*_key(row.present), short, gettext(world.rules.figures_about)))))
    stands = Lines(gettext("Held, not carried") if holds else "", (holds,)), roster(row.present), key
    sheets = [GameSheet(gettext("%(name)s: Roster", name=name), notes, stands, name)]
    if world.rules.sheet is None:
        terms = replace(terms_for(terms_of_battle(event), player), grown=True)
        return sheets + game_sheets_of(event, player, at_the_table(event, world, player.id)[0], terms)
    characters = on_paper(world.rules.sheet(world.groups[player.id]))
    notes = (*notes[:-1], " · ".join(filter(None, (notes[-1], key_to_readings(characters)))))
    return [*sheets, GameSheet(gettext("%(name)s: Characters", name=name), notes, characters, name)]


def group_card(event: Event, history: History, row: Row, copy: str) -> ForceCard:
    """A group as a card for this ``copy``, or for anybody: what it musters, with the verdict of a battle.

    Before it has mustered, and in a game where the whole group may fight, it is the whole group, by its rating.
    """
    system, world, player = system_of(event), history.world, row.player
    document, mustered = at_the_table(event, world, player.id)
    summary = system.forces.summarise(document, world.edition)
    total, allowed = (
        (str(summary.total), gettext("mustered of %(rating)s", rating=row.rating))
        if mustered
        else (str(row.rating), gettext("rating"))
    )
    findings = tuple[str, ...]()
    verdict, sign = gettext("No muster yet"), ""
    if not world.rules.brings:
        verdict, sign = may_fight_words(row.present)
    if mustered:
        checked = verdict_of(event, document, terms_for(terms_of_battle(event), player))
        verdict, sign, findings = verdict_words(checked), verdict_sign(checked), findings_on_card(checked)
    units = tuple(card_unit(unit, copy or "player") for unit in system.papers.card(document, world.edition))
    if world.rules.sheet is not None:
        units_by_name = {unit.name: unit for unit in units}
        key = _key(row.present)
        legend = " ".join((*(f"{text}." for text in key), gettext(world.rules.figures_about)))
        units = tuple(_unit(member, units_by_name.get(member.name), key) for member in row.present)
        units += (Unit(gettext("Key"), "", (), (Gear(legend),)),)
    leader = summary.leader and gettext("Leader: %(name)s", name=summary.leader)
    about = (row.name, leader, world.edition.name)
    return ForceCard(
        player=player.name, club=player.club, faction=summary.faction, about=" · ".join(filter(None, about)),
        total=total, allowed=allowed, units=units, verdict=verdict, sign=sign,
        kind=gettext(COPIES.get(copy, N_("Group"))), state=group_after(history, row), ticks=ticks_words(copy),
        signed=copy == "judge", findings=() if copy == "opponent" else findings,
        game=system.name, key=key_to_readings(units),
    )  # fmt: skip


def findings_on_card(verdict: Verdict) -> tuple[str, ...]:
    """What the check of a battle's force found, in sentences; of a legal one, first what may be the reason."""
    sentences = verdict.sentences()
    if verdict.legal and sentences:
        return gettext("Losses in the campaign may be the reason; the judge decides."), *sentences
    return sentences


def may_fight_words(members: Sequence[Member]) -> tuple[str, str]:
    """Who of a group's members the rules let into its next game, and the sign for all, some or nobody."""
    able, absent = ([member.name for member in members if member.absent_members is stays] for stays in (False, True))
    if not able or not absent:
        return gettext("The whole group may fight") if able else gettext("Nobody may fight"), "✓" if able else "✗"
    if len(absent) <= len(able):
        return gettext("All but %(names)s may fight", names=", ".join(absent)), "!"
    return labelled(gettext("May fight"), ", ".join(able)), "!"


def at_the_table(event: Event, world: World, group: int) -> tuple[Document, bool]:
    """The part of a group that musters, and True; the whole group before a muster, or where all of it may fight."""
    document = fights(world, group) if world.rules.brings else None
    if document is not None and system_of(event).papers.card(document, world.edition):
        return document, True
    return world.rules.document(world.groups[group]), False


def _carried(member: Member) -> list[str]:
    return [copies(count, name) for name, count in member.carries]


def _unit(member: Member, unit: Unit | None, key: Mapping[str, str]) -> Unit:
    """A member on the card: as its force file has it, if it is there, with its figures and what else holds of it."""
    strip = tuple(f"{label}\u00a0{value}" for label, value in member.figures)
    figures = Gear("", PrintedTable((Col("", "fixed"),) * len(strip), (strip,)))
    carried = unit.gear if unit else (Gear(apart(_carried(member))),)
    costs = tuple(cost for gear in carried for cost in gear.costs)
    shown = " ".join((*(gear.text for gear in carried), *(text for text, _ in costs), *(unit.marks if unit else ())))
    notes = [key.get(text, text) for text in (*member.notes, member.place) if text and text not in shown]
    texts = filter(None, (*(gear.text for gear in carried), *notes))
    return replace(
        unit or Unit(member.name, "", (member.rank,)), gear=(figures, Gear("", costs=costs), Gear(apart(texts)))
    )


def group_after(history: History, row: Row) -> str:
    """The game after which the printed state of a group applies, and its open steps, or that it has left."""
    played, todo = history.world.played.get(row.player.id), row.todo
    waits = todo.round if todo else 0
    state = gettext("As founded") if waits else gettext("Before the first game")
    if played:
        state = gettext("After round %(number)s", number=played.round)
    if todo and todo.place:
        state += gettext(", its steps are open")
    if row.player.state == PlayerState.DROPPED:
        return apart((state, gettext("Dropped")))
    return (
        gettext("%(state)s; the steps of round %(waits)s are not begun", state=state, waits=waits) if waits else state
    )


def group_notes(history: History, row: Row) -> tuple[str, ...]:
    rating = gettext("rating %(rating)s", rating=row.rating)
    record = [row.record] if row.todo is None else []  # it counts the game whose steps are open
    state = " · ".join((group_after(history, row), rating, *record))
    return tuple(filter(None, (row.name, row.forfeits, state)))


def _key(members: Sequence[Member]) -> dict[str, str]:
    """Explained notes ("Hungry: E −1") of several members, each with the short form that is printed instead."""
    having = Counter(note for member in members for note in member.notes if ":" in note)
    named = Counter(note.partition(":")[0] for note in having)
    return {note: label.strip() for note, n in having.items() if n > 1 and named[label := note.partition(":")[0]] == 1}


def roster(members: Sequence[Member]) -> PrintedTable:
    """Members as a table to write changes in. Equal ones share a row; short figures of most get their own columns."""
    key = _key(members)
    labels = Counter(label for member in members for label, value in member.figures if len(value) <= SHORT)
    columns = [label for label, n in labels.items() if 2 * n > len(members)]

    def row(member: Member) -> tuple[str, ...]:
        figures = dict(member.figures)
        notes = [f"{label} {value}" for label, value in figures.items() if label not in columns and value != "0"]
        notes += (key.get(note, note) for note in member.notes)
        notes = [with_nbsp(note) if len(note) <= MOST_UNBROKEN else note for note in notes]
        lines = filter(None, (", ".join(_carried(member)), ", ".join(notes)))
        return *(figures.get(label, "") for label in columns), BELOW.join(lines), ""

    alike = Counter(
        (member.name, BELOW.join(filter(None, (member.rank, member.place))), row(member)) for member in members
    )
    heads = (
        Col(apart((gettext("Name"), pgettext("troops", "Rank"))), strong=True),
        *(Col(label, "centre") for label in columns),
        Col(apart((gettext("Carries"), gettext("Notes"))), listed=True),
        Col(gettext("Changes"), "write", share=0.28 if len(columns) < MANY else 0.21),
    )  # fmt: skip
    rows = tuple(
        (BELOW.join((sub(r" (?=\d+$)", "\u00a0", copies(n, name)), below)), *texts)
        for (name, below, texts), n in alike.items()
    )
    tall = WRITE_HEIGHT * max(1.0, min(2.0, TALL / max(1, len(rows))))
    return filled(PrintedTable(heads, rows, title=gettext("Members"), keep_size=True, write=tall))
