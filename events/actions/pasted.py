"""Many players at once, from a pasted list."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from events.actions import teams
from events.csv_sheets import as_typed
from events.doubles import split_entry
from events.errors import Refused
from events.names import NO_WEB_ADDRESS, forbidden_character, has_web_address, tidy
from events.reading import factions_of, system_of
from events.team_reading import is_team_event
from models.event import Event
from models.play import Player

PART_LENGTH = 80
PASTED_LINES = 500


@dataclass(frozen=True)
class Pasted:
    """One line of a pasted list, and what became of it."""

    line: str
    player: Player | None
    refusal: str = ""


def parts_of_line(event: Event) -> tuple[str, ...]:
    """What the parts of a line are, in their order; all but the first may be left out."""
    names = "name & partner" if event.doubles else "name"
    return (names, "club", system_of(event).words.faction, *(("team",) if is_team_event(event) else ()))


def register_pasted(s: Session, event: Event, text: str, actor: str, now: datetime) -> list[Pasted]:
    """Enter every line of a pasted list: name, club, faction and team, separated by tabs, or else by semicolons.

    A line that cannot be entered is returned with the reason; the other lines are kept. Blank lines are skipped.
    Apostrophes that our own CSV files put in front of formulas are removed (``as_typed``).
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > PASTED_LINES:
        raise Refused(f"{len(lines)} lines; at most {PASTED_LINES} are taken at once.", "names")
    done: list[Pasted] = []
    for line in lines:
        try:
            player = _register_line(s, event, line, actor, now)
        except Refused as refusal:
            done.append(Pasted(line.strip(), None, refusal.message))
        else:
            done.append(Pasted(line.strip(), player))
    return done


def _register_line(s: Session, event: Event, line: str, actor: str, now: datetime) -> Player:
    cells = [tidy(as_typed(cell)) for cell in line.split("\t" if "\t" in line else ";")]
    parts = parts_of_line(event)
    if len(cells) > len(parts):
        most = {3: "three", 4: "four"}[len(parts)]
        raise Refused(f"More than {most} parts: {'; '.join(parts)}.")
    if any(forbidden_character(cell) for cell in cells):
        raise Refused("It holds a character that cannot be printed.")
    if max(map(len, cells)) > PART_LENGTH:
        raise Refused(f"A part is longer than {PART_LENGTH} characters.")
    entry, club, faction, team = [*cells, "", "", ""][:4]
    if any(map(has_web_address, (entry, club, team))):
        raise Refused(NO_WEB_ADDRESS)
    name, partner = split_entry(entry) if event.doubles else (entry, "")
    known = {f.casefold(): f for f in factions_of(s, event)}
    faction = known.get(faction.casefold(), faction)
    return teams.enter(s, event, name, club, faction, actor, now, team=team, partner=partner)
