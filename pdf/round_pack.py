"""All that a round needs on paper, in one document: what is hung up, what lies on each table, what the desk keeps.

Each sheet is drawn by its own module and counts its own pages; the outline leads to each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pdf.page import PageSize, finish, new_paper
from pdf.pairings import RoundPairings, draw_pairings_by_name, draw_pairings_by_table
from pdf.reference_sheet import Reference
from pdf.round_plan import RoundPlan, draw_round_plan
from pdf.scenario_page import PackScenario, draw_scenario_sheets
from pdf.scoresheet import Each, draw_scoresheets
from pdf.sheet_data import Scoresheet
from pdf.standings import Standings, draw_standings
from pdf.table_setup import TableSetup, draw_table_setups


@dataclass(frozen=True)
class RoundPack:
    """One round of an event."""

    event: str
    title: str
    """What the document is called: "Round 2"."""
    pairings: RoundPairings
    plan: RoundPlan | None
    """The plan of the day."""
    scenarios: Sequence[PackScenario]
    """Those that are played in the round."""
    setups: Sequence[TableSetup]
    sheets: Sequence[Scoresheet]
    """One for each table."""
    back: Reference | None = None
    """What is printed on their backs."""
    standings: Standings | None = None
    """After the rounds before it; None where there are none."""


def round_pack(pack: RoundPack, page_size: PageSize, printed_at: datetime, each: Each = 1) -> bytes:
    """The pack as a PDF, ``each`` scoresheets to a page. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=f"{pack.title}: everything on paper", event=pack.event, printed_at=printed_at)
    draw_pairings_by_name(paper, pack.pairings)
    draw_pairings_by_table(paper, pack.pairings)
    if pack.plan is not None:
        draw_round_plan(paper, pack.plan)
    if pack.scenarios:
        draw_scenario_sheets(paper, pack.scenarios)
    if pack.setups:
        draw_table_setups(paper, pack.setups)
    draw_scoresheets(paper, pack.sheets, each, pack.back)
    if pack.standings is not None:
        draw_standings(paper, pack.standings)
    return finish(paper)
