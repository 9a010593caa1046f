"""What counts in the standings of an event: victory points or shares, the points table, the tie-breaks."""

from events.play.editions import system_of
from events.tournament.figures import OF_VP, VP_SHARE
from events.tournament.points_table import PointsTable, stored_table
from languages.words import gettext
from models.event import Event
from models.settings import ReportDetail


def scale_words(event: Event) -> str:
    """How victory points of different scenarios are counted, in a sentence; "" if they can simply be added."""
    unlike = not system_of(event).scoring.one_scale
    if not knows_vp(event):
        return ""
    if in_shares(event) and unlike:
        return gettext(
            "The scenarios of this game score on different scales: "
            "the standings count each player’s share of a game’s VP, in percent, 50 in a draw."
        )
    if in_shares(event):
        return gettext("The standings count each player’s share of a game’s VP, in percent, 50 in a draw.")
    if unlike:
        return gettext(
            "The scenarios of this game score on different scales: VP of different scenarios cannot be compared."
        )
    return ""


def knows_vp(event: Event) -> bool:
    """Whether reports include victory points; if not, no page shows them and no tie-break uses them."""
    return event.report_detail != ReportDetail.OUTCOME


def tie_breaks_of(event: Event) -> list[str]:
    """The event's tie-breaks in order, without those that need figures its reports do not include."""
    return [one for one in event.tie_breaks if knows_vp(event) or one not in OF_VP]


def in_shares(event: Event) -> bool:
    """Whether victory points count as shares of their game."""
    return VP_SHARE in tie_breaks_of(event)


def vp_word(event: Event) -> str:
    """The name of victory points in the standings."""
    return gettext("VP share") if in_shares(event) else gettext("VP")


def points_table_of(event: Event) -> PointsTable | None:
    """The event's points table; None if a win, a draw and a loss have fixed points."""
    return stored_table(event.points_table)
