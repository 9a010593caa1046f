"""What an event asks of a report, and what follows for its standings: the detail, and the points table."""

from events.play.figures import VP_SHARE
from events.play.points_table import PointsTable, from_document
from models.event import Event, ReportDetail

OF_VP = ("vp", VP_SHARE, "vp_difference")
"""The tie-breaks that need victory points."""


def knows_vp(event: Event) -> bool:
    """Whether reports say victory points; if not, no page shows any and no tie-break counts them."""
    return event.report_detail != ReportDetail.OUTCOME


def tie_breaks_of(event: Event) -> list[str]:
    """The event's tie-breaks in order, without those that its reports say nothing of."""
    return [one for one in event.tie_breaks if knows_vp(event) or one not in OF_VP]


def in_shares(event: Event) -> bool:
    """Whether victory points count as shares of their game."""
    return VP_SHARE in tie_breaks_of(event)


def vp_word(event: Event) -> str:
    """What victory points are called in the standings."""
    return "VP share" if in_shares(event) else "VP"


def table_of(event: Event) -> PointsTable | None:
    """The event's points table; None where a win, a draw and a loss have their points."""
    return from_document(event.points_table)
