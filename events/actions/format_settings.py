"""Which format an event has: Swiss, round robin or knockout, the cut, third place, the player meeting."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlmodel import Session

from events.actions.pairing_settings import note_change
from events.brackets import follows_rounds, knockout_views
from events.errors import Refused
from events.reading import RoundView, round_views
from models.event import Event, EventFormat, RoundState

FEWEST, MOST = 2, 64
"""Of a cut."""


@dataclass(frozen=True)
class FormatSettings:
    """What an organiser chooses. ``cut`` None: no knockout after the rounds; ``legs`` count in a round robin alone."""

    format: EventFormat = EventFormat.SWISS
    legs: int = 1
    cut: int | None = None
    third_place: bool = False
    player_meeting: bool = False


def format_settings(event: Event) -> FormatSettings:
    """The settings as they stand."""
    return FormatSettings(**{name: getattr(event, name) for name in FormatSettings.__dataclass_fields__})


def set_format(s: Session, event: Event, wanted: FormatSettings, actor: str, now: datetime) -> None:
    """Put new settings in place of the old. What is drawn already is not built on sand. Raises Refused."""
    before, views = format_settings(event), round_views(s, event)
    drawn = any(view.round.state != RoundState.PLANNED for view in views)
    if drawn and (wanted.format, wanted.legs) != (before.format, before.legs):
        raise Refused("The format cannot change once round 1 is drawn.", "format")
    if wanted.cut is not None and wanted.format == EventFormat.KNOCKOUT:
        raise Refused("A knockout from the start has no cut: leave it empty.", "cut")
    if wanted.cut is not None and not FEWEST <= wanted.cut <= MOST:
        raise Refused(f"A cut takes {FEWEST} to {MOST} players.", "cut")
    if wanted.cut != before.cut and any(follows_rounds(view.round, views) for view in views):
        raise Refused("The cut is made already. Discard the draw of its first round to change it.", "cut")
    if wanted.third_place != before.third_place and _final_drawn(views):
        raise Refused("The final is drawn: discard its draw to change this.", "third_place")
    if event.team_size > 1 and (wanted.format != EventFormat.SWISS or wanted.cut is not None):
        raise Refused("Teams are paired by Swiss, without a cut.", "format")
    if note_change(s, event, actor, now, "Changed the format", asdict(before), asdict(wanted)):
        for name, value in asdict(wanted).items():
            setattr(event, name, value)


def _final_drawn(views: Sequence[RoundView]) -> bool:
    return any(v.round.bracket == 2 and v.round.state != RoundState.PLANNED for v in knockout_views(views))
