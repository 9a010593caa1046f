"""The sections "Season" and "Points table of the series" of the page "Pairing"."""

from datetime import datetime

from sqlmodel import Session
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.play.errors import Refused
from events.play.queries import rounds_of
from events.play.season import (
    MOST_ABOVE,
    MOST_BEST,
    MOST_DAYS,
    MOST_EVENTS,
    Circuit,
    Season,
    circuit_document,
    circuit_in,
    season_document,
    season_in,
)
from events.play.team_queries import is_team_event
from events.setup.pairing_actions import note_change
from events.setup.pairing_forms import Section, SectionForm
from events.web.forms import number, text
from models.event import Event, RoundState


class SeasonForm(SectionForm):
    """The windows of a season."""

    days = number(
        "Days for each round", 1, MOST_DAYS, required=False,
        description="Round 1 opens on the event’s first day, each other round when the window before it ends. Leave "
        "blank for an event that is played in one go.",
    )  # fmt: skip

    kind = SelectField(
        "Games arise from",
        choices=[
            SelectChoice("rounds", "Rounds, by the format above"),
            SelectChoice("ladder", "A ladder: players challenge those above them"),
            SelectChoice("challenge", "Challenges: any player challenges any other"),
        ],
        description="A player has one open challenge at a time, and none of the same opponent twice in a row.",
    )
    above = number("Ladder: most places above", 1, MOST_ABOVE)
    answer_days = number(
        "Days to answer a challenge", 1, MOST_DAYS, description="The days for each round are then the time to play it."
    )
    best = number(
        "Best results that count", 1, MOST_BEST, required=False,
        description="Of each player; the others are left out. Leave blank to count all.",
    )  # fmt: skip

    def wanted(self) -> Season | None:
        """The season as typed; None for none."""
        return (
            None
            if self.days.data is None
            else Season(self.days.data, self.best.data, self.kind.data, self.above.data, self.answer_days.data)
        )


def set_season(s: Session, event: Event, wanted: Season | None, actor: str, now: datetime) -> None:
    """Store the season. Raises Refused."""
    if wanted is not None and is_team_event(event):
        raise Refused("A season is for individual players: choose them first.", "days")
    if event.campaign is not None and wanted is None:
        raise Refused("The season is a campaign: end that first.", "days")
    begun = any(one.state != RoundState.PLANNED for one in rounds_of(s, event))
    kinds = [season.kind if season else "rounds" for season in (season_in(event.season), wanted)]
    if begun and kinds[0] != kinds[1]:
        raise Refused("The season has begun: games arise as before.", "kind")
    if begun and event.season is not None and wanted is None:
        raise Refused("The season has begun: change its days, but leave some.", "days")
    before, after = event.season or {"days": None}, season_document(wanted) or {"days": None}
    if note_change(s, event, actor, now, "Changed the season", dict.fromkeys(after) | before, after):
        event.season = season_document(wanted)


def _shown(event: Event) -> dict[str, object]:
    season = season_in(event.season)
    rules = season or Season()
    shown = {name: getattr(rules, name) for name in ("kind", "above", "answer_days", "best")}
    return {"days": season.days if season else None} | shown


def _store(s: Session, event: Event, form: SeasonForm, actor: str, now: datetime) -> None:
    set_season(s, event, form.wanted(), actor, now)


SEASON = Section("season", "Season", SeasonForm, _shown, _store)


class CircuitForm(SectionForm):
    """The points table of the series."""

    points = text(
        "Points for places", 500, required=False,
        description="From the first place on, such as 25, 18, 15, 12, 10, 8, 6, 4, 2, 1. Leave blank for no table.",
    )  # fmt: skip
    best = number(
        "Best events that count", 1, MOST_EVENTS, required=False, description="Of each player. Leave blank for all."
    )

    def wanted(self) -> Circuit | None:
        """The table as typed; None for none. Raises Refused."""
        typed = [part.strip() for part in self.points.data.replace(";", ",").split(",") if part.strip()]
        if not typed:
            return None
        try:
            if not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in typed):
                raise ValueError("enter whole numbers with commas between them")
            return Circuit(tuple(map(int, typed)), self.best.data)
        except ValueError as error:
            raise Refused(f"This table is not possible: {error}.", "points") from error


def set_circuit(s: Session, event: Event, wanted: Circuit | None, actor: str, now: datetime) -> None:
    """Store the points table of the event's series. Raises Refused."""
    if wanted is not None and not event.series:
        raise Refused("The event is in no series: name one in the settings first.", "points")
    before, after = event.circuit or {"points": []}, circuit_document(wanted) or {"points": []}
    if note_change(
        s, event, actor, now, "Changed the points table of the series", dict.fromkeys(after) | before, after,
        {"best": "Best events that count"},
    ):  # fmt: skip
        event.circuit = circuit_document(wanted)


def _circuit_shown(event: Event) -> dict[str, object]:
    circuit = circuit_in(event.circuit)
    points = ", ".join(map(str, circuit.points)) if circuit else ""
    return {"points": points, "best": circuit.best if circuit else None}


def _store_circuit(s: Session, event: Event, form: CircuitForm, actor: str, now: datetime) -> None:
    set_circuit(s, event, form.wanted(), actor, now)


CIRCUIT = Section("circuit", "Points table of the series", CircuitForm, _circuit_shown, _store_circuit)
