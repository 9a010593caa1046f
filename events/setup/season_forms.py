"""The section "Season" of the page "Pairing"."""

from datetime import datetime

from sqlmodel import Session

from events.play.errors import Refused
from events.play.season import MOST_DAYS, Season, season_document, season_in
from events.play.team_queries import is_team_event
from events.setup.pairing_actions import note_change
from events.setup.pairing_forms import Section, SectionForm
from events.web.forms import number
from models.event import Event


class SeasonForm(SectionForm):
    """The windows of a season."""

    days = number(
        "Days for each round", 1, MOST_DAYS, required=False,
        description="Round 1 opens on the event’s first day, each other round when the window before it ends. Leave "
        "blank for an event that is played in one go.",
    )  # fmt: skip

    def wanted(self) -> Season | None:
        """The season as typed; None for none."""
        return None if self.days.data is None else Season(days=self.days.data)


def set_season(s: Session, event: Event, wanted: Season | None, actor: str, now: datetime) -> None:
    """Store the season. Raises Refused."""
    if wanted is not None and is_team_event(event):
        raise Refused("A season is for individual players: choose them first.", "days")
    before, after = event.season or {"days": None}, season_document(wanted) or {"days": None}
    if note_change(s, event, actor, now, "Changed the season", dict.fromkeys(after) | before, after):
        event.season = season_document(wanted)


def _shown(event: Event) -> dict[str, object]:
    season = season_in(event.season)
    return {"days": season.days if season else None}


def _store(s: Session, event: Event, form: SeasonForm, actor: str, now: datetime) -> None:
    set_season(s, event, form.wanted(), actor, now)


SEASON = Section("season", "Season", SeasonForm, _shown, _store)
